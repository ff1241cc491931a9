"""The configured database: brought up to date for a server, opened for commands that only look."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError

from pbmserv import drafts, engines, migrate
from pbmserv.cli.common import Exit, fail, load_config
from pbmserv.config import Config
from pbmserv.server import Setup
from pbmserv.store import Store


def setup_of(config: Config) -> Setup:
    """The settings as the server takes them."""
    try:
        key = config.key()
    except ValueError as e:
        raise fail(str(e), 78) from None
    except OSError as e:
        raise fail(f"The folder of the database cannot be used: {e}", Exit.NOT_MADE) from None
    return Setup(key=key, **config.model_dump(exclude={"secret_key", "log_format", "log_level", "pg_bin"}))


def prepare_database(config: Config) -> None:
    """Bring an SQLite database up to date; refuse a PostgreSQL database that is behind."""
    file = config.sqlite_file
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    with opened(config) as engine:
        if file is not None:
            migrate.upgrade(engine)
        elif not migrate.is_current(engine):
            raise fail("The database is behind this program. Run: pbmserv migrate", 78)


def finishing(config: Config) -> Callable[[bytes], bytes]:
    """What makes of a letter in the outbox the message that its reader gets."""
    site = setup_of(config).site()
    return lambda data: drafts.finished(data, site.renderer, site.address)


@contextmanager
def reading() -> Iterator[Store]:
    """The queries over the configured database, for commands that only look."""
    with looking() as connection:
        yield Store(connection)


@contextmanager
def looking() -> Iterator[Connection]:
    """A connection to the configured database that only reads; exits with 66 (EX_NOINPUT) if there is none."""
    with existing(load_config()) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        yield connection


@contextmanager
def existing(config: Config) -> Iterator[Engine]:
    """The database, which must be there; exits with 66 (EX_NOINPUT) if it is not."""
    file = config.sqlite_file
    if file is not None and not file.exists():
        raise fail(f"There is no database at {file} yet. Start the server first: pbmserv serve", 66)
    with opened(config) as engine:
        yield engine


@contextmanager
def opened(config: Config) -> Iterator[Engine]:
    """The database; exits with 69 (EX_UNAVAILABLE) if it cannot be reached."""
    engine = engines.connect(config.database_url)
    try:
        yield engine
    except OperationalError as e:
        raise fail(f"The database cannot be used: {e.orig}", 69) from None
    finally:
        engine.dispose()
