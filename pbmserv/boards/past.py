"""What was on a board: its log, which is read from the database no further back than somebody looks, and its boards."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import overload

from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry
from pbmserv.model import BoardRow
from pbmserv.store import Store

_AT_ONCE = 16  #: entries that are read with the last one; then twice as many each time


class Past(Sequence[Entry]):
    """The log of a board, up to the length that the board has now. Its end is read first.

    So a move on a board of 5,000 entries reads as many of them as one on a board of twenty.
    """

    def __init__(self, store: Store, row: BoardRow, known: Sequence[Entry] = ()) -> None:
        """`known`: the last entries, if they have been read already."""
        self._store = store
        self._board = row.number
        self._first = row.board.length - len(known)  #: the place of the first entry that is read
        self._read = list(known)

    def __len__(self) -> int:
        return self._first + len(self._read)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:
        """Return the entry at a place, from 0, or those of a slice."""
        if isinstance(place, slice):
            places = range(len(self))[place]
            if places:
                self._reach(min(places))
            return [self._read[i - self._first] for i in places]
        if place < 0:
            place += len(self)
        if place < self._first:
            if place < 0:
                raise IndexError(place)
            self._reach(place)
        return self._read[place - self._first]

    def append(self, entry: Entry) -> None:
        """Add an entry that was stored just now."""
        self._read.append(entry)

    def ask(self) -> None:
        """Ask for the last entries, unless they are known. This is for `Store.ask_ahead`."""
        if not self._read:
            self._find(self._first - 1)

    def _reach(self, place: int) -> None:
        if place < self._first:
            entries = self._find(place)
            self._read[:0] = entries
            self._first -= len(entries)

    def _find(self, place: int) -> list[Entry]:
        """Read back to this place, and somewhat further, because the entries before it are often asked for next."""
        further = self._first - max(_AT_ONCE, 2 * len(self._read))
        return self._store.boards.entries(self._board, max(0, min(place, further)), self._first)


class Film(Sequence[Board]):
    """The board at each ply, of which many are kept in memory.

    The keys of positions (`Board.seen`) of each board are the beginning of those of the next one, so one text holds all
    of them. If each board had its own, the memory would grow with the square of the number of plies.
    """

    def __init__(self, boards: Iterable[Board] = ()) -> None:
        """`boards`: as `board.film` yields them."""
        self._boards: list[Board] = []  #: without their keys
        self._ends: list[int] = []  #: how much of the text belongs to each board
        self._seen = ""  #: the keys of the last board
        self.extend(boards)

    def __len__(self) -> int:
        return len(self._boards)

    @overload
    def __getitem__(self, place: int) -> Board: ...
    @overload
    def __getitem__(self, place: slice) -> list[Board]: ...
    def __getitem__(self, place: int | slice) -> Board | list[Board]:
        """Return the board at a ply, or those of a slice."""
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        return replace(self._boards[place], seen=self._seen[: self._ends[place]])

    def extend(self, boards: Iterable[Board]) -> None:
        """Add the boards at the next plies."""
        for board in boards:
            self._seen = board.seen
            self._ends.append(len(board.seen))
            self._boards.append(replace(board, seen=""))
