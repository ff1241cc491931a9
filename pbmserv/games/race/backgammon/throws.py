"""The legal turns: both dice are used, or all four of a double, as far as this is possible.

If only one of two dice can be used, it is the higher one.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, permutations
from typing import NamedTuple

from pbmserv.games.race.backgammon.legs import MOST_STEPS, Leg, Steps, written
from pbmserv.games.race.backgammon.places import BAR, OFF, Dice, Men, blots, can_go, facing, landing, moved, sources

_Used = tuple[tuple[int, int], ...]  #: places, each with the die that is used there


class Throw(NamedTuple):
    """What a player has to play: their own men, those of the opponent, and the dice."""

    own: Men
    other: Men
    dice: Dice


@lru_cache(maxsize=256)  # a letter needs the list for its example, its links and the word `moves`
def plays(throw: Throw) -> Mapping[str, tuple[Steps, ...]]:
    """Return all legal turns: their texts, each with the different steps that lead to the same position."""
    texts = dict[str, list[Steps]]()
    for used in _longest(throw):
        steps = _steps(used)
        known = texts.setdefault(written(steps, hits_of(steps, throw.other)), [])
        if steps not in known:
            known.append(steps)
    return {text: tuple(ways) for text, ways in texts.items()}


def meanings(throw: Throw, legs: Sequence[Leg]) -> list[str]:
    """Return the legal turns that these legs can mean.

    If a way with a hit and another without one are possible, a text that names no point on the way means the latter.
    """
    turns: dict[str, frozenset[int]] = {}
    most = MOST_STEPS if throw.dice[0] == throw.dice[1] else len(throw.dice)
    for used in _possible(throw, legs):
        steps = _steps(used)
        hits = hits_of(steps, throw.other)
        text = written(steps, hits)
        if all(leg.stars <= hits for leg in legs) and (len(used) == most or text in plays(throw)):
            turns[text] = hits
    if len(turns) < 2:
        return [*turns]
    shown = frozenset(place for leg in legs for place in leg.path[1:])
    return [text for text, hits in turns.items() if hits <= shown] or [*turns]


def orders(throw: Throw, text: str) -> Iterator[Steps]:
    """Return the steps of a legal turn in each order in which a man is there for each of them."""
    return in_orders(throw.own, plays(throw)[text])


def in_orders(own: Men, ways: Sequence[Steps], held: int = BAR) -> Iterator[Steps]:
    """Yield the steps of each way in each order in which a man is there for each of them.

    `held`: up to which place nobody else goes while men are outside.
    """
    for steps in ways:
        for order in sorted(set(permutations(steps)), reverse=True):
            if _are_there(own, order, held):
                yield order


def _are_there(own: Sequence[int], order: Steps, held: int) -> bool:
    left = list(own)
    for place, there in order:
        left[place] -= 1
        left[there] += 1
        if left[place] < 0 or (left[BAR] and place != BAR and there <= held):
            return False
    return True


def dice_used(throw: Throw, legs: Sequence[Leg]) -> int:
    """Return how many dice these legs use; 0 if the dice do not allow them. A double has four."""
    return max(map(len, _possible(throw, legs)), default=0)


def after(throw: Throw, legs: Sequence[Leg]) -> tuple[Men, Men]:
    """Return the men of both players after a turn. `legs`: of its canonical text, which has all stars."""
    own, other = list(throw.own), list(throw.other)
    for leg in legs:
        own[leg.path[0]] -= 1
        own[leg.path[-1]] += 1
        for place in leg.stars:
            point = facing(place)
            other[BAR] += other[point]
            other[point] = 0
    return tuple(own), tuple(other)


def results(throw: Throw) -> set[tuple[Men, Men]]:
    """Return the men of both players after each legal turn; as they are if there is none."""
    lone = blots(throw.other)
    return {_result(throw, used, lone) for used in _longest(throw)} or {(throw.own, throw.other)}


def _result(throw: Throw, used: _Used, lone: frozenset[int]) -> tuple[Men, Men]:
    own, other = list(throw.own), throw.other
    for place, die in used:
        there = landing(place, die)
        own[place] -= 1
        own[there] += 1
        if there in lone:
            other = _hit(other, facing(there))
    return tuple(own), other


def _hit(men: Men, point: int) -> Men:
    """Return the men after one on this point was hit, if it has not been before."""
    return (*men[:point], 0, *men[point + 1 : BAR], men[BAR] + men[point])


@lru_cache(maxsize=1 << 12)
def _steps(used: _Used) -> Steps:
    return tuple(sorted([(place, landing(place, die)) for place, die in used], reverse=True))


def hits_of(steps: Steps, other: Men) -> frozenset[int]:
    """Return the points where these steps hit a man of the opponent who is alone."""
    return frozenset([there for _, there in steps if there and other[BAR - there] == 1])


def _longest(throw: Throw) -> Sequence[_Used]:
    """Return what uses the most dice, or the higher one."""
    high, low = throw.dice
    if high == low:
        every = list(_repeated(throw.own, throw.other, high, MOST_STEPS, BAR))
        most = max(map(len, every), default=0)
        return [used for used in every if len(used) == most] if most else []
    pairs = list(_pairs(throw))
    if pairs:
        return pairs
    singles = ([((place, die),) for place in sources(throw.own, throw.other, die)] for die in throw.dice)
    return next(filter(None, singles), [])


def _pairs(throw: Throw) -> Iterator[_Used]:
    """Yield each use of two different dice once."""
    own, other, (high, low) = throw
    seen = set[tuple[int, int]]()  # the place of the higher die, and that of the lower
    for first in sources(own, other, high):
        for second in sources(moved(own, first, high), other, low):
            seen.add((first, second))
            yield (first, high), (second, low)
    for first in sources(own, other, low):
        for second in sources(moved(own, first, low), other, high):
            if (second, first) not in seen:
                yield (first, low), (second, high)


def _repeated(own: Sequence[int], other: Sequence[int], die: int, times: int, highest: int) -> Iterator[_Used]:
    """Yield each use of a double once: no man moves that is behind the man who moved before."""
    stuck = True
    for place in sources(own, other, die) if times else ():
        if place <= highest:
            stuck = False
            for rest in _repeated(moved(own, place, die), other, die, times - 1, place):
                yield ((place, die), *rest)
    if stuck:
        yield ()


def _assigned(pieces: Sequence[tuple[int, int]], dice: Dice) -> Iterator[_Used]:
    """Yield each way in which dice can move men between these places."""
    high, low = dice
    if high == low:
        yield from _doubled(pieces, high)
        return
    for first, second in ((high, low), (low, high)):
        if len(pieces) == 1:
            yield from _by_one_man(*pieces[0], first, second)
        elif len(pieces) == len(dice):
            (one, to_one), (two, to_two) = pieces
            if landing(one, first) == to_one and landing(two, second) == to_two:
                yield (one, first), (two, second)


def _by_one_man(place: int, there: int, first: int, second: int) -> Iterator[_Used]:
    if landing(place, first) == there:
        yield ((place, first),)
    elif place > first and landing(place - first, second) == there:
        yield (place, first), (place - first, second)


def _doubled(pieces: Sequence[tuple[int, int]], die: int) -> Iterator[_Used]:
    used = list[tuple[int, int]]()
    for place, there in pieces:
        stops = range(place, there, -die)
        if not stops or landing(stops[-1], die) != there:
            return
        used += [(stop, die) for stop in stops]
    if len(used) <= MOST_STEPS:
        yield tuple(sorted(used, reverse=True))


def _possible(throw: Throw, legs: Sequence[Leg]) -> Iterator[_Used]:
    """Yield each use of dice that these legs can mean, also if it leaves dice that could be used."""
    return (used for used in _uses(tuple(legs), throw.dice) if _is_possible(throw, used))


@lru_cache(maxsize=1 << 12)  # there are not many, wherever the men stand
def _uses(legs: tuple[Leg, ...], dice: Dice) -> tuple[_Used, ...]:
    """Return each way in which dice can make these legs."""
    return tuple(_assigned([pair for leg in legs for pair in pairwise(leg.path)], dice))


def _is_possible(throw: Throw, used: _Used) -> bool:
    """Return whether these dice can be used in some order. For a double, the one from the back is the best."""
    high, low = throw.dice
    return _follows(throw, used) or (high != low and _follows(throw, used[::-1]))


def _follows(throw: Throw, used: _Used) -> bool:
    own = list(throw.own)
    for place, die in used:
        if not can_go(own, throw.other, place, die):
            return False
        own[place] -= 1
        own[place - die if place > die else OFF] += 1
    return True
