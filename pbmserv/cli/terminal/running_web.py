"""The process of `pbmserv web`, from its checked settings to its end. It needs the packages of the extra `web`.

As in running.py, nothing is imported here that only commands and the start need (ADR 30).
"""

from __future__ import annotations

import signal
import socket
import sys
from contextlib import closing, suppress
from importlib import import_module
from threading import Event
from typing import TYPE_CHECKING

import uvicorn

from pbmserv.cli.terminal import logs
from pbmserv.cli.terminal.exits import Exit
from pbmserv.db import engines, migrate, schema_guard
from pbmserv.store import Readers
from pbmserv.web.app import application
from pbmserv.web.for_programs.posted_mails import Door
from pbmserv.web.patience import PatientProtocol
from pbmserv.web.visit import Installation

if TYPE_CHECKING:
    from types import FrameType

    from pbmserv.cli.terminal.launch import Launch
    from pbmserv.letters.site import Site

MOST_CONNECTIONS = 200  #: beyond this limit the answer is 503; a proxy in front asks again later


def import_what_is_needed_later() -> None:
    """Import what uvicorn and the robots of samples look for only when they run: nothing is read from the disk then."""
    for name in ("uvicorn.lifespan.on", "uvicorn.loops.auto", "pbmserv.games.capture.chess.fast.position"):
        import_module(name)
    with suppress(ImportError):
        import_module("uvloop")


def run(launch: Launch) -> None:
    """Show the pages until the process is stopped.

    Exits with 69 (EX_UNAVAILABLE) if its port cannot be used, with 75 (EX_TEMPFAIL) if another version of the program
    has changed the schema.
    """
    logs.configure(launch.log_format, launch.log_level)
    (place,) = launch.listen
    with closing(_bound(place)) as bound:
        engine = engines.connect_to_read(launch.database_url)
        server, has_other_schema = uvicorn.Server(_settings(launch, Readers(engine))), Event()

        def leave() -> None:
            has_other_schema.set()
            server.should_exit = True

        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, _end)  # uvicorn drains, then raises the signal again
        schema_guard.guard(engine, migrate.newest(), leave)
        engine.connect().close()  # stays open in the pool, so that nobody migrates or restores beside it
        sys.stdout.write(f"pbmserv shows its boards on http://{_name(bound)}\n")
        sys.stdout.flush()
        server.run(sockets=[bound])
    if has_other_schema.is_set():
        from pbmserv.cli.terminal.console import fail
        from pbmserv.cli.terminal.database import CHANGED

        raise SystemExit(fail(CHANGED, Exit.TEMPORARY).exit_code)


def _settings(launch: Launch, readers: Readers) -> uvicorn.Config:
    policy, has_own_pages = launch.policy, bool(launch.policy.web_url)
    site = launch.site()
    place = Installation(
        site.renderer,
        launch.address,
        site if has_own_pages else None,
        chosen=policy.games,
        json_lists=policy.json_lists,
        acme_folder=policy.acme_folder,
    )
    return uvicorn.Config(
        application(readers, place, door=_door(launch, site)),
        http=PatientProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=10,
    )


def _door(launch: Launch, site: Site) -> Door | None:
    """Return who may post mails, and where they go."""
    if not launch.inbound:
        return None
    return Door(launch.inbound, launch.inbound_key, site.signer, launch.policy.web_listener)


def _bound(place: str) -> socket.socket:
    """Return a socket for HOST:PORT. Exits with 69 if the port cannot be used."""
    host, _, port = place.rpartition(":")
    try:
        family, *_, address = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as e:
        from pbmserv.cli.terminal.console import fail

        trouble = f"{place} cannot be listened on: {e.strerror}"
        raise SystemExit(fail(trouble, Exit.UNAVAILABLE).exit_code) from None


def _name(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _end(signum: int, frame: FrameType | None) -> None:
    sys.exit(0)
