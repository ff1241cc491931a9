"""`pbmserv games`: the games that this server knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.terminal.console import AdminCommands, AsJson, console, fail, listing, load_config
from pbmserv.cli.terminal.database import renderer_of
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pbmserv.games.base import AnyGame, Option

app = AdminCommands()


def game_keys() -> list[str]:
    """Return the keys of all games, for completion in the shell."""
    from pbmserv import games

    return [g.info.key for g in games.all_games()]


Game = Annotated[str, typer.Argument(metavar="GAME", help="the game's key or an alias", autocompletion=game_keys)]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List the games. Boards begin only of those that are offered: of all, unless PBMSERV_GAMES names some.

    For example: pbmserv games list --json
    """
    from pbmserv import games

    config = load_config()
    offered = games.chosen(config.games)
    rows = [
        {
            "key": g.info.key,
            "name": g.info.name,
            "kind": g.info.kind,
            "offered": g in offered,
            "aliases": g.info.aliases,
            "seats": g.info.seats,
            "chance": g.info.chance,
            "hidden": g.info.hidden,
            "rules": g.info.rules,
            "options": [f"-{o.name}" for o in g.info.options],
        }
        for g in games.all_games()
    ]
    listing(
        rows,
        {key: key for key in ("key", "name", "kind", "offered", "seats", "chance", "hidden", "rules", "options")},
        as_json,
    )


@app.command()
def rules(game: Game) -> None:
    """Print the help page of a game, as players get it.

    For example: pbmserv games rules tumble
    """
    console.print(renderer_of(load_config()).game_help(find(game)).text, markup=False)


@app.command()
def options(game: Game, as_json: AsJson = False) -> None:
    """List the options for boards of a game, and the displays of the board.

    For example: pbmserv games options tumble
    """
    info = find(game).info
    rows = [{"option": f"-{o.name}", "values": _values(o), "means": o.text} for o in info.options]
    rows += [{"option": f"set {d.name}", "values": (), "means": d.text} for d in info.displays]
    listing(rows, {key: key for key in ("option", "values", "means")}, as_json)


def _values(option: Option) -> tuple[str, ...]:
    """What an option can be: its values, or the range of its numbers."""
    from pbmserv.games.base.values import number_text

    if not option.numbers:
        return option.values
    least, most, step = map(number_text, (option.numbers.least, option.numbers.most, option.numbers.step))
    return (f"{least} to {most} by {step}",)


def find(name: str) -> AnyGame:
    """The game with this key or alias; exits with 66 if there is none."""
    from pbmserv import games

    game = games.names().get(name.lower())
    if game is None:
        raise fail(f"There is no game {name}. Available: {', '.join(game_keys())}", Exit.MISSING)
    return game
