"""Boards at earlier plies. A log is replayed once for all its pages."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

from pbmserv.boards.past import Film
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry
from pbmserv.model import BoardRow

MOST_ENTRIES = 5_000  #: the longest log that is replayed for a page; this takes a second or two
MOST_KEPT = 20_000  #: the most boards in memory, about a kilobyte each

Key = tuple[object, ...]


class Films:
    """A cache of the boards whose logs were used last. Only one log is replayed at a time, for all requests."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._films: OrderedDict[Key, Film] = OrderedDict()
        self._lock = Lock()

    def film(self, row: BoardRow, log: Sequence[Entry]) -> Sequence[Board]:
        """Return the board at each ply. `log` is the whole log of `row` and has at most MOST_ENTRIES entries."""
        # The length of the log is no safe key: after a backup is restored, another log can have this length.
        key = (row.number, row.board.length, row.changed)
        with self._lock:
            return self._kept(key, lambda: Film(play.film(row.board.start, log)))

    @property
    def kept(self) -> int:
        """The number of boards in memory."""
        return sum(map(len, self._films.values()))

    def _kept(self, key: Key, make: Callable[[], Film]) -> Film:
        film = self._films.pop(key, None) or make()
        self._films[key] = film  # moves it to the end: the last entries are the most recently used ones
        while len(self._films) > 1 and self.kept > self._most:
            self._films.popitem(last=False)
        return film
