"""The `pbmserv` command."""

import errno
import sys
from functools import cache
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from pbmserv import __version__
from pbmserv.cli.terminal.exits import Exit, end_as_full, end_as_unread


class Subcommand(NamedTuple):
    """The module of a command, relative to this package, and the first paragraph of its help."""

    where: str
    summary: str


#: A command is imported only when it is called, because importing the libraries for databases, settings and mails takes
#: longer than most commands run. `--help` should import none, so the first paragraph of each help is also here. A test
#: compares them.
PLACES = {
    "serve": Subcommand("serve:serve", "Run the server until you stop it (Ctrl-C, SIGTERM)."),
    "migrate": Subcommand("serve:migrate", "Bring the database schema up to date."),
    "status": Subcommand(
        "status:status",
        "Show queues, traffic, clock and database. Exits with 1 if something needs your attention, "
        "and says what to do.",
    ),
    "doctor": Subcommand(
        "doctor:doctor",
        "Check settings, key, disk, database, games, templates, relay, mailbox, ports. Exits with 1 if something is "
        "wrong.",
    ),
    "health": Subcommand(
        "health:health",
        "Say whether listener, sender, clock, robots and mailbox work, or the web pages. Exits with 1 if one does not.",
    ),
    "setup": Subcommand(
        "mailing.setup.six_questions:setup",
        "Ask six questions, try each answer at once, and write pbmserv.toml: the shortest way to a server.",
    ),
    "settings": Subcommand(
        "manage.configuration:settings",
        "List the settings in force, and where each comes from: a variable, a secret, pbmserv.toml, or the default.",
    ),
    "backup": Subcommand(
        "backup:backup",
        "Copy the whole database into one file. Servers can go on running. When this ends, the file is on disk.",
    ),
    "restore": Subcommand(
        "backup:restore",
        "Restore a backup: update its schema, check it as `boards verify` does, and make it the database.",
    ),
    "web": Subcommand(
        "serve:web", "Show boards, standings and help pages in browsers, until you stop it. It writes nothing."
    ),
    "deliver": Subcommand(
        "mailing.deliver:deliver",
        "Hand a mail on standard input to the running server, for .forward, procmail, maildrop or fetchmail.",
    ),
    "send": Subcommand("mailing.send:send", "Send a real mail over SMTP and print the letters that come back."),
    "demo": Subcommand("mailing.demo:demo", "Play a short game between two players and print every letter in order."),
    "boards": Subcommand("manage.boards:app", "Boards: show, import and check them, and make rulings."),
    "players": Subcommand("manage.people.players:app", "Players: their accounts, addresses and personal data."),
    "robots": Subcommand("manage.people.robots:app", "Robots: accounts that the server plays itself."),
    "tournaments": Subcommand(
        "manage.tournaments:app", "Tournaments: announce, show and cancel them, and choose organisers."
    ),
    "games": Subcommand("manage.games:app", "Games: the games that this server knows."),
    "seeks": Subcommand("manage.seeks:app", "Seeks: open challenges, waiting for players."),
    "mail": Subcommand("manage.mails:app", "Mails that came in, and the shelf: mails that met a bug."),
    "mailbox": Subcommand("mailing.mailbox:app", "The mailbox at a provider: log in by OAuth2, check what lies there."),
    "letters": Subcommand("manage.letters:app", "Letters: waiting, sent, and what the relay answered."),
    "ratings": Subcommand("manage.ratings:app", "Ratings: show, pairs, rebuild."),
    "events": Subcommand("manage.history.events:app", "Events: what admins did, who did it, and why."),
    "trace": Subcommand(
        "manage.history.trace:trace",
        "Show what happened to each mail: received or refused, its entries, its letters, and the relay's answers.",
    ),
    "stats": Subcommand(
        "manage.history.stats:stats",
        "Count mails, moves and letters by day, boards by game, and how fast players move. Without --since: 14 days.",
    ),
    "version": Subcommand("main:version", "Print the version."),
    "docs": Subcommand(
        "pages.docs:docs",
        "Write docs/commands.md, docs/admin.md, docs/man, the tables of docs/architecture.md, the games of README.md.",
    ),
}
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)  #: what is printed into a file cannot be written
_TYPERS_USAGE = 2  #: Typer's exit code for a wrong command line
_HIDDEN = ("docs",)  # only maintainers need it


class CommandGroup(TyperGroup):
    """The table of commands. Each is imported when it is called."""

    def main(self, *args: Any, **kwargs: Any) -> object:
        """Run a command line. A wrong one exits with 64 (EX_USAGE) and not with Typer's 2.

        If nobody reads what is printed, Typer and Rich would exit with 1; we end as other programs do.
        """
        try:
            return super().main(*args, **kwargs)
        except SystemExit as end:
            if isinstance(end.__context__, BrokenPipeError):
                end_as_unread()
            _flush()
            raise SystemExit(Exit.USAGE if end.code == _TYPERS_USAGE else end.code) from None
        except OSError as error:
            if error.errno not in _FULL or error.filename:
                raise
            end_as_full(error)

    def invoke(self, ctx: Any) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        finally:
            _flush()

    def list_commands(self, ctx: object) -> list[str]:
        """Return the names that `--help` lists."""
        return [name for name in PLACES if name not in _HIDDEN]

    def get_command(self, ctx: object, cmd_name: str) -> TyperCommand | None:
        """Return a command for listings only: it has the summary of `PLACES` and cannot run."""
        return TyperCommand(cmd_name, help=PLACES[cmd_name].summary) if cmd_name in PLACES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that a line calls, now imported, and the words after its name."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed and _imported(str(listed.name)), rest


def _flush() -> None:
    """Print what waits to be printed. If nobody reads it, end; else Python would print a traceback at its own end."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        end_as_unread()


@cache  # tests run many command lines in one process
def _imported(name: str) -> object:
    """Import the command, or the group of commands, with this name."""
    module, _, attribute = PLACES[name].where.partition(":")
    app = getattr(import_module(f"pbmserv.cli.{module}"), attribute)
    if not isinstance(app, typer.Typer):
        from pbmserv.cli.terminal.console import OneValueEach

        command, app = app, typer.Typer(add_completion=False)
        app.command(name, cls=OneValueEach)(command)
    made = typer.main.get_command(app)
    made.name, made.help = name, made.help or PLACES[name].summary
    return made


app = typer.Typer(cls=CommandGroup, no_args_is_help=True, pretty_exceptions_show_locals=False)


def version() -> None:
    """Print the version.

    For example: pbmserv version
    """
    typer.echo(__version__)


def _print_version(is_asked: bool) -> None:
    if is_asked:
        version()
        raise typer.Exit


@app.callback()
def pbmserv(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """A play-by-email game server.

    Settings are PBMSERV_… environment variables, or lines in pbmserv.toml. Exit codes: 0 success, 1 no or a problem
    found, 64 wrong command line, 65 not possible, 66 not found, 69 database or server cannot be reached, 73 a file
    cannot be created, 75 try again later, 78 wrong setting.

    For example: pbmserv trace --player alice --since tuesday
    """


def run() -> None:
    """The entry point."""
    app()
