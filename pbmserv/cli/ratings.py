"""`pbmserv ratings`: the rating lists."""

import typer
from rich.table import Table

from pbmserv import entries, ratings
from pbmserv.cli.common import add_row, console, fail
from pbmserv.cli.database import reading, writing
from pbmserv.games import names

app = typer.Typer(help="Ratings: show, rebuild.", no_args_is_help=True)


@app.command()
def show(game: str, limit: int = typer.Option(50, help="the best so many")) -> None:
    """Show the rating list of a game."""
    if game not in names():
        raise fail(f"There is no game {game}.", 66)
    with reading() as store:
        rows = store.standings(names()[game].info.key, 0, limit)
    table = Table("place", "player", "rating", "boards", "won", "drawn", "lost")
    for place, (userid, r) in enumerate(rows, start=1):
        add_row(table, place, userid, ratings.shown(r), r.boards, r.won, r.drawn, r.lost)
    console.print(table)


@app.command()
def rebuild() -> None:
    """Forget all ratings and make them anew from the finished boards."""
    with writing() as store:
        count = entries.rebuild_ratings(store)
    console.print(f"{count} rated boards")
