"""The processes under measurement: how they are started and ended, and what processor time they have used."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Process:
    """A program of ours, which prints a line when it is ready."""

    name: str
    module: Sequence[str]
    settings: Mapping[str, str] = field(default_factory=dict)
    ready: str = ""  #: the line that it printed

    def __post_init__(self) -> None:
        command, environment = [sys.executable, "-m", *self.module], {**os.environ, **self.settings}
        self._process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout
        self.ready = self._process.stdout.readline()
        if not self.ready:
            raise RuntimeError(f"{self.name} did not start; try: {' '.join(self.module)}")

    @property
    def port(self) -> int:
        """The port in the line that it printed."""
        return int("".join(c for c in self.ready.split(" for ")[0].rpartition(":")[2] if c.isdigit()))

    @property
    def processor(self) -> float:
        """Seconds of processor time used so far."""
        return processor_seconds(self._process.pid)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def stop(self) -> None:
        """End it in its orderly way."""
        self._process.terminate()
        self._process.communicate(timeout=60)


def processor_seconds(pid: int) -> float:
    """What a process, its children that ended and those that live have used, in user and system mode (proc(5))."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    mine = sum(int(fields[n]) for n in (11, 12, 13, 14)) / _TICKS
    return mine + sum(processor_seconds(int(child)) for child in _children(pid))


def _children(pid: int) -> list[str]:
    return [pid for file in Path(f"/proc/{pid}/task").glob("*/children") for pid in file.read_text().split()]
