"""`pbmserv ratings`: the rating lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.manage.games import Game, find
from pbmserv.cli.terminal.acting import Why, change
from pbmserv.cli.terminal.console import AsJson, console, errors, listing
from pbmserv.cli.terminal.database import reading

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk

app = typer.Typer(help="Ratings: show, rebuild.", no_args_is_help=True, add_completion=False)

Best = Annotated[int, typer.Option(min=1, help="how many to show, the best first")]


@app.command()
def show(game: Game, limit: Best = 50, as_json: AsJson = False) -> None:
    """Show the rating list of a game.

    For example: pbmserv ratings show tumble --limit 10
    """
    from pbmserv.boards import ratings

    key = find(game).info.key
    with reading() as store:
        standings = store.ratings.standings(key, 0, limit)
    rows = [
        {"place": place, "player": userid, "rating": ratings.shown(r), **asdict(r)} for place, userid, r in standings
    ]
    columns = ("place", "player", "rating", "boards", "won", "drawn", "lost")
    listing(rows, {key: key for key in columns}, as_json)


@app.command()
def rebuild(why: Why = "") -> None:
    """Calculate all ratings and high scores again from the finished boards.

    For example: pbmserv ratings rebuild --why "a board was imported"
    """
    count = change(why, _rebuild)
    console.print(f"{count} rated boards")


def _rebuild(desk: Desk) -> int:
    from pbmserv.boards import entries

    count = entries.rebuild_ratings(desk.store, _watched)
    desk.note(f"ratings: rebuild, {count} rated boards")
    return count


def _watched(numbers: Sequence[int]) -> Iterable[int]:
    from rich.progress import track

    return track(numbers, "Rating", console=errors, disable=len(numbers) < 50)
