"""`pbmserv health`: whether the parts that should run here do their work, for containers and monitoring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING

import typer

from pbmserv.cli.status import ROBOT_WAITS, clock_warnings, listener_warnings, listeners, mailbox, mailbox_warnings
from pbmserv.cli.terminal.console import AsJson, console, load_config, print_json
from pbmserv.cli.terminal.database import open_database

if TYPE_CHECKING:
    from pbmserv.config import Config
    from pbmserv.store import Store

#: For how many seconds nobody may take a letter that could go out.
LETTER_RESTS = 600
_SECONDS = 5.0  #: within which the web pages must answer


def health(
    roles: str = typer.Option("", help="the parts to ask about, comma-separated. Default: PBMSERV_ROLES"),
    web: str = typer.Option("", help="HOST:PORT of `pbmserv web`: ask only whether its pages come"),
    as_json: AsJson = False,
) -> None:
    """Say whether listener, sender, clock, robots and mailbox work, or the web pages. Exits with 1 if one does not.

    For example: pbmserv health --web 127.0.0.1:8080
    """
    parts = {"web": _web(web)} if web else _parts(load_config(**({"roles": roles} if roles else {})))
    if as_json:
        print_json({"ok": not any(parts.values()), "parts": parts})
    else:
        console.print("\n".join(f"{part:<9} {trouble or 'works'}" for part, trouble in parts.items()), markup=False)
    if any(parts.values()):
        raise typer.Exit(1)


def _web(place: str) -> str:
    """Return what is wrong with the pages; "" if they come. The one that is asked for needs the database."""
    try:
        with closing(HTTPConnection(place, timeout=_SECONDS)) as connection:
            connection.request("GET", "/boards")
            status = connection.getresponse().status
    except (OSError, HTTPException) as error:
        return f"Nobody answers at {place}: {error}"
    return "" if status == 200 else f"The pages at {place} answer with {status}"


def _parts(config: Config) -> dict[str, str]:
    """Return what is wrong with each part of these settings; "" if it works. A mailbox is one if there is one."""
    from pbmserv.db import engines
    from pbmserv.store import Store

    now = datetime.now(UTC)
    with open_database(config) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        store = Store(connection)
        roles = [role for role in config.roles if role != "mailbox" or config.mailbox]
        return {role: " ".join(_ASKED[role](config, store, now)) for role in roles}


def _listener(config: Config, store: Store, now: datetime) -> Iterator[str]:
    from pbmserv.model.operations import INSTANCE

    for place in listeners(config, store.operations.fact(INSTANCE) or "", now):
        yield from listener_warnings(place)


def _sender(config: Config, store: Store, now: datetime) -> Iterator[str]:
    """A limit of the relay is no trouble of the sender."""
    from pbmserv.letters.waiting import relay_trouble

    since = store.letters.due_since(now)
    if since is None or (now - since).total_seconds() < LETTER_RESTS or relay_trouble.current(store):
        return
    if not any(quota.free_at for quota in relay_trouble.quotas(store, config.policy, now)):
        yield f"A letter could go out since {since:%Y-%m-%d %H:%M} UTC, and nobody has taken it: does the relay answer?"


def _clock(config: Config, store: Store, now: datetime) -> Iterator[str]:
    from pbmserv.model.operations import LAST_RUN

    last = store.operations.fact(LAST_RUN)
    yield from clock_warnings(now.timestamp() - float(last) if last else None)


def _robots(config: Config, store: Store, now: datetime) -> Iterator[str]:
    turn = store.robots.longest_wait()
    if config.robots and turn and now.timestamp() - turn > ROBOT_WAITS:
        yield f"A robot has not moved for {(now.timestamp() - turn) // 60:.0f} min"


def _mailbox(config: Config, store: Store, now: datetime) -> Iterator[str]:
    yield from mailbox_warnings(mailbox(store, config.mailbox, now))


_ASKED: dict[str, Callable[[Config, Store, datetime], Iterator[str]]] = {
    "listener": _listener,
    "sender": _sender,
    "clock": _clock,
    "robots": _robots,
    "mailbox": _mailbox,
}
