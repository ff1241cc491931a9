"""Chess: how good a position is, for robots. The numbers are hundredths of a pawn.

`packed`: what a man is worth on its square. `mating`: how a queen or a
rook mates a king alone: it gets less and less room, and the other king comes.

Each worth is two numbers, one for the middle of a game and one for its end, packed into one: they are added together.
"""

from functools import cache

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.pieces import EMPTY, KING, RAYS, SIDES

VALUES = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
HEAVY = {"n": 1, "b": 1, "r": 2, "q": 4}  #: how much a piece counts for the middle of a game
MIDDLE = 24  #: what all pieces count at the beginning
_BITS = 20
_END = 1 << _BITS  #: the second number of a packed worth is multiplied by this
_HALF = _END >> 1
_ROOM = 20  #: hundredths of a pawn for each square that a king alone cannot reach any more
_NEAR = 4  #: for each step that the kings are nearer to each other
_EDGE = 3  #: for each step of a king alone from the middle
_DRIVEN, _CLOSE = 12, 8  #: the same two, against a king that has pawns
_LOST = 900  #: what a piece is worth that can be captured


def mixed(worth: int, heavy: int) -> float:
    """Return what a packed worth is while there are so many pieces (`HEAVY`)."""
    end = (worth + _HALF) >> _BITS
    return end + (worth - (end << _BITS) - end) * (heavy / MIDDLE if heavy < MIDDLE else 1)


@cache
def packed(piece: str, square: int) -> int:
    """Return the worth of a piece for White; it is negative for a piece of Black."""
    if piece.islower():
        return -packed(piece.upper(), square ^ 56)
    middle, end = (round(VALUES[piece.lower()] + _bonus(piece.lower(), square, ending)) for ending in (False, True))
    return middle + end * _END


def _bonus(kind: str, square: int, ending: bool) -> float:
    row, column = divmod(square, 8)
    away = abs(row - 3.5) + abs(column - 3.5)  # from the middle: 1 to 7
    return {
        "p": 4 * row + (12 if column in (3, 4) and row in (3, 4) else 0) + (row**2 if ending else 0),
        "n": 20 - 8 * away,
        "b": 12 - 5 * away,
        "r": 15 if row == 6 else 4 - abs(column - 3.5),
        "q": 6 - 2 * away - (4 if row > 4 else 0),
        "k": 20 - 9 * away if ending else (15 - 12 * row + 5 * abs(column - 3.5)),
    }[kind]


@cache  # 64 x 64
def driving(strong: int, weak: int) -> float:
    """Return how good it is that a king without pieces stands at the edge, and the other king near it."""
    row, column = divmod(weak, 8)
    apart = max(abs(row - strong // 8), abs(column - strong % 8))
    return _DRIVEN * (abs(row - 3.5) + abs(column - 3.5)) - _CLOSE * apart


def mating(board: str, turn: Seat) -> float:
    """Return how near White is to giving mate with a queen or a rook against a king alone; negative for Black.

    It is 0 on all other boards. A piece that can be captured is worth nothing here.
    """
    if board.count(EMPTY) != 61:
        return 0
    heavy = next((square for square, piece in enumerate(board) if piece in "QRqr"), -1)
    if heavy < 0:
        return 0
    seat = 0 if board[heavy].isupper() else 1
    strong, weak = board.index(SIDES[seat][5]), board.index(SIDES[1 - seat][5])
    value = _mating(board[heavy].lower(), heavy, strong, weak, turn != seat)
    return value if seat == 0 else -value


@cache  # there are at most 2^20 of them
def _mating(piece: str, heavy: int, strong: int, weak: int, weak_moves: bool) -> float:
    guarded = heavy in KING[strong]
    if weak_moves and heavy in KING[weak] and not guarded:
        return -_LOST
    row, column = divmod(weak, 8)
    away = abs(row - 3.5) + abs(column - 3.5)
    apart = max(abs(weak // 8 - strong // 8), abs(weak % 8 - strong % 8))
    return _ROOM * (64 - len(_room(piece, heavy, strong, weak))) + _EDGE * away - _NEAR * apart


def _room(piece: str, heavy: int, strong: int, weak: int) -> set[int]:
    """Return the squares that a king alone can reach if the other pieces stay where they are."""
    closed = {strong, *KING[strong]}
    for ray in RAYS[piece][heavy]:
        for square in ray:
            if square == strong:
                break
            closed.add(square)
    if heavy not in KING[strong]:
        closed.discard(heavy)
    squares, left = {weak}, [weak]
    while left:
        fresh = {square for square in KING[left.pop()] if square not in closed and square not in squares}
        squares |= fresh
        left += fresh
    return squares
