"""Boards at earlier plies. A log is replayed once for all its pages, and what is played later is added to that."""

from collections.abc import Iterator, Sequence
from threading import Lock
from typing import NamedTuple

from pbmserv.boards.past import Film
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import Entry, Kind
from pbmserv.model import BoardRow
from pbmserv.web.kept.kept import Kept

MOST_ENTRIES = 5_000  #: the longest log that is replayed for a page; this takes a second or two
MOST_KEPT = 20_000  #: the most boards in memory, with their entries about two kilobytes each


class _Reel(NamedTuple):
    """A log that was replayed. `version`: of the board; its length is not enough, because backups are restored."""

    version: object
    start: Start
    log: Sequence[Entry]
    film: Film


class Films:
    """The boards whose logs were used last. Only one log is replayed at a time, for all requests."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._reels = Kept[_Reel](most, lambda reel: len(reel.film))
        self._lock = Lock()

    def film(self, row: BoardRow, log: Sequence[Entry]) -> Sequence[Board]:
        """Return the board at each ply. `log` is the whole log of `row` and has at most MOST_ENTRIES entries."""
        version, start = (row.board.length, row.changed), row.board.start
        with self._lock:
            reel = self._reels.get(row.number, lambda: _Reel(version, start, log, Film(play.film(start, log))))
            if reel.version != version:
                reel = self._reels.put(row.number, _Reel(version, start, log, _filmed(start, log, reel)))
            return reel.film

    @property
    def kept(self) -> int:
        """The number of boards in memory."""
        return self._reels.weight


def _filmed(start: Start, log: Sequence[Entry], known: _Reel) -> Film:
    """Return the film of a log of which the beginning may have been replayed."""
    count = len(known.log)
    has_moved_on = all(entry.kind is Kind.MOVE for entry in log[count:])
    if has_moved_on and known.start == start and log[:count] == known.log:
        return known.film.longer(_led_on(known.film[-1], log[count:]))
    return Film(play.film(start, log))


def _led_on(board: Board, moves: Sequence[Entry]) -> Iterator[Board]:
    for move in moves:
        board = play.follow(board, move, ()).board
        yield board
