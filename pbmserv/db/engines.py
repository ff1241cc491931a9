"""Engines for SQLite and PostgreSQL, with the durability that a 250 promises, and transactions."""

import itertools
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from pbmserv import paths
from pbmserv.db import postgresql
from pbmserv.db.schema_guard import OtherSchema

if TYPE_CHECKING:  # only PostgreSQL needs psycopg
    from pbmserv.db.pipelining import line

#: Execution option for a connection that only reads: it sees one snapshot of the database and waits for no writer. The
#: database refuses writes.
READ_ONLY = {"pbmserv_read_only": True}

_REFUSES = "pbmserv_refuses_writes"  #: in the `info` of an SQLite connection: a read-only transaction uses it
_READ_ONLY_TRANSACTION, _DENIED = "25006", "42501"
_DEADLOCK, _SERIALISATION, _NOT_UNIQUE, _NO_SUCH_KEY = "40P01", "40001", "23505", "23503"
#: PostgreSQL's codes (SQLSTATE) for a transaction that failed because of a concurrent one.
_OVERTAKEN = (_DEADLOCK, _SERIALISATION, _NOT_UNIQUE, _NO_SUCH_KEY)
#: The errors of the database, its driver or the machine if something is not possible at the moment.
_DOWN = (
    sa.exc.OperationalError,
    sa.exc.InterfaceError,
    sa.exc.InternalError,
    sa.exc.TimeoutError,
    OtherSchema,
    OSError,
    MemoryError,
)
_NAMES = itertools.count()  #: of connections to SQLite
_ATTEMPTS = 5
_BUSY_SECONDS = 10  #: the longest wait of an SQLite writer for the one before it
_REST_SECONDS = 1.0  #: after so much time without use, a connection to PostgreSQL is tried out first
_USED = "pbmserv_used"  #: when a connection of the pool was used last
_LOOK_SECONDS = 0.0003  #: seconds between two looks of an SQLite writer whether the one before it has finished

T = TypeVar("T")


def connect(url: str) -> Engine:
    """Return the engine for a database URL. Errors never show the parameters of statements, which could be secret."""
    if url.startswith("postgresql:"):
        engine = sa.create_engine(
            "postgresql+psycopg://", creator=partial(postgresql.connect, url), hide_parameters=True
        )
        sa.event.listen(engine, "connect", _prepare_postgresql)
        sa.event.listen(engine, "checkout", _test_postgresql)
        sa.event.listen(engine, "checkin", _note_use)
        sa.event.listen(engine, "begin", _begin_postgresql)
        sa.event.listen(engine, "handle_error", _leave_standby)
    else:
        engine = sa.create_engine(url, hide_parameters=True)
        sa.event.listen(engine, "do_connect", _make_private)
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        sa.event.listen(engine, "reset", _allow_writes)
    return engine


def connect_to_read(url: str) -> Engine:
    """Return the engine for a process that never writes. The database refuses writes in its transactions."""
    engine = connect(url)
    if not has_one_writer(engine):
        sa.event.listen(engine, "connect", _refuse_long_work)
    return engine.execution_options(**READ_ONLY)


def has_one_writer(bind: Engine | Connection) -> bool:
    """Return whether only one transaction can write at a time, as on SQLite. Then no row needs a lock."""
    return bind.dialect.name == "sqlite"


def state_seen(connection: Connection) -> object:
    """Return what names the state of the database that a transaction sees: after any commit, it is another value.

    If it is the same as in an earlier transaction of this process, both see the same rows.
    """
    if has_one_writer(connection):
        version = connection.exec_driver_sql("PRAGMA data_version").scalar_one()  # of this connection's own counter
        return connection.info.setdefault("pbmserv_name", next(_NAMES)), version
    return connection.exec_driver_sql("SELECT CAST(pg_current_snapshot() AS text)").scalar_one()


def scrub(engine: Engine) -> None:
    """Write the SQLite file again without deleted rows, and empty its write-ahead log. PostgreSQL does that by itself.

    Mails wait meanwhile. Raises the database's errors, for example if somebody else writes for too long.
    """
    if not has_one_writer(engine):
        return
    with closing(engine.raw_connection()) as connection:
        cursor = connection.cursor()
        for command in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            cursor.execute(command)
            cursor.fetchall()


def only_reads(connection: Connection) -> bool:
    """Return whether the connection has the option READ_ONLY."""
    return bool(connection.get_execution_options().get("pbmserv_read_only"))


def was_overtaken(error: BaseException) -> bool:
    """Return whether a transaction failed because of a concurrent one. The next attempt may succeed."""
    return isinstance(error, sa.exc.DBAPIError) and getattr(error.orig, "sqlstate", None) in _OVERTAKEN


