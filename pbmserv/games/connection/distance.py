"""How far a side of Hex or Y is from its goal. Robots ask it for every position that they think about.

Sets of cells are whole numbers with a bit for each cell, so that a step of all cells of a set costs as much as one.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate, product
from operator import or_
from typing import NamedTuple

from pbmserv.games.connection.hexagons import EMPTY, Place

FAR = 99.0  #: more pieces than any way needs


class _Rhombus(NamedTuple):
    """The steps on a board of one size.

    `steps`: the cells that have a neighbour in a direction, and its distance in bits. `bridges`: the cells that a
    bridge leaves, the distances of the two cells between, and that of its end.
    """

    steps: tuple[tuple[int, int], ...]
    bridges: tuple[tuple[int, int, int, int], ...]


def missing(cells: str, side: int, piece: str, edges: tuple[int, int], steps: tuple[Place, ...]) -> float:
    """Return how many pieces have to be added to connect two edges; a little less if there are several such ways.

    A bridge counts as a connection. `edges`: the cells of both, with a bit for each.
    `steps`: to the neighbours of a cell, clockwise. FAR: no way is left.
    """
    first, last = edges
    for pieces, layer in enumerate(_layers(cells, side, piece, first, steps)):
        if ends := layer & last:
            return pieces - 0.1 * min(ends.bit_count(), 4)
    return FAR


def joining(cells: str, side: int, piece: str, edges: tuple[int, int, int], steps: tuple[Place, ...]) -> float:
    """Return how many pieces have to be added until one chain touches three edges, as `missing` does for two."""
    empty, best = _bits(cells, EMPTY), FAR
    one, two, three = (list(accumulate(_layers(cells, side, piece, edge, steps), or_)) for edge in edges)
    for (i, first), (j, second) in product(enumerate(one), enumerate(two)):
        both = first & second
        for k, third in enumerate(three if both else ()):
            if common := both & third:  # an empty cell was counted from each edge
                best = min(best, i + j + k - 2 * bool(common & empty) - 0.1 * min(common.bit_count(), 4))
                break
    return best


def _layers(cells: str, side: int, piece: str, first: int, steps: tuple[Place, ...]) -> Iterator[int]:
    """Yield the cells that are connected with an edge when no piece is added, one piece, and more."""
    own, empty = _bits(cells, piece), _bits(cells, EMPTY)
    board = _rhombus(side, steps)
    bridges = ((from_ & _moved(empty, -a) & _moved(empty, -b), to) for from_, a, b, to in board.bridges)
    ways = (*board.steps, *bridges)
    reached, layer, beyond = 0, own & first, empty & first
    while layer or beyond:
        fresh = layer
        reached |= layer
        while fresh:
            near = _around(fresh, ways) & ~reached
            beyond |= near & empty
            fresh = near & own
            layer |= fresh
            reached |= fresh
        yield layer
        layer, beyond = beyond & ~reached, 0


def _around(cells: int, ways: Sequence[tuple[int, int]]) -> int:
    neighbours = 0
    for from_, distance in ways:
        neighbours |= _moved(cells & from_, distance)
    return neighbours


def _moved(cells: int, distance: int) -> int:
    return cells << distance if distance >= 0 else cells >> -distance


def _bits(cells: str, piece: str) -> int:
    return int("".join("1" if there == piece else "0" for there in reversed(cells)), 2)


@cache
def edges_of(side: int, down: bool) -> tuple[int, int]:
    """Return the cells of the first and of the last row or column."""
    if down:
        row = (1 << side) - 1
        return row, row << side * (side - 1)
    column = sum(1 << side * y for y in range(side))
    return column, column << side - 1


@cache
def _rhombus(side: int, steps: tuple[Place, ...]) -> _Rhombus:
    def from_(*ways: Place) -> int:
        """Return the cells from which all of these ways stay on the board."""
        return sum(
            1 << y * side + x
            for y in range(side)
            for x in range(side)
            if all(0 <= x + dx < side and 0 <= y + dy < side for dx, dy in ways)
        )

    def distance(way: Place) -> int:
        return way[0] + way[1] * side

    bridges = []
    for one, two in zip(steps, (*steps[1:], steps[0]), strict=True):
        end = (one[0] + two[0], one[1] + two[1])
        bridges.append((from_(one, two, end), distance(one), distance(two), distance(end)))
    return _Rhombus(tuple((from_(step), distance(step)) for step in steps), tuple(bridges))
