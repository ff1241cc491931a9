"""Which senders of an SQLite database are alive: each holds a lock on a file, and the lock ends with its process.

The files are beside the database: `pbmserv.sender1`, `pbmserv.sender2` … They are empty, and they are never deleted:
whoever opened a deleted file would hold a lock that nobody else can see.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from sqlalchemy.engine import Engine

from pbmserv.db import engines


class Slots:
    """The numbered places for senders of one database."""

    def __init__(self, engine: Engine) -> None:
        """Raises ValueError if the database is not SQLite."""
        if not engines.has_one_writer(engine) or not engine.url.database:
            raise ValueError("only an SQLite database has slots")
        self._database = Path(engine.url.database).resolve()  # another process may name it by another path

    @contextmanager
    def taken(self) -> Iterator[int]:
        """Take the first free slot until the context ends, or until the process dies. Raises OSError."""
        for number in count(1):
            with self.locked(number) as is_mine:
                if is_mine:
                    yield number
                    return

    @contextmanager
    def locked(self, number: int) -> Iterator[bool]:
        """Take a slot until the context ends, if its sender is dead. Gives whether this is so. Raises OSError."""
        handle = self._opened(number)
        if handle is None:
            yield False
            return
        try:
            yield _is_locked(handle)
        finally:
            os.close(handle)

    def _opened(self, number: int) -> int | None:
        """Open the file of a slot; None if it belongs to another user, such as root who tried the server out once."""
        file = self._file(number)
        try:
            return os.open(file, os.O_RDWR | os.O_CREAT, 0o600)  # child processes do not inherit it
        except PermissionError:
            if not file.exists():
                raise
            return None

    def _file(self, number: int) -> Path:
        return self._database.with_suffix(f".sender{number}")


def _is_locked(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
