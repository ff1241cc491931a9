"""Pictures of boards as files of their own: for those who share a link to a board, and for their readers."""

from collections.abc import Callable, Sequence
from functools import cache, partial

import structlog
from starlette.exceptions import HTTPException

from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, view_of
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, standing
from pbmserv.letters.pictures.image import image
from pbmserv.letters.text.templates import Renderer, shown_in_help
from pbmserv.model import BoardRow
from pbmserv.rng import Rng
from pbmserv.robots.thinking import Problem, choose
from pbmserv.web import boards, displays
from pbmserv.web.visit import LATER, SOON, File, Visit

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_SAMPLE_PLIES = 14
_ONLY_SVG = "This server makes no PNG of it. There is the same picture as SVG."


def drawn(visit: Visit) -> File:
    """Return the picture of a board now, or after the ply in the path, as SVG. Raises HTTPException if it has none."""
    return _file(visit, "image/svg+xml", lambda row: _svg(visit, row))


def painted(visit: Visit) -> File:
    """Return the same picture as PNG, because most sites show no previews in SVG. Raises HTTPException."""
    return _file(visit, "image/png", lambda row: _png(visit, row))


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
def _sample(game: AnyGame) -> tuple[Board, Sequence[Entry]]:
    """Return a board on which the weakest robots have moved, and their moves; one at its beginning if they cannot."""
    board, moves = shown_in_help(game), list[Entry]()
    try:
        while board.ply < _SAMPLE_PLIES and board.to_move:
            seat = min(board.to_move)
            problem = Problem(game, view_of(board, seat), board.start.options, len(board.seat_names))
            change = play.play(board, seat, choose(problem, 1, Rng("sample", board.length)).text)
            board, moves = change.board, [*moves, change.entry]
    except Exception as bug:  # in a game of others
        log.exception("game_without_sample", game=game.info.key, bug=type(bug).__name__)
    return board, moves


def _file(visit: Visit, media_type: str, make: Callable[[BoardRow], str | bytes]) -> File:
    """Return a picture of the board in the path, which is made if nobody has it yet."""
    row = boards.find(visit)
    known = boards.known(row), visit.path.get("ply")
    age = LATER if row.board.result else SOON
    return File(lambda: make(row), media_type, age, shared=True, known=known)


def _then(visit: Visit, row: BoardRow) -> tuple[Board, Sequence[Entry]]:
    """Return a board as the path asks for it, and the moves up to there."""
    log = visit.store.boards.entries(row.number)[: row.board.length]
    then = boards.at(visit, row, log)
    return then, standing(read_by(row.board, log))[: then.ply]


def _svg(visit: Visit, row: BoardRow) -> str:
    """Return the SVG of a board. Raises HTTPException if it has none."""
    then, moves = _then(visit, row)
    picture = displays.drawn(visit.place.renderer, then, moves)
    if picture is None:
        raise HTTPException(404, f"{row.game.info.name} has no pictures.")
    says = f"{row.game.info.name} board {row.number} after ply {then.ply}. {picture.says}"
    return visit.place.renderer.web("board_picture.svg", {"drawn": picture, "says": says})


def _png(visit: Visit, row: BoardRow) -> bytes:
    """Return the PNG of a board, as letters have it. Raises HTTPException if it has none."""
    try:
        picture = displays.marked(*_then(visit, row))
        if picture is not None:
            return image(picture).png
    except HTTPException:
        raise
    except Exception as bug:  # a picture that is not as the conformance suite wants it
        log.exception("picture_without_image", game=row.game.info.key, bug=type(bug).__name__)
    raise HTTPException(404, _ONLY_SVG)
