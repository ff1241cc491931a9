"""Boards at earlier plies. A log is replayed once for all its pages."""

from collections.abc import Sequence
from threading import Lock

from pbmserv.boards.past import Film
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry
from pbmserv.model import BoardRow
from pbmserv.web.kept.kept import Kept

MOST_ENTRIES = 5_000  #: the longest log that is replayed for a page; this takes a second or two
MOST_KEPT = 20_000  #: the most boards in memory, about a kilobyte each


class Films:
    """The boards whose logs were used last. Only one log is replayed at a time, for all requests."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._films = Kept[Film](most, len)
        self._lock = Lock()

    def film(self, row: BoardRow, log: Sequence[Entry]) -> Sequence[Board]:
        """Return the board at each ply. `log` is the whole log of `row` and has at most MOST_ENTRIES entries."""
        # The length of the log is no safe key: after a backup is restored, another log can have this length.
        key = (row.number, row.board.length, row.changed)
        with self._lock:
            return self._films.get(key, lambda: Film(play.film(row.board.start, log)))

    @property
    def kept(self) -> int:
        """The number of boards in memory."""
        return self._films.weight
