"""How trouble is logged that can come with every mail, such as a database that is down.

Each trouble is logged in one line. The traceback is logged once a minute, because in an hour it could fill the disk.
"""

import threading
import traceback
from collections.abc import Callable
from time import monotonic

import structlog

from pbmserv.db import engines

EVERY = 60.0  #: seconds from one traceback to the next one of the same trouble
_MOST = 100  #: kinds of trouble that are remembered
_WIDTH = 200  #: characters of what the driver says


class Trouble:
    """The troubles of one process. Thread-safe; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._told: dict[tuple[str, ...], float] = {}
        self._lock = threading.Lock()

    def log(self, log: structlog.stdlib.BoundLogger, event: str, error: Exception, **data: object) -> None:
        """Write one line, without the text of the error, because it can contain a player's words."""
        frames = traceback.extract_tb(error.__traceback__)
        at = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].lineno}" if frames else "?"
        where = {"where": "".join(traceback.format_tb(error.__traceback__))} if self._is_due(event, error, at) else {}
        log.error(event, **data, error=type(error).__name__, at=at, **where)

    def _is_due(self, *kind: object) -> bool:
        """Return whether the traceback of this trouble is due: it was not logged within the last minute."""
        key, now = tuple(x if isinstance(x, str) else type(x).__name__ for x in kind), self._clock()
        with self._lock:
            if now - self._told.get(key, -EVERY) < EVERY:
                return False
            if len(self._told) >= _MOST:
                self._told.clear()
            self._told[key] = now
            return True


def driver_message(error: Exception) -> dict[str, str]:
    """Return the driver's message in one line for the log, if the database is down."""
    return {"says": " ".join(str(getattr(error, "orig", "")).split())[:_WIDTH]} if engines.is_down(error) else {}


#: The troubles of this process.
TROUBLE = Trouble()
