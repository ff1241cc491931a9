"""`pbmserv boards undo|void|adjudicate|move|extend`: what only an admin can do to a board. Its players get a letter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from pbmserv.cli.terminal.acting import Why, Yes, change
from pbmserv.cli.terminal.console import at, console, fail
from pbmserv.cli.terminal.exits import Exit
from pbmserv.cli.terminal.when import SPANS, span

if TYPE_CHECKING:
    from pbmserv.admin.desk import Desk
    from pbmserv.model import BoardRow

Number = Annotated[int, typer.Argument(metavar="BOARD", help="the board's number")]


def undo(
    number: Number,
    ply: Annotated[int | None, typer.Option(min=0, help="go back to this ply; default: undo the last change")] = None,
    past_chance: Annotated[
        bool, typer.Option("--past-chance", help="although dice or hidden things were seen: the same will come again")
    ] = False,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Undo the last change of a board, also its end, or everything after a ply.

    A finished board continues, and all ratings of its game are calculated again. The log keeps what was undone.
    A finished board with chance cannot continue: its last letter told the seed, and so all dice to come.

    For example: pbmserv boards undo 101 --why "alice misread the rules" --yes
    """
    from pbmserv.admin import rulings

    what = f"after ply {ply}" if ply is not None else "the last thing that happened"
    _rule(lambda desk: rulings.undo(desk, number, ply, past_chance), why, f"Take back {what}?", yes)


def void(number: Number, why: Why = "", yes: Yes = False) -> None:
    """End a board without a result, or cancel its result. It does not count for ratings.

    For example: pbmserv boards void 101 --why "begun by mistake" --yes
    """
    from pbmserv.admin import rulings

    _rule(lambda desk: rulings.void(desk, number), why, f"Declare board {number} void?", yes)


def adjudicate(
    number: Number,
    order: Annotated[
        list[str] | None, typer.Argument(metavar="[USERID]...", help="the winner, then the other players in order")
    ] = None,
    draw: Annotated[bool, typer.Option("--draw", help="end in a draw")] = False,
    why: Why = "",
    yes: Yes = False,
) -> None:
    """Decide the result of a board. Name the winner first. Players whom you do not name share the last place.

    For example: pbmserv boards adjudicate 101 alice --why "bob moved away" --yes
    """
    from pbmserv.admin import rulings

    if bool(order) == draw:
        raise fail("Name the winner, or write --draw.", Exit.USAGE)
    asks = f"End board {number} like this: {', '.join(order or ['a draw'])}?"
    _rule(lambda desk: rulings.adjudicate(desk, number, order or []), why, asks, yes)


def move(
    number: Number,
    userid: Annotated[str, typer.Argument(metavar="USERID", help="the player for whom you move")],
    words: Annotated[
        list[str], typer.Argument(metavar="MOVE...", help="one or more moves; either all are played or none")
    ],
    why: Why = "",
) -> None:
    """Move for a player. The log and the letters say that an admin did it.

    For example: pbmserv boards move 101 alice c1-c2 --why "her mail could not be read"
    """
    from pbmserv.admin import rulings

    _done(change(why, lambda desk: rulings.move(desk, number, userid, words)))


def extend(
    number: Number,
    userid: Annotated[str, typer.Argument(metavar="USERID", help="the player who is to move")],
    time: Annotated[str, typer.Argument(metavar="TIME", help=f"how much: {SPANS}")],
    why: Why = "",
) -> None:
    """Give a player more time for the present move. Reminders come so much later, too.

    It helps also if the time has just run out and the clock has not run. What is not used is gone after the move.

    For example: pbmserv boards extend 101 alice 3d --why "her provider lost the letter"
    """
    from pbmserv.admin import rulings

    given = span(time)
    row, ends = change(why, lambda desk: rulings.extend(desk, number, userid, given))
    console.print(f"{row.title}: the time of {userid.lower()} ends {at(ends)} UTC", markup=False)


def _rule(do: Callable[[Desk], BoardRow], why: str, asks: str, yes: bool) -> None:
    """Ask, then make the ruling. If the board was over, the ratings of its game are calculated again."""
    _done(change(why, do, asks=asks, yes=yes, busy="Ruling, and calculating later ratings …"))


def _done(row: BoardRow) -> None:
    from pbmserv.letters.text.wording import result_text

    to_move = ", ".join(row.players[s].userid for s in sorted(row.board.to_move))
    state = f"over, {result_text(row)}" if row.over else f"ply {row.board.ply}, {to_move} to move"
    console.print(f"{row.title}: {state}", markup=False)
