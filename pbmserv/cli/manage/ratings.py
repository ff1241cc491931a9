"""`pbmserv ratings`: the rating lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.manage.games import Game, find
from pbmserv.cli.terminal.acting import Why, change
from pbmserv.cli.terminal.console import AdminCommands, AsJson, console, errors, listing
from pbmserv.cli.terminal.database import reading
from pbmserv.cli.terminal.when import Since

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk

app = AdminCommands()

AnyGame = Annotated[str, typer.Option("--game", help="only of this game")]
_USUAL = timedelta(days=30)
_PAIR = ("game", "player", "opponent", "boards", "won", "same_origin")
Best = Annotated[int, typer.Option(min=1, help="how many to show, the best first")]


@app.command()
def show(game: Game, limit: Best = 50, as_json: AsJson = False) -> None:
    """Show the rating list of a game.

    For example: pbmserv ratings show tumble --limit 10
    """
    from pbmserv.boards.ratings import rating_formula

    key = find(game).info.key
    with reading() as store:
        standings = store.ratings.standings(key, 0, limit)
    rows = [
        {"place": place, "player": userid, "rating": rating_formula.shown(r), **asdict(r)}
        for place, userid, r in standings
    ]
    columns = ("place", "player", "rating", "boards", "won", "drawn", "lost")
    listing(rows, {key: key for key in columns}, as_json)


@app.command()
def pairs(game: AnyGame = "", since: Since = "", limit: Best = 20, as_json: AsJson = False) -> None:
    """Show who has most rated boards with whom, and whether their mails come from the same networks.

    Pairs of one origin may be one person. Behind a mail server of your own all mails come from there, and nothing is
    known of their origin.

    For example: pbmserv ratings pairs --since "90 days"
    """
    from pbmserv.cli.terminal import when
    from pbmserv.mail.envelope import client_network

    begin, key = when.since(since, _USUAL), find(game).info.key if game else ""
    with reading() as store:
        lines = store.ratings.pairs(begin, limit, key)
        ids = {id_ for line in lines for id_ in (line.one, line.other)}
        names = {p.id: p.userid for p in store.players.by_ids(ids)} if ids else {}
        networks = {id_: {client_network(peer, 24) for peer in store.ratings.peers(id_, begin)} - {""} for id_ in ids}
    rows = [
        {
            "game": line.game,
            "player": names[line.one],
            "opponent": names[line.other],
            "boards": line.boards,
            "won": line.won,
            "same_origin": " ".join(sorted(networks[line.one] & networks[line.other])),
        }
        for line in lines
    ]
    listing(rows, {key: key.replace("_", " ") for key in _PAIR}, as_json)


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