def was_refused(error: BaseException) -> bool:
    """Return whether a read-only transaction tried to write."""
    if not isinstance(error, sa.exc.DBAPIError):
        return False
    if getattr(error.orig, "sqlstate", None) == _READ_ONLY_TRANSACTION:
        return True
    return getattr(error.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_READONLY


def is_down(error: Exception) -> bool:
    """Return whether the database or the machine failed, and not our code. Then it makes sense to try again later.

    Jinja's error for a missing template is an OSError and a LookupError. It does not count, because trying again
    does not help.
    """
    down = isinstance(error, _DOWN) or is_damaged(error)
    return down and not isinstance(error, LookupError)


def is_out_of_reach(error: Exception) -> bool:
    """Return whether the connection to the database was lost, or there was none. Then no statement can succeed now."""
    if not isinstance(error, sa.exc.DBAPIError):
        return is_down(error)
    no_answer = isinstance(error, sa.exc.OperationalError) and getattr(error.orig, "sqlstate", None) is None
    return error.connection_invalidated or no_answer


def was_denied(error: BaseException) -> bool:
    """Return whether PostgreSQL does not allow its account what it asked for."""
    return isinstance(error, sa.exc.DBAPIError) and getattr(error.orig, "sqlstate", None) == _DENIED


def cannot_be_used(error: Exception) -> bool:
    """Return whether the database is away, damaged or denied to us, and our code is not wrong."""
    return isinstance(error, sa.exc.OperationalError) or is_damaged(error) or was_denied(error)


def is_damaged(error: BaseException) -> bool:
    """Return whether SQLite found a damaged file, or one that is no database: its driver has no subclass for these."""
    return type(error) in (sa.exc.DatabaseError, sqlite3.DatabaseError)


def transact(engine: Engine, do: Callable[[Connection, bool], T]) -> T:
    """Run `do(connection, last)` in a transaction, commit, and return its result.

    If a concurrent transaction makes it fail, it runs again, a few times; `last`: this is the last attempt. So effects
    of `do` outside the transaction must do no harm if they happen twice.
    """
    for left in reversed(range(_ATTEMPTS)):
        try:
            with engine.begin() as connection:
                return do(connection, left == 0)
        except sa.exc.DBAPIError as error:
            if left == 0 or not was_overtaken(error):
                raise
    raise AssertionError("the last attempt returns or raises")


def _make_private(dialect: object, record: object, args: Sequence[str], parameters: object) -> None:
    """Create the file of a new database. If SQLite created it, others could read it, depending on the umask.

    SQLite gives its write-ahead log the mode of the database.
    """
    with suppress(OSError):  # it is there, or SQLite says what is wrong
        paths.make_private(Path(args[0]))


def _prepare_sqlite(connection: sqlite3.Connection, record: object) -> None:
    """Set up durable commits (WAL, with a FULL sync before a commit returns), and begin transactions ourselves.

    With the driver's own transactions, writes inside a released savepoint would survive the outer rollback.
    """
    connection.isolation_level = None
    # Overwrite deleted rows. Otherwise they stay in the file until their space is needed.
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock first. If we asked for it later, SQLite could refuse it after the work is done."""
    driver = cast(sqlite3.Connection, connection.connection.dbapi_connection)
    if only_reads(connection):
        connection.info[_REFUSES] = True
        driver.execute("PRAGMA query_only = ON")
        driver.execute("BEGIN")
    elif not _took_turn(driver):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _allow_writes(connection: sqlite3.Connection, record: sa.pool.ConnectionPoolEntry, state: object) -> None:
    """Let a connection that has only read be used by a writer next."""
    if record.info.pop(_REFUSES, False):
        connection.execute("PRAGMA query_only = OFF")


def _took_turn(connection: sqlite3.Connection) -> bool:
    """Take the write lock between two transactions of a busy process; False if there was no such moment.

    SQLite itself tries only ten times a second. So the sender could hardly ever write while many mails come in, and
    letters would wait.
    """
    deadline = time.monotonic() + _BUSY_SECONDS / 2
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while time.monotonic() < deadline:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    return False  # the next attempt raises the error through SQLAlchemy
                time.sleep(_LOOK_SECONDS)
            else:
                return True
        return False
    finally:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")


def _prepare_postgresql(connection: "line.Connection", record: object) -> None:
    """Set up durable commits, and limits on waiting for a lock, or for a process that died with its locks.

    `remote_apply` promises more than `on`, so we keep it. We set no statement timeout: it would end a commit's wait for
    the standby, and PostgreSQL would report success.
    """
    settings = ("lock_timeout = '10s'", "idle_in_transaction_session_timeout = '60s'", "statement_timeout = 0")
    for setting in settings:
        connection.execute(f"SET {setting}")
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) "
        "WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')"
    )
    connection.commit()


def _test_postgresql(connection: "line.Connection", record: sa.pool.ConnectionPoolEntry, fairy: object) -> None:
    """Test a connection before it is used, because the server may have been restarted or replaced.

    A server that ends says so. Only if it was not used for a while, the connection is tried out, which costs a round
    trip.
    """
    rested = time.monotonic() - record.info.get(_USED, 0.0) > _REST_SECONDS
    if (rested or connection.has_news()) and not connection.is_alive():
        raise sa.exc.InvalidatePoolError


def _note_use(connection: object, record: sa.pool.ConnectionPoolEntry) -> None:
    record.info[_USED] = time.monotonic()


def _refuse_long_work(connection: "line.Connection", record: object) -> None:
    """Make PostgreSQL end long queries, because readers must not slow down a shared server."""
    connection.execute("SET statement_timeout = '10s'")
    connection.commit()


def _leave_standby(context: sa.engine.ExceptionContext) -> None:
    """Close all connections if the server has become a standby, because another server is the primary now."""
    if postgresql.met_a_standby(context.original_exception):
        context.is_disconnect = True


def _begin_postgresql(connection: Connection) -> None:
    """Give a read-only transaction one snapshot. In others each statement sees what is committed by then."""
    if only_reads(connection):
        connection.connection.dbapi_connection.take_snapshot()  # type: ignore[union-attr]


def is_alone(file: Path) -> bool:
    """Return whether no other process has an SQLite database open. If so, all data is in the main file afterwards.

    Raises sqlite3.DatabaseError if the database cannot be opened, written or read.
    """
    with closing(sqlite3.connect(file, timeout=1)) as connection:
        try:
            return bool(connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",))
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # the higher bytes are the variant of the error
                raise
            return False
