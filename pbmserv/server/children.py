"""Child processes that only send, or only play for robots.

A child's standard input comes from its parent. The first line has the settings. After that, each byte says that letters
were written. The end says that the child must end: the parent ends, or it was killed. On its standard output the child
says now and then that it is alive, and, if the parent has metrics, what happened to each letter, so that the parent
counts the letters of all.
"""

import asyncio
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from pbmserv import metrics
from pbmserv.model.letters import Share

#: Seconds until a child that died is started again: doubled each time, until one has lived for LAST_PAUSE.
FIRST_PAUSE, LAST_PAUSE = 1.0, 60.0

#: The most seconds that a child may need for its last letters. A delivery takes at most half of a lease.
PATIENCE = 70.0

#: Seconds between two signs of life of a child, and of silence after which it is killed, because it hangs.
HEARTBEAT, SILENCE = 10.0, 60.0
_ALIVE = "alive"

#: Variables with which systemd speaks to the one process that it started.
_NOT_INHERITED = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ChildPlan:
    """Children of one role, `sender` or `robot`.

    The shares of the children, the command that starts one (its share follows), and the line with its settings.
    """

    role: str
    shares: Sequence[Share]
    command: Sequence[str]
    settings: bytes = field(repr=False)


class Children:
    """Starts the children, wakes them, starts a new one when one dies, and ends them."""

    def __init__(self, plan: ChildPlan) -> None:
        self._plan = plan
        self._alive: set[Process] = set()
        self._stopping = asyncio.Event()

    @property
    def count(self) -> int:
        """How many are running."""
        return len(self._alive)

    def wake(self) -> None:
        """Let them check the outbox now. A child that has not noticed the last time yet is not told again."""
        for child in self._alive:
            if child.stdin and not child.stdin.is_closing() and not child.stdin.transport.get_write_buffer_size():
                child.stdin.write(b"\n")

    async def run(self) -> None:
        """Keep the children running until `stop`."""
        async with asyncio.TaskGroup() as group:
            for share in self._plan.shares:
                group.create_task(self._keep(share))

    def stop(self) -> None:
        """Let each child send its current letters and end. `run` returns when they have ended."""
        self._stopping.set()
        for child in self._alive:
            self._tell_to_end(child)

    async def _keep(self, share: Share) -> None:
        pause = FIRST_PAUSE
        while not self._stopping.is_set():
            began = asyncio.get_running_loop().time()
            end = await self._live(share)
            if self._stopping.is_set():
                return
            if asyncio.get_running_loop().time() - began > LAST_PAUSE:
                pause = FIRST_PAUSE
            log.warning(f"{self._plan.role}_died", **end, pause=pause)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)
            pause = min(2 * pause, LAST_PAUSE)

    async def _live(self, share: Share) -> dict[str, object]:
        """Start a child and wait for its end. Returns what to log about it."""
        try:
            child = await self._start(share)
        except OSError as error:
            return {"error": str(error) or type(error).__name__}
        log.info(f"{self._plan.role}_started", pid=child.pid)
        self._alive.add(child)
        if self._stopping.is_set():
            self._tell_to_end(child)
        try:
            await self._listen(child)
            code = await child.wait()
        finally:
            self._alive.discard(child)
        return {"pid": child.pid, "code": code}

    async def _start(self, share: Share) -> Process:
        """Raises OSError. A session of its own keeps Ctrl-C away from the child: its parent tells it when to end."""
        kept = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
        command = (*self._plan.command, f"{share.number}/{share.of}")
        starting = asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=kept, start_new_session=True)
        child = await asyncio.wait_for(starting, SILENCE)  # uvloop waits for ever if it is killed at its first moment
        if child.stdin:
            child.stdin.write(self._plan.settings + b"\n")
        return child

    async def _listen(self, child: Process) -> None:
        """Count its letters until it ends. Kill it if it says nothing for too long."""
        try:
            while child.stdout and (line := await asyncio.wait_for(child.stdout.readline(), SILENCE)):
                if (word := line.decode().strip()) != _ALIVE:
                    metrics.told(word)
        except TimeoutError:
            self._kill(child)

    def _tell_to_end(self, child: Process) -> None:
        """Close its input, and kill it if it does not end. Its letters go out again then."""
        if child.stdin:
            child.stdin.close()
        asyncio.get_running_loop().call_later(PATIENCE, self._kill, child)

    def _kill(self, child: Process) -> None:
        if child in self._alive:
            log.warning(f"{self._plan.role}_hangs", pid=child.pid)
            child.kill()


def obey_parent(wake: Callable[[], None], end: Callable[[], None], *, counts: bool) -> None:
    """In a child: call `wake` and `end` as the parent says, and tell it that we live.

    `counts`: tell it also what happens to letters. If it does not listen, the letters are more important.
    """
    loop, heard, output = asyncio.get_running_loop(), 0, 1

    def read() -> None:
        if os.read(heard, 4096):
            wake()
        else:
            loop.remove_reader(heard)
            end()

    def tell(word: str) -> None:
        with suppress(OSError):
            os.write(output, f"{word}\n".encode())

    def beat() -> None:
        tell(_ALIVE)
        loop.call_later(HEARTBEAT, beat)

    os.set_blocking(output, False)
    beat()
    metrics.tell_letters(tell if counts else None)
    loop.add_reader(heard, read)
