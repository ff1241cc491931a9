"""How far a side of Hex is from its goal, against a search that goes from cell to cell."""

from collections import deque
from itertools import pairwise

import pytest

from pbmserv.games.connection.distance import FAR, edges_of, missing
from pbmserv.games.connection.hexagons import EMPTY
from pbmserv.rng import Rng

STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def slowly(cells: str, side: int, man: str, down: bool) -> float:
    """Return what `missing` returns: 0-1 breadth-first search over neighbours and bridges."""
    at = {(n % side, n // side): there for n, there in enumerate(cells)}
    found = {p: int(at[p] == EMPTY) for p in at if p[down] == 0 and at[p] in (man, EMPTY)}
    left = deque(sorted(found, key=found.__getitem__))
    while left:
        x, y = left.popleft()
        there = [(x + dx, y + dy) for dx, dy in STEPS]
        for one, two in pairwise([*there, there[0]]):
            if at.get(one) == at.get(two) == EMPTY:
                there.append((one[0] + two[0] - x, one[1] + two[1] - y))
        for p in there:
            more = int(at.get(p) == EMPTY)
            if at.get(p) in (man, EMPTY) and found[x, y] + more < found.get(p, FAR):
                found[p] = found[x, y] + more
                (left.append if more else left.appendleft)(p)
    ends = [found.get(p, FAR) for p in at if p[down] == side - 1]
    least = min(ends)
    return least if least == FAR else least - 0.1 * min(ends.count(least), 4)


@pytest.mark.parametrize("side", [3, 5, 11])
def test_the_same_as_from_cell_to_cell(side: int) -> None:
    rng = Rng("hex", side)
    for men in range(0, side * side + 1, 2):
        cells = "".join(rng.shuffled("RB" * (men // 2) + EMPTY * (side * side - men // 2 * 2)))
        for man, down in (("R", True), ("B", False)):
            assert missing(cells, side, man, edges_of(side, down), STEPS) == pytest.approx(
                slowly(cells, side, man, down)
            )


def test_no_way_is_left() -> None:
    assert missing("BBB" + 6 * EMPTY, 3, "R", edges_of(3, down=True), STEPS) == FAR
