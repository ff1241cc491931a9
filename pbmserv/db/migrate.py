"""Schema migrations with Alembic. We call it from code, so it works in any folder and needs no alembic.ini."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from pbmserv import paths

if TYPE_CHECKING:  # importing Alembic is slow, and most commands only ask for the current revision
    from alembic.config import Config
    from sqlalchemy.engine import Connection, Engine

_LOCK = int.from_bytes(b"pbmserv")  #: the number of the lock on PostgreSQL; any that nobody else has
_VERSION = sa.table("alembic_version", sa.column("version_num", sa.String))


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Upgrade the schema to `revision`."""
    from alembic import command

    with _alone(engine), engine.connect() as connection:
        command.upgrade(_config(connection), revision)


def downgrade(engine: Engine, revision: str) -> None:
    """Downgrade the schema to `revision` ("base": no tables)."""
    from alembic import command

    with engine.connect() as connection:
        command.downgrade(_config(connection), revision)


def is_current(engine: Engine) -> bool:
    """Return whether the database has the schema that this program needs."""
    with engine.connect() as connection:
        return revision(connection) == newest()


def revision(connection: Connection) -> str | None:
    """Return the revision of the database's schema; None if it has no tables."""
    if not sa.inspect(connection).has_table(_VERSION.name):
        return None
    return connection.execute(sa.select(_VERSION.c.version_num)).scalar_one_or_none()


def newest() -> str:
    """Return the revision that this program needs: the number at the start of the last migration's file name."""
    return max(file.name.partition("_")[0] for file in (paths.data("migrations") / "versions").glob("[0-9]*.py"))


@contextmanager
def _alone(engine: Engine) -> Iterator[None]:
    """Let one process migrate at a time; the next one waits, and finds nothing left to do.

    On SQLite the lock is on the folder: to close a second handle of the database file would drop SQLite's own locks.
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
        connection.execute(sa.text("SET LOCAL lock_timeout = 0"))  # a long migration is worth waiting for
        connection.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        yield


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(paths.data("migrations")).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
