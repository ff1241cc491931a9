"""Amazons: queens that shoot at squares, until one side cannot move. The rules of Walter Zamkauskas, 1988.

A move is an amazon's move and the arrow that it shoots from there: `d1-d7/g7`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import tanh
from typing import ClassVar

from pbmserv.games.base import FIVE_LEVELS, Cell, Info, InTurn, Option, Options, Picture, Piece, Seat, Step, View, bits
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.notation import parts
from pbmserv.games.base.picture import LAST, MADE, on_grid
from pbmserv.games.base.pieces import QUEENS
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.formats.sgf import WHITE_FIRST, Dialect, Properties, point, stones
from pbmserv.rng import Rng

SIGNS = "WB"  #: by seat: White moves first
ARROW = "x"
#: By the option `size`: where White's amazons begin. Black's stand opposite.
LAYOUTS = {"10": ("a4", "d1", "g1", "j4"), "6": ("a2", "b1", "e1", "f2")}
_GRIDS = {int(size) ** 2: Grid(int(size), int(size)) for size in LAYOUTS}
_AROUND = tuple(range(8))  #: all directions
_MOVE = re.compile(r"([a-j](?:10|[1-9]))-?([a-j](?:10|[1-9]))(?:[-/x]?([a-j](?:10|[1-9]))|\(([a-j](?:10|[1-9]))\))")
_PIECES = {
    "W": (Piece("white", "W", art="amazon"),),
    "B": (Piece("black", "B", art="amazon"),),
    ARROW: (Piece("", "\N{MULTIPLICATION X}", letter=ARROW, art="burnt"),),
    ".": (),
}


@dataclass(frozen=True, slots=True)
class Position:
    """`squares`: W, B, an arrow or a dot for each square, a1 b1 …; `stuck`: whether `turn` cannot move and has lost."""

    squares: str
    turn: Seat = 0
    stuck: bool = False

    @property
    def grid(self) -> Grid:
        """The board."""
        return _GRIDS[len(self.squares)]


def _root(sheet: Sheet) -> Properties:
    position = sheet.first
    return {"SZ": [str(position.grid.columns)], **_setup(position)}


def _setup(position: Position) -> Properties:
    """Return where all amazons and arrows are: 6x6 squares have no standard position."""
    points = (point(position.grid, square) for square in range(position.grid.size))
    return stones({"W": "AW", "B": "AB", ARROW: "AA"}, zip(position.squares, points, strict=True))


def _move(ply: Ply) -> Properties:
    """Return a move as three points: from where, to where, and where the arrow lands."""
    grid = ply.position.grid
    return {WHITE_FIRST[ply.seat]: ["".join(point(grid, grid.square(name)) for name in _names(ply.text))]}


class Amazons(InTurn[Position, str]):
    """Two players, no chance, nothing hidden. A move is its canonical text, because there are thousands of them."""

    info = Info(
        key="amazons",
        name="Amazons",
        kind="territory",
        summary="Move like a queen, block a square with an arrow, and keep room to move the longest.",
        seats=(2,),
        pattern=_MOVE.pattern,
        endings={"stuck": "the opponent cannot move"},
        nodes=(8, *FIVE_LEVELS[1:]),
        credit="El Juego de las Amazonas, (c) 1988 Walter Zamkauskas.",
        options=(Option("size", "a small board of 6 by 6 squares instead of 10 by 10", values=("6",), usual="10"),),
    )
    names = ("White", "Black")
    position_type = Position
    names_of_pieces = QUEENS
    said_signs: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("arrow", "shoot", "shoots", "shooting", "pfeil", "schießt"), "/"),
        **dict.fromkeys(("amazon", "amazone"), ""),
    }
    formats = (Dialect(18, _root, _setup, _move, colours=lambda _: WHITE_FIRST).format,)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        layout = LAYOUTS[options.get("size", "10")]
        side = int(options.get("size", "10"))
        grid = Grid(side, side)
        squares = ["."] * grid.size
        for name in layout:
            square = grid.square(name)
            squares[square] = "W"
            squares[square % side + (side - 1 - square // side) * side] = "B"
        return Position("".join(squares))

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return list(_moves(position, seat))

    def format(self, move: str) -> str:
        return move

    def spoken(self, written: str) -> str:
        return super().spoken(written).replace("/", ", arrow ")

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        if self.why_not(position, seat, text):
            return ()
        source, target, arrow = _names(text)
        return (f"{source}-{target}/{arrow}",)

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        """Return why a move is not possible; "" if it is."""
        grid, squares = position.grid, position.squares
        names, numbers = _names(text), _numbers(grid)
        for name in names:
            if name not in numbers:
                return f"'{text}' is not possible: there is no square {name} on this board."
        source, target, arrow = map(numbers.__getitem__, names)
        if squares[source] != SIGNS[seat]:
            return f"'{text}' is not possible: no amazon of yours is on {names[0]}."
        if target not in _reached(grid, squares, source):
            return f"'{text}' is not possible: the way from {names[0]} to {names[1]} is not free and straight."
        if arrow not in _reached(grid, _without(squares, source), target):
            return f"'{text}' is not possible: the arrow's way from {names[1]} to {names[2]} is not free and straight."
        return ""

    def example(self, position: Position, seat: Seat) -> str:
        return next(_moves(position, seat))

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        grid = position.grid
        source, target, arrow = map(_numbers(grid).__getitem__, _names(move))
        squares = list(position.squares)
        squares[source], squares[target] = ".", SIGNS[seat]
        squares[arrow] = ARROW
        after = "".join(squares)
        return Step(Position(after, 1 - seat, stuck=not _can_move(grid, after, 1 - seat)))

    def end(self, position: Position) -> str:
        return "stuck" if position.stuck else ""

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Who can reach more squares first, in moves of a queen, has more of the board."""
        squares, columns = position.squares, position.grid.columns
        free, own, other = (bits.of(squares, columns, sign) for sign in (".", SIGNS[seat], SIGNS[1 - seat]))
        value = bits.lead(own, other, free, lambda near: bits.slid(near, free, columns), len(squares))
        return tanh((value + (0.3 if position.turn == seat else -0.3)) / 15)

    def picture(self, view: View[Position]) -> Picture:
        grid = view.position.grid
        cells = [_cell(grid, square, there) for square, there in enumerate(view.position.squares)]
        return on_grid(grid, cells, top=(1,))

    def marks(self, text: str, mover: Seat, reader: Seat | None) -> Mapping[str, str]:
        """The arrow has a mark of its own, but not on the square that the amazon left: one sees where she came from."""
        source, target, arrow = _names(text)
        return {arrow: MADE, source: LAST, target: LAST}

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        """Return where the amazons and the arrows stand, from a1."""
        there = [(view.position.grid.name(n), sign) for n, sign in enumerate(view.position.squares) if sign != "."]
        men = [(name, sign) for sign in SIGNS for name, man in there if man == sign]
        return {"men": men, "burnt": [name for name, sign in there if sign == ARROW]}

    def caption(self, position: Position, move: str) -> str:
        return move.partition("-")[2].upper()


