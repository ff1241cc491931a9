"""An engine for each kind of database, with the durability that a 250 promises, and transactions on it."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from pbmserv.db import postgresql

#: Execution option of a connection that only reads: it sees one state of the database and waits for no writer.
READ_ONLY = {"pbmserv_read_only": True}

_DEADLOCK, _SERIALISATION, _NOT_UNIQUE, _NO_SUCH_KEY = "40P01", "40001", "23505", "23503"
#: PostgreSQL's codes (SQLSTATE) for a transaction that failed because of another one at the same time.
_OVERTAKEN = (_DEADLOCK, _SERIALISATION, _NOT_UNIQUE, _NO_SUCH_KEY)
#: What the database, its driver or the machine raises when it cannot do what was asked for now.
_DOWN = (
    sa.exc.OperationalError,
    sa.exc.InterfaceError,
    sa.exc.InternalError,
    sa.exc.TimeoutError,
    OSError,
    MemoryError,
)
_ATTEMPTS = 5
_BUSY_SECONDS = 10  #: how long a writer of SQLite waits for the one before it
_LOOK_SECONDS = 0.0003  #: how often it looks whether that one has ended

T = TypeVar("T")


def connect(url: str) -> Engine:
    """The engine for a database URL. Statements never show their parameters: those could be secrets."""
    if url.startswith("postgresql:"):
        engine = sa.create_engine(
            "postgresql+psycopg://", creator=partial(postgresql.connect, url), hide_parameters=True, pool_pre_ping=True
        )  # asks before each use, because the server may have been restarted, or another one have taken over
        sa.event.listen(engine, "connect", _prepare_postgresql)
        sa.event.listen(engine, "begin", _begin_postgresql)
        sa.event.listen(engine, "handle_error", _leave_standby)
    else:
        engine = sa.create_engine(url, hide_parameters=True)
        sa.event.listen(engine, "connect", _prepare_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def connect_to_read(url: str) -> Engine:
    """The engine for a process that never writes: the database itself refuses writes on its connections."""
    engine = connect(url)
    sa.event.listen(engine, "connect", _refuse_writes if has_one_writer(engine) else _refuse_long_work)
    return engine.execution_options(**READ_ONLY)


def has_one_writer(bind: Engine | Connection) -> bool:
    """Whether only one transaction writes at a time, as on SQLite, so that none needs locks of its own."""
    return bind.dialect.name == "sqlite"


def only_reads(connection: Connection) -> bool:
    """Whether the connection has the option READ_ONLY."""
    return bool(connection.get_execution_options().get("pbmserv_read_only"))


def was_overtaken(error: BaseException) -> bool:
    """Whether a transaction failed because of another one at the same time. The next attempt may succeed."""
    return isinstance(error, sa.exc.DBAPIError) and getattr(error.orig, "sqlstate", None) in _OVERTAKEN


def is_down(error: Exception) -> bool:
    """Whether the database or the machine is to blame, and not what was done: then it may be tried again later.

    A missing template is an OSError and a LookupError to Jinja: it will be missing later, too.
    """
    down = isinstance(error, _DOWN) or is_damaged(error)
    return down and not isinstance(error, LookupError)


def is_damaged(error: BaseException) -> bool:
    """Whether SQLite found a file that is no database, or a damaged page. Its driver raises no subclass for these."""
    return type(error) in (sa.exc.DatabaseError, sqlite3.DatabaseError)


def transact(engine: Engine, do: Callable[[Connection, bool], T]) -> T:
    """What `do(connection, last)` returns, once it is committed.

    If another transaction makes it fail, it is begun again, a few times; `last`: this is the last attempt. So what
    `do` does outside the transaction must do no harm when it is done twice.
    """
    for left in reversed(range(_ATTEMPTS)):
        try:
            with engine.begin() as connection:
                return do(connection, left == 0)
        except sa.exc.DBAPIError as error:
            if left == 0 or not was_overtaken(error):
                raise
    raise AssertionError("the last attempt returns or raises")


def _prepare_sqlite(connection: Any, record: Any) -> None:
    """Durable commits (WAL with FULL syncs before the commit returns), and transactions that we begin ourselves.

    In the driver's own transaction mode, writes inside a released savepoint survive the outer rollback.
    """
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")


def _refuse_writes(connection: Any, record: Any) -> None:
    """Let SQLite refuse writes. PostgreSQL is told so at the beginning of each transaction."""
    connection.execute("PRAGMA query_only = ON")


def _begin_sqlite(connection: Connection) -> None:
    """Take the write lock at once: if it were asked for later, it could be refused after the work is done."""
    if only_reads(connection):
        connection.exec_driver_sql("BEGIN")
    elif not _took_turn(connection.connection.dbapi_connection):
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _took_turn(connection: Any) -> bool:
    """Begin to write in the moment between two transactions of a busy process; False if that never came.

    SQLite itself looks for such a moment only ten times a second. So the sender would hardly ever write while many
    mails come in, and letters would wait until they have stopped.
    """
    deadline = time.monotonic() + _BUSY_SECONDS / 2
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while time.monotonic() < deadline:
            try:
                connection.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    return False  # the next attempt raises it again, through SQLAlchemy
                time.sleep(_LOOK_SECONDS)
            else:
                return True
        return False
    finally:
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")


def _prepare_postgresql(connection: Any, record: Any) -> None:
    """Durable commits; and no endless wait, neither for a lock nor for a process that is gone and left its locks.

    `remote_apply` promises more than `on`, so it stays. There is no timeout of statements: it would end a commit's
    wait for the standby, and PostgreSQL would report success.
    """
    settings = ("lock_timeout = '10s'", "idle_in_transaction_session_timeout = '60s'", "statement_timeout = 0")
    for setting in settings:
        connection.execute(f"SET {setting}")
    connection.execute(
        "SELECT set_config('synchronous_commit', 'on', false) "
        "WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')"
    )
    connection.commit()


def _refuse_long_work(connection: Any, record: Any) -> None:
    """Let PostgreSQL end long queries: whoever only looks must not keep a shared server busy."""
    connection.execute("SET statement_timeout = '10s'")
    connection.commit()


def _leave_standby(context: sa.engine.ExceptionContext) -> None:
    """Throw all connections away when the server has become a standby: the primary is elsewhere now."""
    if postgresql.met_a_standby(context.original_exception):
        context.is_disconnect = True


def _begin_postgresql(connection: Connection) -> None:
    """Let a transaction that only reads see one state throughout; others see at each statement what was committed."""
    if only_reads(connection):
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def is_alone(file: Path) -> bool:
    """Whether no other process has an SQLite database open. If none has, all of it is in the file itself afterwards.

    Raises sqlite3.DatabaseError if it cannot be opened, written or read.
    """
    with closing(sqlite3.connect(file, timeout=1)) as connection:
        try:
            return bool(connection.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",))
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # the higher bytes tell its variants apart
                raise
            return False
