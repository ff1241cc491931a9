"""Chess: positions with nothing but kings and pawns in which nothing can ever be captured. FIDE Laws, article 5.2.2."""

from pbmserv.games.base import Seat
from pbmserv.games.capture.chess.pieces import FORWARD, KING, PAWN_CAPTURES, SIDES


def is_sealed(board: str) -> bool:
    """Return whether no pawn can ever move or capture, and no king can ever capture a pawn. Then nobody gives mate.

    The board has kings and pawns only, and nobody can capture in passing. Other sealed positions are not judged.
    """
    for square, piece in enumerate(board):
        if piece in "Pp":
            seat = "Pp".index(piece)
            blocked = board[square + FORWARD[seat]] in "Pp"  # a king can go away
            enemy = SIDES[1 - seat][0]
            if not blocked or any(board[s] == enemy for s in PAWN_CAPTURES[seat][square]):
                return False
    return not any(_reaches_a_pawn(board, seat) for seat in (0, 1))


def _reaches_a_pawn(board: str, seat: Seat) -> bool:
    """Return whether a king can go to a pawn that no other pawn protects, if the other king does not matter."""
    own, theirs = SIDES[seat][0], SIDES[1 - seat][0]
    guarded = {s for square, piece in enumerate(board) if piece == theirs for s in PAWN_CAPTURES[1 - seat][square]}
    start = board.index(SIDES[seat][5])
    seen, todo = {start}, [start]
    while todo:
        for square in KING[todo.pop()]:
            if square in seen or square in guarded or board[square] == own:
                continue
            if board[square] == theirs:
                return True
            seen.add(square)
            todo.append(square)
    return False
