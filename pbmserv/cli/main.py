"""The `pbmserv` command."""

from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from pbmserv import __version__
from pbmserv.cli.terminal.exits import Exit


class Subcommand(NamedTuple):
    """Where a command is, below this package, and the first paragraph of its help."""

    where: str
    summary: str


#: Every command is imported when it is called: the libraries for databases, settings and mails take longer to import
#: than most commands run. So that `--help` need import none, the first words of each stand here, too; a test compares.
PLACES = {
    "serve": Subcommand("serve:serve", "Run the server until it is told to end (Ctrl-C, SIGTERM)."),
    "migrate": Subcommand("serve:migrate", "Bring the database schema up to date."),
    "status": Subcommand(
        "status:status",
        "Show queues, traffic, clock and database. Exits with 1 if something wants your attention, "
        "and says what to do.",
    ),
    "doctor": Subcommand(
        "doctor:doctor",
        "Check settings, key, disk, database, games, templates, relay and ports. Exits with 1 if something is wrong.",
    ),
    "backup": Subcommand(
        "backup:backup",
        "Copy the whole database into one file while servers go on; the file is on disk when this ends.",
    ),
    "restore": Subcommand(
        "backup:restore",
        "Make a backup the database: bring it up to date, and look through it as `boards verify` does.",
    ),
    "web": Subcommand(
        "web:web", "Show boards, standings and help pages to browsers, until it is told to end. It writes nothing."
    ),
    "send": Subcommand("send:send", "Send a real mail over SMTP and print the letters that answer it."),
    "demo": Subcommand("demo:demo", "Play a short game between two players and print every letter in order."),
    "boards": Subcommand("manage.boards:app", "Boards: look at them, read them back, check them, rule over them."),
    "players": Subcommand("manage.players:app", "Players: their accounts, addresses and personal data."),
    "games": Subcommand("manage.games:app", "Games: what this server can play."),
    "seeks": Subcommand("manage.seeks:app", "Seeks: open challenges that wait for players."),
    "mail": Subcommand("manage.mails:app", "Mails that came in, and the shelf of those that our own bugs stopped."),
    "letters": Subcommand("manage.letters:app", "Letters: what waits, what went out, what the relay said."),
    "ratings": Subcommand("manage.ratings:app", "Ratings: show, rebuild."),
    "events": Subcommand("manage.events:app", "Events: what admins did, who and why."),
    "trace": Subcommand(
        "manage.trace:trace",
        "Tell the story of each mail: received? refused, why? which entry, which letters, accepted by whom, when?",
    ),
    "stats": Subcommand(
        "manage.stats:stats",
        "Count mails, moves and letters by day, boards by game, and how long answers took. Without --since: 14 days.",
    ),
    "version": Subcommand("main:version", "Print the version."),
    "docs": Subcommand(
        "docs:docs", "Write docs/commands.md from the command table and docs/admin.md from this program's help."
    ),
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
        """The command with this name as lists show it: what stands in `PLACES`, and nothing that could be run."""
        return TyperCommand(cmd_name, help=PLACES[cmd_name].summary) if cmd_name in PLACES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that a line calls, with all that it can, and the words after its name."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and _imported(str(listed.name)), rest


def _imported(name: str) -> Any:
    """The command or the group of commands with this name."""
    module, _, attribute = PLACES[name].where.partition(":")
    found = getattr(import_module(f"pbmserv.cli.{module}"), attribute)
    if not isinstance(found, typer.Typer):
        command, found = found, typer.Typer(add_completion=False)
        found.command(name)(command)
    made = typer.main.get_command(found)
    made.name = name
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
