"""Four in a row: discs fall into columns, and four of one colour in a line win."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import tanh

from pbmserv.games.base import Cell, Info, InTurn, Option, Options, Picture, Piece, Seat, Step, View, moves_of
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.picture import WIN, on_grid
from pbmserv.rng import Rng

SIGNS = "RY"  #: by seat: Red moves first
SIZES = {"7x6": Grid(7, 6), "8x7": Grid(8, 7), "8x8": Grid(8, 8), "9x7": Grid(9, 7), "10x7": Grid(10, 7)}
_USUAL = "7x6"
_OTHERS = tuple(size for size in SIZES if size != _USUAL)
_ROW = 4  #: discs that win
_PIECES = {"R": (Piece("red", "R", art="disc"),), "Y": (Piece("yellow", "Y", art="disc-star"),), ".": ()}
_ZUGZWANG = 20  #: how much more a missing disc counts where its owner gets the row in the end


@dataclass(frozen=True, slots=True)
class Position:
    """`squares`: R, Y or a dot for each square, a1 b1 … from the lowest row up; `won`: whether the last move won."""

    squares: str
    size: str = _USUAL
    turn: Seat = 0
    won: bool = False

    @property
    def grid(self) -> Grid:
        """The board."""
        return SIZES[self.size]


class FourInARow(InTurn[Position, str]):
    """Two players, no chance, nothing hidden. A move is the name of the square where the disc comes to lie."""

    info = Info(
        key="four",
        name="Four in a Row",
        kind="connection",
        aliases=("fourinarow",),
        summary="Drop discs into columns, and get four in a line before your opponent does.",
        seats=(2,),
        pattern="[a-j][1-8]?|[1-9]|10",
        endings={"row": "four in a row", "full": "the board is full"},
        credit="a game of sailors that is called The Captain's Mistress.",
        options=(Option("size", "columns and rows of the board, if not 7x6", values=_OTHERS, usual=_USUAL),),
        nodes=(4, 600, 5000),
    )
    names = ("Red", "Yellow")
    position_type = Position
    draws = frozenset({"full"})
    said_signs = dict.fromkeys(("column", "row", "spalte", "reihe"), "")

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        size = options.get("size", _USUAL)
        return Position("." * SIZES[size].size, size)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return [square for column in range(position.grid.columns) if (square := _landing(position, column))]

    def format(self, move: str) -> str:
        return move

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        """The square, the letter of its column or the number of that."""
        column = _column(text)
        square = _landing(position, column) if column < position.grid.columns else ""
        return [square] if square and text in (square, square[0], str(column + 1)) else []

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        column = _column(text)
        if column >= position.grid.columns:
            return f"'{text}' is not possible: this board has {position.grid.columns} columns."
        letter, square = chr(65 + column), _landing(position, column)
        if not square:
            return f"'{text}' is not possible: column {letter} is full."
        return f"'{text}' is not possible: a disc in column {letter} falls to {square}."

    def example(self, position: Position, seat: Seat) -> str:
        """Return a move as near to the middle as possible."""
        middle = (position.grid.columns - 1) / 2
        return min(moves_of(self, position, seat), key=lambda move: abs(_column(move) - middle))

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        square, squares = position.grid.square(move), position.squares
        after = squares[:square] + SIGNS[seat] + squares[square + 1 :]
        return Step(Position(after, position.size, 1 - seat, won=_wins(position.grid, after, square)))

    def end(self, position: Position) -> str:
        full = "" if "." in position.squares else "full"
        return "row" if position.won else full

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Each line of four squares where only one player has discs counts, the more discs the more.

        With an even number of rows, the last columns are filled in pairs, so that Red gets the odd rows and Yellow the
        even ones. There a disc that is missing counts more (V. Allis, "A Knowledge-Based Approach of Connect-Four",
        1988).
        """
        squares, grid, value = position.squares, position.grid, 0
        paired = grid.rows % 2 == 0
        for line in _lines(grid):
            signs = {squares[s] for s in line}
            if len(signs) == 2 and "." in signs:
                owner = 0 if SIGNS[0] in signs else 1
                missing = [s for s in line if squares[s] == "."]
                threat = (_ROW - len(missing)) ** 3
                if paired and len(missing) == 1 and missing[0] // grid.columns % 2 == owner:
                    threat += _ZUGZWANG
                value += threat if owner == seat else -threat
        return tanh(value / 60)

    def picture(self, view: View[Position]) -> Picture:
        grid, wins = view.position.grid, _winning(view.position)
        cells = [_cell(grid, s, sign, s in wins) for s, sign in enumerate(view.position.squares)]
        return on_grid(grid, cells)


@cache  # at most 80 squares on a board, and what can be there
def _cell(grid: Grid, square: int, sign: str, wins: bool) -> Cell:
    return Cell(grid.name(square), "blue", _PIECES[sign], state=WIN * wins, art="hole")


def _winning(position: Position) -> set[int]:
    """Return the squares of the lines that won."""
    sign, lines = SIGNS[1 - position.turn], _lines(position.grid) if position.won else ()
    return {square for line in lines if all(position.squares[s] == sign for s in line) for square in line}


@cache
def _lines(grid: Grid) -> tuple[tuple[int, ...], ...]:
    """Return all lines of four squares."""
    rays = ((s, *grid.ray(s, direction)[: _ROW - 1]) for s in range(grid.size) for direction in range(4))
    return tuple(ray for ray in rays if len(ray) == _ROW)


def _column(text: str) -> int:
    """Return the number of the column that a move names, from 0."""
    return int(text) - 1 if text.isdigit() else ord(text[0]) - ord("a")


def _landing(position: Position, column: int) -> str:
    """Return the square to which a disc falls; "" if the column is full."""
    grid = position.grid
    free = (s for s in range(column, grid.size, grid.columns) if position.squares[s] == ".")
    lowest = next(free, None)
    return "" if lowest is None else grid.name(lowest)


def _wins(grid: Grid, squares: str, last: int) -> bool:
    """Return whether the disc on `last` belongs to four or more in a line."""
    sign = squares[last]

    def run(direction: int) -> int:
        ray = grid.ray(last, direction)
        return next((n for n, square in enumerate(ray) if squares[square] != sign), len(ray))

    return any(1 + run(direction) + run(direction + 4) >= _ROW for direction in range(4))
