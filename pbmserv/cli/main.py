"""The `pbmserv` command."""

import os
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from pbmserv import __version__

#: Where each command is. It is imported when it is called, because SQLAlchemy and Alembic take longer to import than
#: `send`, which needs neither of them, takes for its work.
PLACES = {
    "serve": "serve:serve",
    "migrate": "serve:migrate_",
    "status": "status:status",
    "doctor": "doctor:doctor",
    "backup": "backup:backup",
    "restore": "backup:restore",
    "web": "web:web",
    "send": "send:send",
    "demo": "demo:demo",
    "boards": "boards:app",
    "players": "players:app",
    "mail": "mails:app",
    "ratings": "ratings:app",
    "version": "main:version",
    "docs": "docs:docs",
}
_USAGE = 2  #: how the library ends
_HIDDEN = ("docs",)  # for those who change the program


class Commands(TyperGroup):
    """The commands, each imported when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Those that `--help` lists."""
        return [name for name in PLACES if name not in _HIDDEN]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command or the group of commands with this name."""
        if cmd_name not in PLACES:
            return None
        module, _, attribute = PLACES[cmd_name].partition(":")
        found = getattr(import_module(f"pbmserv.cli.{module}"), attribute)
        if not isinstance(found, typer.Typer):
            command, found = found, typer.Typer(add_completion=False)
            found.command(cmd_name)(command)
        made = typer.main.get_command(found)
        made.name = cmd_name
        return made


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_show_locals=False)


@app.callback()
def pbmserv() -> None:
    """A play-by-email game server."""


def version() -> None:
    """Print the version."""
    typer.echo(__version__)


def run() -> None:
    """The entry point. Wrong words on the command line end it with 64 (EX_USAGE), as docs/operating.md promises."""
    try:
        app()
    except SystemExit as end:
        raise (SystemExit(os.EX_USAGE) if end.code == _USAGE else end) from None
