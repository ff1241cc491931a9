"""What the commands of the admin share: settings, a store to read from, the console."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from pydantic import ValidationError
from rich.console import Console

from pbmserv import db, migrate
from pbmserv.config import Config
from pbmserv.server import Setup
from pbmserv.store import Store

console = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


def fail(text: str, code: int = 1) -> typer.Exit:
    """Print an error; the caller raises what comes back."""
    errors.print(text, markup=False)
    return typer.Exit(code)


def load_config() -> Config:
    """The settings; exits with 78 (EX_CONFIG) and a sentence for each that is wrong."""
    try:
        return Config()
    except ValidationError as e:
        lines = [
            f"PBMSERV_{'.'.join(map(str, x['loc'])).upper()}: {x['msg']}" if x["loc"] else x["msg"] for x in e.errors()
        ]
        raise fail("The settings are not right:\n" + "\n".join(lines), 78) from None


def setup_of(config: Config) -> Setup:
    """The settings as the server takes them."""
    try:
        key = config.key()
    except ValueError as e:
        raise fail(str(e), 78) from None
    fields = ("database_url", "listen", "relay", "address", "roles", "trust_from", "confirm_addresses")
    others = ("templates", "authserv", "vacation_days")
    return Setup(key=key, **{f: getattr(config, f) for f in fields + others})


def prepare_database(config: Config) -> None:
    """Bring an SQLite database up to date; refuse a PostgreSQL database that is behind."""
    file = config.sqlite_file
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    engine = db.connect(config.database_url)
    try:
        if file is not None:
            migrate.upgrade(engine)
        elif not migrate.is_current(engine):
            raise fail("The database is behind this program. Run: pbmserv migrate", 78)
    finally:
        engine.dispose()


@contextmanager
def reading() -> Iterator[Store]:
    """The queries over the configured database, for commands that only look."""
    config = load_config()
    file = config.sqlite_file
    if file is not None and not Path(file).exists():
        raise fail(f"There is no database at {file} yet. Start the server first: pbmserv serve", 66)
    engine = db.connect(config.database_url).execution_options(**db.READ_ONLY)
    try:
        with engine.connect() as connection:
            yield Store(connection)
    finally:
        engine.dispose()
