"""Templates as the server renders them."""

from typing import Any

from pbmserv.board import Start, begin
from pbmserv.games.base import AnyGame, Seat
from pbmserv.render import Renderer, module_name

RENDERER = Renderer()


def draw(game: AnyGame, position: Any, seat: Seat | None = None, display: str = "") -> str:
    """The diagram of a position for one reader."""
    return RENDERER.diagram(game, game.view(position, seat), display)


def help_page(game: AnyGame) -> str:
    """The help page of a game."""
    opening = begin(Start(game, {}, game.info.seats[0], "help"))
    move = game.example(opening.position, min(opening.to_move))
    data = {"info": game.info, "diagram": draw(game, opening.position), "move": move}
    page = RENDERER.help(module_name(game), data)
    assert page
    return page
