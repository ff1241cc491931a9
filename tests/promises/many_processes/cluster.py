"""A PostgreSQL primary and a standby that follows it synchronously. You can kill both; the standby can take over."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg

from tests.tools.postgresql import USER, as_nobody, folder_and_programs
from tests.tools.process import free_port, until

_START_SECONDS = 30
_STANDBY = "standby"

_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "shared_buffers": "32MB",
    "wal_receiver_status_interval": "1",
    "synchronous_commit": "remote_apply",  # our connections may not lower it
}


class Node:
    """One server of PostgreSQL with a folder and a port of its own."""

    def __init__(self, programs: Path, data: Path) -> None:
        self.programs, self.data = programs, data
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, program: str, *words: str | Path) -> None:
        """Run one of PostgreSQL's programs and wait for its end."""
        command = [str(self.programs / program), *map(str, words)]
        subprocess.run(command, check=True, capture_output=True, cwd=self.data.parent, timeout=60, **as_nobody())

    def start(self, **settings: str) -> None:
        """Start it and wait until it takes connections."""
        given = {**_SETTINGS, **settings, "port": str(self.port)}
        words = [word for name, value in given.items() for word in ("-c", f"{name}={value}")]
        command = [str(self.programs / "postgres"), "-D", str(self.data), *words]
        with self.data.with_suffix(".log").open("a") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self.data.parent, start_new_session=True, **as_nobody()
            )
        until(self._answers, _START_SECONDS)

    def kill(self) -> None:
        """End it and all the processes of its sessions, as a power failure does."""
        if self._process:
            for pid in (self._process.pid, *_children(self._process.pid)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self._process.wait(_START_SECONDS)
            self._process = None

    def do(self, statement: str) -> object:
        """Return the first value of the first row of a statement's result, if there is one."""
        with psycopg.connect(host="127.0.0.1", port=self.port, user=USER, dbname="postgres", autocommit=True) as c:
            cursor = c.execute(statement.encode())
            row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None

    def _answers(self) -> bool:
        with suppress(psycopg.OperationalError):
            return self.do("SELECT 1") == 1
        return False


class Cluster:
    """The primary and the standby. A commit succeeds only after the standby has received it."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.primary, self.standby = (Node(programs, folder / name) for name in ("primary", _STANDBY))

    @property
    def url(self) -> str:
        """Return the PBMSERV_DATABASE_URL that finds the primary, whichever of the two it is."""
        return f"postgresql://{USER}@127.0.0.1:{self.standby.port},127.0.0.1:{self.primary.port}/postgres"

    def start(self) -> None:
        """Make both. From then on each commit waits for the standby."""
        data, source = self.primary.data, f"host=127.0.0.1 port={self.primary.port} user={USER}"
        self.primary.run("initdb", "-D", data, "-U", USER, "--auth=trust", "--encoding=UTF8", "--locale=C")
        self.primary.start()
        copy = ("-D", self.standby.data, "--checkpoint=fast", "--write-recovery-conf")
        self.standby.run("pg_basebackup", "-d", f"{source} application_name={_STANDBY}", *copy)
        self.standby.start()
        self.primary.do(f"ALTER SYSTEM SET synchronous_standby_names = '{_STANDBY}'")
        self.primary.do("SELECT pg_reload_conf()")
        until(lambda: self.primary.do("SELECT sync_state FROM pg_stat_replication") == "sync", _START_SECONDS)

    def fail_over(self) -> None:
        """Make the standby the new primary, after the old one is gone."""
        self.primary.kill()
        assert self.standby.do("SELECT pg_promote()")

    def stop(self) -> None:
        """End both."""
        for node in (self.primary, self.standby):
            node.kill()


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a cluster while the context lasts."""
    with folder_and_programs() as (folder, programs):
        both = Cluster(folder, programs)
        try:
            both.start()
            yield both
        finally:
            both.stop()


def _children(pid: int) -> list[int]:
    """Return the child processes. Where the system does not list them, they end by themselves without their parent."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in file.read_text().split()] if file.exists() else []
