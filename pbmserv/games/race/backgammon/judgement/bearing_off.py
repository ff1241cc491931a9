"""Bearing off the last men: tables that are computed once, in an instant.

Of up to six men of a player at home, we know the chances to be off after so many rolls, if each roll is played so that
it takes the fewest rolls on average. Two such players win with the chances that follow. Somebody who is far behind
would rather hope for doubles, so these chances are off by 0.0009 on average, and by 0.014 at most; of two hundred rolls
one is played in another way for it, and all together they cost less than 0.0001. When six or fewer men are left on the
whole board, it is exact: each roll is played for the best chance to win.
"""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import accumulate, combinations_with_replacement

from pbmserv.games.race.backgammon.places import BAR, HOME, OFF, Men, landing

MOST = 6  #: men of a player
Home = tuple[int, ...]  #: the points of the men at home, the highest first
_ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def chance(own: Men, other: Men) -> float | None:
    """Return the chance to win of who is about to roll; None if too many men are left, or not all are at home."""
    ours, theirs = _home(own), _home(other)
    if ours is None or theirs is None:
        return None
    return _exact(ours, theirs) if len(ours) + len(theirs) <= MOST else _raced(rolls_left(ours), rolls_left(theirs))


def _home(men: Men) -> Home | None:
    if sum(men[1:]) > MOST or any(men[HOME + 1 : BAR + 1]):
        return None
    return tuple(point for point in range(HOME, OFF, -1) for _ in range(men[point]))


def _raced(own: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the chance to need no more rolls than the opponent, who rolls second."""
    still = [1.0, *(1 - done for done in accumulate(theirs))]  # the chance that they are not off after so many rolls
    return sum((now * before for now, before in zip(own[1:], still[1:], strict=False)), 0.0)


@cache
def rolls_left(home: Home) -> tuple[float, ...]:
    """Return the chances to be off after 0, 1, 2 ... rolls."""
    if not home:
        return (1.0,)
    chances = [0.0] * (MOST * HOME)
    for weight, left in _after(home):
        best = min((rolls_left(men) for men in left), key=_mean)
        for rolls, part in enumerate(best):
            chances[rolls + 1] += weight * part
    while not chances[-1]:
        chances.pop()
    return tuple(chances)


@cache
def _mean(chances: Sequence[float]) -> float:
    return sum((chance * rolls for rolls, chance in enumerate(chances)), 0.0)


@cache
def _exact(own: Home, theirs: Home) -> float:
    """Return the chance to win if both always do what is best."""
    if not theirs:
        return 0.0
    return sum(weight * max(map(partial(_left, theirs), lefts)) for weight, lefts in _after(own))


def _left(theirs: Home, left: Home) -> float:
    """Return the chance to win after a roll that left these men."""
    return 1 - _exact(theirs, left) if left else 1.0


@cache
def _after(home: Home) -> Sequence[tuple[float, frozenset[Home]]]:
    """Return what can be left after a roll, for each roll with its probability."""
    return [((1 if high == low else 2) / 36, frozenset(_played(home, high, low))) for high, low in _ROLLS]


def _played(home: Home, high: int, low: int) -> Iterator[Home]:
    if high == low:
        yield from _repeated(home, high, 4)
        return
    for first, second in ((high, low), (low, high)):
        for left in _moved(home, first):
            yield from _moved(left, second)


@cache
def _repeated(home: Home, die: int, times: int) -> frozenset[Home]:
    if not times:
        return frozenset((home,))
    return frozenset(left for one in _moved(home, die) for left in _repeated(one, die, times - 1))


@cache
def _moved(home: Home, die: int) -> frozenset[Home]:
    """Return what one die can make of the men. All are at home, so each die can be used as long as there are any."""
    if not home:
        return frozenset((home,))
    movable = {point for point in home if point >= die} or {home[0]}
    return frozenset(_without(home, point, landing(point, die)) for point in movable)


def _without(home: Home, point: int, there: int) -> Home:
    left = list(home)
    left.remove(point)
    return tuple(sorted([*left, there] if there else left, reverse=True))


def all_homes() -> Iterator[Home]:
    """Yield each way in which up to MOST men can stand at home: 924 of them."""
    for count in range(MOST + 1):
        yield from combinations_with_replacement(range(HOME, OFF, -1), count)
