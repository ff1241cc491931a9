"""Stones on a Go board: chains, liberties, captures, suicide and positional superko.

A board is a text with X for Black, O for White or a dot for each point. Each position has a number of 60 bits, by which
it is known again: each stone has a number of its own, and exclusive or joins those of all stones (Zobrist).
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.territory.go.lattice import Lattice, lattice_of

EMPTY = "."
SIGNS = "XO"  #: by seat: Black begins


class Placed(NamedTuple):
    """A board after a stone was put down: the points, the stones that were taken, and the number of the position."""

    points: str
    taken: tuple[int, ...]
    key: int


def key_of(points: str) -> int:
    """Return the number of a position."""
    keys, key = lattice_of(points).keys, 0
    for point, stone in enumerate(points):
        if stone != EMPTY:
            key ^= keys[SIGNS.index(stone)][point]
    return key


def placed(points: str, key: int, seat: Seat, point: int) -> Placed | None:
    """Return the board after a stone of `seat` on an empty point; None if it would have no liberty (suicide)."""
    lattice = lattice_of(points)
    taken = _taken(points, lattice, seat, point)
    if not taken and not _breathes(points, lattice, seat, point):
        return None
    board = list(points)
    board[point] = SIGNS[seat]
    for there in taken:
        board[there] = EMPTY
    return Placed("".join(board), tuple(taken), _key_after(lattice, key, seat, point, taken))


def allowed(points: str, key: int, seat: Seat, seen: Collection[int]) -> Iterator[int]:
    """Yield the points where `seat` may put a stone. `seen`: the numbers of the positions that must not come again."""
    lattice, enemy, known = lattice_of(points), SIGNS[1 - seat], frozenset(seen)
    for point, stone in enumerate(points):
        if stone != EMPTY:
            continue
        around = [points[there] for there in lattice.neighbours[point]]
        taken = _taken(points, lattice, seat, point) if enemy in around else []
        free = taken or EMPTY in around or _breathes(points, lattice, seat, point)
        if free and _key_after(lattice, key, seat, point, taken) not in known:
            yield point


def _taken(points: str, lattice: Lattice, seat: Seat, point: int) -> list[int]:
    """Return the enemy's stones that have no liberty after a stone of `seat` on a point."""
    enemy, taken = SIGNS[1 - seat], list[int]()
    for there in lattice.neighbours[point]:
        if points[there] == enemy and there not in taken:
            taken += _without_liberty(points, lattice, there, point)
    return taken


def _breathes(points: str, lattice: Lattice, seat: Seat, point: int) -> bool:
    """Return whether a stone of `seat` on a point that takes nothing has a liberty, if only through its chain."""
    around, own = lattice.neighbours[point], SIGNS[seat]
    return any(points[there] == EMPTY for there in around) or any(
        points[there] == own and not _without_liberty(points, lattice, there, point) for there in around
    )


def _without_liberty(points: str, lattice: Lattice, start: int, filled: int) -> list[int]:
    """Return the chain of the stone on `start` if a stone on `filled` leaves it no liberty; [] if it has one."""
    neighbours, stone = lattice.neighbours, points[start]
    members, known = [start], {start, filled}
    for point in members:
        for there in neighbours[point]:
            if there not in known:
                if points[there] == EMPTY:
                    return []
                if points[there] == stone:
                    known.add(there)
                    members.append(there)
    return members


def _key_after(lattice: Lattice, key: int, seat: Seat, point: int, taken: Iterable[int]) -> int:
    key ^= lattice.keys[seat][point]
    for there in taken:
        key ^= lattice.keys[1 - seat][there]
    return key
