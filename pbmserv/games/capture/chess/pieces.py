"""Chess: positions and moves as values, and where each piece can go on an empty board.

A board is a text of 64 characters, a1 b1 … h8: a dot for an empty square, else the letter of a piece as in FEN, in
upper case for White and in lower case for Black.
"""

from dataclasses import dataclass
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.grid import Grid

GRID = Grid(8, 8)
SQUARES = tuple(map(GRID.name, range(64)))  #: the names of the squares
NUMBERS = {name: square for square, name in enumerate(SQUARES)}
EMPTY = "."
SIDES = ("PNBRQK", "pnbrqk")  #: the pieces of each seat
NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
PROMOTIONS = "qrbn"  #: what a pawn can become, the usual one first

Squares = tuple[int, ...]


class Move(NamedTuple):
    """A move of one piece.

    `target`: in castling it is where the king goes, or in Fischer random chess where the rook stands. `rook`: where the
    rook stands in castling, else -1. `promotion`: one of PROMOTIONS or "".
    """

    source: int
    target: int
    promotion: str = ""
    rook: int = -1


@dataclass(frozen=True, slots=True)
class Position:
    """A position of chess.

    `rooks`: where the rooks stand that can still castle. `passed`: the square that a pawn has just passed over, if
    it can be captured there, else -1. `quiet`: plies since the last capture or move of a pawn. `past`: keys of this
    position and of those before it that can still come again. `over`: the ending, "" while the game goes on.
    """

    board: str
    turn: Seat = 0
    rooks: Squares = ()
    passed: int = -1
    quiet: int = 0
    past: tuple[str, ...] = ()
    over: str = ""
    fischer: bool = False


def _steps(*steps: tuple[int, int]) -> tuple[Squares, ...]:
    """Return for each square the squares that are so many columns and rows away."""
    return tuple(
        tuple(
            (row + north) * 8 + column + east
            for east, north in steps
            if 0 <= row + north < 8 and 0 <= column + east < 8
        )
        for row in range(8)
        for column in range(8)
    )


def _rays(*directions: int) -> tuple[tuple[Squares, ...], ...]:
    return tuple(tuple(filter(None, (GRID.ray(s, d) for d in directions))) for s in range(64))


KNIGHT = _steps((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING = _steps((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
PAWN_CAPTURES = (_steps((-1, 1), (1, 1)), _steps((-1, -1), (1, -1)))  #: by seat
RAYS = {"r": _rays(0, 2, 4, 6), "b": _rays(1, 3, 5, 7)}
RAYS["q"] = tuple(a + b for a, b in zip(*RAYS.values(), strict=True))
#: the squares on a line with each square
LINES = tuple(frozenset(s for ray in rays for s in ray) for rays in RAYS["q"])
FORWARD = (8, -8)  #: the step of a pawn, by seat
HOME = (0, 56)  #: the first square of the back rank, by seat
SECOND = (range(8, 16), range(48, 56))  #: where pawns begin, by seat
