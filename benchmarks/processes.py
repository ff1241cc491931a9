"""The processes under measurement: how they are started and ended, and what processor time they have used."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks import slow_disk

_TICKS = os.sysconf("SC_CLK_TCK")


class Running:
    """A process with its children."""

    def __init__(self, name: str, pid: int, port: int = 0) -> None:
        self.name = name
        self.pid = pid
        self.port = port

    @property
    def processor(self) -> float:
        """Seconds of processor time used so far."""
        return processor_seconds(self.pid)

    @property
    def syncs(self) -> int:
        """Syncs of files so far; 0 if nobody counts them."""
        return 0


class Process(Running):
    """A program of ours: it is ready when it has printed its first line, which names its port if it has one."""

    def __init__(self, name: str, module: Sequence[str], settings: Mapping[str, str] | None = None) -> None:
        self._settings = settings or {}
        command, environment = [sys.executable, "-m", *module], {**os.environ, **self._settings}
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout
        ready = self._process.stdout.readline()
        if not ready:
            raise RuntimeError(f"{name} did not start: it runs as python -m {' '.join(module)}")
        super().__init__(name, self._process.pid, _port(ready))

    @property
    def syncs(self) -> int:
        """Syncs of files so far; 0 if nobody counts them."""
        return slow_disk.syncs(self._settings)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def stop(self) -> None:
        """End it in its orderly way."""
        self._process.terminate()
        self._process.communicate(timeout=60)


def processor_seconds(pid: int) -> float:
    """What a process, its children that ended and those that live have used, in user and system mode (proc(5))."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        mine = sum(int(fields[n]) for n in (11, 12, 13, 14)) / _TICKS
        return mine + sum(processor_seconds(int(child)) for child in _children(pid))
    except (FileNotFoundError, ProcessLookupError):  # a child that ended meanwhile
        return 0.0


def _children(pid: int) -> list[str]:
    return [pid for file in Path(f"/proc/{pid}/task").glob("*/children") for pid in file.read_text().split()]


def _port(line: str) -> int:
    found = re.search(r"\b(?:127\.0\.0\.1:)?(\d{4,5})\b", line)
    return int(found[1]) if found else 0
