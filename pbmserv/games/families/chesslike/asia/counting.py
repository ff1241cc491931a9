"""Makruk: the counting by which a game without pawns ends in a draw (the rules of Thailand).

When the last pawn has gone, 64 moves are counted. When one side has only its king, and no pawns are left, the count
begins again at the number of all men, up to a number that depends on what the other side has then.
"""

from pbmserv.games.base import Seat
from pbmserv.games.families.chesslike.placing import Position
from pbmserv.games.families.chesslike.row import EMPTY
from pbmserv.games.families.chesslike.row_rules import RowRules

LONG = 64  #: moves without pawns
_LIMITS = (("rr", 8), ("r", 16), ("ss", 22), ("nn", 32), ("s", 44))  #: the first that the stronger side has


def counted(rules: RowRules, before: Position, board: str) -> tuple[int, int]:
    """Return the plies counted after a move, and how many may be; (0, 0): nothing is counted."""
    plies, limit = before.counted
    if any(pawn in board for pawn in rules.pawn):
        return 0, 0
    bare = [seat for seat in (0, 1) if _men(rules, board, seat) == 1]
    if bare and (not limit or _men(rules, before.board, bare[0]) > 1):
        return 2 * sum(man != EMPTY for man in board) - (before.turn == bare[0]), 2 * _limit(board, 1 - bare[0])
    return (plies + 1, limit) if limit else (0, 2 * LONG)


def _men(rules: RowRules, board: str, seat: Seat) -> int:
    return sum(man in rules.own[seat] for man in board)


def _limit(board: str, seat: Seat) -> int:
    men = board if seat else board.swapcase()
    return next((limit for needs, limit in _LIMITS if men.count(needs[0]) >= len(needs)), LONG)
