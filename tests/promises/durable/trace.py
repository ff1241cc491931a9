"""strace: the order of system calls, a SIGKILL at one of them, a disk that fails."""

import functools
import re
import shutil
import subprocess
from pathlib import Path

import pytest


@functools.cache
def _why_not() -> str:
    """Return why strace cannot be used here, or "" if it can."""
    if not shutil.which("strace"):
        return "strace is not installed"
    done = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"strace may not trace here: {done.stderr.strip()}"


def strace(output: Path, *options: str) -> tuple[str, ...]:
    """Return the command that traces a server. Signals reach the server itself. Skip the test where strace fails."""
    if why := _why_not():
        pytest.skip(why)
    return ("strace", "-D", "-f", "-y", "-s", "60", "-o", str(output), *options)


def events(output: Path) -> list[str]:
    """Return the commits and replies of a trace, in order.

    "sync" is the end of a sync of the log, "250" is the moment when the server begins to send an acceptance.
    """
    found: list[str] = []
    syncing: set[str] = set()
    for line in output.read_text(errors="replace").splitlines():
        thread = line.split(maxsplit=1)[0]
        if re.search(r"f(data)?sync\(\d+<[^>]*\.db-wal>", line):
            syncing.add(thread)
        if thread in syncing and re.search(r"\) += 0$", line):
            syncing.discard(thread)
            found.append("sync")
        if re.search(r'"250 2\.0\.0 Accepted', line):
            found.append("250")
    return found
