"""Boards at earlier plies. A log is replayed as far as somebody looks, once for all pages; later moves are added."""

from collections.abc import Sequence
from threading import RLock
from typing import NamedTuple

from pbmserv.boards.past import Film
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import Entry, Kind
from pbmserv.model import BoardRow
from pbmserv.web.kept.kept import Kept

MOST_ENTRIES = 5_000  #: the longest log that is replayed for a page; this takes a second or two
MOST_KEPT = 20_000  #: the most boards in memory, with their entries about two kilobytes each


class _Reel(NamedTuple):
    """A film. `version`: of its board; its length is not enough, because backups are restored."""

    version: object
    film: Film


class Films:
    """The boards whose logs were used last. Only one log is replayed at a time, for all requests."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._reels = Kept[_Reel](most, lambda reel: len(reel.film))
        self._lock = RLock()

    def film(self, row: BoardRow, log: Sequence[Entry]) -> Sequence[Board]:
        """Return the board at each ply. `log` is the whole log of `row` and has at most MOST_ENTRIES entries."""
        version, start = (row.board.length, row.changed), row.board.start
        with self._lock:
            reel = self._reels.get(row.number, lambda: _Reel(version, Film(start, log, self._lock)))
            if reel.version != version:
                reel = self._reels.put(row.number, _Reel(version, self._filmed(start, log, reel.film)))
            return reel.film

    @property
    def kept(self) -> int:
        """The number of boards in memory, if all of them are looked at."""
        return self._reels.weight

    def _filmed(self, start: Start, log: Sequence[Entry], known: Film) -> Film:
        """Return the film of a log of which the beginning may have been replayed."""
        count = len(known.log)
        has_moved_on = all(entry.kind is Kind.MOVE for entry in log[count:])
        is_made = not known.missing(len(known) - 1)
        if has_moved_on and is_made and known.start == start and log[:count] == known.log:
            return known.longer(log)
        return Film(start, log, self._lock)
