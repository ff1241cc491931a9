"""The `pbmserv` command."""

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pbmserv import __version__
from pbmserv.cli.terminal.exits import Exit

#: Where each command is. It is imported when it is called, because SQLAlchemy and Alembic take longer to import than
#: `send`, which needs neither of them, takes for its work.
PLACES = {
    "serve": "serve:serve",
    "migrate": "serve:migrate",
    "status": "status:status",
    "doctor": "doctor:doctor",
    "backup": "backup:backup",
    "restore": "backup:restore",
    "web": "web:web",
    "send": "send:send",
    "demo": "demo:demo",
    "boards": "manage.boards:app",
    "players": "manage.players:app",
    "games": "manage.games:app",
    "seeks": "manage.seeks:app",
    "mail": "manage.mails:app",
    "letters": "manage.letters:app",
    "ratings": "manage.ratings:app",
    "events": "manage.events:app",
    "trace": "manage.trace:trace",
    "stats": "manage.stats:stats",
    "version": "main:version",
    "docs": "docs:docs",
}
_TYPERS_USAGE = 2  #: how the library ends
_HIDDEN = ("docs",)  # for those who change the program


class Commands(TyperGroup):
    """The commands, each imported when it is called."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command line. A wrong one ends with 64 (EX_USAGE), as everywhere here, and not with Typer's 2."""
        try:
            return super().main(*args, **kwargs)
        except SystemExit as end:
            raise SystemExit(Exit.USAGE if end.code == _TYPERS_USAGE else end.code) from None

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


def version() -> None:
    """Print the version.

    For example: pbmserv version
    """
    typer.echo(__version__)


def _print_version(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


@app.callback()
def pbmserv(
    wanted: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """A play-by-email game server.

    Settings are PBMSERV_… variables, or stand in pbmserv.toml. Exit codes: 0 done, 1 no, 64 wrong command line,
    65 cannot be done, 66 no such thing, 69 database or server cannot be reached, 73 a file cannot be made, 75 try
    again, 78 wrong setting.

    For example: pbmserv trace --player alice --since tuesday
    """


def run() -> None:
    """The entry point."""
    app()
