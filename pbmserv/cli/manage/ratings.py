"""`pbmserv ratings`: the rating lists."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Annotated

import typer
from rich.progress import track

from pbmserv.admin.desk import Desk
from pbmserv.boards import entries, ratings
from pbmserv.cli.manage.games import Game, find
from pbmserv.cli.terminal.acting import Why, change
from pbmserv.cli.terminal.console import AsJson, console, errors, listing
from pbmserv.cli.terminal.database import reading

app = typer.Typer(help="Ratings: show, rebuild.", no_args_is_help=True, add_completion=False)

Best = Annotated[int, typer.Option(min=1, help="the best so many")]


@app.command()
def show(game: Game, limit: Best = 50, as_json: AsJson = False) -> None:
    """Show the rating list of a game.

    For example: pbmserv ratings show tumble --limit 10
    """
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
    """Forget all ratings and high scores and make them anew from the finished boards.

    For example: pbmserv ratings rebuild --why "a board was imported"
    """
    count = change(why, _rebuild)
    console.print(f"{count} rated boards")


def _rebuild(desk: Desk) -> int:
    count = entries.rebuild_ratings(desk.store, _watched)
    desk.note(f"ratings: rebuild, {count} rated boards")
    return count


def _watched(numbers: Sequence[int]) -> Iterable[int]:
    return track(numbers, "Rating", console=errors, disable=len(numbers) < 50)
