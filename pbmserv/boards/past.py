"""The log of a board as a sequence that is read from the database no further back than somebody looks."""

from collections.abc import Sequence
from typing import overload

from pbmserv.games.base.log import Entry
from pbmserv.store import BoardRow, Store

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
            found = self._find(place)
            self._read[:0] = found
            self._first -= len(found)

    def _find(self, place: int) -> list[Entry]:
        """Read back to this place, and somewhat further, because the entries before it are often asked for next."""
        further = self._first - max(_AT_ONCE, 2 * len(self._read))
        return self._store.boards.entries(self._board, max(0, min(place, further)), self._first)
