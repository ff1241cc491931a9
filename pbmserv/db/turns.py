"""Work that one process at a time may do, for as long as it takes. Who dies in the middle of it frees the way."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Engine


@contextmanager
def alone(engine: Engine, number: int, suffix: str = "") -> Iterator[None]:
    """A context for one process of this database at a time, and in it for one thread; the next ones wait.

    `number`: of the lock on PostgreSQL, any that nobody else has. On SQLite the lock is on a file beside the database
    with this `suffix`, or else on its folder: to close a second handle of the database would drop SQLite's own locks.
    """
    if engine.dialect.name == "sqlite":
        file = Path(str(engine.url.database)).resolve()
        place = file.with_suffix(suffix) if suffix else file.parent
        handle = os.open(place, os.O_RDONLY | (os.O_CREAT if suffix else 0), 0o644)  # other users lock it, too
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
