"""Backups of the whole database. They can be made while servers run, and are checked before they are restored.

A backup is one file: an SQLite database, or a dump of PostgreSQL in its custom format.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import mkstemp

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine

from pbmserv import paths
from pbmserv.admin import dumps
from pbmserv.db import engines, migrate
from pbmserv.db.health import Health

_SQLITE, _DUMP = b"SQLite format 3\0", b"PGDMP"
_NEWER = "A newer version of pbmserv wrote the backup or the database: install that one."

#: Checks a database that is being restored. Raises BackupError if it must not be used.
Look = Callable[[Engine], None]


class BackupError(Exception):
    """A backup cannot be made or restored. `code` is an exit code of sysexits.h."""

    def __init__(self, text: str, code: int = os.EX_DATAERR) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Contents:
    """The content of a database: its schema, and the numbers of boards, entries, players, mails and letters."""

    schema: str | None
    totals: dict[str, int]

    def __str__(self) -> str:
        counted = ", ".join(f"{count} {name}" for name, count in self.totals.items())
        return f"schema {self.schema}: {counted}" if self.totals else "no tables"

    @property
    def empty(self) -> bool:
        """Whether the database has no data."""
        return not any(self.totals.values())


def save(url: str, file: Path, programs: str = "", key: bytes | None = None) -> Contents:
    """Write a backup of everything committed so far, and return its content. Raises BackupError, OSError.

    `file` is written completely or not at all, with mode 0600. `programs`: the folder of pg_dump. `key` is written
    to `key_file`; in the end both files are there, or none.
    """
    with _tools(), ExitStack() as stack:
        if key is not None:
            stack.enter_context(_written(key_file(file))).write_bytes(key)  # named last: the context ends last
        part = stack.enter_context(_written(file))
        return _copy(_path(url), part) if url.startswith("sqlite") else _dump(url, part, programs)


def key_file(file: Path) -> Path:
    """The name of the secret key beside a backup."""
    return file.with_name(f"{file.name}.key")


def write_key(file: Path, key: bytes) -> None:
    """Write a secret key: the whole of it, for its owner only. Raises BackupError, OSError."""
    with _written(file) as part:
        part.write_bytes(key)


def bring_back(
    url: str, file: Path, now: datetime, look: Look, *, replace: bool = False, programs: str = ""
) -> tuple[Contents, Path | None]:
    """Make `file` the database. Returns its content, and where the old database is kept. Raises BackupError, OSError.

    Refuses if others have the database open, and, without `replace`, if it is not empty. The schema of the backup is
    upgraded, and `look` checks it. On SQLite this happens before the old database is replaced; on PostgreSQL, which has
    no place for two, the old one is put back if it fails.
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
    right, other = (_SQLITE, _DUMP) if url.startswith("sqlite") else (_DUMP, _SQLITE)
    if head.startswith(other):
        raise BackupError(f"{file} is a backup of the other kind of database than PBMSERV_DATABASE_URL names.")
    if not head.startswith(right):
        raise BackupError(f"{file} is no backup of pbmserv.")


def _demand_empty(contents: Contents, replace: bool) -> None:
    if not contents.empty and not replace:
        raise BackupError(f"The database is not empty ({contents}). To replace it, add: --yes", os.EX_USAGE)


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
        contents = _proved(f"sqlite:///{part}", look)
        if there:
            _demand_alone(target)  # again, because opening the database has created a log
            os.link(target, aside)
            aside.chmod(0o600)
        for left in ("-wal", "-shm"):  # these belong to the old file; SQLite would apply them to the new one
            target.with_name(target.name + left).unlink(missing_ok=True)
    return contents, aside if there else None


