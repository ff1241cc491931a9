"""`python -m pbmserv` as processes: a server on a port of its own, and the commands of the admin beside it."""

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
from typing import Any, Self

from sqlalchemy import Connection, Engine
from typer.testing import CliRunner, Result

from pbmserv.cli.main import app
from pbmserv.db import engines
from pbmserv.mail.signed_addresses import Signer
from pbmserv.store import Store
from tests.tools.tree import ROOT

ADDRESS = "pbmserv@localhost"
COMMAND = (sys.executable, "-m", "pbmserv")
DEMO = {"PBMSERV_TRUST_FROM": "1", "PBMSERV_CONFIRM_ADDRESSES": "0"}  # what `make run` sets


def environment(**settings: str) -> dict[str, str]:
    """The variables of a process: ours, without settings of whoever runs the tests, and these."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PBMSERV_")}
    return {**kept, "PYTHONPATH": str(ROOT), "COLUMNS": "200", "PYTHONUNBUFFERED": "1", **settings}


def run(folder: Path, settings: Mapping[str, str], *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """One command, to its end."""
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


class Process:
    """`pbmserv serve` in a folder, which keeps its database and its letters when the process ends."""

    def __init__(self, folder: Path, *, under: Sequence[str] = (), **settings: str) -> None:
        """`under`: a command that runs the server, such as strace with its options."""
        self.folder = folder
        self.settings = {"PBMSERV_LISTEN": "smtp://127.0.0.1:0", **DEMO, **settings}
        self.urls: list[str] = []
        self.under = under
        self._process: subprocess.Popen[str] | None = None
        self._asking = threading.Lock()  # somebody else may end the server while a query is under way

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind if the test failed before it ended the server."""
        if self._process and self._process.poll() is None:
            self.kill()

    @cached_property
    def _engine(self) -> Engine:
        url = self.settings.get("PBMSERV_DATABASE_URL", f"sqlite:///{self.folder}/var/pbmserv.db")
        return engines.connect(url).execution_options(**engines.READ_ONLY)

    @property
    def port(self) -> int:
        """Where SMTP or LMTP is spoken: the first place."""
        return int(self.urls[0].rpartition(":")[2])

    @property
    def pid(self) -> int:
        """The process that was started."""
        assert self._process
        return self._process.pid

    @property
    def log(self) -> str:
        """All that it wrote to standard error."""
        return (self.folder / "server.log").read_text()

    def start(self) -> None:
        """Start it and wait until it says where it listens."""
        assert self.launch(), self.log

    def launch(self) -> bool:
        """The same; False if it ends before it says so."""
        with (self.folder / "server.log").open("a") as log:
            self._process = subprocess.Popen(
                [*self.under, *COMMAND, "serve"],
                cwd=self.folder,
                env=environment(**self.settings),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout
        words = self._process.stdout.readline().split()
        if words[:3] != ["pbmserv", "listens", "on"]:
            return False
        self.urls = [word.strip(",") for word in words[3 : words.index("for")]]
        return True

    def stop(self) -> str:
        """End it as an init system does; what it printed. It must end with 0."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)
        printed = self._end()
        assert self._process.returncode == 0, self.log
        return printed

    def kill(self) -> None:
        """End it as a power failure does."""
        assert self._process
        self._process.kill()
        self._end()

    def wait(self) -> None:
        """Wait until something else has ended it."""
        self._end()

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
        """A command with the same settings, knowing the port that was given."""
        return run(self.folder, self._reached, *words, stdin=stdin)

    def said(self, *words: str, stdin: str = "") -> str:
        """What a command prints; it must succeed."""
        done = self.run(*words, stdin=stdin)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def asked(self, *words: str, stdin: str = "") -> Result:
        """An admin's command in this process, on the same database: a process of its own takes a second to import."""
        with chdir(self.folder):
            return CliRunner().invoke(app, words, input=stdin, env={**self._reached, "COLUMNS": "200"})

    def told(self, *words: str, stdin: str = "") -> str:
        """What it prints; it must succeed."""
        done = self.asked(*words, stdin=stdin)
        assert done.exit_code == 0, done.output
        return done.stdout

    def reader(self) -> Connection:
        """A connection to its database, for queries that no part of the program asks."""
        return self._engine.connect()

    def query(self, ask: Any) -> Any:
        """What a query of the store says."""
        with self._asking, self.reader() as connection:
            return ask(Store(connection))

    @property
    def signer(self) -> Signer:
        """Reads the signed addresses of this server."""
        key = self.settings.get("PBMSERV_SECRET_KEY") or (self.folder / "var/pbmserv.key").read_text().strip()
        return Signer(ADDRESS, key.encode())

    def verify(self) -> None:
        """Every board is as its log says."""
        assert "0 differ" in self.told("boards", "verify")


def free_port() -> int:
    """A port that nobody has, for the moment."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def until(condition: Any, seconds: float = 10) -> Any:
    """Wait until `condition()` holds; what it returned."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.005)
    return found
