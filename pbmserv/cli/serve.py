"""`pbmserv serve` and `pbmserv migrate`."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pbmserv import paths
from pbmserv.cli.terminal.console import console, fail, load_config
from pbmserv.cli.terminal.database import open_database, prepare_database, server_settings, unusable, upgrade
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pbmserv.config import Config
    from pbmserv.server.server import Server


def serve(
    roles: str = typer.Option("", help="listener, sender, clock; comma-separated. Default: PBMSERV_ROLES"),
    child: str = typer.Option("", hidden=True, help="send this share for the server that started this process"),
) -> None:
    """Run the server until you stop it (Ctrl-C, SIGTERM).

    For example: pbmserv serve --roles listener,clock
    """
    import sqlite3

    from sqlalchemy.exc import DatabaseError, OperationalError

    from pbmserv.cli.doctor import warn_at_start
    from pbmserv.cli.terminal import logs
    from pbmserv.db import engines
    from pbmserv.mail.smtp.listener import ListenError
    from pbmserv.server.server import Server

    given = _from_parent() if child else {"roles": roles} if roles else {}
    config = load_config(**given)
    logs.configure(config.log_format, config.log_level)
    if child:
        with open_database(config):  # its parent has migrated it, and may be older than this program
            pass
    else:
        _check_places(config)
        prepare_database(config)
        warn_at_start(config)
    settings = server_settings(config, child)
    try:
        with asyncio.Runner(loop_factory=_fast_loop()) as runner:
            runner.run(Server(settings).run(lambda server: None if child else _greet(server, config)))
    except ListenError as e:
        raise fail(str(e), Exit.UNAVAILABLE) from None
    except (DatabaseError, sqlite3.DatabaseError) as e:
        if not (isinstance(e, OperationalError) or engines.is_damaged(e)):
            raise
        raise unusable(config, e) from None
    if not child:
        console.print("Stopped; nothing was lost.")


def _from_parent() -> dict[str, object]:
    """Return the settings that the parent sends; exits if it has ended already."""
    line = sys.stdin.buffer.readline()
    if not line:
        raise typer.Exit
    settings: dict[str, object] = json.loads(line)
    return settings


def _fast_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the event loop of the extra `fast` if it is installed, else the standard one."""
    if find_spec("uvloop") is None:
        return None
    loop: Callable[[], asyncio.AbstractEventLoop] = import_module("uvloop").new_event_loop
    return loop


def migrate() -> None:
    """Bring the database schema up to date.

    For example: pbmserv migrate
    """
    config = load_config()
    if config.sqlite_file is not None:
        paths.make_folder(config.sqlite_file.parent)
    with open_database(config, may_be_missing=True, any_schema=True) as engine:
        upgrade(engine)
    console.print("The database is up to date.")


def _check_places(config: Config) -> None:
    """Exit with 78 if a URL of the listener or the relay has an unknown form, or a language cannot be read."""
    from pbmserv.letters.text.templates import Renderer
    from pbmserv.mail.smtp.endpoints import read_url
    from pbmserv.mail.smtp.relay import open_relay

    try:
        for url in config.listen:
            read_url(url)
        open_relay(config.relay)
        Renderer(config.templates)
        _check_metrics(config.metrics)
    except ValueError as e:
        raise fail(f"The settings are not right:\n{e}", Exit.CONFIG) from None


def _check_metrics(place: str) -> None:
    """Raise ValueError if the package is missing."""
    if place and find_spec("prometheus_client") is None:
        raise ValueError("PBMSERV_METRICS needs the package prometheus-client: install pbmserv[metrics].")


def without_login(relay: str) -> str:
    """Return the URL of the relay without user and password. The password may contain an @."""
    return relay.rpartition("@")[2] if relay.startswith("smtp") else relay


def _own_name() -> str:
    """Return how to call this program from here. A virtual environment may not be on the PATH."""
    called = Path(sys.argv[0])
    return str(called) if called.name == "pbmserv" and not called.is_absolute() else "pbmserv"


def _greet(server: Server, config: Config) -> None:
    console.print(f"pbmserv listens on {', '.join(server.addresses) or 'nothing'} for {config.address}", markup=False)
    console.print(f"letters go to {without_login(config.relay)}", markup=False)
    if config.trust_from or not config.confirm_addresses:
        console.print("Demonstration settings: From is trusted (PBMSERV_TRUST_FROM=1), addresses are not confirmed")
        console.print("(PBMSERV_CONFIRM_ADDRESSES=0). Do not use them on a server that other people can reach.")
        console.print("Try, in another terminal:", style="bold")
        for line in (
            'send alice@example.org "signup alice secret1"',
            'send bob@example.org "signup bob secret2"',
            'send alice@example.org "tumble challenge alice bob -c"',
        ):
            console.print(f"  {_own_name()} {line}", markup=False)
    console.print("Press Ctrl-C to stop it.")
