"""`pbmserv serve`, `pbmserv migrate`, and `pbmserv web`: the read-only pages."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import typer

from pbmserv import paths
from pbmserv.cli.terminal.console import console, fail, load_config
from pbmserv.cli.terminal.database import (
    key_of,
    open_database,
    prepare_database,
    reading,
    renderer_of,
    upgrade,
)
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pbmserv.config import Config


def serve(
    ctx: typer.Context,
    roles: str = typer.Option(
        "", help="listener, sender, clock, robots, mailbox; comma-separated. Default: PBMSERV_ROLES"
    ),
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
    from pbmserv.mail.smtp.relay import open_relay, read_target

    try:
        for url in config.listen:
            read_url(url)
        if not (config.relay_login and read_target(config.relay)):  # else a token may log in
            open_relay(config.relay)
        Renderer(config.templates)
        check_extras(config)
    except ValueError as e:
        raise fail(f"The settings are not right:\n{e}", Exit.CONFIG) from None


def check_extras(config: Config) -> None:
    """Raise ValueError if a package is missing."""
    if config.metrics and find_spec("prometheus_client") is None:
        raise ValueError("PBMSERV_METRICS needs the package prometheus-client: install pbmserv[metrics].")
    if config.logins and find_spec("oauthlib") is None:
        raise ValueError("PBMSERV_OAUTH_CLIENT needs the package oauthlib: install pbmserv[oauth].")


#: What the web pages need besides a server's own packages. Without resvg_py there are no previews as PNG.
WEB_PACKAGES = ("uvicorn", "starlette", "icalendar")


def web(
    ctx: typer.Context, listen: str = typer.Option("127.0.0.1:8080", help="HOST:PORT; put a proxy with TLS in front")
) -> None:
    """Show boards, standings and help pages in browsers, until you stop it. It writes nothing.

    For example: pbmserv web --listen "[::1]:9000"
    """
    from pbmserv.cli.terminal.launch import Launch

    for name in WEB_PACKAGES:
        if find_spec(name) is None:
            text = f"The web pages need the package {name}. Install pbmserv with its extra: pbmserv[web]"
            raise fail(text, Exit.UNAVAILABLE)
    config = load_config()
    with open_database(config):  # without a database there is nothing to show
        renderer_of(config)
        key = _key_of_pages(config)
        _check_form(listen)
    launch = replace(Launch.of(config, key), roles=["web"], listen=[listen])
    if ctx.obj:  # as in `serve`
        ctx.obj(launch)
        return
    from pbmserv.cli.terminal import running_web

    running_web.run(launch)


def _key_of_pages(config: Config) -> bytes:
    """Return what checks the links to players' own pages; b"", without reading it, if letters have no such links.

    Exits with 78 if there is no key. It makes none, because only the server's own key is of use.
    """
    if not config.web_url:
        return b""
    file = None if config.secret_key else config.key_file
    if file and not file.exists():
        raise fail(f"PBMSERV_WEB_URL needs the secret key, and {file} does not exist.", Exit.CONFIG)
    return key_of(config)


def _check_form(listen: str) -> None:
    """Exit with 78 if this is not HOST:PORT."""
    try:
        parts = urlsplit(f"//{listen}")
        host, port = parts.hostname, parts.port
        (host or "").encode("idna")  # getaddrinfo does the same; it fails if a part is empty or too long
    except ValueError:
        host = port = None
    if not host or port is None or parts.netloc != listen or "@" in listen:
        raise fail("--listen must be HOST:PORT, for example 127.0.0.1:8080 or [::1]:8080", Exit.CONFIG)
