"""How men move, in Ralph Betza's notation of 1996, and what follows from it for each square of a board.

`W` is one step straight, `F` one diagonally, `D` two straight, `A` two diagonally, `N` the knight's leap; `R B Q K` as
in chess. A letter twice rides on: `NN`. Before it stand directions (`f` forward, `b` backward, `s` sideways), `m` only
moving, `c` only capturing, `n` lame (blocked by what stands between) and `p` over exactly one man. `fN` is the two
leaps straight ahead. `Z` leaps three squares straight and two to the side, and `o` goes neither over nor onto its like.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.grid import Grid

_PART = re.compile("([a-z]*)([A-Z])(\\2?)")
_LEAPS = {"W": (0, 1), "F": (1, 1), "D": (0, 2), "A": (2, 2), "N": (1, 2), "Z": (2, 3)}
_LIKE = {"R": ("W", True), "B": ("F", True), "W": ("W", False), "F": ("F", False)}
_SEVERAL = {"Q": "RB", "K": "WF"}


class Track(NamedTuple):
    """A way of a man over a board: one step or leap, or a line of them.

    `squares`: those on the way, the nearest first. `via`: what must be empty for a lame leap. `hops`: it goes
    on behind the first man that stands on it. `shuns`: but not if that is its like, nor onto its like.
    """

    squares: tuple[int, ...]
    moves: bool = True  #: to empty squares
    captures: bool = True
    via: tuple[int, ...] = ()
    hops: bool = False
    shuns: bool = False


class _Leap(NamedTuple):
    east: int
    north: int
    rides: bool
    marks: str  #: of `mcnpo`


def ways(betza: str, grid: Grid, seat: Seat, square: int) -> tuple[Track, ...]:
    """Return the ways of a man from a square."""
    return tuple(way for leap in _leaps(betza) if (way := _way(leap, grid, seat, square)).squares)


def _way(leap: _Leap, grid: Grid, seat: Seat, square: int) -> Track:
    row, column = divmod(square, grid.columns)
    ahead = 1 if seat == 0 else -1
    east, north, squares, via = leap.east, leap.north * ahead, list[int](), tuple[int, ...]()
    while 0 <= (row := row + north) < grid.rows and 0 <= (column := column + east) < grid.columns:
        squares.append(row * grid.columns + column)
        if not leap.rides:
            break
    if "n" in leap.marks:
        via = tuple(square + rank * grid.columns + file for file, rank in _between(east, north))
    marks = leap.marks
    return Track(tuple(squares), "c" not in marks, "m" not in marks, via, "p" in marks, "o" in marks)


def _between(east: int, north: int) -> Iterator[tuple[int, int]]:
    """Yield the steps of a lame leap before the last one: straight on as long as it must, then diagonally."""
    far = max(abs(east), abs(north))
    for left in range(far - 1, 0, -1):
        yield _shorter(east, left), _shorter(north, left)


def _shorter(way: int, left: int) -> int:
    return max(way - left, 0) if way > 0 else min(way + left, 0)


def _leaps(betza: str) -> Iterator[_Leap]:
    for marks, atom, twice in _PART.findall(betza):
        for single in _SEVERAL.get(atom, atom):
            base, rides = _LIKE.get(single, (single, False))
            for east, north in sorted(_around(*_LEAPS[base])):
                if _goes(marks, base, east, north):
                    yield _Leap(east, north, rides or bool(twice), marks)


def _around(east: int, north: int) -> set[tuple[int, int]]:
    return {(x * a, y * b) for x, y in ((east, north), (north, east)) for a in (1, -1) for b in (1, -1)}


def _goes(marks: str, base: str, east: int, north: int) -> bool:
    """Return whether a leap has one of the directions that are named, if any is."""
    if not set(marks) & set("fbs"):
        return True
    if base == "N":
        return ("f" in marks and north == 2) or ("b" in marks and north == -2)
    return ("f" in marks and north > 0) or ("b" in marks and north < 0) or ("s" in marks and north == 0)