@cache  # 136 squares, and what can stand there
def _cell(grid: Grid, square: int, there: str) -> Cell:
    row, column = divmod(square, grid.columns)
    ground = "light" if (row + column) % 2 else "dark"
    return Cell(grid.name(square), ground, _PIECES[there])


def _names(text: str) -> tuple[str, str, str]:
    """Return the names of the squares in a move: the amazon's two and the arrow's."""
    source, target, arrow, in_brackets = parts(_MOVE, text)
    return source, target, arrow or in_brackets


def _moves(position: Position, seat: Seat) -> Iterator[str]:
    grid, squares = position.grid, position.squares
    names = _all_names(grid)
    for source in (s for s, piece in enumerate(squares) if piece == SIGNS[seat]):
        left = _without(squares, source)
        for target in _reached(grid, squares, source):
            begin = f"{names[source]}-{names[target]}/"
            for arrow in _reached(grid, left, target):
                yield begin + names[arrow]


def _without(squares: str, source: int) -> str:
    """Return the squares when an amazon has left: it can shoot over the square where it was."""
    return f"{squares[:source]}.{squares[source + 1 :]}"


def _reached(grid: Grid, squares: str, source: int) -> list[int]:
    """Return the squares to which a queen can go."""
    reached: list[int] = []
    for ray in _rays(grid, source):
        for square in ray:
            if squares[square] != ".":
                break
            reached.append(square)
    return reached


@cache
def _rays(grid: Grid, source: int) -> tuple[tuple[int, ...], ...]:
    return tuple(grid.ray(source, direction) for direction in range(8))


@cache
def _all_names(grid: Grid) -> tuple[str, ...]:
    return tuple(grid.name(square) for square in range(grid.size))


@cache
def _numbers(grid: Grid) -> Mapping[str, int]:
    """Return the squares by their names."""
    return {name: square for square, name in enumerate(_all_names(grid))}


def _can_move(grid: Grid, squares: str, seat: Seat) -> bool:
    """Return whether an amazon has an empty square beside it: then it can also shoot, at the square that it left."""
    own = (s for s, piece in enumerate(squares) if piece == SIGNS[seat])
    return any(squares[there] == "." for s in own for there in grid.neighbours(s, _AROUND))
