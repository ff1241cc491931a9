"""Boards at earlier plies: a log is replayed once for all its pages."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry
from pbmserv.store import BoardRow

MOST_ENTRIES = 5_000  #: in a log that is replayed for a page; that takes a second or two
MOST_KEPT = 20_000  #: boards in memory, about a kilobyte each

Key = tuple[object, ...]


class Films:
    """The boards of the logs that were looked at last. One log is replayed at a time, whoever asks."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._films: OrderedDict[Key, tuple[Board, ...]] = OrderedDict()
        self._lock = Lock()

    def at(self, row: BoardRow, log: Sequence[Entry], ply: int) -> Board:
        """The board after one of its plies. `log` is the whole log of `row`, of at most MOST_ENTRIES."""
        # A board that was restored from an older backup may have a log of this length again, with other entries.
        key = (row.number, row.board.length, row.changed)
        with self._lock:
            film = self._kept(key, lambda: tuple(play.film(row.board.start, log)))
        return film[ply]

    @property
    def kept(self) -> int:
        """How many boards are in memory."""
        return sum(map(len, self._films.values()))

    def _kept(self, key: Key, make: Callable[[], tuple[Board, ...]]) -> tuple[Board, ...]:
        film = self._films.pop(key, None) or make()
        self._films[key] = film  # at the end, where those stand that were looked at last
        while len(self._films) > 1 and self.kept > self._most:
            self._films.popitem(last=False)
        return film
