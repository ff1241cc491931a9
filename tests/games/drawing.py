"""Templates as the server renders them."""

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from pbmserv.games.base import AnyGame, Seat

_TEMPLATES = Path(__file__).parents[2] / "templates"
_ENVIRONMENT = Environment(
    loader=FileSystemLoader(_TEMPLATES),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=select_autoescape(default=False),
)


def diagram(template: str, game: AnyGame, position: object, seat: Seat | None = 0) -> str:
    """The diagram of a position for one reader, without the last line break."""
    scene = game.scene(game.view(position, seat))
    return _ENVIRONMENT.get_template(f"boards/{template}.txt").render(scene=scene, display="")


def help_page(template: str) -> str:
    """The help page of a game."""
    return _ENVIRONMENT.get_template(f"help/{template}.txt").render()
