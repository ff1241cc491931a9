"""Othello: discs between two of the other colour are turned over. The rules of the World Othello Federation.

Squares are named as players of the game do: a1 is at the top on the left. So row 1 of the grid is the top row here.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import tanh

from pbmserv.games.base import Cell, Info, InTurn, Options, Outcome, Picture, Piece, Seat, Step, View, bits
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.in_turn import leader, ranks_of
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.formats.sgf import BLACK_FIRST, Dialect, Properties, stones
from pbmserv.rng import Rng

GRID = Grid(8, 8)
SIGNS = "BW"  #: by seat: Black moves first
_FILES = "abcdefgh"
_PIECES = {"B": (Piece("black", "B", art="stone-dark"),), "W": (Piece("white", "W", art="stone"),), ".": ()}
_NAMES = tuple(GRID.name(square) for square in range(GRID.size))
#: From each square the lines on which at least one disc can be enclosed.
_LINES = tuple(
    tuple(ray for direction in range(8) if len(ray := GRID.ray(square, direction)) > 1) for square in range(GRID.size)
)


@dataclass(frozen=True, slots=True)
class Position:
    """`squares`: 64 characters, B, W or a dot, a1 b1 … h8; `over`: nobody can move any more."""

    squares: str
    turn: Seat = 0
    over: bool = False


_CORNER = (100, -20, 10, 5), (-20, -40, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1)
#: For robots: what a disc on each square is worth, from a1 on.
_WORTHS = tuple(_CORNER[min(r, 7 - r)][min(c, 7 - c)] for r in range(8) for c in range(8))
_ALIKE = tuple((w, bits.of("".join(".x"[w == worth] for worth in _WORTHS), 8, "x")) for w in sorted({*_WORTHS}))


def _root(sheet: Sheet) -> Properties:
    return {"SZ": ["8"]}


def _setup(position: Position) -> Properties:
    return stones({"B": "AB", "W": "AW"}, zip(position.squares, map(_point, _NAMES), strict=True))


def _move(ply: Ply) -> Properties:
    return {BLACK_FIRST[ply.seat]: [_point(ply.text)]}


def _point(name: str) -> str:
    """Return a square as two letters: in SGF, too, rows go down from the top."""
    return name[0] + _FILES[int(name[1]) - 1]


class Othello(InTurn[Position, int]):
    """Two players, no chance, nothing hidden. A move is the number of a square."""

    info = Info(
        key="othello",
        name="Othello",
        kind="territory",
        aliases=("reversi",),
        summary="Turn over discs between two of your own, and own most of them at the end.",
        seats=(2,),
        pattern="[a-h][1-8]",
        endings={"count": "nobody can move any more"},
        credit="Reversi (London, about 1883), with the opening of Goro Hasegawa.",
    )
    names = ("Black", "White")
    position_type = Position
    formats = (Dialect(2, _root, _setup, _move).format,)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        squares = ["."] * GRID.size
        for name, piece in (("d4", "W"), ("e5", "W"), ("e4", "B"), ("d5", "B")):
            squares[GRID.square(name)] = piece
        return Position("".join(squares))

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[int]:
        return [square for square in range(GRID.size) if enclosed(position.squares, square, seat)]

    def format(self, move: int) -> str:
        return _NAMES[move]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[int]:
        square = GRID.square(text)
        return (square,) if enclosed(position.squares, square, seat) else ()

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        """Two digits: some write the column first, and others the row."""
        if not re.fullmatch("[1-8][1-8]", text):
            return ()
        one, other = map(int, text)
        return tuple({f"{_FILES[one - 1]}{other}": "", f"{_FILES[other - 1]}{one}": ""})

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        if position.squares[GRID.square(text)] != ".":
            return f"'{text}' is not possible: there is a disc on {text} already."
        return f"'{text}' is not possible: it would turn no disc."

    def apply(self, position: Position, seat: Seat, move: int, rng: Rng) -> Step[Position]:
        squares = list(position.squares)
        for square in (move, *enclosed(position.squares, move, seat)):
            squares[square] = SIGNS[seat]
        after = "".join(squares)
        if _can_move(after, 1 - seat):
            return Step(Position(after, 1 - seat))
        if _can_move(after, seat):
            return Step(Position(after, seat), missed=(1 - seat,))
        return Step(Position(after, 1 - seat, over=True))

    def end(self, position: Position) -> str:
        return "count" if position.over else ""

    def outcome(self, position: Position) -> Outcome | None:
        """The empty squares are the winner's; of a draw, each has half of them."""
        if not position.over:
            return None
        black, white = self.scores(position)
        empty, winner = GRID.size - black - white, leader(black, white)
        more = (empty // 2, empty // 2) if winner is None else (empty, 0) if winner == 0 else (0, empty)
        return Outcome("count", ranks_of(winner), (black + more[0], white + more[1]))

    def scores(self, position: Position) -> tuple[int, ...]:
        return tuple(position.squares.count(piece) for piece in SIGNS)

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Corners count most, the squares beside an open corner are bad, and so are few possible moves."""
        free, own, other = (bits.of(position.squares, 8, sign) for sign in (".", SIGNS[seat], SIGNS[1 - seat]))
        value = sum(worth * ((own & alike).bit_count() - (other & alike).bit_count()) for worth, alike in _ALIKE)
        value += 8 * (_moves(own, other, free).bit_count() - _moves(other, own, free).bit_count())
        return tanh(value / 200)

    def picture(self, view: View[Position]) -> Picture:
        squares = view.position.squares
        cells = [Cell(name, "green", _PIECES[piece]) for name, piece in zip(_NAMES, squares, strict=True)]
        rows = tuple(tuple(cells[row * 8 : row * 8 + 8]) for row in range(8))
        black, white = self.scores(view.position)
        lines = (f"Discs: Black {black}, White {white}",)
        return Picture(rows, files=tuple("ABCDEFGH"), ranks=tuple("12345678"), lines=lines)


def enclosed(squares: str, square: int, seat: Seat) -> list[int]:
    """Return the squares of the discs that a move turns; none if it is not legal."""
    if squares[square] != ".":
        return []
    own, turned = SIGNS[seat], list[int]()
    for line in _LINES[square]:
        if squares[line[0]] in (own, "."):
            continue
        for length, there in enumerate(line):
            if squares[there] == own:
                turned += line[:length]
                break
            if squares[there] == ".":
                break
    return turned


def _moves(own: int, other: int, free: int) -> int:
    """Return the set of squares where a move of `own` turns discs of `other`."""
    targets = 0
    for step in bits.steps(8):
        ahead, back = own << step & other, own >> step & other
        while ahead or back:
            ahead, back = ahead << step, back >> step
            targets |= ahead | back
            ahead, back = ahead & other, back & other
    return targets & free


def _can_move(squares: str, seat: Seat) -> bool:
    return any(enclosed(squares, square, seat) for square in range(GRID.size))
