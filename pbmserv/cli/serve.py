"""`pbmserv serve` and `pbmserv migrate`."""

import asyncio

import typer

from pbmserv import db, logs, migrate
from pbmserv.cli.common import console, fail, load_config, prepare_database, setup_of
from pbmserv.config import Config
from pbmserv.listener import ListenError
from pbmserv.server import Server

app = typer.Typer()


@app.command()
def serve(
    roles: str = typer.Option("", help="listener, sender, clock; comma-separated. Default: PBMSERV_ROLES"),
) -> None:
    """Run the server until it is told to end (Ctrl-C, SIGTERM)."""
    logs.configure()
    config = load_config()
    if roles:
        config = config.model_copy(update={"roles": Config(roles=roles.split(",")).roles})
    prepare_database(config)
    try:
        asyncio.run(Server(setup_of(config)).run(lambda server: _greet(server, config)))
    except ListenError as e:
        raise fail(str(e), 69) from None
    console.print("Stopped; nothing was lost.")


@app.command("migrate")
def migrate_(revision: str = "head") -> None:
    """Bring the database schema up to date."""
    config = load_config()
    if config.sqlite_file is not None:
        config.sqlite_file.parent.mkdir(parents=True, exist_ok=True)
    engine = db.connect(config.database_url)
    migrate.upgrade(engine, revision)
    engine.dispose()
    console.print("The database is up to date.")


def _greet(server: Server, config: Config) -> None:
    console.print(f"pbmserv listens on {', '.join(server.addresses) or 'nothing'} for {config.address}", markup=False)
    console.print(f"letters go to {config.relay.partition('@')[2] or config.relay}", markup=False)
    if config.trust_from or not config.confirm_addresses:
        console.print("Demonstration settings: From is trusted (PBMSERV_TRUST_FROM=1), addresses are not confirmed")
        console.print("(PBMSERV_CONFIRM_ADDRESSES=0). Do not use them on a server that others can reach.")
        console.print("Try, in another terminal:", style="bold")
        for line in (
            'pbmserv send alice@example.org "signup alice secret1"',
            'pbmserv send bob@example.org   "signup bob secret2"',
            'pbmserv send alice@example.org "tumble challenge alice bob -c"',
        ):
            console.print(f"  {line}", markup=False)
    console.print("Ctrl-C ends it.")
