"""Pictures of boards as files of their own: for those who share a link to a board, and for their readers."""

from collections.abc import Callable
from functools import cache, partial
from threading import BoundedSemaphore, Lock

import structlog
from starlette.exceptions import HTTPException

from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, standing
from pbmserv.letters.pictures.drawing import Drawing
from pbmserv.letters.text.templates import Renderer, shown_in_help
from pbmserv.model import BoardRow
from pbmserv.rng import Rng
from pbmserv.robots.thinking import Problem, choose
from pbmserv.web import boards, displays
from pbmserv.web.visit import LATER, SOON, File, Visit

try:
    import resvg_py
except ImportError:  # the SVG is there without it
    resvg_py = None  # type: ignore[assignment]  # mypy knows the module only

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

CAN_PAINT = resvg_py is not None
PIXELS = 640  #: the width of a PNG
MOST_AT_ONCE = 3  #: requests for PNG, with those that wait; a page must not wait for all of them
_SAMPLE_PLIES = 14
_TALLEST = 4  #: times its width; a PNG of a taller one would need much memory
_ONLY_SVG = "This server makes no PNG of it. There is the same picture as SVG."
_painting = Lock()
_at_once = BoundedSemaphore(MOST_AT_ONCE)


def drawn(visit: Visit) -> File:
    """Return the picture of a board now, or after the ply in the path, as SVG. Raises HTTPException if it has none."""
    return _file(visit, "image/svg+xml", lambda row: _svg(visit, row)[0])


def painted(visit: Visit) -> File:
    """Return the same picture as PNG, because most sites show no previews in SVG. Raises HTTPException."""
    if not CAN_PAINT:
        raise HTTPException(404, _ONLY_SVG)

    def paint(row: BoardRow) -> bytes:
        svg, drawn = _svg(visit, row)
        if drawn.height > _TALLEST * drawn.width:
            raise HTTPException(404, _ONLY_SVG)
        return _png(svg)

    return _file(visit, "image/png", paint)


def of_game(visit: Visit) -> File:
    """Return a board of a game after a few moves, as SVG. Raises HTTPException if it has no pictures."""
    game = visit.game()
    if not displays.has_picture(game):
        raise HTTPException(404, f"{game.info.name} has no pictures.")
    sample = partial(_sampled, visit.place.renderer, game)
    return File(sample, "image/svg+xml", LATER, shared=True, known=("sample", game.info))


def _sampled(renderer: Renderer, game: AnyGame) -> str:
    drawn = displays.drawn(renderer, *_sample(game))
    if drawn is None:
        raise HTTPException(404, f"{game.info.name} has no pictures.")
    return renderer.web("board_picture.svg", {"drawn": drawn, "says": f"A board of {game.info.name}"})


@cache
def _sample(game: AnyGame) -> tuple[Board, Entry | None]:
    """Return a board on which the weakest robots have moved, and the last move; one at its beginning if they cannot."""
    board, last = shown_in_help(game), None
    try:
        while board.ply < _SAMPLE_PLIES and board.to_move:
            seat = min(board.to_move)
            problem = Problem(game, view_of(board, seat), board.start.options, len(board.seat_names))
            change = play.play(board, seat, choose(problem, 1, Rng("sample", board.length)).text)
            board, last = change.board, change.entry
    except Exception as bug:  # in a game of others
        log.exception("game_without_sample", game=game.info.key, bug=type(bug).__name__)
    return board, last


def _file(visit: Visit, media_type: str, make: Callable[[BoardRow], str | bytes]) -> File:
    """Return a picture of the board in the path, which is made if nobody has it yet."""
    row = boards.find(visit)
    known = boards.known(row), visit.path.get("ply")
    age = LATER if row.board.result else SOON
    return File(lambda: make(row), media_type, age, shared=True, known=known)


def _svg(visit: Visit, row: BoardRow) -> tuple[str, Drawing]:
    """Return the SVG of a board and what it draws. Raises HTTPException if it has none."""
    log = visit.store.boards.entries(row.number)[: row.board.length]
    then = boards.at(visit, row, log)
    last = standing(read_by(row.board, log))[then.ply - 1] if then.ply else None
    picture = displays.drawn(visit.place.renderer, then, last)
    if picture is None:
        raise HTTPException(404, f"{row.game.info.name} has no pictures.")
    says = f"{row.game.info.name} board {row.number} after ply {then.ply}. {picture.says}"
    return visit.place.renderer.web("board_picture.svg", {"drawn": picture, "says": says}), picture


def _png(svg: str) -> bytes:
    """Paint one picture after the other: each takes a tenth of a second, in which Python does nothing else.

    Raises HTTPException if too many are asked for at the same time, so that the threads are left to pages.
    """
    if not _at_once.acquire(blocking=False):
        raise HTTPException(503, "Too many pictures are being painted just now.", {"Retry-After": "5"})
    try:
        with _painting:
            return resvg_py.svg_to_bytes(svg_string=svg, width=PIXELS)
    except ValueError:  # the picture of a game of others has characters that XML does not allow
        raise HTTPException(404, _ONLY_SVG) from None
    finally:
        _at_once.release()
