"""Renders templates of games as the server does."""

from typing import Any

from pbmserv.games.base import AnyGame, Seat
from tests.world import RENDERER


def draw(game: AnyGame, position: Any, seat: Seat | None = None, display: str = "") -> str:
    """The diagram of a position, as one reader sees it."""
    return RENDERER.diagram(game, game.view(position, seat), display)


def help_page(game: AnyGame) -> str:
    """The help page of a game."""
    return RENDERER.game_help(game).text
