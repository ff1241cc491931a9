"""Area: who owns which point when the board is counted, and which stones are dead together."""

from collections.abc import Collection
from functools import lru_cache

from pbmserv.games.base import Seat
from pbmserv.games.territory.go.lattice import lattice_of
from pbmserv.games.territory.go.stones import EMPTY, SIGNS


def cleared(points: str, dead: Collection[int]) -> str:
    """Return the board without these stones."""
    return "".join(EMPTY if point in dead else stone for point, stone in enumerate(points)) if dead else points


@lru_cache(maxsize=64)
def owners(points: str) -> str:
    """Return X, O or a dot for each point: who has a stone there, or who alone surrounds it."""
    owned, known = list(points), set[int]()
    for start, stone in enumerate(points):
        if stone == EMPTY and start not in known:
            region, border = _region(points, start)
            known.update(region)
            if len(border) == 1:
                (owner,) = border
                for point in region:
                    owned[point] = owner
    return "".join(owned)


def area(points: str, seat: Seat) -> int:
    """Return how many points a seat owns."""
    return owners(points).count(SIGNS[seat])


@lru_cache(maxsize=16)
def groups(points: str) -> dict[int, tuple[int, ...]]:
    """Return for each stone all stones that live or die with it, in ascending order.

    These are the stones of its colour that are joined with it by stones of this colour and empty points. If one of them
    were alive, no point between them would belong to the enemy, and to count the others as dead would give it nothing.
    """
    neighbours, by_point = lattice_of(points).neighbours, dict[int, tuple[int, ...]]()
    for start, stone in enumerate(points):
        if stone == EMPTY or start in by_point:
            continue
        joined, known = [start], {start}
        for point in joined:
            for there in neighbours[point]:
                if there not in known and points[there] in (stone, EMPTY):
                    known.add(there)
                    joined.append(there)
        members = tuple(sorted(point for point in joined if points[point] == stone))
        by_point |= dict.fromkeys(members, members)
    return dict(sorted(by_point.items()))


def _region(points: str, start: int) -> tuple[list[int], set[str]]:
    """Return the empty points that are connected with this one, and the colours of the stones around them."""
    neighbours = lattice_of(points).neighbours
    region, known, border = [start], {start}, set[str]()
    for point in region:
        for there in neighbours[point]:
            if points[there] != EMPTY:
                border.add(points[there])
            elif there not in known:
                known.add(there)
                region.append(there)
    return region, border
