"""Measure how long an admin waits until a command starts its work. Servers are not measured here.

The commands are help, a completion, `send` to a port where nobody listens, and `status` of an empty database. Each
takes turns with an interpreter that does nothing, because the speed of the machine changes. Memory is the peak of the
process.

    python -m benchmarks.startup [rounds]
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks.report import Sheet, machine, ratio

_BASELINE = "python -c pass"
_COMPLETION = {"_PBMSERV_COMPLETE": "complete_bash", "COMP_WORDS": "pbmserv boards list --game t", "COMP_CWORD": "4"}
_PBMSERV = (sys.executable, "-m", "pbmserv")

#: The measurements: name, arguments, and environment.
RUNS: Mapping[str, tuple[Sequence[str], Mapping[str, str]]] = {
    _BASELINE: ((sys.executable, "-c", "pass"), {}),
    "pbmserv --help": ((*_PBMSERV, "--help"), {}),
    "a completion": (_PBMSERV, _COMPLETION),
    "pbmserv send": ((*_PBMSERV, "send", "alice@example.org", "help"), {"PBMSERV_LISTEN": "smtp://127.0.0.1:1"}),
    "pbmserv status": ((*_PBMSERV, "status"), {}),
}


def sheet(rounds: int) -> Sheet:
    """Measure so many rounds."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*_PBMSERV, "migrate"], cwd=folder, check=True, capture_output=True)
        measured = [{name: _once(Path(folder), *run) for name, run in RUNS.items()} for _ in range(rounds)]
    rows: list[Sequence[str]] = []
    for name in RUNS:
        seconds, base = ([found[n][0] for found in measured] for n in (name, _BASELINE))
        megabytes = median(found[name][1] for found in measured)
        rows.append(
            (name, f"{min(seconds):.3f}", f"{median(seconds):.3f}", f"{ratio(seconds, base):.1f}", f"{megabytes:.0f}")
        )
    columns = ("command", "best, s", "median, s", "ratio", "memory, MB")
    return Sheet("How long the command line takes to start", columns, rows, [f"{rounds} rounds, {machine()}"])


def _once(folder: Path, words: Sequence[str], settings: Mapping[str, str]) -> tuple[float, float]:
    """Run one process, and return its seconds and its peak of megabytes."""
    began = time.perf_counter()
    with subprocess.Popen(
        words, cwd=folder, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
    return seconds, usage.ru_maxrss / 1024


def main() -> None:
    """Measure and print the table."""
    sheet(int(sys.argv[1]) if len(sys.argv) > 1 else 10).show()


if __name__ == "__main__":
    main()
