"""`pbmserv serve` and `pbmserv migrate`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import typer

from pbmserv import paths
from pbmserv.cli.terminal.console import console, fail, load_config
from pbmserv.cli.terminal.database import key_of, open_database, prepare_database, upgrade
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pbmserv.config import Config


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
    launch = Launch.of(config, key)
    if ctx.obj:  # this process is only for the start (cli/entry.py)
        ctx.obj(launch)
        return
    from pbmserv.cli.terminal import running

    running.run(launch)


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
