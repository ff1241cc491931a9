"""`pbmserv serve`, `pbmserv migrate`, and `pbmserv web`: the read-only pages."""

from __future__ import annotations

import signal
import socket
import sys
from dataclasses import replace
from importlib.util import find_spec
from threading import Event
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import typer

from pbmserv import paths
from pbmserv.cli.terminal.console import console, fail, load_config
from pbmserv.cli.terminal.database import (
    CHANGED,
    key_of,
    open_database,
    prepare_database,
    reading,
    renderer_of,
    site_of,
    upgrade,
)
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from types import FrameType

    from pbmserv.config import Config
    from pbmserv.letters.site import Site


def serve(
    ctx: typer.Context,
    roles: str = typer.Option("", help="listener, sender, clock, robots; comma-separated. Default: PBMSERV_ROLES"),
) -> None:
    """Run the server until you stop it (Ctrl-C, SIGTERM).

    For example: pbmserv serve --roles listener,clock
    """
    from pbmserv.cli.doctor import warn_at_start
    from pbmserv.cli.terminal import logs
    from pbmserv.cli.terminal.launch import Launch

    config = load_config(**({"roles": roles} if roles else {}))
    logs.configure(config.log_format, config.log_level)
    _check_places(config)
    key = key_of(config)
    prepare_database(config)
    warn_at_start(config)
    launch = replace(Launch.of(config, key), has_robots=_has_robots())
    if ctx.obj:  # this process is only for the start (cli/entry.py)
        ctx.obj(launch)
        return
    from pbmserv.cli.terminal import running

    running.run(launch)


def _has_robots() -> bool:
    with reading() as store:
        return bool(store.robots.all())


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


MOST_CONNECTIONS = 200  #: beyond this limit the answer is 503; a proxy in front asks again later


def web(listen: str = typer.Option("127.0.0.1:8080", help="HOST:PORT; put a proxy with TLS in front")) -> None:
    """Show boards, standings and help pages in browsers, until you stop it. It writes nothing.

    For example: pbmserv web --listen "[::1]:9000"
    """
    try:
        import uvicorn

        from pbmserv.store import Readers
        from pbmserv.web.app import application
        from pbmserv.web.patience import PatientProtocol
        from pbmserv.web.visit import Installation
    except ImportError as e:
        raise fail(
            f"The web pages need the package {e.name}. Install pbmserv with its extra: pbmserv[web]", Exit.UNAVAILABLE
        ) from None
    from pbmserv.cli.terminal import logs
    from pbmserv.db import engines, migrate, schema_guard

    config = load_config()
    with open_database(config):  # without a database there is nothing to show
        place = Installation(
            renderer_of(config), config.address, _site(config), chosen=config.games, json_lists=config.json_lists
        )
        bound = _bind(listen)
    logs.configure(config.log_format, config.log_level)
    engine = engines.connect_to_read(config.database_url)
    app = application(Readers(engine), place)
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, _end)  # uvicorn drains, then raises the signal again
    settings = uvicorn.Config(
        app,
        http=PatientProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=10,
    )
    console.print(f"pbmserv shows its boards on http://{_name(bound)}", markup=False)
    server, has_other_schema = uvicorn.Server(settings), Event()

    def leave() -> None:
        has_other_schema.set()
        server.should_exit = True

    schema_guard.guard(engine, migrate.newest(), leave)
    engine.connect().close()  # stays open in the pool, so that nobody migrates or restores beside it
    server.run(sockets=[bound])
    if has_other_schema.is_set():
        raise fail(CHANGED, Exit.TEMPORARY)


def _site(config: Config) -> Site | None:
    """Return what checks the links to players' own pages; None, without reading the key, if letters have no such links.

    Exits with 78 if there is no key. It makes none, because only the server's own key is of use.
    """
    if not config.web_url:
        return None
    file = None if config.secret_key else config.key_file
    if file and not file.exists():
        raise fail(f"PBMSERV_WEB_URL needs the secret key, and {file} does not exist.", Exit.CONFIG)
    return site_of(config)


def _bind(listen: str) -> socket.socket:
    """Return a socket for HOST:PORT. Exits with 78 if the form is wrong, with 69 if the port cannot be used."""
    try:
        parts = urlsplit(f"//{listen}")
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")  # getaddrinfo does the same; it fails if a part is empty or too long
    except ValueError:
        host = port = None
    if not host or port is None or parts.netloc != listen or "@" in listen:
        raise fail("--listen must be HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080", Exit.CONFIG)
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as e:
        raise fail(f"{listen} cannot be listened on: {e.strerror}", Exit.UNAVAILABLE) from None


def _name(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _end(signum: int, frame: FrameType | None) -> None:
    sys.exit(0)