def _reload(
    url: str, file: Path, aside: Path, replace: bool, programs: str, look: Look
) -> tuple[Contents, Path | None]:
    with _opened(url) as engine:
        with engine.execution_options(**engines.READ_ONLY).connect() as connection:
            if others := Health(connection).other_sessions():
                raise BackupError(
                    f"{others} other sessions have the database open. Stop the servers first.", os.EX_UNAVAILABLE
                )
        contents = _contents(url)
        _demand_empty(contents, replace)
        _demand_known(contents.schema)
        _demand_known(dumps.revision(file, programs))
        kept = None if contents.empty else aside
        if kept:
            save(url, kept, programs)
    try:
        _clear(url)  # removes also tables that the dump does not have
        dumps.load(url, file, programs)
        return _proved(url, look), kept
    except BaseException:
        _put_back(url, contents.schema, kept, programs)
        raise


def _demand_known(schema: str | None) -> None:
    if schema and schema > migrate.newest():
        raise BackupError(_NEWER)


def _clear(url: str) -> None:
    with _opened(url) as engine:
        migrate.downgrade(engine, "base")


def _put_back(url: str, schema: str | None, kept: Path | None, programs: str) -> None:
    """Make a PostgreSQL database what it was before a restore that failed. Raises BackupError."""
    try:
        _clear(url)
        if kept:
            dumps.load(url, kept, programs)
            kept.unlink()
        elif schema:
            with _opened(url) as engine:
                migrate.upgrade(engine, schema)
    except (dumps.ToolError, sa.exc.SQLAlchemyError) as e:
        where = f"It is in {kept}: pbmserv restore --yes {kept}" if kept else "It had no data."
        raise BackupError(f"The old database could not be put back: {e}\n{where}", os.EX_UNAVAILABLE) from None


def _proved(url: str, look: Look) -> Contents:
    """Check a database, upgrade it, let `look` check it too, and return its content. Raises BackupError."""
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
            source.backup(target)  # in one step, so that it does not start again when somebody writes
            target.execute("VACUUM")  # without what was deleted, which the file of the server may still hold
    except sqlite3.OperationalError as e:  # most likely the disk is full
        raise BackupError(f"The backup cannot be written: {e}", os.EX_CANTCREAT) from None
    return _contents(f"sqlite:///{part}")


def _dump(url: str, part: Path, programs: str) -> Contents:
    with _opened(url) as engine, engine.execution_options(**engines.READ_ONLY).connect() as connection:
        snapshot = Health(connection).snapshot()
        contents = _look(connection)
        dumps.dump(url, part, snapshot, programs)
    return contents


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
    """Turn errors of other programs into BackupError."""
    try:
        yield
    except dumps.ToolError as e:
        raise BackupError(str(e), os.EX_UNAVAILABLE) from None
    except CommandError:
        raise BackupError(_NEWER) from None
    except migrate.InUse:
        raise BackupError("Other sessions have the database open. Stop the servers first.", os.EX_UNAVAILABLE) from None
    except sa.exc.OperationalError as e:
        raise BackupError(f"The database cannot be used: {e.orig}", os.EX_UNAVAILABLE) from None
    except sqlite3.Error as e:
        raise BackupError(f"The database cannot be used: {e}", os.EX_UNAVAILABLE) from None
    except sa.exc.DatabaseError as e:
        raise BackupError(f"The database says: {e.orig}") from None


@contextmanager
def _written(file: Path) -> Iterator[Path]:
    """Open a file to write, with mode 0600. At the end of the context it is on disk with its name, or deleted."""
    if file.is_dir():
        raise BackupError(f"{file} is a folder.", os.EX_CANTCREAT)
    try:
        handle, name = mkstemp(".part", f".{file.name}.", file.parent)
    except FileNotFoundError:
        raise BackupError(f"There is no folder {file.parent}. Make it first.", os.EX_CANTCREAT) from None
    except OSError as e:
        raise BackupError(f"No file can be made in {file.parent}: {e.strerror}", os.EX_CANTCREAT) from None
    os.close(handle)
    part = Path(name)
    try:
        yield part
        paths.sync(part)
        part.replace(file)
        paths.sync(file.parent)
    finally:
        for left in ("", "-journal", "-wal", "-shm"):
            part.with_name(part.name + left).unlink(missing_ok=True)


def _path(url: str) -> str:
    return str(sa.make_url(url).database)
