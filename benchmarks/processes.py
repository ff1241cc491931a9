"""Start and end the measured processes, and read their processor time."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import slow_disk

_TICKS = os.sysconf("SC_CLK_TCK")
_ALL_THREADS = 2  # in the number of a process's clock: the time of all its threads, in user and system mode


class Running:
    """A process with its children."""

    def __init__(self, name: str, pid: int, port: int = 0) -> None:
        self.name = name
        self.pid = pid
        self.port = port

    @property
    def processor(self) -> float:
        """Return the seconds of processor time used so far."""
        return processor_seconds(self.pid)

    @property
    def memory(self) -> float:
        """Resident memory now, in MB, of the process and its children."""
        return memory_megabytes(self.pid)

    @property
    def syncs(self) -> int:
        """Return how many files were synced so far, or 0 if syncs are not counted."""
        return 0


class Process(Running):
    """A program of ours. It is ready when it has printed its first line, which names its port if it has one."""

    def __init__(
        self,
        name: str,
        module: Sequence[str],
        settings: Mapping[str, str] | None = None,
        *,
        program: Sequence[str] = (),
    ) -> None:
        """Start a module, or another `program` with its arguments."""
        self._settings = settings or {}
        command, environment = [*(program or (sys.executable, "-m")), *module], {**os.environ, **self._settings}
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout
        ready = self._process.stdout.readline()
        if not ready:
            raise RuntimeError(f"{name} did not start: it runs as {' '.join(command)}")
        super().__init__(name, self._process.pid, _port(ready))

    @property
    def syncs(self) -> int:
        """Return how many files were synced so far, or 0 if syncs are not counted."""
        return slow_disk.syncs(self._settings)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def stop(self) -> None:
        """End it in an orderly way."""
        self._process.terminate()
        self._process.communicate(timeout=60)


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process and its children, also ended ones, in user and system mode.

    The clock of a process (clock_getcpuclockid(3)) counts nanoseconds, proc(5) steps of 10 ms: in a short run a fast
    server uses none of those. Only ended children are read from there, because they have no clock any more.
    """
    try:
        mine = time.clock_gettime(~pid << 3 | _ALL_THREADS)
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ended = sum(int(fields[n]) for n in (13, 14)) / _TICKS
        return mine + ended + sum(processor_seconds(int(child)) for child in _children(pid))
    except OSError:  # this child has ended meanwhile
        return 0.0


def memory_megabytes(pid: int) -> float:
    """The resident memory of a process and of its children that live, in MB (proc(5), VmRSS)."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):  # a child that ended meanwhile
        return 0.0
    mine = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)
    return mine / 1024 + sum(memory_megabytes(int(child)) for child in _children(pid))


def proportional_megabytes(pid: int) -> list[float]:
    """Memory of a process and of its children that live, in MB, of what several hold each its part (Pss)."""
    try:
        found = re.search(r"^Pss: +(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    except (FileNotFoundError, ProcessLookupError):  # a child that ended meanwhile
        return []
    mine = [int(found[1]) / 1024] if found else []
    return sum((proportional_megabytes(int(child)) for child in _children(pid)), mine)


def _children(pid: int) -> list[str]:
    try:
        return [pid for file in Path(f"/proc/{pid}/task").glob("*/children") for pid in file.read_text().split()]
    except (FileNotFoundError, ProcessLookupError):  # a thread that ended meanwhile
        return _children(pid) if Path(f"/proc/{pid}").exists() else []


def _port(line: str) -> int:
    found = re.search(r"\b(?:127\.0\.0\.1:)?(\d{4,5})\b", line)
    return int(found[1]) if found else 0
