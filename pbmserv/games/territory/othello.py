"""Othello: discs between two of the other colour are turned over. The rules of the World Othello Federation.

Squares are named as players of the game do: a1 is at the top on the left. So row 1 of the grid is the top row here.
Other games of its family are rows of the same class (families/othellolike).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isqrt, tanh
from typing import ClassVar

from pbmserv.games.base import Cell, Info, InTurn, Options, Outcome, Picture, Piece, Seat, Step, View, bits
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.in_turn import leader, ranks_of
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.formats.sgf import BLACK_FIRST, Dialect, Properties, stones, text
from pbmserv.rng import Rng

GRID = Grid(8, 8)
SIGNS = "BW"  #: by seat: Black moves first
_FILES = "abcdefghij"
_PIECES = {"B": (Piece("black", "B", art="stone-dark"),), "W": (Piece("white", "W", art="stone"),), ".": ()}
_CORNER = (100, -20, 10, 5), (-20, -40, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1)


@dataclass(frozen=True, slots=True)
class Position:
    """`squares`: a character for each, B, W or a dot, a1 b1 … h8; `over`: nobody can move any more."""

    squares: str
    turn: Seat = 0
    over: bool = False


class _Table:
    """What never changes on a board of one size."""

    def __init__(self, side: int) -> None:
        self.grid = grid = Grid(side, side)
        self.names = tuple(map(grid.name, range(grid.size)))
        #: From each square the lines on which at least one disc can be enclosed.
        self.lines = tuple(
            tuple(ray for way in range(8) if len(ray := grid.ray(square, way)) > 1) for square in range(grid.size)
        )
        low = side // 2 - 1
        self.centre = tuple(row * side + column for row in (low, low + 1) for column in (low, low + 1))
        near = [min(n, side - 1 - n, len(_CORNER) - 1) for n in range(side)]
        worths = [_CORNER[row][column] for row in near for column in near]
        #: For robots: what a disc is worth, with the squares where it is.
        self.alike = tuple(
            (w, bits.of("".join(".x"[w == there] for there in worths), side, "x")) for w in sorted({*worths})
        )


@cache
def _table(side: int) -> _Table:
    return _Table(side)


def _root(sheet: Sheet) -> Properties:
    game = sheet.game
    rules = {} if game.info.key == "othello" else {"RU": [text(game.info.name)]}
    return {"SZ": [str(game.side)], **rules}  # type: ignore[attr-defined]  # only games of this module have the format


def _setup(position: Position) -> Properties:
    return stones({"B": "AB", "W": "AW"}, zip(position.squares, map(_point, _of(position.squares).names), strict=True))


def _move(ply: Ply) -> Properties:
    return {BLACK_FIRST[ply.seat]: [_point(ply.text)]}


def _point(name: str) -> str:
    """Return a square as two letters: in SGF, too, rows go down from the top."""
    return name[0] + _FILES[int(name[1:]) - 1]


def pattern(side: int) -> str:
    """Return the pattern of the squares of a board."""
    return f"[a-{_FILES[side - 1]}]" + (f"[1-{side}]" if side < 10 else "(?:10|[1-9])")


class Othello(InTurn[Position, int]):
    """Two players, no chance, nothing hidden. A move is the number of a square."""

    info = Info(
        key="othello",
        name="Othello",
        kind="territory",
        aliases=("reversi",),
        summary="Turn over discs between two of your own, and own most of them at the end.",
        seats=(2,),
        pattern=pattern(8),
        endings={"count": "nobody can move any more"},
        credit="Reversi (London, about 1883), with the opening of Goro Hasegawa.",
        nodes=(2, 600, 5000),
    )
    names = ("Black", "White")
    position_type = Position
    formats = (Dialect(2, _root, _setup, _move).format,)
    side: ClassVar[int] = 8
    loses: ClassVar[bool] = False  #: who has most discs has lost
    free: ClassVar[bool] = False  #: players put down the first four discs themselves

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        squares = ["."] * self.side**2
        if not self.free:
            for square, piece in zip(_table(self.side).centre, "WBBW", strict=True):
                squares[square] = piece
        return Position("".join(squares))

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[int]:
        if begins := self._begins(position.squares):
            return begins
        return [square for square in range(self.side**2) if enclosed(position.squares, square, seat)]

    def _begins(self, squares: str) -> list[int]:
        """Return the squares of the middle that are empty, if players put down the first discs themselves."""
        return [square for square in _table(self.side).centre if squares[square] == "."] if self.free else []

    def format(self, move: int) -> str:
        return _table(self.side).names[move]

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[int]:
        square = _table(self.side).grid.square(text)
        begins = self._begins(position.squares)
        is_legal = square in begins if begins else bool(enclosed(position.squares, square, seat))
        return (square,) if is_legal else ()

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        """Two digits: some write the column first, and others the row."""
        if not re.fullmatch(f"[1-{min(self.side, 9)}]{{2}}", text):
            return ()
        one, other = map(int, text)
        return tuple({f"{_FILES[one - 1]}{other}": "", f"{_FILES[other - 1]}{one}": ""})

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        if position.squares[_table(self.side).grid.square(text)] != ".":
            return f"'{text}' is not possible: there is a disc on {text} already."
        if begins := self._begins(position.squares):
            return f"'{text}' is not possible: the first discs come to the middle, such as {self.format(begins[0])}."
        return f"'{text}' is not possible: it would turn no disc."

    def apply(self, position: Position, seat: Seat, move: int, rng: Rng) -> Step[Position]:
        squares = list(position.squares)
        for square in (move, *enclosed(position.squares, move, seat)):
            squares[square] = SIGNS[seat]
        after = "".join(squares)
        if self._begins(after):
            return Step(Position(after, 1 - seat))
        if _can_move(after, 1 - seat):
            return Step(Position(after, 1 - seat))
        if _can_move(after, seat):
            return Step(Position(after, seat), missed=(1 - seat,))
        return Step(Position(after, 1 - seat, over=True))

    def end(self, position: Position) -> str:
        return "count" if position.over else ""

    def outcome(self, position: Position) -> Outcome | None:
        """The empty squares are the winner's; in a draw, each has half. Where most discs lose, they do not count."""
        if not position.over:
            return None
        black, white = self.scores(position)
        if self.loses:
            return Outcome("count", ranks_of(leader(white, black)), (black, white))
        empty, winner = self.side**2 - black - white, leader(black, white)
        more = (empty // 2, empty // 2) if winner is None else (empty, 0) if winner == 0 else (0, empty)
        return Outcome("count", ranks_of(winner), (black + more[0], white + more[1]))

    def scores(self, position: Position) -> tuple[int, ...]:
        return tuple(position.squares.count(piece) for piece in SIGNS)

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Corners count most, the squares beside an open corner are bad, and so are few possible moves."""
        side, squares = self.side, position.squares
        free, own, other = (bits.of(squares, side, sign) for sign in (".", SIGNS[seat], SIGNS[1 - seat]))
        alike = _table(side).alike
        value = sum(worth * ((own & there).bit_count() - (other & there).bit_count()) for worth, there in alike)
        value = -value if self.loses else value
        value += 8 * (_moves(own, other, free, side).bit_count() - _moves(other, own, free, side).bit_count())
        return tanh(value / 200)

    def picture(self, view: View[Position]) -> Picture:
        side, squares = self.side, view.position.squares
        names = _table(side).names
        cells = [Cell(name, "green", _PIECES[piece]) for name, piece in zip(names, squares, strict=True)]
        rows = tuple(tuple(cells[row * side : (row + 1) * side]) for row in range(side))
        black, white = self.scores(view.position)
        lines = (f"Discs: Black {black}, White {white}",)
        ranks = tuple(str(number + 1) for number in range(side))
        return Picture(rows, files=tuple(_FILES[:side].upper()), ranks=ranks, lines=lines)


def enclosed(squares: str, square: int, seat: Seat) -> list[int]:
    """Return the squares of the discs that a move turns; none if it is not legal."""
    if squares[square] != ".":
        return []
    own, turned = SIGNS[seat], list[int]()
    for line in _of(squares).lines[square]:
        if squares[line[0]] in (own, "."):
            continue
        for length, there in enumerate(line):
            if squares[there] == own:
                turned += line[:length]
                break
            if squares[there] == ".":
                break
    return turned


def _of(squares: str) -> _Table:
    return _table(isqrt(len(squares)))


def _moves(own: int, other: int, free: int, side: int) -> int:
    """Return the set of squares where a move of `own` turns discs of `other`."""
    targets = 0
    for step in bits.steps(side):
        ahead, back = own << step & other, own >> step & other
        while ahead or back:
            ahead, back = ahead << step, back >> step
            targets |= ahead | back
            ahead, back = ahead & other, back & other
    return targets & free


def _can_move(squares: str, seat: Seat) -> bool:
    return any(there == "." and enclosed(squares, square, seat) for square, there in enumerate(squares))
