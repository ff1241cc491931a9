"""`pbmserv setup`: from nothing to settings that were tried."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbmserv.cli.mailing.setup.asking import NotRight, ask, choose, say, settled
from pbmserv.cli.terminal.console import console, fail
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pbmserv.cli.mailing.setup.draft_settings import DraftSettings

_UVX = "UV"  #: the variable that uv gives to what it runs for once
_ALL, _NONE, _YES, _NO = "all", "none", "yes", "no"


def setup() -> None:
    """Ask six questions, try each answer at once, and write pbmserv.toml: the shortest way to a server.

    Answers can also come from a pipe, one a line. Secrets go to files of their own. It can be called again: what is
    written is the usual answer, and stays until you say that it shall change.

    For example: pbmserv setup
    """
    from pbmserv.cli.mailing.setup.coming import how_mail_comes
    from pbmserv.cli.mailing.setup.draft_settings import DraftSettings
    from pbmserv.cli.mailing.setup.going import how_letters_go

    draft = DraftSettings.begin()
    _warn_of_variables()
    for question in (_name, how_mail_comes, how_letters_go, _games, _web, _robots):
        settled(partial(question, draft))
        if question is how_letters_go:
            _send_to_itself(draft)
        say("")
    _play(draft)
    _write(draft)
    _say_what_is_next(draft)


def _warn_of_variables() -> None:
    from pbmserv.config import variables

    if there := variables():
        say(f"These variables are set, and go before what is written here: {', '.join(there)}\n")


def _name(draft: DraftSettings) -> None:
    say(
        "1. Which address do players write to? It is the name of the server, such as club@example.org. With a mailbox "
        "it is the address of that mailbox, which is for the server alone."
    )
    address = ask("   The address", draft.text("address"))
    draft.set(address=address)


def _send_to_itself(draft: DraftSettings) -> None:
    """Let the server write to itself, if that can come back now. Say what it means if nothing comes."""
    from pbmserv.cli.mailing.setup.round_trip import PATIENCE, round_trip
    from pbmserv.mail.imap.connection import MailboxTrouble
    from pbmserv.mail.smtp.listener import ListenError

    config = draft.config()
    if config.relay.startswith("maildir:") or not draft.can_come:
        return
    say(f"   A mail goes to {config.address} now, and must come back. That can take some seconds …")
    try:
        came = asyncio.run(round_trip(config))
    except (ListenError, MailboxTrouble) as error:
        say(f"   It is left out: {error}. If the server runs already, stop it and call `pbmserv setup` again.")
        return
    if not came:
        say(
            f"   Nothing has come after {PATIENCE:.0f} seconds. Look into the folder for spam, and whether the name of "
            "the domain leads here (MX). A server that runs already may have taken it. The settings can be written all "
            "the same."
        )
        return
    say("   It has come.")
    draft.set(plus="+" in came)
    if "+" not in came:
        say("   A mail to an address with a plus has not. So signed words in the subject will tell what is answered.")


def _games(draft: DraftSettings) -> None:
    from pbmserv import games

    was = draft.lines.get("games", [])
    say("4. Which games? All of them, or some:")
    say(f"   {', '.join(g.info.key for g in games.listed())}, and others that `pbmserv games list` names")
    answer = ask("   Their names, with commas between", ",".join(was) if isinstance(was, list) and was else _ALL)
    keys = [] if answer.lower() == _ALL else [*draft.config(games=answer).games]
    draft.set(games=keys)


def _web(draft: DraftSettings) -> None:
    from pbmserv.cli.serve import WEB_PACKAGES

    say("5. Will there be web pages? They need a name and a proxy with TLS (docs/web.md).")
    url = ask(f"   Where browsers will find them, https://…, or {_NONE}", draft.text("web_url") or _NONE)
    if url.lower() == _NONE:
        draft.set(web_url="", web_listener="")
        return
    if missing := [name for name in WEB_PACKAGES if find_spec(name) is None]:
        raise NotRight(f"The pages need {', '.join(missing)}: install pbmserv[web], or answer {_NONE}.")
    url = draft.config(web_url=url, web_listener="").web_url
    listener = draft.config().listen[0] if url.startswith("https:") else ""
    draft.set(web_url=url, web_listener=listener)
    say(f"   {_answer_there(url)}")


def _answer_there(url: str) -> str:
    from http.client import HTTPException
    from urllib.request import Request, urlopen

    try:
        with urlopen(Request(url, method="HEAD"), timeout=10):  # noqa: S310 - http or https, as the settings demand
            return "Something answers there."
    except (OSError, HTTPException) as error:
        why = getattr(error, "reason", error)
        return f"Nothing is there yet ({why}): start `pbmserv web`, and let {urlsplit(url).netloc} lead to its port."


def _robots(draft: DraftSettings) -> None:
    say("6. Shall a robot of the server play each game, so that nobody waits for an opponent?")
    answer = choose("   Robots", (_YES, _NO), _NO if draft.lines.get("robots") == 0 else _YES)
    draft.set(robots=int(answer == _YES))


def _play(draft: DraftSettings) -> None:
    from pbmserv.cli.mailing.setup.first_move import play

    say("A trial game begins, on a server of its own …")
    try:
        say(f"   {play(draft)}.")
    except NotRight as wrong:
        raise fail(f"{wrong}\nNothing was written.", Exit.DATA) from None


def _write(draft: DraftSettings) -> None:
    """Write what has changed; if something was there before, only after asking."""
    try:
        changes = draft.changes()
        if changes and not draft.is_new:
            say("\nThis would change:")
            for line in changes:
                say(f"   {line}")
            if settled(lambda: choose("Write it", (_YES, _NO), _NO)) == _NO:
                raise fail("Nothing was written.")
        draft.write()
    except NotRight as wrong:
        raise fail(str(wrong), Exit.DATA) from None
    except OSError as error:
        raise fail(f"The settings cannot be written: {error}", Exit.NOT_MADE) from None
    console.print()
    say("pbmserv.toml is written." if changes else "pbmserv.toml is as it was.")
    if draft.lines.get("robots"):
        _add_robots(draft)


def _add_robots(draft: DraftSettings) -> None:
    """Give each game that is offered a robot, unless it has one."""
    from pbmserv import games
    from pbmserv.admin import robots
    from pbmserv.admin.desk import Desk
    from pbmserv.cli.terminal.acting import change
    from pbmserv.cli.terminal.database import prepare_database

    config = draft.config()
    prepare_database(config)

    def add(desk: Desk) -> list[str]:
        there = {robot.game for robot in desk.store.robots.all()}
        missing = [g.info.key for g in games.chosen(config.games) if g.info.key not in there and 2 in g.info.seats]
        names = {key: f"robot-{key}" for key in missing if not desk.store.players.find(f"robot-{key}")}
        return [robots.add(desk, name, key, 2, 3).player.userid for key, name in names.items()]

    if added := change("pbmserv setup", add):
        say(f"Robots: {', '.join(added)}.")


def _say_what_is_next(draft: DraftSettings) -> None:
    config = draft.config()
    say("\nWhat to do next, in this folder:")
    say("   pbmserv serve     starts the server; docs/operating.md lets it run all day")
    if config.web_url:
        say("   pbmserv web       starts the pages")
    say("   pbmserv status    says whether all is well, as pbmserv doctor does")
    if _UVX in os.environ:
        say("There is no such command yet: `uv tool install pbmserv` makes it. Until then, write `uvx pbmserv serve`.")
    say(
        f'Then write to {config.address}, from another address, with the subject "signup NAME PASSWORD". The answer '
        "says how to begin the first game."
    )
    if config.mailbox.startswith("imap"):
        say("What comes into the mailbox before the first start is left alone.")
