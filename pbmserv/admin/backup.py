"""Copies of the whole database: made while servers work on it, looked through before they take its place.

A backup is one file: an SQLite database, or a dump of PostgreSQL in its custom format.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import mkstemp

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine

from pbmserv.admin import dumps
from pbmserv.db import engines, migrate
from pbmserv.db.health import Health

_SQLITE, _DUMP = b"SQLite format 3\0", b"PGDMP"

#: Looks through a database that is brought back. Raises BackupError if it must not be used.
Look = Callable[[Engine], None]


class BackupError(Exception):
    """A backup that cannot be made or brought back; `code` is the one of sysexits.h."""

    def __init__(self, text: str, code: int = os.EX_DATAERR) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Contents:
    """What is in a database: its schema, and how many boards, entries, players, mails and letters."""

    schema: str | None
    totals: dict[str, int]

    def __str__(self) -> str:
        counted = ", ".join(f"{count} {name}" for name, count in self.totals.items())
        return f"schema {self.schema}: {counted}" if self.totals else "no tables"

    @property
    def empty(self) -> bool:
        """Whether nobody has ever written anything."""
        return not any(self.totals.values())


def save(url: str, file: Path, programs: str = "") -> Contents:
    """Write a backup of what is committed at this moment; what is in it. Raises BackupError, OSError.

    `file` is there completely or not at all, readable by its owner only. `programs`: the folder of pg_dump.
    """
    with _tools(), _written(file) as part:
        return _copy(_path(url), part) if url.startswith("sqlite") else _dump(url, part, programs)


def bring_back(
    url: str, file: Path, now: datetime, look: Look, *, replace: bool = False, programs: str = ""
) -> tuple[Contents, Path | None]:
    """Make `file` the database; what is in it, and where the one before is kept. Raises BackupError, OSError.

    It is refused while others have the database open, and over one that is not empty unless `replace`. Its schema is
    brought up to date, and `look` goes through it: on SQLite before it takes the place of the one before.
    """
    _demand_kind(url, file)
    aside = file.with_name(f"{file.name}.replaced-{now:%Y%m%dT%H%M%SZ}")
    with _tools():
        if url.startswith("sqlite"):
            return _replace_file(url, file, aside, replace, look)
        return _reload(url, file, aside, replace, programs, look)


def _demand_kind(url: str, file: Path) -> None:
    with file.open("rb") as opened:
        head = opened.read(len(_SQLITE))
    wanted, other = (_SQLITE, _DUMP) if url.startswith("sqlite") else (_DUMP, _SQLITE)
    if head.startswith(other):
        raise BackupError(f"{file} is a backup of the other kind of database than PBMSERV_DATABASE_URL names.")
    if not head.startswith(wanted):
        raise BackupError(f"{file} is no backup of pbmserv.")


def _demand_empty(found: Contents, replace: bool) -> None:
    if not found.empty and not replace:
        raise BackupError(f"The database is not empty ({found}). To replace it, add: --yes", os.EX_USAGE)


def _demand_alone(file: Path) -> None:
    try:
        alone = engines.is_alone(file)
    except sqlite3.DatabaseError as e:
        if not engines.is_damaged(e):
            raise
        raise BackupError(
            f"The database that is there is damaged ({e}). If no server runs, move {file} out of the way, with what is "
            "beside it and ends in -wal and -shm, and try again."
        ) from None
    if not alone:
        raise BackupError("A server has the database open. Stop it first.", os.EX_UNAVAILABLE)


def _replace_file(url: str, file: Path, aside: Path, replace: bool, look: Look) -> tuple[Contents, Path | None]:
    target = Path(_path(url))
    aside = target.with_name(aside.name)
    there = target.exists()
    if there:
        _demand_alone(target)
        _demand_empty(_contents(url), replace)
    with _written(target) as part:
        shutil.copyfile(file, part)
        found = _proved(f"sqlite:///{part}", look)
        if there:
            _demand_alone(target)  # again: looking into it made a log
            os.link(target, aside)
        for left in ("-wal", "-shm"):  # of a file that is gone: SQLite would apply it to this one
            target.with_name(target.name + left).unlink(missing_ok=True)
    return found, aside if there else None


def _reload(
    url: str, file: Path, aside: Path, replace: bool, programs: str, look: Look
) -> tuple[Contents, Path | None]:
    with _opened(url) as engine:
        with engine.execution_options(**engines.READ_ONLY).connect() as connection:
            if others := Health(connection).other_sessions():
                raise BackupError(
                    f"{others} other sessions have the database open. Stop the servers first.", os.EX_UNAVAILABLE
                )
        found = _contents(url)
        _demand_empty(found, replace)
        dumps.demand_readable(file, programs)
        kept = None if found.empty else aside
        if kept:
            save(url, kept, programs)
        migrate.downgrade(engine, "base")  # also what a newer schema has and the dump does not
    dumps.load(url, file, programs)
    return _proved(url, look), kept


def _proved(url: str, look: Look) -> Contents:
    """What is in a database, once it is whole, up to date and looked through. Raises BackupError."""
    with _opened(url) as engine:
        with engine.connect() as connection:
            if damage := Health(connection).damage():
                raise BackupError(f"The backup is damaged: {damage}")
        migrate.upgrade(engine)
        look(engine)
    return _contents(url)


def _copy(file: str, part: Path) -> Contents:
    try:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)  # in one piece: writers go on, and do not make it begin anew
    except sqlite3.OperationalError as e:  # a full disk, most likely
        raise BackupError(f"The backup cannot be written: {e}", os.EX_CANTCREAT) from None
    return _contents(f"sqlite:///{part}")


def _dump(url: str, part: Path, programs: str) -> Contents:
    with _opened(url) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        snapshot = Health(connection).snapshot()
        found = _look(connection)
        dumps.dump(url, part, snapshot, programs)
    return found


def _contents(url: str) -> Contents:
    with _opened(url) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        return _look(connection)


def _look(connection: Connection) -> Contents:
    schema = migrate.revision(connection)
    return Contents(schema, Health(connection).totals() if schema else {})


@contextmanager
def _opened(url: str) -> Iterator[Engine]:
    engine = engines.connect(url)
    try:
        yield engine
    finally:
        engine.dispose()


@contextmanager
def _tools() -> Iterator[None]:
    """The troubles of other programs as ours."""
    try:
        yield
    except dumps.ToolError as e:
        raise BackupError(str(e), os.EX_UNAVAILABLE) from None
    except CommandError:
        raise BackupError("A newer version of pbmserv wrote the backup or the database: install that one.") from None
    except sa.exc.OperationalError as e:
        raise BackupError(f"The database cannot be used: {e.orig}", os.EX_UNAVAILABLE) from None
    except sqlite3.Error as e:
        raise BackupError(f"The database cannot be used: {e}", os.EX_UNAVAILABLE) from None
    except sa.exc.DatabaseError as e:
        raise BackupError(f"The database says: {e.orig}") from None


@contextmanager
def _written(file: Path) -> Iterator[Path]:
    """A file to write, for its owner only; with the end of the context it is on disk under its name, or gone."""
    handle, name = mkstemp(".part", f".{file.name}.", file.parent)
    os.close(handle)
    part = Path(name)
    try:
        yield part
        sync(part)
        part.replace(file)
        sync(file.parent)
    finally:
        part.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Put a file, or the names in a folder, on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _path(url: str) -> str:
    return str(sa.make_url(url).database)
