"""Draw a position as the server does, with the Jinja settings that are the interface of the diagram templates."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbmserv.games.base import AnyGame, Seat

TEMPLATES = Path(__file__).parents[2] / "templates"
_ENVIRONMENT = Environment(  # noqa: S701 - plain text: there is nothing to escape
    loader=FileSystemLoader(TEMPLATES), trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
)


def draw(game: AnyGame, position: Any, seat: Seat | None = None, display: str = "") -> str:
    """The diagram of a position for one reader."""
    template = _ENVIRONMENT.get_template(f"boards/{type(game).__module__.rpartition('.')[2]}.txt")
    return template.render(scene=game.scene(game.view(position, seat)), display=display)


def help_page(game: AnyGame) -> str:
    """The help page of a game."""
    return _ENVIRONMENT.get_template(f"help/{type(game).__module__.rpartition('.')[2]}.txt").render()
