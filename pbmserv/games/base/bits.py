"""Sets of squares as whole numbers, a bit for each square, because robots ask for thousands of them for one move.

The first square of a position has the highest bit. Between two rows is a bit that is in no set, so that a step over the
edge ends there, and does not come back on the other side.
"""

from collections.abc import Callable
from functools import cache

from pbmserv.games.base.grid import Grid


def of(squares: str, columns: int, piece: str) -> int:
    """Return the set of squares with this sign. `squares`: a sign for each, row by row."""
    rows = "\n".join([squares[i : i + columns] for i in range(0, len(squares), columns)])
    return int(rows.encode().translate(_digits(piece)), 2)


def each(grid: Grid) -> tuple[int, ...]:
    """Return the sets that have one square each, by the number of the square."""
    squares = ("." * n + "x" + "." * (grid.size - n - 1) for n in range(grid.size))
    return tuple(of(text, grid.columns, "x") for text in squares)


def steps(columns: int) -> tuple[int, int, int, int]:
    """Return by how many bits the squares of a row, a column and both diagonals are apart."""
    return 1, columns, columns + 1, columns + 2


def beside(cells: int, columns: int) -> int:
    """Return the squares that touch one of a set with a side, and others that are not on the board."""
    return cells << 1 | cells >> 1 | cells << columns + 1 | cells >> columns + 1


def around(cells: int, columns: int) -> int:
    """Return the squares that touch one of a set with a side or a corner, and others that are not on the board."""
    row = cells << 1 | cells | cells >> 1
    return row ^ cells | row << columns + 1 | row >> columns + 1


def slid(cells: int, free: int, columns: int) -> int:
    """Return the free squares to which a queen can go from a square of a set."""
    reached = 0
    for step in steps(columns):
        ahead = back = cells
        while ahead or back:
            ahead, back = ahead << step & free, back >> step & free
            reached |= ahead | back
    return reached


def lead(first: int, second: int, free: int, spread: Callable[[int], int], rounds: int) -> int:
    """Return how many more free squares the first set reaches before the second than the other way round.

    `spread`: the squares that a set reaches at once. `rounds`: how often it spreads at most.
    """
    difference, left_to_first, left_to_second = 0, free, free
    for _ in range(rounds):
        first, second = spread(first) & left_to_first, spread(second) & left_to_second
        if not (first or second):
            break
        left_to_first ^= first
        left_to_second ^= second
        difference += (first & left_to_second).bit_count() - (second & left_to_first).bit_count()
    return difference


@cache
def _digits(piece: str) -> bytes:
    """Return the table that makes 1 of a sign and 0 of all others."""
    return bytes(b"1"[0] if sign == ord(piece) else b"0"[0] for sign in range(256))
