"""Gomoku: five stones in a row, on 15x15 or 19x19 points.

With the option `swap2`, the opening of tournaments, the players take colours when three or five stones are there.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from math import tanh

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
from pbmserv.games.formats.sgf import BLACK_FIRST, WHITE_FIRST, Dialect, Properties, point, stones
from pbmserv.rng import Rng

EMPTY = "."
SIGNS = "XO"  #: by seat: Black begins
SIZES = {15 * 15: Grid(15, 15), 19 * 19: Grid(19, 19)}  #: by the number of points
_ROW = 5
SWAP2 = "swap2"
THREE, TAKE, TWO, TAKE_LAST = "three", "take", "two", "take-last"  #: phases of this opening, in order
WHITE, BLACK, PUT_TWO = "white", "black", "two"
#: By phase: the words that are moves, and what the picture says.
_WORDS = {TAKE: (WHITE, BLACK, PUT_TWO), TAKE_LAST: (WHITE, BLACK)}
_TOLD = {
    THREE: "Player 1 puts three stones: a black one, a white one and a black one.",
    TAKE: "Player 2 sends white or black to take a colour, or two to put two more stones.",
    TWO: "Player 2 puts a white stone and a black one. Then Player 1 takes a colour.",
    TAKE_LAST: "Player 1 sends white or black to take a colour.",
}
_IN_THREE, _IN_ALL = 3, 5  #: stones that are there when a player takes a colour
_PIECES = {"X": (Piece("black", "X", art="stone-dark"),), "O": (Piece("white", "O", art="stone"),), EMPTY: ()}


@dataclass(frozen=True, slots=True)
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


def _root(sheet: Sheet) -> Properties:
    return {"SZ": [str(sheet.first.grid.columns)]}


def _setup(position: Position) -> Properties:
    points = (point(position.grid, number) for number in range(position.grid.size))
    return stones({"X": "AB", "O": "AW"}, zip(position.points, points, strict=True))


def _move(ply: Ply) -> Properties:
    """Return the stone of a move. To take a colour is no move in SGF: what follows shows who has which."""
    if ply.text in _WORDS[TAKE]:
        return {}
    position, grid = ply.position, ply.position.grid
    return {BLACK_FIRST[SIGNS.index(_piece(position, ply.seat))]: [point(grid, grid.square(ply.text))]}


def _colours(sheet: Sheet) -> str:
    return WHITE_FIRST if sheet.board.position.black else BLACK_FIRST


def _piece(position: Position, seat: Seat) -> str:
    """Return the stone that a seat puts next. In the opening swap2, black and white ones alternate."""
    return SIGNS[position.stones % 2 if position.phase else seat != position.black]


class Gomoku(InTurn[Position, str]):
    """Two players, no chance, nothing hidden. A move is the name of a point."""

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
    names = ("Black", "White")
    position_type = Position
    draws = frozenset({"full"})
    formats = (Dialect(4, _root, _setup, _move, _colours).format,)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        size = int(options.get("size", "15"))
        return Position(EMPTY * size * size, exact="exact" in options, phase=THREE if SWAP2 in options else "")

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        """With swap2 a seat has no colour before the players have taken theirs."""
        return ("Player 1", "Player 2") if SWAP2 in options else self.seat_names(seats)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        if position.phase in _WORDS:
            return _WORDS[position.phase]
        names = _names(position.grid)
        return [names[point] for point, stone in enumerate(position.points) if stone == EMPTY]

    def format(self, move: str) -> str:
        return move

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        words = _WORDS.get(position.phase, ())
        is_free = not words and _stone(position, text) == EMPTY
        return (text,) if is_free or text in words else ()

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        if words := _WORDS.get(position.phase):
            return f"'{text}' is not possible: now you choose one of the words {', '.join(words)}."
        if text in _WORDS[TAKE] and position.phase:
            return f"'{text}' is not possible: first all stones of the opening are put down."
        if text in _WORDS[TAKE]:
            return f"'{text}' is not possible: colours are taken only in the opening of the option -swap2."
        if not _stone(position, text):
            return f"'{text}' is not possible: this board has {position.grid.columns} points on each side."
        return f"'{text}' is not possible: {text} is occupied."

    def example(self, position: Position, seat: Seat) -> str:
        """Return the empty point that is nearest to the middle."""
        if position.phase in _WORDS:
            return WHITE
        middle = (position.grid.columns - 1) / 2

        def distance(name: str) -> float:
            row, column = divmod(position.grid.square(name), position.grid.columns)
            return abs(row - middle) + abs(column - middle)

        return min(moves_of(self, position, seat), key=distance)

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        if move == PUT_TWO:
            return Step(replace(position, phase=TWO))
        if move in (WHITE, BLACK):
            black = seat if move == BLACK else 1 - seat
            return Step(replace(position, phase="", black=black, turn=1 - black, taken=True))
        square = position.grid.square(move)
        points = position.points[:square] + _piece(position, seat) + position.points[square + 1 :]
        after = replace(position, points=points)
        if position.phase:
            return Step(_in_opening(after))
        return Step(replace(after, turn=1 - seat, won=_wins(position, points, square)))

    def end(self, position: Position) -> str:
        full = "" if EMPTY in position.points else "full"
        return "five" if position.won else full

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Five points in a line with stones of one player only: the more stones, the better, and more so in turn."""
        columns, points = position.grid.columns, position.points
        free, own, other = (bits.of(points, columns, sign) for sign in (EMPTY, SIGNS[seat], SIGNS[1 - seat]))
        value = (1.5 if position.turn == seat else 1) * _rows(own, free | own, columns)
        value -= (1 if position.turn == seat else 1.5) * _rows(other, free | other, columns)
        return tanh(value / 400)

    def picture(self, view: View[Position]) -> Picture:
        grid, wins = view.position.grid, _winning(view.position)
        cells = [_cell(grid, point, stone, point in wins) for point, stone in enumerate(view.position.points)]
        return on_grid(grid, cells, _told(view.position))


