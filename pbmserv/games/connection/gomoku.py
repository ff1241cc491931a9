"""Gomoku: five stones in a row, on 15x15 or 19x19 points."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from pbmserv.games.base import Cell, Game, Info, Option, Options, Outcome, Picture, Piece, Seat, Step, View
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.picture import on_grid
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.formats.sgf import BLACK_FIRST, Dialect, Properties, point, stones
from pbmserv.rng import Rng

EMPTY = "."
MEN = "XO"  #: by seat: Black begins
SIZES = {15 * 15: Grid(15, 15), 19 * 19: Grid(19, 19)}  #: by the number of points
_ROW = 5
_PIECES = {"X": (Piece("black", "X"),), "O": (Piece("white", "O"),), EMPTY: ()}


@dataclass(frozen=True, slots=True)
class Position:
    """`points`: X for Black, O for White or a dot for each point, a1 b1 …; `exact`: six in a row do not win."""

    points: str
    turn: Seat = 0
    exact: bool = False
    won: bool = False

    @property
    def grid(self) -> Grid:
        """The board."""
        return SIZES[len(self.points)]


def _root(sheet: Sheet) -> Properties:
    return {"SZ": [str(sheet.first.grid.columns)]}


def _setup(position: Position) -> Properties:
    points = (point(position.grid, number) for number in range(position.grid.size))
    return stones({"X": "AB", "O": "AW"}, zip(position.points, points, strict=True))


def _move(ply: Ply) -> Properties:
    grid = ply.position.grid
    return {BLACK_FIRST[ply.seat]: [point(grid, grid.square(ply.text))]}


class Gomoku(Game[Position, str]):
    """Two players, no chance, nothing hidden. A move is the name of a point."""

    info = Info(
        key="gomoku",
        name="Gomoku",
        kind="connection",
        aliases=("fiveinarow",),
        summary="Put five stones in a row before your opponent does.",
        seats=(2,),
        pattern="[a-s](?:1[0-9]|[1-9])",
        endings={"five": "five in a row", "full": "the board is full"},
        credit="an old game of Japan.",
        options=(
            Option("size", "points of a side, if not 15", values=("19",)),
            Option("exact", "exactly five in a row win, six or more do not"),
        ),
    )
    position_type = Position
    formats = (Dialect(4, _root, _setup, _move).format,)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        size = int(options.get("size", "15"))
        return Position(EMPTY * size * size, exact="exact" in options)

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("Black", "White")

    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset() if self.outcome(position) else frozenset({position.turn})

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        names = _names(position.grid)
        return [names[point] for point, stone in enumerate(position.points) if stone == EMPTY]

    def format(self, move: str) -> str:
        return move

    def parse(self, position: Position, seat: Seat, text: str) -> str:
        """Return the move as the default does, but without listing hundreds of others."""
        wanted = self.normalise(text)
        if not self.is_move(wanted):
            raise self.not_a_move(position, seat, text)
        if _stone(position, wanted) != EMPTY:
            raise self.illegal(position, seat, wanted)
        return wanted

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        if not _stone(position, text):
            return f"'{text}' is not possible: this board has {position.grid.columns} points on each side."
        return f"'{text}' is not possible: {text} is occupied."

    def example(self, position: Position, seat: Seat) -> str:
        """Return the empty point that is nearest to the middle."""
        middle = (position.grid.columns - 1) / 2

        def distance(name: str) -> float:
            row, column = divmod(position.grid.square(name), position.grid.columns)
            return abs(row - middle) + abs(column - middle)

        return min(self.legal_moves(position, seat), key=distance)

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        point = position.grid.square(move)
        points = position.points[:point] + MEN[seat] + position.points[point + 1 :]
        return Step(Position(points, 1 - seat, position.exact, _wins(position, points, point)))

    def outcome(self, position: Position) -> Outcome | None:
        if position.won:
            return Outcome("five", ranks=(2, 1) if position.turn == 0 else (1, 2))
        return None if EMPTY in position.points else Outcome("full", ranks=(1, 1))

    def picture(self, view: View[Position]) -> Picture:
        grid = view.position.grid
        return on_grid(grid, [_cell(name, s) for name, s in zip(_names(grid), view.position.points, strict=True)])


@cache
def _names(grid: Grid) -> tuple[str, ...]:
    return tuple(map(grid.name, range(grid.size)))


@cache  # 361 points, and what can lie there
def _cell(name: str, stone: str) -> Cell:
    return Cell(name, "wood", _PIECES[stone])


def _stone(position: Position, name: str) -> str:
    """Return what lies on a point; "" if the board has no such point."""
    try:
        return position.points[position.grid.square(name)]
    except ValueError:
        return ""


def _wins(position: Position, points: str, last: int) -> bool:
    """Return whether the stone on `last` made a row that wins."""
    stone, grid = points[last], position.grid

    def run(direction: int) -> int:
        ray = grid.ray(last, direction)
        return next((n for n, point in enumerate(ray) if points[point] != stone), len(ray))

    rows = [1 + run(direction) + run(direction + 4) for direction in range(4)]
    return _ROW in rows or (not position.exact and max(rows) > _ROW)
