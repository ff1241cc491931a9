"""Work that one process at a time may do, for as long as it takes. Who dies in the middle of it frees the way."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Engine


@contextmanager
def alone(engine: Engine, number: int) -> Iterator[None]:
    """A context for one process of this database at a time, and in it for one thread; the next ones wait.

    `number`: of the lock on PostgreSQL, any that nobody else has. On SQLite the lock is on the folder: to close a
    second handle of the database file would drop SQLite's own locks.
    """
    if engine.dialect.name == "sqlite":
        handle = os.open(Path(str(engine.url.database)).absolute().parent, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)
        return
    with engine.connect() as connection:
        connection.execute(sa.text("SET LOCAL lock_timeout = 0"))  # what others do may be worth waiting for
        connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(number)))
        yield
