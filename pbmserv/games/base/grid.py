"""Squares of a grid by number, for several games. Square 0 is the south-west corner; numbers go row by row north."""

from functools import cache
from typing import NamedTuple, TypeVar

T = TypeVar("T")

#: Steps (columns east, rows north) clockwise from north, and the names of the directions.
COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
COMPASS_NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
ORTHOGONAL, DIAGONAL = (0, 2, 4, 6), (1, 3, 5, 7)  #: indices into COMPASS


class Grid(NamedTuple):
    """A board of `columns` by `rows`; columns are A.., rows 1.. from the south."""

    columns: int
    rows: int

    @property
    def size(self) -> int:
        """How many squares there are."""
        return self.columns * self.rows

    def name(self, square: int) -> str:
        """Return the square's name in lower case: 0 is `a1`."""
        row, column = divmod(square, self.columns)
        return f"{chr(97 + column)}{row + 1}"

    def square(self, name: str) -> int:
        """Return the number of a square. `name` is in lower case. Raises ValueError if it is not on the board."""
        column, row = ord(name[0]) - 97, int(name[1:]) - 1
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            raise ValueError(f"{name} is not on the board")
        return row * self.columns + column

    def ray(self, square: int, direction: int) -> tuple[int, ...]:
        """Return the squares from `square` towards COMPASS[direction] without itself, nearest first."""
        return _rays(self)[square][direction]

    def neighbours(self, square: int, directions: tuple[int, ...] = ORTHOGONAL) -> tuple[int, ...]:
        """Return the adjacent squares in these directions, in the order of `directions`."""
        return _neighbours(self, directions)[square]


def replaced(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return a copy of `values` with another value in one place."""
    return (*values[:index], value, *values[index + 1 :])


@cache
def _rays(grid: Grid) -> tuple[tuple[tuple[int, ...], ...], ...]:
    return tuple(tuple(_ray(grid, s, *step) for step in COMPASS) for s in range(grid.size))


def _ray(grid: Grid, square: int, east: int, north: int) -> tuple[int, ...]:
    row, column = divmod(square, grid.columns)
    squares = []
    while 0 <= (row := row + north) < grid.rows and 0 <= (column := column + east) < grid.columns:
        squares.append(row * grid.columns + column)
    return tuple(squares)


@cache
def _neighbours(grid: Grid, directions: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(_rays(grid)[s][d][0] for d in directions if _rays(grid)[s][d]) for s in range(grid.size))
