"""The `pbmserv` command."""

import typer

from pbmserv import __version__
from pbmserv.cli import boards, demo, docs, mails, players, send, serve
from pbmserv.cli.common import console

app = typer.Typer(no_args_is_help=True, pretty_exceptions_show_locals=False, help="A play-by-email game server.")
app.command()(serve.serve)
app.command("migrate")(serve.migrate_)
app.command()(send.send)
app.command()(demo.demo)
app.command(hidden=True)(docs.docs)
app.add_typer(boards.app, name="boards")
app.add_typer(players.app, name="players")
app.add_typer(mails.app, name="mail")


@app.command()
def version() -> None:
    """Print the version."""
    console.print(__version__)


def run() -> None:
    """The entry point."""
    app()
