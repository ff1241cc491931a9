"""Keeps a process from transactions on the schema of another version.

Nobody can migrate a database that a process has open (migrate.py). If it happens all the same, for example by a copy of
a file or by a program that asks nobody, a guarded engine finds it before its next transaction does anything.

On SQLite, `user_version` in the head of the file tells; to read it takes microseconds of a transaction. On PostgreSQL
each connection holds a shared lock, which a migration needs for itself, and looks at the schema when it is opened. So
transactions cost nothing more.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

if TYPE_CHECKING:  # only PostgreSQL needs psycopg
    from pbmserv.db.pipelining import line

#: The number of the lock of everybody who uses a PostgreSQL database; any that nobody else has.
IN_USE = int.from_bytes(b"pbmserv") + 1
_REVISION = "SELECT version_num FROM alembic_version"


class OtherSchema(sa.exc.SQLAlchemyError):
    """The database has the schema of another version of pbmserv. Nothing of the transaction was stored."""


def guard(engine: Engine, revision: str, on_other: Callable[[], None] = lambda: None) -> None:
    """Let the engine work only on a schema of this revision. Connections that are open already are closed.

    Otherwise its transactions raise OtherSchema before their first statement, and `on_other` is called, in any thread.
    """

    def refuse() -> OtherSchema:
        on_other()
        return OtherSchema("another version of pbmserv has changed the schema of the database")

    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "begin", _Cookie(revision, refuse).look)
    else:
        sa.event.listen(engine, "connect", lambda connection, _: _hold(connection, revision, refuse))
    engine.dispose()


class _Cookie:
    """The `user_version` of an SQLite file that is known to have the right schema."""

    def __init__(self, revision: str, refuse: Callable[[], OtherSchema]) -> None:
        self._revision = revision
        self._refuse = refuse
        self._known: int | None = None

    def look(self, connection: Connection) -> None:
        """Raise OtherSchema if the schema is another one. This runs in a transaction that has just begun."""
        driver = cast(sqlite3.Connection, connection.connection.dbapi_connection)
        (cookie,) = driver.execute("PRAGMA user_version").fetchone()
        if cookie == self._known:
            return
        if _revision_of(driver) != self._revision:
            driver.rollback()
            raise self._refuse()
        self._known = cookie


def _revision_of(driver: sqlite3.Connection) -> str | None:
    try:
        row = driver.execute(_REVISION).fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_ERROR:  # anything but a missing table
            raise
        return None
    return str(row[0]) if row else None


def _hold(connection: "line.Connection", revision: str, refuse: Callable[[], OtherSchema]) -> None:
    """Take the lock for as long as the connection to PostgreSQL is open, and look at the schema."""
    held = connection.execute(f"SELECT pg_try_advisory_lock_shared({IN_USE})").fetchone()
    if held != (True,):
        connection.close()
        raise OtherSchema("the schema of the database is being changed")  # the next attempt tells
    is_there = connection.execute("SELECT to_regclass('alembic_version')").fetchone() != (None,)
    row = connection.execute(_REVISION).fetchone() if is_there else None
    connection.commit()
    if not row or row[0] != revision:
        connection.close()
        raise refuse()


@contextmanager
def closed(connection: Connection) -> Iterator[None]:
    """Let no guarded process connect to a PostgreSQL database while the context lasts."""
    connection.execute(sa.select(sa.func.pg_advisory_lock(IN_USE)))
    connection.commit()
    try:
        yield
    finally:
        connection.rollback()
        connection.execute(sa.select(sa.func.pg_advisory_unlock(IN_USE)))
        connection.commit()


def note(connection: Connection, revision: str | None) -> None:
    """Note the revision in the head of an SQLite file, for guarded engines of other processes."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA user_version = {int(revision or 0)}")
