"""The configured database: brought up to date for a server, opened for commands.

Whatever takes long to import is imported inside functions, here and in all modules of commands: they themselves are
imported for every help text and every completion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from pbmserv import paths
from pbmserv.cli.terminal.console import fail, load_config
from pbmserv.cli.terminal.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.engine import Engine

    from pbmserv.cli.terminal.launch import Launch
    from pbmserv.config import Config
    from pbmserv.letters.site import Site
    from pbmserv.letters.text.templates import Renderer
    from pbmserv.mail.oauth.oauth_settings import OAuthSettings, Tokens
    from pbmserv.model import BoardRow, Player
    from pbmserv.model.letters import StoredLetter
    from pbmserv.store import Store


CHANGED = (
    "Another version of pbmserv has changed the schema of the database. Nothing more was stored. Run the version to "
    "which the schema belongs."
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
        paths.make_folder(file.parent)
    with open_database(config, may_be_missing=True, any_schema=file is not None) as engine:
        if file is not None:
            upgrade(engine)


def upgrade(engine: Engine) -> None:
    """Bring the schema up to date.

    Exits with 78 (EX_CONFIG) if a newer program made it, with 69 (EX_UNAVAILABLE) if a process has the database.
    """
    from pbmserv.db import engines, migrate

    if migrate.is_current(engine.execution_options(**engines.READ_ONLY)):
        return  # as at almost every start: Alembic would stay in the server's memory
    from alembic.util import CommandError

    try:
        migrate.upgrade(engine)
    except CommandError:
        raise fail("A newer version of pbmserv wrote the database: install that one.", Exit.CONFIG) from None
    except migrate.InUse:
        raise fail(
            "The database has an older schema, and cannot be brought up to date: another process has it open. "
            "Stop all servers, web pages and other commands first, then: pbmserv migrate",
            Exit.UNAVAILABLE,
        ) from None


def _demand_current(engine: Engine) -> None:
    """Exits with 78 (EX_CONFIG) unless the database has the schema that this program reads and writes."""
    from pbmserv.db import engines, migrate

    if not migrate.is_current(engine.execution_options(**engines.READ_ONLY)):
        raise fail("The database has another schema than this program. Run: pbmserv migrate", Exit.CONFIG)


def site_of(config: Config) -> Site:
    """What letters and commands need; exits as `key_of` and `renderer_of` do."""
    from pbmserv.letters.site import Site
    from pbmserv.mail.signed_addresses import Signer
    from pbmserv.webhooks.events import WebhookEvents

    return Site(
        Signer(config.address, key_of(config)), renderer_of(config), policy=config.policy, events=WebhookEvents()
    )


def renderer_of(config: Config) -> Renderer:
    """Return the templates, the operator's before ours. Exits with 78 (EX_CONFIG) if a language cannot be read."""
    from pbmserv.letters.text.templates import Renderer

    try:
        return Renderer(config.templates)
    except ValueError as e:
        raise fail(f"The templates cannot be read: {e}", Exit.CONFIG) from None


def finishing(config: Config) -> Callable[[Store, StoredLetter], bytes]:
    """A function that makes of a row of the outbox the message that its reader gets.

    Of a letter that cannot be made (the sender puts it off) it makes one without headers, around what is stored.
    """
    from pbmserv.letters.waiting.finisher import Finisher

    finisher = Finisher(site_of(config))

    def finish(store: Store, row: StoredLetter) -> bytes:
        made = finisher.finish(store, [row])[row.id]
        return made if isinstance(made, bytes) else b"\r\n" + row.data

    return finish


@contextmanager
def reading() -> Iterator[Store]:
    """The queries over the configured database, for commands that only look; exits as `open_database` does."""
    from pbmserv.db import engines
    from pbmserv.store import Store

    with open_database(load_config()) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        yield Store(connection)


def player_of(store: Store, userid: str) -> Player:
    """The player with this userid; exits with 66 (EX_NOINPUT) if there is none."""
    player = store.players.find(userid)
    if player is None:
        raise fail(f"There is no player {userid}.\nTo see them: pbmserv players list", Exit.MISSING)
    if new := store.players.renamed_to(player):
        raise fail(f"{userid} is called {new.userid} now.", Exit.MISSING)
    return player


def board_of(store: Store, number: int) -> BoardRow:
    """The board with this number; exits with 66 (EX_NOINPUT) if there is none."""
    row = store.boards.find(number, lock=False)
    if row is None:
        raise fail(f"There is no board {number}.\nTo see the boards: pbmserv boards list", Exit.MISSING)
    return row


def unusable(file: str | Path | None, error: Exception) -> typer.Exit:
    """Say why a database cannot be used, and what to do about a damaged one; return the exit."""
    from pbmserv.db import engines

    text = f"The database cannot be used: {getattr(error, 'orig', None) or error}"
    if engines.is_damaged(error) and file:
        text += (
            f"\n{file} is damaged, or no database. Move it away, together with what is beside it and ends in -wal and "
            "-shm. Then restore a backup: pbmserv restore FILE"
        )
    if engines.was_denied(error):
        text += "\nThe account must own the database: ALTER DATABASE … OWNER TO …"
    return fail(text, Exit.UNAVAILABLE)


@contextmanager
def tokens_of(config: Config, login: OAuthSettings | None) -> Iterator[Tokens | None]:
    """What logs in by OAuth2; None if a password does. Raises as `Config.key` does."""
    if login is None:
        yield None
        return
    from pbmserv.db import engines
    from pbmserv.server.logins.tokens import StoredTokens

    engine = engines.connect(config.database_url)
    try:
        yield StoredTokens(engine, login, config.key())
    finally:
        engine.dispose()


@contextmanager
def open_database(
    config: Config | Launch, *, may_be_missing: bool = False, any_schema: bool = False
) -> Iterator[Engine]:
    """The configured database, until the end of the context.

    Exits with 69 (EX_UNAVAILABLE) if it cannot be reached; with 66 (EX_NOINPUT) if there is none, unless it
    `may_be_missing`; with 78 (EX_CONFIG) if its schema is not the one of this program, unless `any_schema` will do;
    with 75 (EX_TEMPFAIL) if another version of the program changes the schema meanwhile.
    """
    import sqlite3

    from sqlalchemy.exc import DatabaseError

    from pbmserv.db import engines, migrate, schema_guard

    file = config.sqlite_file
    if file is not None and not may_be_missing and not file.exists():
        raise fail(f"There is no database at {file} yet. Start the server first: pbmserv serve", Exit.MISSING)
    engine = engines.connect(config.database_url)
    try:
        if not any_schema:
            _demand_current(engine)
            schema_guard.guard(engine, migrate.newest())
        yield engine
    except schema_guard.OtherSchema:
        raise fail(CHANGED, Exit.TEMPORARY) from None
    except (DatabaseError, sqlite3.DatabaseError) as e:
        if not engines.cannot_be_used(e):
            raise
        raise unusable(file, e) from None
    finally:
        engine.dispose()
