"""Child processes that only send, or only play for robots.

The fork server forks them. Where there is none, they are started as programs of their own, and the first line of their
standard input has the settings.

A child's standard input comes from its parent. Each byte says that letters were written. The end says that the child
must end: the parent ends, or it was killed. On its standard output the child says now and then that it is alive, and,
if the parent has metrics, what happened to each letter, so that the parent counts the letters of all.
"""

import asyncio
import os
import signal
from asyncio.subprocess import Process
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import structlog

from pbmserv import metrics
from pbmserv.model.letters import Share
from pbmserv.server.processes.fork_server import ENDED, NOT_INHERITED, ForkServer

#: Seconds until a child that died is started again: doubled each time, until one has lived for LAST_PAUSE.
FIRST_PAUSE, LAST_PAUSE = 1.0, 60.0

#: The most seconds that a child may need for its last letters. A delivery takes at most half of a lease.
PATIENCE = 70.0

#: Seconds between two signs of life of a child, and of silence after which it is killed, because it hangs.
HEARTBEAT, SILENCE = 10.0, 60.0
_ALIVE = "alive"

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ChildPlan:
    """Children of one role, `sender` or `robot`.

    The shares of the children; and for one that is not forked the command that starts it (its share follows), and the
    line with its settings.
    """

    role: str
    shares: Sequence[Share]
    command: Sequence[str]
    settings: bytes = field(repr=False)


@dataclass(frozen=True)
class _Pipes:
    """Pipes to a child: our ends of its input and output, and the files that it gets."""

    stdin: asyncio.WriteTransport
    stdout: asyncio.StreamReader
    output: asyncio.BaseTransport  #: of `stdout`
    its_input: int
    its_output: int

    @classmethod
    async def open(cls) -> "_Pipes":
        """Raises OSError."""
        loop, stdout = asyncio.get_running_loop(), asyncio.StreamReader()
        its_input, to_child = os.pipe()
        from_child, its_output = os.pipe()
        stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(to_child, "wb", 0))
        protocol = asyncio.StreamReaderProtocol(stdout)
        output, _ = await loop.connect_read_pipe(lambda: protocol, os.fdopen(from_child, "rb", 0))
        return cls(stdin, stdout, output, its_input, its_output)

    def close(self) -> None:
        """Close our ends."""
        self.stdin.close()
        self.output.close()

    @contextmanager
    def given(self) -> Iterator[None]:
        """Close the child's files when it has got them; and ours, if it has not."""
        try:
            yield
        except BaseException:
            self.close()
            raise
        finally:
            os.close(self.its_input)
            os.close(self.its_output)


@dataclass(eq=False)
class _Child:
    """A child that runs."""

    pid: int
    pipes: _Pipes
    process: Process | None = None  #: None: the fork server waits for its end, and tells its exit code
    code: int | None = None

    async def end(self) -> int | None:
        """Return its exit code, when it has ended; None: nobody knows it, because the fork server ended before.

        Then process 1 is its parent. In a container that can be this one, and it stays a zombie until we ask.
        """
        if self.process:
            return await self.process.wait()
        if self.code is None:
            with suppress(ChildProcessError):
                _, status = await asyncio.to_thread(os.waitpid, self.pid, 0)
                return os.waitstatus_to_exitcode(status)
        return self.code


class Children:
    """Starts the children, wakes them, starts a new one when one dies, and ends them."""

    def __init__(self, plan: ChildPlan, fork_server: ForkServer | None = None) -> None:
        self._plan = plan
        self._fork_server = fork_server
        self._alive: set[_Child] = set()
        self._stopping = asyncio.Event()

    @property
    def count(self) -> int:
        """How many are running."""
        return len(self._alive)

    def wake(self) -> None:
        """Let them check the outbox now. A child that has not noticed the last time yet is not told again."""
        for child in self._alive:
            stdin = child.pipes.stdin
            if not stdin.is_closing() and not stdin.get_write_buffer_size():
                stdin.write(b"\n")

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
            child = await self._start(f"{share.number}/{share.of}")
        except OSError as error:
            return {"error": str(error) or type(error).__name__}
        log.info(f"{self._plan.role}_started", pid=child.pid)
        self._alive.add(child)
        if self._stopping.is_set():
            self._tell_to_end(child)
        try:
            await self._listen(child)
            code = await child.end()
        finally:
            self._alive.discard(child)
            child.pipes.close()
        return {"pid": child.pid, "code": code}

    async def _start(self, share: str) -> _Child:
        """Raises OSError."""
        if self._fork_server and not self._fork_server.has_ended:
            try:
                return await asyncio.wait_for(_forked(self._fork_server, f"{self._plan.role} {share}"), SILENCE)
            except OSError as error:
                log.warning("fork_server_failed", error=str(error) or type(error).__name__)
        # uvloop waits for ever if the process is killed at its first moment
        return await asyncio.wait_for(_spawned(self._plan, share), SILENCE)

    async def _listen(self, child: _Child) -> None:
        """Count its letters until it ends. Kill it if it says nothing for too long."""
        while True:
            try:
                if not (line := await asyncio.wait_for(child.pipes.stdout.readline(), SILENCE)):
                    return
            except TimeoutError:
                self._kill(child)
                continue
            if (word := line.decode().strip()).startswith(ENDED):
                child.code = int(word.removeprefix(ENDED))
            elif word != _ALIVE:
                metrics.told(word)

    def _tell_to_end(self, child: _Child) -> None:
        """Close its input, and kill it if it does not end. Its letters go out again then."""
        child.pipes.stdin.close()
        asyncio.get_running_loop().call_later(PATIENCE, self._kill, child)

    def _kill(self, child: _Child) -> None:
        if child in self._alive:
            log.warning(f"{self._plan.role}_hangs", pid=child.pid)
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)


async def _forked(fork_server: ForkServer, words: str) -> _Child:
    """Raises OSError if it cannot be forked."""
    pipes = await _Pipes.open()
    with pipes.given():
        fork_server.fork(words, pipes.its_input, pipes.its_output)
    try:
        return _Child(int(await pipes.stdout.readline()), pipes)
    except BaseException as error:  # if a silent one begins later, it ends: its input has ended
        pipes.close()
        if isinstance(error, ValueError):  # nothing, or the exit code of one that was killed before it said its number
            raise ChildProcessError("there is no new process") from None
        raise


async def _spawned(plan: ChildPlan, share: str) -> _Child:
    """Raises OSError. A session of its own keeps Ctrl-C away from the child: its parent tells it when to end."""
    kept = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    pipes = await _Pipes.open()
    with pipes.given():
        process = await asyncio.create_subprocess_exec(
            *plan.command, share, stdin=pipes.its_input, stdout=pipes.its_output, env=kept, start_new_session=True
        )
    pipes.stdin.write(plan.settings + b"\n")
    return _Child(process.pid, pipes, process)


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
