"""Boards as of earlier lengths of their logs, for the letters of a sender."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace

from pbmserv.boards.past import Past
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry, Kind
from pbmserv.model import BoardRow
from pbmserv.store import Store

_MOST = 256  #: boards that are kept; each has some kilobytes

#: Entries for which the rules look at the log before them.
_LOOKING_BACK = (Kind.UNDO, Kind.ACCEPT, Kind.DECLINE, Kind.REVERT)


class Positions:
    """Boards after the first entries of their logs. Usually the board has that length now, and has it stored.

    If it has moved on, the board of its last letter is led on, entry by entry. Only without that is the log replayed.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Board] = OrderedDict()

    def at(self, store: Store, row: BoardRow, length: int, log: Sequence[Entry]) -> Board:
        """Return the board of `row` after the first entries of its `log`. Raises GameMissing."""
        board = row.board if row.board.length == length else self._led_on(store, row, length, log)
        self._kept[row.number] = board
        self._kept.move_to_end(row.number)
        if len(self._kept) > _MOST:
            self._kept.popitem(last=False)
        return board

    def _led_on(self, store: Store, row: BoardRow, length: int, log: Sequence[Entry]) -> Board:
        board = self._kept.get(row.number)
        if board is None or board.length > length or board.start != row.board.start:
            board = play.begin(row.board.start)
        while board.length < length:
            entry = log[board.length]
            past = Past(store, replace(row, board=board)) if entry.kind in _LOOKING_BACK else ()
            board = play.follow(board, entry, past).board
        return board
