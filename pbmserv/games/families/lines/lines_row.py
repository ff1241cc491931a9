"""A game about lines as a row of data, and what all such games share."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, ClassVar

from pbmserv.games.base import InTurn, Seat, Step
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.in_turn import T
from pbmserv.games.families import GameRow
from pbmserv.games.families.lines.lines_helping import worked_turn

EMPTY = "."
Place = tuple[int, int, int]  #: column, row and layer, from 0

_STEPS = (0, 1, -1)
_WAYS: list[Place] = [w for w in product(_STEPS, _STEPS, _STEPS) if w > (0, 0, 0)]  #: one of each pair of opposite ones


@dataclass(frozen=True, eq=False, repr=False)
class LineRow(GameRow):
    """What is special about a game. Two players put stones down in turn, and a line of `length` of one of them wins.

    `sides`: of the boards that one can choose, all square, the usual one first; their stones lie on points, as in
    Gomoku. `size`: instead of that, columns, rows and layers of squares; two layers are drawn side by side.
    `loses`: who makes a line has lost. `names`: of the seats, `signs`: of their stones.
    On points: `only`: a longer row is no win of the first player. `forbids`: and he must not make one, nor two threes
    or two fours (Renju). `open`: a row of exactly `length` between two stones of the other player does not win.
    `twice`: after the first stone, a turn is two. `pairs`: a pair between two stones is captured, and so many win.
    On squares: `falls`: a stone falls as far as it can. `fringed`: the first and last column are full of stones.
    `pops`: instead, one of one's own in the lowest row can be taken out. `nested`: nine boards in one.
    `weakest`: how many positions robots of level 1 may make.
    """

    length: int
    sides: tuple[int, ...] = ()
    size: Place = (3, 3, 1)
    names: tuple[str, str] = ("Black", "White")
    signs: str = "XO"
    loses: bool = False
    only: bool = False
    forbids: bool = False
    open: bool = False
    twice: bool = False
    pairs: int = 0
    falls: bool = False
    fringed: bool = False
    pops: bool = False
    nested: bool = False
    weakest: int = 60
    page: str = field(default="lines", kw_only=True)
    kind: ClassVar[str] = "connection"

    @cached_property
    def grid(self) -> Grid:
        """The squares of all layers."""
        columns, rows, layers = self.size
        return Grid(2 * columns, rows * layers // 2) if layers > 1 else Grid(columns, rows)

    @cached_property
    def places(self) -> dict[Place, int]:
        """The squares by their places."""
        columns, rows, layers = self.size
        spots = product(range(columns), range(rows), range(layers))
        return {(x, y, z): (y + rows * (z // 2)) * self.grid.columns + x + columns * (z % 2) for x, y, z in spots}

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """The lines that decide: of nine boards, those inside one of them."""
        lines = lines_of(self.places, self.length)
        return tuple(line for line in lines if not self.nested or len(set(map(part_of, line))) == 1)

    @cached_property
    def through(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Those of them that each square is on."""
        return tuple(tuple(line for line in self.lines if square in line) for square in range(self.grid.size))

    @cached_property
    def below(self) -> dict[int, int]:
        """The square below each square, if stones fall; where there is none, one comes to lie."""
        down = (0, 0, 1) if self.size[2] > 1 else (0, 1, 0)
        places = self.places
        return {s: places[to] for at, s in places.items() if self.falls and (to := _moved(at, down, -1)) in places}

    @cached_property
    def start(self) -> str:
        """The squares before the first move. Fringes have stones of both in turn, from the lowest row up."""
        squares = [EMPTY] * self.grid.size
        if self.fringed:
            for (x, y, _), square in self.places.items():
                if x in (0, self.size[0] - 1):
                    squares[square] = self.signs[(y + (x > 0)) % 2]
        return "".join(squares)


class OfRow(InTurn[T, str]):
    """A game whose class has the row."""

    row: ClassVar[LineRow]

    def winner(self, position: T) -> Seat | None:
        last = super().winner(position)
        return 1 - last if self.row.loses and last is not None else last

    def shows(self, position: Any, move: str, step: Step[Any]) -> str:
        """Return what a move shows on the help page; "" for nothing."""
        return ("loses" if self.row.loses else "wins") * bool(step.position.won)

    def help_facts(self) -> Mapping[str, object]:
        return {"row": self.row, **worked_turn(self, self.shows)}


def part_of(square: int) -> int:
    """Return in which of nine boards a square is, from the south-west corner, row by row."""
    return square // 27 * 3 + square % 9 // 3


def lines_of(places: dict[Place, int], length: int) -> Iterator[tuple[int, ...]]:
    """Yield all straight lines of so many squares."""
    for start, way in product(places, _WAYS):
        line = [_moved(start, way, steps) for steps in range(length)]
        if line[-1] in places:
            yield tuple(places[at] for at in line)


def _moved(at: Place, way: Place, steps: int) -> Place:
    return at[0] + steps * way[0], at[1] + steps * way[1], at[2] + steps * way[2]
