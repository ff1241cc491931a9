"""Pictures of boards as files of their own: for those who share a link to a board, and for their readers."""

from functools import lru_cache
from threading import Lock

from starlette.exceptions import HTTPException

from pbmserv.games.base.log import standing
from pbmserv.web import boards, displays
from pbmserv.web.visit import LATER, SOON, File, Visit

try:
    import resvg_py
except ImportError:  # the SVG is there without it
    resvg_py = None  # type: ignore[assignment]  # mypy knows the module only

CAN_PAINT = resvg_py is not None
PIXELS = 640  #: the width of a PNG
_KEPT = 50
_painting = Lock()


def drawn(visit: Visit) -> File:
    """Return the picture of a board now, or after the ply in the path, as SVG. Raises HTTPException if it has none."""
    row = boards.find(visit)
    log = visit.store.boards.entries(row.number)[: row.board.length]
    then = boards.at(visit, row, log)
    last = standing(log)[then.ply - 1] if then.ply else None
    picture = displays.drawn(visit.place.renderer, then, last)
    if picture is None:
        raise HTTPException(404, f"{row.game.info.name} has no pictures.")
    says = f"{row.game.info.name} board {row.number} after ply {then.ply}. {picture.says}"
    text = visit.place.renderer.web("board_picture.svg", {"drawn": picture, "says": says})
    return File(text, "image/svg+xml", LATER if row.board.result else SOON, shared=True)


def painted(visit: Visit) -> File:
    """Return the same picture as PNG, because most sites show no previews in SVG."""
    if not CAN_PAINT:
        raise HTTPException(404, "This server makes no PNG. There is the same picture as SVG.")
    svg = drawn(visit)
    return File(_png(str(svg.content)), "image/png", svg.max_age, shared=True)


def _png(svg: str) -> bytes:
    """Paint one picture after the other: each takes a tenth of a second, in which Python does nothing else."""
    with _painting:
        return _painted(svg)


@lru_cache(_KEPT)
def _painted(svg: str) -> bytes:
    return resvg_py.svg_to_bytes(svg_string=svg, width=PIXELS)
