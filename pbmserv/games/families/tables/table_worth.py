"""What men on points are worth to robots where the nets of backgammon do not know the game, in pips."""

from collections.abc import Sequence

from pbmserv.games.families.tables.tables_row import BLOCK, HALF, HIT, START, Table
from pbmserv.games.race.backgammon.places import BAR, PIN, Men, pips

_CLOSED, _MOST = 0.8, 3  #: for each man behind a point that we hold within six, and how many men of a point count
_PINNED, _MOTHER = 8.0, 60.0
_DIRECT, _INDIRECT = 0.35, 0.1  #: chances to be met by a man up to six points away, and further


def worth(row: Table, own: Men, other: Men) -> float:
    """Return how far the first men are ahead."""
    return _of_one(row, own, other) - _of_one(row, other, own)


def _of_one(row: Table, own: Men, other: Men) -> float:
    across = row.facing
    ours = [0, *(own[across[place]] for place in range(1, BAR))]  #: by the opponent's numbers
    value = _blocking(row, ours, other) - pips(own)
    value -= sum(_PINNED + place / 2 for place in range(1, BAR) if own[PIN + place :] and own[PIN + place])
    if row.meets != BLOCK:
        value -= sum(_loss(row, place) * _risk(across[place], other) for place in range(1, BAR) if own[place] == 1)
    return value


def _blocking(row: Table, ours: Sequence[int], other: Men) -> float:
    closed = [men >= row.holds for men in ours]
    there = [(place, min(men, _MOST)) for place, men in enumerate(other[: BAR + 1]) if place and men]
    return _CLOSED * sum(men * sum(closed[max(place - 6, 1) : place]) for place, men in there)


def _loss(row: Table, place: int) -> float:
    """Return how much it costs when the man on a place is met."""
    if row.meets == HIT:
        return BAR - place
    return _MOTHER if row.mother and place == START else _PINNED + place / 2


def _risk(point: int, other: Men) -> float:
    """Return how probable it is that a man is met on a point. `point`: as the opponent counts it."""
    direct = any(other[point + 1 : point + 7])
    return _DIRECT * direct + _INDIRECT * any(other[point + 7 : min(point + HALF, BAR + 1)])
