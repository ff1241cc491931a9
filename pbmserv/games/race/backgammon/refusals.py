"""Why a turn is not possible, in the words of a player."""

from collections.abc import Sequence
from itertools import pairwise

from pbmserv.games.race.backgammon.legs import Leg
from pbmserv.games.race.backgammon.places import BAR, HOME, OFF, blots, facing
from pbmserv.games.race.backgammon.throws import Throw, dice_used, plays


def obstacle(throw: Throw, legs: Sequence[Leg]) -> str:
    """Return the first reason why these legs are no legal turn."""
    return (
        wrong_way(legs)
        or nobody_there(throw, legs)
        or _on_the_bar(throw, legs)
        or _blocked(throw, legs)
        or _not_home(throw, legs)
        or _further_back(throw, legs)
        or _no_hit(throw, legs)
        or _dice_left(throw, legs)
        or _wrong_dice(throw, legs)
    )


def wrong_way(legs: Sequence[Leg]) -> str:
    """Return that a leg does not go to a lower number, if one does not."""
    wrong = any(place <= there for leg in legs for place, there in pairwise(leg.path))
    return "your men go to lower numbers, because each player counts from their own side" if wrong else ""


def nobody_there(throw: Throw, legs: Sequence[Leg]) -> str:
    """A man must be there at the beginning, or have come there by another leg."""
    left = list(throw.own)
    for leg in legs:
        left[leg.path[-1]] += 1
    for place in (leg.path[0] for leg in legs):
        left[place] -= 1
        if left[place] < 0:
            return _too_few(place, throw.own[place])
    return ""


def _too_few(place: int, there: int) -> str:
    if place == BAR:
        return f"you have only {there} on the bar" if there else "you have no man on the bar"
    return f"you have only {there} on {place}" if there else f"you have no man on {place}"


def _on_the_bar(throw: Throw, legs: Sequence[Leg]) -> str:
    entering = sum(leg.path[0] == BAR for leg in legs)
    waiting = throw.own[BAR] > entering and len(legs) > entering
    return "your men on the bar have to enter first" if waiting else ""


def _blocked(throw: Throw, legs: Sequence[Leg]) -> str:
    for place in (place for leg in legs for place in leg.path[1:] if place):
        if throw.other[facing(place)] > 1:
            return f"your opponent holds the point {place}"
    return ""


def _not_home(throw: Throw, legs: Sequence[Leg]) -> str:
    if all(leg.path[-1] != OFF for leg in legs):
        return ""
    outside = sum(throw.own[HOME + 1 :]) - sum(leg.path[0] > HOME >= leg.path[-1] for leg in legs)
    return "you can bear off only when all your men are in your home board" if outside > 0 else ""


def _further_back(throw: Throw, legs: Sequence[Leg]) -> str:
    """A die that is too high bears off only the man who is furthest back."""
    moving = [leg.path[0] for leg in legs]
    for place in (leg.path[0] for leg in legs if leg.path[-1] == OFF):
        behind = [point for point in range(place + 1, HOME + 1) if throw.own[point] > moving.count(point)]
        if behind and place < max(throw.dice) and place not in throw.dice:
            return f"there is a man further back, on {behind[-1]}"
    return ""


def _no_hit(throw: Throw, legs: Sequence[Leg]) -> str:
    for place in (place for leg in legs for place in sorted(leg.stars, reverse=True)):
        if place not in blots(throw.other):
            return f"there is no single man to hit on {place}"
    return ""


def _dice_left(throw: Throw, legs: Sequence[Leg]) -> str:
    used = dice_used(throw, legs)
    most = max(len(steps) for ways in plays(throw).values() for steps in ways)
    if not used or used > most:
        return ""
    if used == most:
        return f"only one die can be used, and it must be the higher one, {throw.dice[0]}"
    if throw.dice[0] != throw.dice[1]:
        return "both dice can be used, so they must be"
    return f"{most} dice can be used, so they must be"


def _wrong_dice(throw: Throw, legs: Sequence[Leg]) -> str:
    high, low = throw.dice
    if high == low:
        return f"four times {high} does not lead there"
    return f"{high} and {low} do not lead there"
