"""Schema migrations with Alembic. We call it from code, so it works in any folder and needs no alembic.ini.

Nobody else may have the database meanwhile: a process with the old schema in mind would go on writing by it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pbmserv import paths
from pbmserv.db import schema_guard, turns

if TYPE_CHECKING:  # importing Alembic is slow, and most commands only ask for the current revision
    from alembic.config import Config
    from sqlalchemy.engine import Connection, Engine

_LOCK = schema_guard.IN_USE - 1  #: the number of the lock on PostgreSQL of whoever migrates
_PATIENCE = 3.0  #: seconds for others, such as a command that only looks, to close the database
_LOOK = 0.05
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))


class InUse(Exception):
    """Another process has the database open."""


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Upgrade the schema to `revision`, with the database for us alone. Raises InUse if another process has it."""
    engine.dispose()  # our own connections that rest are nobody else's
    with turns.alone(engine, _LOCK), engine.connect() as connection:
        if _is_newer(connection):
            _upgrade(connection, revision)  # Alembic refuses, because it does not know this one
        elif not is_at(connection, revision):
            with _alone(connection):
                _upgrade(connection, revision)
    engine.dispose()


def _is_newer(connection: Connection) -> bool:
    own = revision(connection)
    connection.rollback()
    return own is not None and own > newest()


def is_at(connection: Connection, target: str) -> bool:
    """Return whether the schema is of a revision (`head`: the newest)."""
    own = revision(connection)
    connection.rollback()
    return own == (newest() if target == "head" else target)


def _upgrade(connection: Connection, revision: str) -> None:
    from alembic import command

    command.upgrade(_config(connection), revision)
    _note(connection)


def downgrade(engine: Engine, revision: str) -> None:
    """Downgrade the schema to `revision` ("base": no tables)."""
    from alembic import command

    with engine.connect() as connection:
        command.downgrade(_config(connection), revision)
        _note(connection)


def _note(connection: Connection) -> None:
    schema_guard.note(connection, revision(connection))
    connection.commit()


def is_current(engine: Engine) -> bool:
    """Return whether the database has the schema that this program needs."""
    with engine.connect() as connection:
        return revision(connection) == newest()


def revision(connection: Connection) -> str | None:
    """Return the revision of the database's schema; None if it has no tables."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    return connection.execute(sa.select(_VERSION.c.version_num)).scalar_one_or_none()


@cache
def newest() -> str:
    """Return the revision that this program needs: the number at the start of the last migration's file name.

    It is read once: an upgrade may put other files there while this program runs.
    """
    return max(file.name.partition("_")[0] for file in (paths.data("migrations") / "versions").glob("[0-9]*.py"))


@contextmanager
def _alone(connection: Connection) -> Iterator[None]:
    """Demand that no other process, of whichever version, has the database. Raises InUse.

    On SQLite nobody can open it until the end of the context: the exclusive lock that leaves WAL mode is kept.
    """
    if connection.dialect.name != "sqlite":
        _demand(lambda: not _other_sessions(connection))
        with schema_guard.closed(connection):
            yield
        return
    driver = connection.connection.dbapi_connection
    if driver is None:
        raise ValueError("the connection is closed")
    cursor = driver.cursor()
    busy = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
    cursor.execute("PRAGMA busy_timeout = 0")
    cursor.execute("PRAGMA locking_mode = EXCLUSIVE")
    try:
        _demand(lambda: _left_wal(cursor))
        cursor.execute(f"PRAGMA busy_timeout = {busy}")
        yield
    finally:
        cursor.close()  # SQLite keeps a closed connection, and its locks, as long as a statement is open
        connection.invalidate()  # closes it, and with it the lock


def _demand(is_alone: Callable[[], bool]) -> None:
    until = time.monotonic() + _PATIENCE
    while not is_alone():
        if time.monotonic() > until:
            raise InUse("a process has the database open")
        time.sleep(_LOOK)


def _left_wal(cursor: sa.engine.interfaces.DBAPICursor) -> bool:
    """Return whether SQLite has left its WAL mode, which it does only for the one connection that there is."""
    try:
        return bool(cursor.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False


def _other_sessions(connection: Connection) -> int:
    """Return how many sessions have the PostgreSQL database open, without those that wait to migrate it, too.

    A server of each version always keeps one open. Every account sees that the sessions of others are there.
    """
    query = sa.text(
        "SELECT count(*) FROM pg_stat_activity a WHERE datname = current_database() AND usesysid IS NOT NULL"
        " AND coalesce(backend_type, 'client backend') = 'client backend' AND pid <> pg_backend_pid()"
        " AND NOT EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory'"
        " AND (l.classid::bigint << 32 | l.objid::bigint) = :lock)"
    )
    count = int(connection.execute(query, {"lock": _LOCK}).scalar_one())
    connection.rollback()
    return count


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(paths.data("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
