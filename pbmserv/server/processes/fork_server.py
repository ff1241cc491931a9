"""A process that has imported all that the server has, and only forks the server's children (ADR 70).

It begins before the server has a thread, an event loop or a connection. So what it forks is like a process that begins,
at any time, and all of them share the memory that none of them changes.

The server sends it the words for a child, with the child's standard input and output. On this output the child says its
number first. When the child has ended, the fork server adds its exit code there.
"""

import asyncio
import gc
import os
import select
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path

import structlog

#: Whether a process that forks here goes on safely: the libraries of macOS use threads of their own.
IS_SAFE = sys.platform == "linux"

#: Before the exit code of a child.
ENDED = "ended "

#: Variables with which systemd speaks to the one process that it started.
NOT_INHERITED = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")

_MOST_WORDS = 1000  #: bytes of the words for a child
_IN, _OUT = 0, 1

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ForkServer:
    """The fork server, as its server sees it."""

    def __init__(self, pid: int, asking: socket.socket) -> None:
        self.pid = pid
        self._asking = asking
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it is known to have ended. Then nobody need ask it for a child."""
        return self._asking.fileno() < 0

    def watch(self) -> None:
        """Notice in the running event loop when it ends, so that it stays no zombie."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._asking, self._lose)  # it never writes, so this is the end

    def _lose(self) -> None:
        log.warning("fork_server_failed", error="it has ended")
        self.close()

    def fork(self, words: str, its_input: int, its_output: int) -> None:
        """Let it fork a child with these files as its input and output. Raises OSError if it has ended."""
        try:
            socket.send_fds(self._asking, [words.encode()], [its_input, its_output])
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """Let it end. Its children need not have ended."""
        if self._loop and not self.has_ended:
            self._loop.remove_reader(self._asking)
        self._asking.close()
        with suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def begin() -> ForkServer | str:
    """Return a fork server; and in each child that it will fork, return the words for that child.

    No other thread may run now, and what cannot be shared may not be open.
    """
    asking, asked = socket.socketpair()
    gc.freeze()  # a collection would write into each object, and so copy the memory that is shared
    if pid := os.fork():
        asked.close()
        return ForkServer(pid, asking)
    asking.close()
    return _Forking(asked).run()


class _Forking:
    """The fork server itself. `outputs`: of the children that live, by their numbers."""

    def __init__(self, asked: socket.socket) -> None:
        self._asked = asked
        self._outputs: dict[int, int] = {}
        self._deaths, self._death = os.pipe()

    def run(self) -> str:
        """Fork until the server ends. Returns in each child."""
        self._leave_the_server()
        while True:
            ready, _, _ = select.select([self._asked.fileno(), self._deaths], [], [])
            if self._deaths in ready:
                os.read(self._deaths, 512)
                self._report()
            if self._asked.fileno() in ready and (words := self._fork()):
                return words

    def _leave_the_server(self) -> None:
        """Only the server's end ends this process: no Ctrl-C, and no signal to all processes of a service."""
        os.setsid()
        call("pbmserv forks")
        for name in NOT_INHERITED:
            os.environ.pop(name, None)
        for signum in (signal.SIGINT, signal.SIGTERM):
            signal.signal(signum, signal.SIG_IGN)
        nothing = os.open(os.devnull, os.O_RDWR)
        _take(nothing, nothing)
        os.set_blocking(self._death, False)
        signal.set_wakeup_fd(self._death, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def _fork(self) -> str:
        """Fork a child as it was asked for. Returns "" here, and its words in the child. Ends with the server."""
        words, files, *_ = socket.recv_fds(self._asked, _MOST_WORDS, 2)
        if not words:
            os._exit(0)
        its_input, its_output = files
        try:
            pid = os.fork()
        except OSError:  # too many processes: its output is closed, and the server tries again
            pid = None
        if pid == 0:
            self._become_child(its_input, its_output)
            return words.decode()
        if pid:
            self._outputs[pid] = os.dup(its_output)
        os.close(its_input)
        os.close(its_output)
        return ""

    def _become_child(self, its_input: int, its_output: int) -> None:
        os.setsid()
        signal.set_wakeup_fd(-1)
        for signum in (signal.SIGTERM, signal.SIGCHLD):
            signal.signal(signum, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._asked.close()
        for fd in (self._deaths, self._death, *self._outputs.values()):
            os.close(fd)
        _take(its_input, its_output)
        with suppress(BrokenPipeError):  # the server was killed: the child will notice that as it always does
            os.write(_OUT, f"{os.getpid()}\n".encode())

    def _report(self) -> None:
        """Tell of each child that has ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                output = self._outputs.pop(ended[0])
                with suppress(OSError):
                    os.write(output, f"{ENDED}{os.waitstatus_to_exitcode(ended[1])}\n".encode())
                os.close(output)


def _take(its_input: int, its_output: int) -> None:
    """Use these files as standard input and output."""
    os.dup2(its_input, _IN)
    os.dup2(its_output, _OUT)
    for fd in {its_input, its_output}:
        os.close(fd)


def call(name: str) -> None:
    """Give this process a name, for ps -o comm and top: it has the command line of the process that was started."""
    with suppress(OSError):
        Path("/proc/self/comm").write_text(name)
