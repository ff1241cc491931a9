"""Chess: how the pieces stand at the beginning."""

from functools import cache
from hashlib import blake2b
from itertools import combinations

from pbmserv.games.capture.chess.pieces import EMPTY, Position

STANDARD = 518  #: the number of the usual position among those of Fischer random chess
POSITIONS = 960
_KEY = 8  #: bytes


def opening(number: int = STANDARD, fischer: bool = False) -> Position:
    """Return one of the 960 positions, which are numbered from 0 as Reinhard Scharnagl does it."""
    back = _back_rank(number)
    board = back.upper() + "P" * 8 + EMPTY * 32 + "p" * 8 + back
    return begun(board, fischer)


def begun(board: str, fischer: bool = False) -> Position:
    """Return the first position of a game. A rook between king and edge can castle."""
    rooks = tuple(s for s in range(64) if board[s] in "Rr" and s // 8 in (0, 7))
    return with_key(Position(board, rooks=rooks, fischer=fischer))


def with_key(position: Position) -> Position:
    """Add the key of a new position to its past. Nobody has the position yet, and a copy would take as long again."""
    facts = f"{position.board}{position.turn}{_written(position.rooks)}{position.passed}"
    key = blake2b(facts.encode(), digest_size=_KEY).hexdigest()
    object.__setattr__(position, "past", (*position.past, key))
    return position


_written = cache(str)  #: rooks


def _back_rank(number: int) -> str:
    """Put down bishops, queen, knights, and on the last three squares rook, king, rook."""
    squares = [""] * 8
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    squares[2 * light + 1] = squares[2 * dark] = "b"
    _put(squares, "q", (queen,))
    _put(squares, "n", list(combinations(range(5), 2))[knights])
    _put(squares, "rkr", range(3))
    return "".join(squares)


def _put(squares: list[str], pieces: str, places: range | tuple[int, ...]) -> None:
    """Put pieces on the empty squares with these numbers among the empty ones; one letter is for all places."""
    free = [i for i, piece in enumerate(squares) if not piece]
    for n, place in enumerate(places):
        squares[free[place]] = pieces[n % len(pieces)]
