"""Run `python -m pbmserv` as processes: a server on a port of its own, and the admin's commands beside it."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import chdir
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Protocol, Self

from sqlalchemy import Connection, Engine
from typer.testing import CliRunner, Result

from pbmserv.cli.main import app
from pbmserv.db import engines
from pbmserv.mail.signed_addresses import Signer
from pbmserv.store import Store
from tests.tools.tree import ROOT

ADDRESS = "pbmserv@localhost"
COMMAND = (sys.executable, "-m", "pbmserv")
_PAUSE = 0.005  #: seconds between the first looks at what a test waits for
#: Two players of a test begin as many boards as all players of a real server, and ask as much.
_MANY_BOARDS = {
    "PBMSERV_UNPROVED_ANSWERS_A_DAY": "10000",
    "PBMSERV_UNPROVED_ANSWER_KB_A_DAY": "100000",
    "PBMSERV_UNANSWERED_BOARDS": "10000",
    "PBMSERV_CHALLENGES_A_DAY": "10000",
    "PBMSERV_BOARD_LIMIT": "9999",
}
DEMO = {
    "PBMSERV_TRUST_FROM": "1",
    "PBMSERV_CONFIRM_ADDRESSES": "0",
    **_MANY_BOARDS,
}  # what `make run` sets, and no limit


def environment(**settings: str) -> dict[str, str]:
    """Return the environment of a process: our own without the machine's pbmserv settings, plus these variables."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBMSERV_")}
    return {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTHONUNBUFFERED": "1", **settings}


def run(folder: Path, settings: Mapping[str, str], *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run one command and wait for its end."""
    return subprocess.run(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(**settings),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


class Begun(Protocol):
    """A process that was started: a `Popen`, or what tests/tools/warm.py has instead."""

    @property
    def pid(self) -> int: ...
    @property
    def stdout(self) -> IO[str] | None: ...
    @property
    def returncode(self) -> int | Any: ...
    def poll(self) -> int | None: ...
    def kill(self) -> None: ...
    def send_signal(self, sig: int, /) -> None: ...
    def communicate(self, *, timeout: float) -> tuple[str, Any]: ...


class Process:
    """`pbmserv serve` in a folder. The folder keeps its database and its letters when the process ends."""

    def __init__(self, folder: Path, *, under: Sequence[str] = (), **settings: str) -> None:
        """Keep the settings. `under` is a command that runs the server, such as strace with its options."""
        self.folder = folder
        # One process starts sooner. tests/promises/durable/test_senders.py has children.
        self.settings = {"PBMSERV_LISTEN": "smtp://127.0.0.1:0", "PBMSERV_SENDERS": "0", **DEMO, **settings}
        self.urls: list[str] = []
        self.under = under
        self._process: Begun | None = None
        self._asking = threading.Lock()  # the test may kill the server while a query runs

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the server if the test failed before it ended it."""
        if self._process and self._process.poll() is None:
            self.kill()

    @cached_property
    def _engine(self) -> Engine:
        url = self.settings.get("PBMSERV_DATABASE_URL", f"sqlite:///{self.folder}/var/pbmserv.db")
        return engines.connect(url).execution_options(**engines.READ_ONLY)

    @property
    def port(self) -> int:
        """Return the first port on which it listens for SMTP or LMTP."""
        return int(self.urls[0].rpartition(":")[2])

    @property
    def pid(self) -> int:
        """Return the number of the process that was started."""
        assert self._process
        return self._process.pid

    @property
    def children(self) -> list[int]:
        """Return the numbers of the processes that send or play for it, forked or started."""
        return [leaf for child in _children(self.pid) for leaf in _children(child) or [child]]

    @property
    def log(self) -> str:
        """Return all that it wrote to standard error."""
        return (self.folder / "server.log").read_text()

    def start(self) -> None:
        """Start it and wait until it prints where it listens."""
        assert self.launch(), self.log

    def launch(self) -> bool:
        """Do the same as `start`, but return False if it ends before that."""
        with (self.folder / "server.log").open("a") as log:
            self._process = self._begin(log)
        assert self._process.stdout
        words = self._process.stdout.readline().split()
        if words[:3] != ["pbmserv", "listens", "on"]:
            return False
        self.urls = [word.strip(",") for word in words[3 : words.index("for")]]
        return True

    def _begin(self, log: IO[str]) -> Begun:
        return subprocess.Popen(
            [*self.under, *COMMAND, "serve"],
            cwd=self.folder,
            env=environment(**self.settings),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )

    def stop(self) -> str:
        """End it as an init system does, and return its output. It must end with 0."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)
        printed = self._end()
        assert self._process.returncode == 0, self.log
        return printed

    def kill(self) -> None:
        """Kill it, as a power failure does."""
        assert self._process
        self._process.kill()
        self._end()

    def wait(self) -> int:
        """Wait until something else has ended it, and return its exit code."""
        self._end()
        assert self._process
        return int(self._process.returncode)

    def _end(self) -> str:
        assert self._process
        with self._asking:
            self._engine.dispose()
        printed, _ = self._process.communicate(timeout=40)
        return printed

    @property
    def _reached(self) -> dict[str, str]:
        return {**self.settings, "PBMSERV_LISTEN": ",".join(self.urls) or self.settings["PBMSERV_LISTEN"]}

    # --- what it keeps ------------------------------------------------------------------------------------------------

    def run(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command with the same settings, on the port that the server got."""
        return run(self.folder, self._reached, *words, stdin=stdin)

    def said(self, *words: str, stdin: str = "") -> str:
        """Return the output of a command, which must succeed."""
        done = self.run(*words, stdin=stdin)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def asked(self, *words: str, stdin: str = "") -> Result:
        """Run an admin's command on the same database, in this process.

        A new process would need a second for its imports.
        """
        with chdir(self.folder):
            return CliRunner().invoke(app, words, input=stdin, env={**self._reached, "COLUMNS": "200"})

    def told(self, *words: str, stdin: str = "") -> str:
        """Return the output of such a command, which must succeed."""
        done = self.asked(*words, stdin=stdin)
        assert done.exit_code == 0, done.output
        return done.stdout

    def reader(self) -> Connection:
        """Return a connection to its database, for queries that the program itself does not have."""
        return self._engine.connect()

    def query(self, ask: Any) -> Any:
        """Return the result of a query of the store."""
        with self._asking, self.reader() as connection:
            return ask(Store(connection))

    @property
    def signer(self) -> Signer:
        """Return the signer that reads the signed addresses of this server."""
        key = self.settings.get("PBMSERV_SECRET_KEY") or (self.folder / "var/pbmserv.key").read_text().strip()
        return Signer(ADDRESS, key.encode())

    def verify(self) -> None:
        """Check that every board is as its log says."""
        assert "0 differ" in self.told("boards", "verify")


def _children(pid: int) -> list[int]:
    files = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for file in files for child in file.read_text().split()]


def free_port() -> int:
    """Return a port that nobody uses at this moment."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def until(condition: Any, seconds: float = 40, *, longest: float = 0.02) -> Any:
    """Wait until `condition()` is true, and return its result.

    Asking without a pause would take the core that the server needs, so pauses grow to the `longest`.
    """
    deadline, pause = time.monotonic() + seconds, _PAUSE
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(pause)
        pause = min(pause * 1.2, longest)
    return found
