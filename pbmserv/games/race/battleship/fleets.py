"""The ships of Sea Battle: how they are placed, and where they lie. A placed ship is the text of its move: `a1-a5`."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from pbmserv.games.base.grid import Grid
from pbmserv.rng import Rng

GRID = Grid(10, 10)
NAMES = tuple(map(GRID.name, range(GRID.size)))
_BY_NAME = {name: square for square, name in enumerate(NAMES)}
SQUARE = r"[a-z][1-9][0-9]?"
_ENDS = re.compile(rf"({SQUARE})-?({SQUARE})")

Fleet = tuple[str, ...]  #: the ships that are placed, in the order of SHIPS


class Ship(NamedTuple):
    """A kind of ship. Its sign stands on each of its squares."""

    name: str
    length: int
    sign: str


#: In the order in which they are placed.
SHIPS = (
    Ship("carrier", 5, "C"),
    Ship("frigate", 4, "F"),
    Ship("destroyer", 3, "D"),
    Ship("submarine", 3, "S"),
    Ship("gunboat", 2, "G"),
)


def square_of(name: str) -> int | None:
    """Return the number of a square; None if it is not on the board."""
    return _BY_NAME.get(name)


def ends_of(text: str) -> tuple[str, str] | None:
    """Return the names of the two squares in the text of a placement; None if it is none."""
    match = _ENDS.fullmatch(text)
    return (match[1], match[2]) if match else None


def between(one: str, other: str) -> tuple[int, ...]:
    """Return the squares from one to another in a row or column, the lowest first; () if they are not in line."""
    first, last = sorted((_BY_NAME[one], _BY_NAME[other]))
    step = 1 if first // GRID.columns == last // GRID.columns else GRID.columns
    return tuple(range(first, last + 1, step)) if (last - first) % step == 0 else ()


@cache  # there are 600 ways to place a ship
def squares_of(placed: str) -> tuple[int, ...]:
    """Return the squares of a placed ship."""
    one, _, other = placed.partition("-")
    return between(one, other)


@cache
def ways(length: int) -> tuple[str, ...]:
    """Return all ways to place a ship on an empty board."""
    texts = []
    for first in range(GRID.size):
        row, column = divmod(first, GRID.columns)
        if column + length <= GRID.columns:
            texts.append(f"{NAMES[first]}-{NAMES[first + length - 1]}")
        if row + length <= GRID.rows:
            texts.append(f"{NAMES[first]}-{NAMES[first + (length - 1) * GRID.columns]}")
    return tuple(texts)


def free_ways(fleet: Fleet) -> list[str]:
    """Return all ways to place the next ship. Ships may touch each other, but not overlap."""
    covered = {square for placed in fleet for square in squares_of(placed)}
    return [way for way in ways(SHIPS[len(fleet)].length) if covered.isdisjoint(squares_of(way))]


def completed(fleet: Fleet, rng: Rng) -> Fleet:
    """Return the fleet with all ships. Each way to place the next ship is equally likely."""
    while len(fleet) < len(SHIPS):
        fleet = (*fleet, rng.choice(free_ways(fleet)))
    return fleet


def ship_on(fleet: Sequence[str], square: int) -> int | None:
    """Return the number of the ship that covers a square; None if it is water."""
    return next((number for number, placed in enumerate(fleet) if square in squares_of(placed)), None)
