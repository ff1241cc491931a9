"""Chess: what the pieces are worth on their squares, for robots. The numbers are hundredths of a pawn."""

from functools import cache

from pbmserv.games.capture.chess.pieces import EMPTY

_VALUES = {"p": 100, "n": 320, "b": 330, "r": 500, "q": 900, "k": 0}
_FEW = 2600  #: what both sides have together, without pawns, when the king leaves its shelter


def standing(board: str) -> float:
    """Return by how much White stands better."""
    heavy = sum(_VALUES[piece] for piece in board.lower() if piece in "nbrq")
    ending = heavy <= _FEW
    return sum(_worth(piece, square, ending) for square, piece in enumerate(board) if piece != EMPTY)


@cache
def _worth(piece: str, square: int, ending: bool) -> float:
    """Return the value of a piece for White; it is negative for a piece of Black."""
    if piece.islower():
        return -_worth(piece.upper(), square ^ 56, ending)
    row, column = divmod(square, 8)
    away = abs(row - 3.5) + abs(column - 3.5)  # from the middle: 1 to 7
    kind = piece.lower()
    bonus = {
        "p": 4 * row + (12 if column in (3, 4) and row in (3, 4) else 0) + (row**2 if ending else 0),
        "n": 20 - 8 * away,
        "b": 12 - 5 * away,
        "r": 15 if row == 6 else 4 - abs(column - 3.5),
        "q": 6 - 2 * away - (4 if row > 4 else 0),
        "k": 20 - 9 * away if ending else (15 - 12 * row + 5 * abs(column - 3.5)),
    }[kind]
    return _VALUES[kind] + bonus
