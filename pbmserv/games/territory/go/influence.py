"""What a position of Go is worth for robots: who seems to own which point while the game goes on."""

from collections import deque
from functools import lru_cache
from math import tanh

from pbmserv.games.base import Seat
from pbmserv.games.territory.go.lattice import lattice_of
from pbmserv.games.territory.go.phases import Position
from pbmserv.games.territory.go.stones import EMPTY, MEN

_REACH = 4  #: steps from a stone to the last point that it seems to own
_IN_ATARI, _SHORT = 0.8, 0.15  #: parts of a chain that seem lost if it has one liberty, or two
_EYE = 0.4  #: points that a point is worth whose neighbours all are of one colour: do not fill it


def worth(position: Position, seat: Seat) -> float:
    """Return by how many points a seat seems to lead, from -1 to 1.

    While dead stones are named, what is named changes nothing, so a robot names none: it offers the board as it stands.
    """
    black = _lead(position.points, position.turn) - position.komi / 2 - position.handicap
    named = len(position.count.dead) if position.count else 0
    told = 0.0 if position.count is None else 0.01 * named * (1 if position.turn == 1 else -1)
    value = tanh((black + told) / 15)
    return value if seat == 0 else -value


@lru_cache(maxsize=1 << 14)
def _lead(points: str, turn: Seat) -> float:
    """Return how many points Black seems to have more than White."""
    lattice = lattice_of(points)
    nearest = [_distances(points, man) for man in MEN]
    lead = 0.0
    for point, stone in enumerate(points):
        if stone == EMPTY:
            black, white = nearest[0][point], nearest[1][point]
            lead += (black < white and black <= _REACH) - (white < black and white <= _REACH)
            around = {points[there] for there in lattice.neighbours[point]}
            lead += _EYE * (around == {MEN[0]}) - _EYE * (around == {MEN[1]})
        else:
            lead += 1 if stone == MEN[0] else -1
    for man, sign in zip(MEN, (1, -1), strict=True):
        for size, liberties in _chains(points, man):
            lost = _IN_ATARI if liberties == 1 else _SHORT if liberties == 2 else 0
            # Whoever moves can save a chain of the own.
            lead -= sign * 2 * size * lost * (0.4 if MEN[turn] == man else 1)
    return lead


def _distances(points: str, man: str) -> list[int]:
    """Return how many steps each point is away from the nearest stone of a colour, over empty points."""
    neighbours, left = lattice_of(points).neighbours, deque[int]()
    found = [_REACH + 1] * len(points)
    for point, stone in enumerate(points):
        if stone == man:
            found[point] = 0
            left.append(point)
    while left:
        here = left.popleft()
        if found[here] < _REACH:
            for there in neighbours[here]:
                if points[there] == EMPTY and found[there] > found[here] + 1:
                    found[there] = found[here] + 1
                    left.append(there)
    return found


def _chains(points: str, man: str) -> list[tuple[int, int]]:
    """Return the size and the number of liberties of each chain of a colour."""
    neighbours, known, found = lattice_of(points).neighbours, set[int](), []
    for start, stone in enumerate(points):
        if stone != man or start in known:
            continue
        chain, liberties = [start], set[int]()
        known.add(start)
        for point in chain:
            for there in neighbours[point]:
                if points[there] == EMPTY:
                    liberties.add(there)
                elif points[there] == man and there not in known:
                    known.add(there)
                    chain.append(there)
        found.append((len(chain), len(liberties)))
    return found