_ROWS = (0, 1, 6, 30, 200, 0)  #: for robots: what stones in a line of five points are worth


def _rows(pieces: int, room: int, columns: int) -> int:
    """Return what a colour's stones are worth in all lines of five points in which there is room for five of them."""
    value = 0
    for step in bits.steps(columns):
        lines, none, some = room, room, [0] * _ROW  # some[n]: the lines with n + 1 stones
        for shift in range(0, step * _ROW, step):
            stone = pieces >> shift
            lines &= room >> shift
            for n in range(_ROW - 1, 0, -1):
                some[n] = some[n] & ~stone | some[n - 1] & stone
            some[0] = some[0] & ~stone | none & stone
            none &= ~stone
        value += sum(worth * (windows & lines).bit_count() for worth, windows in zip(_ROWS[1:], some, strict=True))
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


def _winning(position: Position) -> set[int]:
    """Return the points of the rows that won, if the last move did."""
    stones = (point for point, stone in enumerate(position.points) if position.won and stone != EMPTY)
    return {point for start in stones for row in _rows_through(position, position.points, start) for point in row}


def _in_opening(position: Position) -> Position:
    """Return the position of the opening swap2 after a stone was put: when all are there, the other player chooses."""
    if position.phase == THREE and position.stones == _IN_THREE:
        return replace(position, phase=TAKE, turn=1)
    if position.phase == TWO and position.stones == _IN_ALL:
        return replace(position, phase=TAKE_LAST, turn=0)
    return position


def _told(position: Position) -> tuple[str, ...]:
    """Return the line below a board with the opening swap2."""
    if position.phase:
        return (_TOLD[position.phase],)
    return (f"Black: Player {position.black + 1}, White: Player {2 - position.black}",) if position.taken else ()


def _stone(position: Position, name: str) -> str:
    """Return what lies on a point; "" if the board has no such point."""
    try:
        return position.points[position.grid.square(name)]
    except ValueError:
        return ""


def _wins(position: Position, points: str, last: int) -> bool:
    """Return whether the stone on `last` made a row that wins."""
    return any(_rows_through(position, points, last))


def _rows_through(position: Position, points: str, last: int) -> list[list[int]]:
    """Return the rows through the stone on `last` that win."""
    stone, grid = points[last], position.grid

    def run(direction: int) -> list[int]:
        return list(takewhile(lambda point: points[point] == stone, grid.ray(last, direction)))

    rows = ([last, *run(direction), *run(direction + 4)] for direction in range(4))
    return [row for row in rows if len(row) == _ROW or (not position.exact and len(row) > _ROW)]
