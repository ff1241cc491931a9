"""`pbmserv players ban|unban|bans`: whose mails are not read any more."""

from __future__ import annotations

from typing import Annotated

import typer

from pbmserv.cli.terminal.acting import Why, change
from pbmserv.cli.terminal.console import AsJson, console, listing
from pbmserv.cli.terminal.database import reading

Who = Annotated[str, typer.Argument(metavar="ADDRESS", help="an address, or @ and a domain with all below it")]


def ban(who: Who, why: Why = "") -> None:
    """Read no more mails of an address or a domain. Its reader is told the reason once; later mails get no answer.

    It begins within ten seconds. Mail to postmaster still comes to the operator. The ban holds for mails: an account
    goes on, and can be used from another address or the web pages, until you lock it.

    For example: pbmserv players ban mallory@example.net --why "insults, again"
    """
    from pbmserv.admin.people import banning

    what, players = change(why, lambda desk: banning.ban(desk, who))
    console.print(f"Mails from {what} are not read any more.", markup=False)
    for player in players:
        console.print(f"{player.userid} has that address. To lock the account: pbmserv players lock {player.userid}")


def unban(who: Who, why: Why = "") -> None:
    """Read the mails of a banned address or domain again. Its number in `players bans` will do.

    For example: pbmserv players unban mallory@example.net --why "we have talked"
    """
    from pbmserv.admin.people import banning

    console.print(f"Mails from {change(why, lambda desk: banning.unban(desk, who))} are read again.", markup=False)


def bans(as_json: AsJson = False) -> None:
    """List who is banned, since when and why.

    For example: pbmserv players bans --json
    """
    with reading() as store:
        rows = [{"number": b.id, "banned": b.what, "since": b.created, "why": b.why} for b in store.banned.all()]
    listing(rows, {"number": "ban", "banned": "who", "since": "since (UTC)", "why": "why"}, as_json)
