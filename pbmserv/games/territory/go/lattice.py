"""The points of a Go board by number and by name. Point 0 is a1, and numbers go row by row north.

Columns are A to T without I, as in all books about this game.
"""

from functools import cache
from math import isqrt
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.grid import DIAGONAL, Grid
from pbmserv.rng import Rng

COLUMNS = "abcdefghjklmnopqrst"
SIZES = tuple(range(5, 20, 2))
_LARGE = 13  #: from this size on, the star points near the corners are on the fourth line, else on the third
_KEY = 1 << 60


class Lattice(NamedTuple):
    """What never changes on a board of one size. `keys`: by seat and point, for the hash of a position."""

    size: int
    names: tuple[str, ...]
    numbers: dict[str, int]
    neighbours: tuple[tuple[int, ...], ...]
    corners: tuple[tuple[int, ...], ...]  #: of each point, the points that are next to it diagonally
    stars: frozenset[int]
    keys: tuple[tuple[int, ...], tuple[int, ...]]


def lattice_of(points: str) -> Lattice:
    """Return the lattice of a board with these points."""
    return lattice(isqrt(len(points)))


@cache
def lattice(size: int) -> Lattice:
    """Return the lattice of a board with this number of points on each side."""
    grid = Grid(size, size)
    names = tuple(f"{COLUMNS[point % size]}{point // size + 1}" for point in range(grid.size))
    return Lattice(
        size=size,
        names=names,
        numbers={name: point for point, name in enumerate(names)},
        neighbours=tuple(map(grid.neighbours, range(grid.size))),
        corners=tuple(grid.neighbours(point, DIAGONAL) for point in range(grid.size)),
        stars=frozenset(handicap_points(size, 9 if size == SIZES[-1] else 5)),
        keys=(_keys(0, grid.size), _keys(1, grid.size)),
    )


def most_handicap(size: int) -> int:
    """Return how many handicap stones have a point: where two would stand side by side, only those of the corners."""
    return 0 if size < 7 else 4 if size < 9 else 9


def handicap_points(size: int, stones: int) -> tuple[int, ...]:
    """Return where 2 to 9 handicap stones stand: the fixed points of the Go Text Protocol, version 2, section 4.1.1."""
    low = 3 if size >= _LARGE else 2
    high, middle = size - 1 - low, size // 2
    corners = ((low, low), (high, high), (low, high), (high, low))
    sides = ((low, middle), (high, middle), (middle, low), (middle, high))
    centre = ((middle, middle),) if stones % 2 and stones > len(corners) else ()
    outer = (*corners, *sides)[: stones - len(centre)]
    return tuple(row * size + column for column, row in (*outer, *centre))


def _keys(seat: Seat, count: int) -> tuple[int, ...]:
    return tuple(Rng(f"go-{seat}", point).randrange(_KEY) for point in range(count))
