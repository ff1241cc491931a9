"""`pbmserv tournaments`: announce tournaments, look at them, and say which players can announce some."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from pbmserv.cli.terminal.acting import Why, Yes, change, refused
from pbmserv.cli.terminal.console import AdminCommands, AsJson, console, listing, load_config, print_json
from pbmserv.cli.terminal.database import reading, site_of
from pbmserv.errors import PlayerError

app = AdminCommands()

Number = Annotated[int, typer.Argument(metavar="NUMBER", help="the number of the tournament")]
Userid = Annotated[str, typer.Argument(metavar="USERID")]


@app.command("list")
def list_(as_json: AsJson = False) -> None:
    """List all tournaments, the newest first.

    For example: pbmserv tournaments list
    """
    with reading() as store:
        rows = [
            {
                "number": t.number,
                "name": t.plan.name,
                "game": t.plan.game,
                "form": t.plan.form,
                "state": t.state,
                "season": t.season,
                "players": store.tournaments.count_entrants(t.number, t.season if t.has_begun else t.season + 1),
                "start": t.plan.start,
            }
            for t in store.tournaments.all()
        ]
    titles = {key: key for key in ("number", "name", "game", "form", "state", "season", "players")}
    listing(rows, titles | {"start": "start of the season (UTC)"}, as_json)


@app.command()
def show(
    number: Number,
    division: Annotated[int | None, typer.Option(min=1, help="only this division or group")] = None,
    as_json: AsJson = False,
) -> None:
    """Show a tournament as players see it: its terms, who takes part, and the table with all results.

    For example: pbmserv tournaments show 1
    """
    from pbmserv.admin import organisers
    from pbmserv.letters.text.times import utc_now

    try:
        with reading() as store:
            if as_json:
                print_json(organisers.as_data(store, number, division))
                return
            text = organisers.shown(store, site_of(load_config()), number, division, utc_now())
    except PlayerError as e:
        raise refused(e) from None
    console.print(text, markup=False, highlight=False, end="")


@app.command()
def new(
    game: Annotated[str, typer.Argument(metavar="GAME", help="the game that is played")],
    form: Annotated[str, typer.Option(help="how it is played: league, groups, ladder, swiss or match")],
    start: Annotated[str, typer.Option(metavar="DATE", help="the day on which it begins, in UTC")],
    size: Annotated[int | None, typer.Option(help="players in a division or group, or boards of a match")] = None,
    rounds: Annotated[int | None, typer.Option(help="rounds of the form swiss")] = None,
    name: Annotated[str, typer.Option(help="a name; default: the game and the form")] = "",
    every: Annotated[str, typer.Option(help="when a new season begins: week, month, quarter or year")] = "",
    robots: Annotated[bool, typer.Option("--robots", help="robots can take part, too")] = False,
    vacation: Annotated[str, typer.Option(metavar="DAYS", help="days of vacation that count on each board")] = "",
    teams: Annotated[str, typer.Option(metavar="TEAM,TEAM", help="the names of the two teams of a match")] = "",
    boards: Annotated[
        str, typer.Option(metavar="OPTIONS", help="options of the boards, as in a challenge: '-size=13 --unrated'")
    ] = "",
    why: Why = "",
) -> None:
    """Announce a tournament. All players who get broadcasts get a letter, and answer it with the word join.

    After that it goes by itself. The letter about the end of a season goes to PBMSERV_OPERATOR.

    For example: pbmserv tournaments new hex --form league --start 2030-01-31 --every month
    """
    from pbmserv.admin import organisers

    given = {"form": form, "start": start, "size": size, "rounds": rounds, "name": "_".join(name.split())}
    given |= {"every": every, "robots": "yes" if robots else "", "vacation": vacation, "teams": teams}
    options = [f"--{key}={value}" for key, value in given.items() if value not in (None, "")]
    words = [*options, *shlex.split(boards)]
    tournament, count = change(why, lambda desk: organisers.new(desk, game, words))
    console.print(
        f"Tournament {tournament.number} is announced: {tournament.plan.name}. It begins on "
        f"{tournament.plan.start:%Y-%m-%d %H:%M} UTC.\nLetters: {count}.",
        markup=False,
    )


@app.command("open")
def open_(number: Number, why: Why = "") -> None:
    """Let players enter a tournament again.

    For example: pbmserv tournaments open 1
    """
    _change(number, "open", why)
    console.print(f"Players can enter tournament {number}.")


@app.command()
def close(number: Number, why: Why = "") -> None:
    """Take no more entries for a tournament.

    For example: pbmserv tournaments close 1
    """
    _change(number, "close", why)
    console.print(f"Tournament {number} takes no more entries.")


@app.command()
def cancel(number: Number, yes: Yes = False, why: Why = "") -> None:
    """Cancel a tournament for good. Its running boards go on as ordinary boards.

    For example: pbmserv tournaments cancel 1 --why "announced by mistake" --yes
    """
    _change(number, "cancel", why, asks=f"Cancel tournament {number}?", yes=yes)
    console.print(f"Tournament {number} is cancelled.")


@app.command()
def allow(userid: Userid, why: Why = "") -> None:
    """Let a player announce tournaments by mail, and open, close and cancel these.

    For example: pbmserv tournaments allow alice
    """
    from pbmserv.admin import organisers

    change(why, lambda desk: organisers.allow(desk, userid, allowed=True))
    console.print(f"{userid.lower()} can announce tournaments.", markup=False)


@app.command()
def forbid(userid: Userid, why: Why = "") -> None:
    """Let a player announce no more tournaments. Those that are announced go on.

    For example: pbmserv tournaments forbid alice
    """
    from pbmserv.admin import organisers

    change(why, lambda desk: organisers.allow(desk, userid, allowed=False))
    console.print(f"{userid.lower()} cannot announce tournaments any more.", markup=False)


def _change(number: int, what: str, why: str, *, asks: str = "", yes: bool = False) -> None:
    from pbmserv.admin import organisers

    change(why, lambda desk: organisers.change(desk, number, what), asks=asks, yes=yes)
