"""Run `pbmserv web` as a process, forked from one that has imported the program."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.tools.warm import forked


@contextmanager
def served(folder: Path, ends_with: int = 0, /, **settings: str) -> Iterator[str]:
    """Yield the URL of the pages for the database of a folder. At the end, the process must end with this code.

    If it is not 0, it must end by itself.
    """
    with (folder / "web.log").open("a") as log:
        process = forked(folder, settings, log, "web", "--listen", "127.0.0.1:0")
    try:
        words = process.stdout.readline().split()
        assert words[:4] == ["pbmserv", "shows", "its", "boards"], (words, (folder / "web.log").read_text())
        yield words[-1]
        if not ends_with:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        assert process.returncode == ends_with, (folder / "web.log").read_text()
    finally:
        process.kill()
