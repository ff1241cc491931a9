"""Gomoku: five stones in a row, on 15x15 or 19x19 points.

With the option `swap2`, the opening of tournaments, the players take colours when three or five stones are there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from math import tanh
from typing import ClassVar, TypeVar

from pbmserv.games.base import (
    FIVE_LEVELS,
    Cell,
    Info,
    InTurn,
    Option,
    Options,
    Picture,
    Piece,
    Seat,
    Step,
    View,
    bits,
    moves_of,
)
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.picture import WIN, crossing, on_grid
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.base.values import changed
from pbmserv.games.formats.sgf import BLACK_FIRST, WHITE_FIRST, Dialect, Properties, point, stones
from pbmserv.rng import Rng

EMPTY = "."
SIGNS = "XO"  #: by seat: Black begins
SIZES = {side * side: Grid(side, side) for side in (7, 9, 11, 13, 15, 19)}  #: by the number of points
_ROW = 5
SWAP2 = "swap2"
THREE, TAKE, TWO, TAKE_LAST = "three", "take", "two", "take-last"  #: phases of this opening, in order
CHOOSE = "choose"  #: in place of TAKE in the opening of Renju
WHITE, BLACK, PUT_TWO = "white", "black", "two"
NO_STONE = "pass"  #: a move of Renju
#: By phase: the words that are moves, and what the picture says.
WORDS = {TAKE: (WHITE, BLACK, PUT_TWO), TAKE_LAST: (WHITE, BLACK), CHOOSE: (WHITE, BLACK)}
_TOLD = {
    THREE: "Player 1 puts three stones: a black one, a white one and a black one.",
    TAKE: "Player 2 sends white or black to take a colour, or two to put two more stones.",
    TWO: "Player 2 puts a white stone and a black one. Then Player 1 takes a colour.",
    TAKE_LAST: "Player 1 sends white or black to take a colour.",
    CHOOSE: "Player 2 sends white or black to take a colour.",
}
_IN_THREE, _IN_ALL = 3, 5  #: stones that are there when a player takes a colour
_PIECES = {"X": (Piece("black", "X", art="stone-dark"),), "O": (Piece("white", "O", art="stone"),), EMPTY: ()}


@dataclass(frozen=True)
class Position:
    """`points`: X for Black, O for White or a dot for each point, a1 b1 …; `exact`: six in a row do not win.

    `phase`: of the opening swap2, "" without it or after it; `black`: the seat that plays Black; `taken`: whether a
    player took this colour.
    """

    points: str
    turn: Seat = 0
    exact: bool = False
    won: bool = False
    phase: str = ""
    black: Seat = 0
    taken: bool = False

    @property
    def grid(self) -> Grid:
        """The board."""
        return SIZES[len(self.points)]

    @property
    def stones(self) -> int:
        """How many stones are there."""
        return len(self.points) - self.points.count(EMPTY)


T = TypeVar("T", bound=Position)


def sgf_root(sheet: Sheet) -> Properties:
    return {"SZ": [str(sheet.first.grid.columns)]}


def sgf_setup(position: Position) -> Properties:
    points = (point(position.grid, number) for number in range(position.grid.size))
    return stones({"X": "AB", "O": "AW"}, zip(position.points, points, strict=True))


def sgf_move(ply: Ply) -> Properties:
    """Return the stone of a move. To take a colour is no move in SGF: what follows shows who has which."""
    if ply.text in WORDS[TAKE]:
        return {}
    position, grid = ply.position, ply.position.grid
    where = point(grid, grid.square(ply.text)) if ply.text != NO_STONE else ""
    return {BLACK_FIRST[SIGNS.index(stone_of(position, ply.seat))]: [where]}


def sgf_colours(sheet: Sheet) -> str:
    return WHITE_FIRST if sheet.board.position.black else BLACK_FIRST


def stone_of(position: Position, seat: Seat) -> str:
    """Return the stone that a seat puts next. In the opening swap2, black and white ones alternate."""
    return SIGNS[position.stones % 2 if position.phase else seat != position.black]


class InARow(InTurn[T, str]):
    """Stones on points, and a row of them wins. A move is the name of a point; Gomoku and Renju are two such games."""

    names = ("Black", "White")
    draws = frozenset({"full"})
    opening: ClassVar[str] = SWAP2  #: the option with which players take colours
    worth: ClassVar[Sequence[int]] = (1, 6, 30, 200, 0)  #: for robots: of one and more stones in a line of five points

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        """With this option a seat has no colour before the players have taken theirs."""
        return ("Player 1", "Player 2") if self.opening in options else self.seat_names(seats)

    def legal_moves(self, position: T, seat: Seat) -> Sequence[str]:
        if position.phase in WORDS:
            return WORDS[position.phase]
        names = _names(position.grid)
        return [names[point] for point, stone in enumerate(position.points) if stone == EMPTY]

    def format(self, move: str) -> str:
        return move

    def named(self, position: T, seat: Seat, text: str) -> Sequence[str]:
        words = WORDS.get(position.phase, ())
        is_free = not words and _stone(position, text) == EMPTY
        return (text,) if is_free or text in words else ()

    def why_not(self, position: T, seat: Seat, text: str) -> str:
        if words := WORDS.get(position.phase):
            return f"'{text}' is not possible: now you choose one of the words {', '.join(words)}."
        if position.phase and not text[-1].isdigit():
            return f"'{text}' is not possible: first all stones of the opening are put down."
        if text in WORDS[TAKE]:
            return f"'{text}' is not possible: colours are taken only in the opening of the option -{self.opening}."
        if not _stone(position, text):
            return f"'{text}' is not possible: this board has {position.grid.columns} points on each side."
        return f"'{text}' is not possible: {text} is occupied."

    def example(self, position: T, seat: Seat) -> str:
        """Return the empty point that is nearest to the middle."""
        if position.phase in WORDS:
            return WHITE
        middle = (position.grid.columns - 1) / 2
        points = (move for move in moves_of(self, position, seat) if move[-1].isdigit())

        def distance(name: str) -> float:
            row, column = divmod(position.grid.square(name), position.grid.columns)
            return abs(row - middle) + abs(column - middle)

        return min(points, key=distance, default=NO_STONE)

    def apply(self, position: T, seat: Seat, move: str, rng: Rng) -> Step[T]:
        if move == PUT_TWO:
            return Step(changed(position, phase=TWO))
        if move in (WHITE, BLACK):
            black = seat if move == BLACK else 1 - seat
            return Step(changed(position, phase="", black=black, turn=1 - black, taken=True))
        square = position.grid.square(move)
        points = position.points[:square] + stone_of(position, seat) + position.points[square + 1 :]
        after = changed(position, points=points)
        if position.phase:
            return Step(self.in_opening(after))
        return self.placed(after, seat, square)

    def placed(self, after: T, seat: Seat, point: int) -> Step[T]:
        """Return the position after a stone of this seat was put on `point`, which `after` has already."""
        return Step(changed(after, turn=1 - seat, won=bool(self.rows_through(after, point))))

    def in_opening(self, position: T) -> T:
        """Return the position of the opening after a stone was put: when all are there, the other player chooses."""
        if position.phase == THREE and position.stones == _IN_THREE:
            return changed(position, phase=TAKE, turn=1)
        if position.phase == TWO and position.stones == _IN_ALL:
            return changed(position, phase=TAKE_LAST, turn=0)
        return position

    def wins(self, position: T, row: Sequence[int], beyond: str) -> bool:
        """Return whether an unbroken row wins. `beyond`: what lies on the points at its ends, one or two."""
        return len(row) == _ROW or (not position.exact and len(row) > _ROW)

    def rows_through(self, position: T, last: int) -> list[list[int]]:
        """Return the rows through the stone on `last` that win."""
        points, grid, rows = position.points, position.grid, list[list[int]]()
        for direction in range(4):
            rays = grid.ray(last, direction), grid.ray(last, direction + 4)
            runs = [list(takewhile(lambda point: points[point] == points[last], ray)) for ray in rays]
            beyond = "".join(points[p] for ray, run in zip(rays, runs, strict=True) for p in ray[len(run) :][:1])
            row = [last, *runs[0], *runs[1]]
            if self.wins(position, row, beyond):
                rows.append(row)
        return rows

    def winning(self, position: T) -> set[int]:
        """Return the points of the rows that won, if the last move did."""
        stones = (point for point, stone in enumerate(position.points) if position.won and stone != EMPTY)
        return {point for start in stones for row in self.rows_through(position, start) for point in row}

    def told(self, position: T) -> tuple[str, ...]:
        """Return the lines below the board: who does what in an opening in which colours are taken."""
        if position.phase:
            return (_TOLD[position.phase],)
        return (f"Black: Player {position.black + 1}, White: Player {2 - position.black}",) if position.taken else ()

    def end(self, position: T) -> str:
        full = "" if EMPTY in position.points else "full"
        return "five" if position.won else full

    def evaluate(self, position: T, seat: Seat) -> float:
        """Five points in a line with stones of one player only: the more stones, the better, and more so in turn."""
        columns, points = position.grid.columns, position.points
        colour = seat != position.black
        free, own, other = (bits.of(points, columns, sign) for sign in (EMPTY, SIGNS[colour], SIGNS[1 - colour]))
        value = (1.5 if position.turn == seat else 1) * _rows(own, free | own, columns, self.worth)
        value -= (1 if position.turn == seat else 1.5) * _rows(other, free | other, columns, self.worth)
        return tanh(value / 400)

    def picture(self, view: View[T]) -> Picture:
        grid, wins = view.position.grid, self.winning(view.position)
        cells = [_cell(grid, point, stone, point in wins) for point, stone in enumerate(view.position.points)]
        return on_grid(grid, cells, self.told(view.position))


class Gomoku(InARow[Position]):
    """Two players, no chance, nothing hidden."""

    info = Info(
        key="gomoku",
        name="Gomoku",
        kind="connection",
        aliases=("fiveinarow",),
        summary="Put five stones in a row before your opponent does.",
        seats=(2,),
        pattern=f"[a-s](?:1[0-9]|[1-9])|{WHITE}|{BLACK}|{PUT_TWO}",
        endings={"five": "five in a row", "full": "the board is full"},
        nodes=FIVE_LEVELS,
        credit="an old game of Japan.",
        options=(
            Option("size", "points of a side, if not 15", values=("19",), usual="15"),
            Option("exact", "exactly five in a row win, six or more do not"),
            Option(SWAP2, "players take colours after three or five stones"),
        ),
    )
    position_type = Position
    formats = (Dialect(4, sgf_root, sgf_setup, sgf_move, sgf_colours).format,)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        size = int(options.get("size", "15"))
        return Position(EMPTY * size * size, exact="exact" in options, phase=THREE if SWAP2 in options else "")


def _rows(pieces: int, room: int, columns: int, worth: Sequence[int]) -> int:
    """Return what a colour's stones are worth in all lines of points in which there is room for so many of them."""
    value, length = 0, len(worth)
    for step in bits.steps(columns):
        lines, none, some = room, room, [0] * length  # some[n]: the lines with n + 1 stones
        for shift in range(0, step * length, step):
            stone = pieces >> shift
            lines &= room >> shift
            for n in range(length - 1, 0, -1):
                some[n] = some[n] & ~stone | some[n - 1] & stone
            some[0] = some[0] & ~stone | none & stone
            none &= ~stone
        value += sum(each * (windows & lines).bit_count() for each, windows in zip(worth, some, strict=True))
    return value


@cache
def _names(grid: Grid) -> tuple[str, ...]:
    return tuple(map(grid.name, range(grid.size)))


@cache  # 361 points, and what can lie there
def _cell(grid: Grid, point: int, stone: str, wins: bool) -> Cell:
    row, column = divmod(point, grid.columns)
    lines = crossing(grid.rows - 1 - row, column, grid.rows, grid.columns)
    art = "dot" if (row, column) in _stars(grid) else ""
    return Cell(grid.name(point), "wood", _PIECES[stone], state=WIN * wins, lines=lines, art=art)


@cache
def _stars(grid: Grid) -> frozenset[tuple[int, int]]:
    """Return the points with a dot, which help to find one's way: nine, or five on the small board."""
    middle, thirds = grid.rows // 2, (3, grid.rows // 2, grid.rows - 4)
    points = ((row, column) for row in thirds for column in thirds)
    return frozenset(p for p in points if grid.rows == 19 or (p[0] == middle) == (p[1] == middle))


def _stone(position: Position, name: str) -> str:
    """Return what lies on a point; "" if the board has no such point."""
    try:
        return position.points[position.grid.square(name)]
    except ValueError:
        return ""
