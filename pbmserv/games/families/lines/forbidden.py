"""The points that Black may not take in Renju, as section 9 of the rules of the Renju International Federation says.

All that a stone makes in one direction follows from five points on each side of it.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from pbmserv.games.base import bits
from pbmserv.games.base.grid import COMPASS, Grid

FIVE, OVERLINE, FOURS, THREES = "five", "overline", "fours", "threes"
_BLACK, _EMPTY, _EDGE = "X", ".", "O"  #: the edge stops a row as a white stone does
_REACH = 5


class Made(NamedTuple):
    """What a stone makes in one direction: how long its row is, how many fours, and where a three becomes four."""

    row: int
    fours: int
    fourths: tuple[int, ...]  #: the points, as steps from the stone, that make a straight four of a three


def forbidden_points(points: str, grid: Grid) -> dict[int, str]:
    """Return the empty points that Black may not take, and why not."""
    suspects = _suspects(points, grid.columns) & bits.of(points, grid.columns, _EMPTY)
    reasons = {point: judged(points, grid, point) for point, one in enumerate(_each(grid)) if one & suspects}
    return {point: reason for point, reason in reasons.items() if reason not in ("", FIVE)}


def _suspects(points: str, columns: int) -> int:
    """Return the points with four black stones near them in one direction, or two stones in each of two directions."""
    black, several, crossed = bits.of(points, columns, _BLACK), 0, 0
    for step in bits.steps(columns):
        near = [0] * 5  # near[n]: the points that have at least n stones near them
        for distance in range(1, _REACH + 1):
            for moved in (black << step * distance, black >> step * distance):
                for n in range(4, 1, -1):
                    near[n] |= near[n - 1] & moved
                near[1] |= moved
        crossed |= several & near[2] | near[4]
        several |= near[2]
    return crossed


def judged(points: str, grid: Grid, point: int) -> str:
    """Return what a black stone on an empty point is: FIVE wins; OVERLINE, FOURS and THREES are forbidden; else ""."""
    padded = points[:point] + _BLACK + points[point + 1 :] + _EDGE
    made = [_made(line(padded)) for line in _around(grid)[point]]
    if any(here.row == 5 for here in made):
        return FIVE
    if any(here.row > 5 for here in made):
        return OVERLINE
    if sum(here.fours for here in made) > 1:
        return FOURS
    if sum(bool(here.fourths) for here in made) < 2:
        return ""
    threes = (_is_three(padded[:-1], grid, point, way, here.fourths) for way, here in enumerate(made))
    return THREES if sum(threes) > 1 else ""


def _is_three(points: str, grid: Grid, point: int, way: int, fourths: tuple[int, ...]) -> bool:
    """A three counts if a stone that Black may put makes a straight four of it, and no five in another direction."""
    east, north = COMPASS[way]
    step = north * grid.columns + east
    return any(not judged(points, grid, point + steps * step) for steps in fourths)


_each = cache(bits.each)


@cache
def _around(grid: Grid) -> tuple[tuple[Callable[[str], str], ...], ...]:
    """Return for each point and each of four directions what takes the eleven points around it from a padded board."""
    edge = (grid.size,) * _REACH

    def getter(point: int, way: int) -> Callable[[str], str]:
        back, ahead = (grid.ray(point, direction) + edge for direction in (way + 4, way))
        order = [*back[_REACH - 1 :: -1], point, *ahead[:_REACH]]
        return lambda padded: "".join([padded[p] for p in order])

    return tuple(tuple(getter(point, way) for way in range(4)) for point in range(grid.size))


@cache  # at most 59,049 lines of three signs around a black stone
def _made(line: str) -> Made:
    fours, fourths = set[frozenset[int]](), list[int]()
    for empty in (n for n in range(1, 10) if line[n] == _EMPTY):
        row = _row(line, empty)
        if _REACH in row and len(row) == 5:
            fours.add(frozenset(row) - {empty})
        if _REACH in row and len(row) == 4 and _is_straight(_put(line, empty), row):
            fourths.append(empty - _REACH)
    return Made(len(_row(line, _REACH)), len(fours), tuple(fourths))


def _is_straight(line: str, row: range) -> bool:
    """Return whether this row of four can become exactly five at both ends."""
    ends = [end for end in (row[0] - 1, row[-1] + 1) if line[end] == _EMPTY and len(_row(line, end)) == 5]
    return len(ends) == 2


def _put(line: str, place: int) -> str:
    return line[:place] + _BLACK + line[place + 1 :]


def _row(line: str, place: int) -> range:
    """Return the unbroken row of black stones around a place, as if a black stone were there."""
    first = len(line[:place].rstrip(_BLACK))
    return range(first, len(line) - len(line[place + 1 :].lstrip(_BLACK)))
