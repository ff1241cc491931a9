"""The process of an engine: lines to it and from it, all of them bounded in time and in bytes."""

import inspect
import json
import os
import pwd
import selectors
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from typing import IO, cast

from pbmserv.robots.engines import keeper
from pbmserv.robots.engines.told import EngineSettings

#: Seconds for all up to the first question. Engines load nets of neurons meanwhile. With `EngineSettings.seconds` it is
#: far below the lease of a turn.
START = 30.0
_MOST_BYTES = 2_000_000  #: of an answer; searches report on their way
_TAIL = 300  #: bytes of its last complaints that an operator reads
_PATIENCE = 5.0  #: seconds for a keeper to tell how its engine has ended, and to end all that this has started
_BLOCK = 1 << 16
_MEGA = 1_000_000
#: Where programs are besides PATH: Debian has games there, and a service has not.
_PLACES = ("/usr/local/bin", "/usr/bin", "/bin", "/usr/local/games", "/usr/games")
#: Read once, because the files of a running server may be replaced.
_KEEPER = inspect.getsource(keeper)


class EngineFault(Exception):
    """An engine does not do what its protocol says: it is silent, dies, says too much, or names no legal move."""


class Process:
    """An engine that runs, until `end`."""

    def __init__(self, settings: EngineSettings, *more: str) -> None:
        """Start it. `more`: further words of the command. Raises EngineFault."""
        order = _order(settings, *more)
        ours, theirs = socket.socketpair()
        order["socket"] = theirs.fileno()
        self._keeper = ours
        self._has_errors = True
        self._unsent, self._read, self._complaints, self._told = (bytearray() for _ in range(4))
        try:
            self._child = subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-I", "-S", "-c", _KEEPER, json.dumps(order)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={},
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise EngineFault(f"it cannot be started: {error}") from None
        finally:
            theirs.close()
        pipes = (self._child.stdin, self._child.stdout, self._child.stderr)
        self._input, self._output, self._errors = cast("tuple[IO[bytes], IO[bytes], IO[bytes]]", pipes)
        for stream in (self._input, self._output, self._errors):
            os.set_blocking(stream.fileno(), False)
        try:
            self._wait_until_started(monotonic() + START)
        except EngineFault:
            self.end()
            raise

    def _wait_until_started(self, deadline: float) -> None:
        while b"\n" not in self._told:
            self._keeper.settimeout(max(deadline - monotonic(), 0.001))
            try:
                told = self._keeper.recv(_BLOCK)
            except TimeoutError:
                told = b""
            if not told:
                raise EngineFault("it cannot be started")
            self._told += told
        first = self._told.split(b"\n")[0].decode(errors="replace")
        if first not in ("open", "closed"):
            raise EngineFault(first)
        self.has_network = first == "open"

    def ask(self, text: str, is_last: Callable[[str], bool], seconds: float) -> list[str]:
        """Send lines, and return those of the answer up to the one that is the last. Raises EngineFault."""
        deadline, budget, lines = monotonic() + seconds, _MOST_BYTES, list[str]()
        self._unsent += f"{text}\n".encode()
        with self._streams() as streams:
            while True:
                for line in self._lines():
                    lines.append(line)
                    if is_last(line):
                        return lines
                if (left := deadline - monotonic()) <= 0:
                    raise EngineFault(f"it has not answered in {seconds:g} s{self._complaint()}")
                budget -= sum(key.data() for key, _ in streams.select(left))
                if budget < 0:
                    raise EngineFault("it says too much")
                self._forget(streams)

    def _streams(self) -> selectors.DefaultSelector:
        """Return what to wait for; the data of each is what to do then, and returns how many bytes were read."""
        streams = selectors.DefaultSelector()
        streams.register(self._input, selectors.EVENT_WRITE, self._send)
        streams.register(self._output, selectors.EVENT_READ, self._hear)
        streams.register(self._errors, selectors.EVENT_READ, self._hear_complaints)
        self._forget(streams)
        return streams

    def _forget(self, streams: selectors.BaseSelector) -> None:
        """Wait no longer for what would be ready all the time."""
        for stream, is_idle in ((self._input, not self._unsent), (self._errors, not self._has_errors)):
            if is_idle and stream in streams.get_map():
                streams.unregister(stream)

    def _lines(self) -> Iterator[str]:
        while (end := self._read.find(b"\n")) >= 0:
            line = self._read[:end].decode(errors="replace").rstrip()
            del self._read[: end + 1]
            yield line

    def _send(self) -> int:
        try:
            del self._unsent[: os.write(self._input.fileno(), self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            raise self._has_ended() from None
        return 0

    def _hear(self) -> int:
        data = _read_from(self._output)
        if data == b"":
            raise self._has_ended()
        self._read += data or b""
        return len(data or b"")

    def _hear_complaints(self) -> int:
        """Keep the last of what an engine complains about. Where it has closed that, it is not looked at again."""
        data = _read_from(self._errors)
        self._has_errors = data != b""
        self._complaints += data or b""
        del self._complaints[:-_TAIL]
        return len(data or b"")

    def _has_ended(self) -> EngineFault:
        self._keeper.settimeout(_PATIENCE)  # the keeper has to bury it first
        with suppress(OSError):
            self._told += self._keeper.recv(_BLOCK)
        self._hear_complaints()
        ended = self._told.decode(errors="replace").rpartition("ended ")[2].strip()
        code = f" with code {ended}" if ended.lstrip("-").isdigit() else ""
        return EngineFault(f"it has ended{code}{self._complaint()}")

    def _complaint(self) -> str:
        words = " ".join(self._complaints.decode(errors="replace").split())
        return f": {words}" if words else ""

    def end(self) -> None:
        """End the engine and all that it has started."""
        self._keeper.close()
        for stream in (self._input, self._output, self._errors):
            with suppress(OSError):
                stream.close()
        try:
            self._child.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()


def _read_from(stream: IO[bytes]) -> bytes | None:
    """Return what is there; b"" at the end, None if there is nothing now."""
    try:
        return os.read(stream.fileno(), _BLOCK)
    except BlockingIOError:
        return None


def program(settings: EngineSettings) -> str:
    """Return the file that an engine is. Raises EngineFault if it cannot be found."""
    try:
        words = shlex.split(settings.command)
    except ValueError as error:
        raise EngineFault(f"its command cannot be read: {error}") from None
    path = os.pathsep.join((os.environ.get("PATH", ""), *_PLACES))
    file = shutil.which(words[0], path=path) if words else None
    if file is None:
        raise EngineFault(f"there is no program {words[0] if words else 'in its command'}")
    return os.path.abspath(file)


def _order(settings: EngineSettings, *more: str) -> dict[str, object]:
    uid, gid = _account(settings.user) if settings.user else (None, None)
    command = [program(settings), *shlex.split(settings.command)[1:], *more]
    return {"command": command, "memory": settings.memory * _MEGA, "uid": uid, "gid": gid}


def _account(user: str) -> tuple[int | None, int | None]:
    """Return the numbers of a user and its group; None if that is who we are."""
    try:
        account = pwd.getpwnam(user)
    except KeyError:
        raise EngineFault(f"there is no user {user}") from None
    if os.geteuid() == account.pw_uid:
        return None, None
    if os.geteuid():
        raise EngineFault(f"{user} cannot run it, because the server does not run as root")
    return account.pw_uid, account.pw_gid
