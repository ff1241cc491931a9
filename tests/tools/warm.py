"""Servers, and the web's processes, forked from one that has imported the program already, in a fifth of the time.

This process has no thread, no event loop and no connection, so what it forks is like a process that begins: it reads
the settings, checks them, migrates the database, and listens. Only the imports, two seconds of a core, are shared, and
dice fall in each run alike. The tests of the start itself, such as tests/cli/test_startup.py, run `python -m
pbmserv`.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import IO

from pbmserv.cli import entry
from pbmserv.commands import starting
from pbmserv.games.base import AnyGame, Options
from pbmserv.games.base.board import Start
from tests.tools.process import Begun, Process, environment
from tests.world import sqlite

#: What a server imports at its start, in its two processes; entry.py says which part comes first, and why.
_IMPORTED = (
    "pbmserv.cli.main",
    "pbmserv.cli.serve",
    "pbmserv.cli.doctor",
    "pbmserv.cli.terminal.database",
    "pbmserv.cli.terminal.running",
    "pbmserv.cli.terminal.running_web",
    "pbmserv.config",
    "pbmserv.games",
    "psycopg",
    "uvloop",
)
_MOST_REQUEST_BYTES = 1 << 20  #: of a request, most of which is the environment
_IN, _OUT, _ERR = 0, 1, 2


class ForkedProcess(Process):
    """`pbmserv serve`, forked instead of started. For tests that start a server often.

    It finds a migrated database, where `Process` begins with all migrations. Under a command it is started.
    """

    def _begin(self, log: IO[str]) -> Begun:
        if "PBMSERV_DATABASE_URL" not in self.settings:
            (self.folder / "var").mkdir(mode=0o700, exist_ok=True)
            sqlite(self.folder / "var")
        if self.under:
            return super()._begin(log)
        return forked(self.folder, self.settings, log, "serve")


def forked(folder: Path, settings: Mapping[str, str], log: IO[str], *words: str) -> "Forked":
    """Fork a process that runs `pbmserv serve` or `pbmserv web` in a folder, with these settings."""
    return _warm().run(folder, environment(**settings), log, words)


class Forked:
    """A forked process, with the part of `Popen` that `Process` uses."""

    def __init__(self, stdout: IO[str], told: IO[str]) -> None:
        self.stdout, self._told = stdout, told
        self.pid = int(told.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None and select.select([self._told], [], [], 0)[0]:
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float) -> tuple[str, None]:
        """Wait for its end, and return what it printed."""
        if self.returncode is None:
            select.select([self._told], [], [], timeout)
        assert self.poll() is not None, "it does not end"
        with self.stdout:
            return self.stdout.read(), None


class Warm:
    """The process that has imported the program, and how to ask it for a server."""

    def __init__(self) -> None:
        self._asking, answering = socket.socketpair()
        with answering:
            command = (sys.executable, "-m", __name__)
            self._process = subprocess.Popen(command, stdin=answering.fileno(), env=environment())

    def run(self, folder: Path, settings: dict[str, str], log: IO[str], words: Sequence[str]) -> Forked:
        """Fork a process that runs this command line in this folder with this environment and writes its log there."""
        printed, out = os.pipe()
        told, status = os.pipe()
        request = json.dumps([str(folder), settings, words]).encode()
        socket.send_fds(self._asking, [request], [out, log.fileno(), status])
        os.close(out)
        os.close(status)
        return Forked(os.fdopen(printed), os.fdopen(told))

    def close(self) -> None:
        """End it. What it has forked goes on."""
        self._asking.close()
        self._process.wait()


@cache
def _warm() -> Warm:
    """Return the one of this process."""
    warm = Warm()
    atexit.register(warm.close)
    return warm


def _fork_servers(asked: socket.socket) -> None:
    """Fork a process for each request. In each of them, and in this process after the last request, this returns."""
    while True:
        request, fds, *_ = socket.recv_fds(asked, _MOST_REQUEST_BYTES, 3)
        if not request:
            return
        if not os.fork():
            _become(request, *fds)
            return
        for fd in fds:
            os.close(fd)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # those who have told it
                pass


def _become(request: bytes, out: int, log: int, status: int) -> None:
    """Fork once more: the child serves, and this process tells its number and its exit code, and ends."""
    if child := os.fork():
        os.close(out)
        os.write(status, f"{child}\n".encode())
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        os.write(status, f"{code}\n".encode())
        os._exit(0)
    os.close(status)
    folder, settings, words = json.loads(request)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(settings)
    for fd, stream in ((os.open(os.devnull, os.O_RDONLY), _IN), (out, _OUT), (log, _ERR)):
        os.dup2(fd, stream)
        os.close(fd)
    sys.argv = ["pbmserv", *words]
    _fix_dice()
    entry.run()


def _fix_dice() -> None:
    """Let boards of a game draw the same in each run: their seed follows from the game, its options and the seats."""

    def start(game: AnyGame, options: Options, seats: int, _: str, origin: object = None) -> Start:
        alike = f"{game.info.key} {sorted(options.items())} {seats}"
        return Start(game, options, seats, sha256(alike.encode()).hexdigest()[:32], origin)

    setattr(starting, "Start", start)  # noqa: B010 -- mypy knows of no classes that are replaced


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup lets all that it runs ignore it
    entry._import_shared()
    for name in _IMPORTED:
        import_module(name)
    gc.freeze()
    with socket.socket(fileno=os.dup(_IN)) as asked:
        _fork_servers(asked)
