"""The configured database: brought up to date for a server, opened for commands that only look."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DatabaseError, OperationalError

from pbmserv.cli.terminal.console import fail, load_config
from pbmserv.cli.terminal.exits import Exit
from pbmserv.config import Config
from pbmserv.db import engines, migrate
from pbmserv.letters import draft
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.signed_addresses import Signer
from pbmserv.server.server import ServerSettings
from pbmserv.store import Player, Store


def server_settings(config: Config) -> ServerSettings:
    """The settings as the server takes them; exits as `key_of` and `renderer_of` do."""
    return ServerSettings(
        database_url=config.database_url,
        listen=config.listen,
        relay=config.relay,
        roles=config.roles,
        site=site_of(config),
        key=key_of(config),
        metrics=config.metrics,
    )


def key_of(config: Config) -> bytes:
    """The secret key; exits with 78 (EX_CONFIG) or 73 (EX_CANTCREAT) if there is none."""
    try:
        return config.key()
    except ValueError as e:
        raise fail(str(e), Exit.CONFIG) from None
    except OSError as e:
        raise fail(f"The folder of the database cannot be used: {e}", Exit.NOT_MADE) from None


def prepare_database(config: Config) -> None:
    """Bring an SQLite database up to date; refuse a PostgreSQL database that is behind."""
    file = config.sqlite_file
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    with opened(config) as engine:
        if file is not None:
            upgrade(engine)
        else:
            demand_current(engine)


def upgrade(engine: Engine) -> None:
    """Bring the schema up to date; exits with 78 (EX_CONFIG) if a newer program made it."""
    try:
        migrate.upgrade(engine)
    except CommandError:
        raise fail("A newer version of pbmserv wrote the database: install that one.", Exit.CONFIG) from None


def demand_current(engine: Engine) -> None:
    """Exits with 78 (EX_CONFIG) unless the database has the schema that this program reads and writes."""
    if not migrate.is_current(engine.execution_options(**engines.READ_ONLY)):
        raise fail("The database has another schema than this program. Run: pbmserv migrate", Exit.CONFIG)


def site_of(config: Config) -> Site:
    """What letters and commands need; exits as `key_of` and `renderer_of` do."""
    return Site(Signer(config.address, key_of(config)), renderer_of(config), policy=config.policy)


def renderer_of(config: Config) -> Renderer:
    """The templates, the operator's before ours; exits with 78 (EX_CONFIG) if a language of his cannot be read."""
    with _readable_templates():
        return Renderer(config.templates)


@contextmanager
def _readable_templates() -> Iterator[None]:
    try:
        yield
    except ValueError as e:
        raise fail(f"The templates cannot be read: {e}", Exit.CONFIG) from None


def finishing(config: Config) -> Callable[[bytes], bytes]:
    """What makes of a letter in the outbox the message that its reader gets.

    Of one that cannot be made, which the sender holds back, it makes a body without headers: what there is of it.
    """
    site = site_of(config)

    def finish(data: bytes) -> bytes:
        try:
            return draft.finished(data, site.renderer, site.address)
        except Exception:
            return b"\r\n" + data

    return finish


@contextmanager
def reading() -> Iterator[Store]:
    """The queries over the configured database, for commands that only look."""
    with looking() as connection:
        yield Store(connection)


def player_of(store: Store, userid: str) -> Player:
    """The player with this userid; exits with 66 (EX_NOINPUT) if there is none."""
    player = store.players.find(userid)
    if player is None:
        raise fail(f"There is no player {userid}.\nTo see them: pbmserv players list", Exit.MISSING)
    return player


@contextmanager
def looking() -> Iterator[Connection]:
    """A connection to the configured database that only reads; exits as `current` does."""
    with current(load_config()) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        yield connection


@contextmanager
def current(config: Config) -> Iterator[Engine]:
    """The database, which must be there and up to date; exits with 66 (EX_NOINPUT) or 78 (EX_CONFIG) if it is not."""
    with existing(config) as engine:
        demand_current(engine)
        yield engine


@contextmanager
def existing(config: Config) -> Iterator[Engine]:
    """The database, which must be there; exits with 66 (EX_NOINPUT) if it is not."""
    file = config.sqlite_file
    if file is not None and not file.exists():
        raise fail(f"There is no database at {file} yet. Start the server first: pbmserv serve", Exit.MISSING)
    with opened(config) as engine:
        yield engine


@contextmanager
def opened(config: Config) -> Iterator[Engine]:
    """The database; exits with 69 (EX_UNAVAILABLE) if it cannot be reached."""
    engine = engines.connect(config.database_url)
    try:
        yield engine
    except DatabaseError as e:
        if not (isinstance(e, OperationalError) or engines.is_damaged(e)):
            raise
        raise fail(f"The database cannot be used: {e.orig}", Exit.UNAVAILABLE) from None
    finally:
        engine.dispose()
