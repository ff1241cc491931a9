"""Men on points: where they can go with one die. Players count the points from their own side, as books do."""

from collections.abc import Sequence
from functools import lru_cache
from operator import mul

OFF, BAR = 0, 25  #: places beside the points 1-24
HOME = 6  #: the highest point of the home board
ALL_MEN = 15
PIPS_OF_ROLL, DEVIATION = 8.17, 4.3  #: pips of a roll on average, with doublets, and how much they vary

#: How many men a player has on each place, by its number: off, the points 1-24, the bar.
Men = tuple[int, ...]
Dice = tuple[int, ...]  #: two, the higher one first

#: The same as 26 hexadecimal digits, as positions are stored: they are read and written at each move.
Digits = str

_START = {24: 2, 13: 5, 8: 3, 6: 5}
OPENING: Men = tuple(_START.get(place, 0) for place in range(BAR + 1))


def digits(men: Sequence[int]) -> Digits:
    """Return the men as they are stored."""
    return bytes(men).hex()[1::2]


@lru_cache(maxsize=1 << 12)
def men_of(stored: Digits) -> Men:
    """Return the men that `digits` wrote. Raises ValueError for other texts."""
    return tuple(bytes.fromhex("0" + "0".join(stored)))


#: Added to a point, where men can be pinned: the place of a player's man who is pinned there. Backgammon has none.
PIN = BAR
_WAYS = (*range(BAR + 1), *range(1, BAR))  #: how far it is from each place, also from those of pinned men
#: The number that the opponent gives to each place of a player.
ACROSS = (OFF, *range(BAR - 1, OFF, -1), BAR)


def facing(point: int) -> int:
    """Return the number that the opponent gives to a point."""
    return BAR - point


def numbers(dice: Sequence[int]) -> str:
    """Return what was rolled, in words."""
    return f"{', '.join(map(str, dice[:-1]))} and {dice[-1]}"


def landing(place: int, die: int) -> int:
    """Return where a man goes from a place with a die."""
    return max(place - die, OFF)


def sources(own: Sequence[int], other: Sequence[int], die: int) -> list[int]:
    """Return the places from which a man can go with a die, the highest first."""
    if own[BAR]:
        return [BAR] if other[die] < 2 else []
    places = [place for place in range(BAR - 1, die, -1) if own[place] and other[facing(place - die)] < 2]
    if not any(own[HOME + 1 :]):
        furthest = next((place for place in range(HOME, OFF, -1) if own[place]), OFF)
        if own[die]:
            places.append(die)
        elif OFF < furthest < die:
            places.append(furthest)
    return places


def can_go(own: Sequence[int], other: Sequence[int], place: int, die: int) -> bool:
    """Return whether a man can go from a place with a die."""
    if not own[place] or (own[BAR] and place != BAR):
        return False
    if place > die:
        return other[facing(place - die)] < 2
    return not any(own[HOME + 1 :]) and (place == die or not any(own[place + 1 : HOME + 1]))


def moved(own: Sequence[int], place: int, die: int) -> list[int]:
    """Return a player's men after one of them has gone from a place with a die."""
    after = list(own)
    after[place] -= 1
    after[landing(place, die)] += 1
    return after


def can_move(own: Sequence[int], other: Sequence[int], dice: Dice) -> bool:
    """Return whether any of these dice can be used."""
    for place in range(BAR, OFF, -1):
        if own[place]:
            for die in dice:
                if can_go(own, other, place, die):
                    return True
    return False


def can_meet(own: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether men of the two players have not all passed each other; if they have, it is a race."""
    return sum(max(place for place, count in enumerate(men) if count) for men in (own, other)) > BAR


def all_off(men: Sequence[int]) -> bool:
    """Return whether a player has borne off all men."""
    return not any(men[OFF + 1 :])


def blots(other: Sequence[int]) -> frozenset[int]:
    """Return the points where a man of the opponent is alone."""
    return frozenset([facing(point) for point in range(1, BAR) if other[point] == 1])


def pips(own: Sequence[int]) -> int:
    """Return how many points all men of a player have to go until they are off: the pip count."""
    return sum(map(mul, _WAYS, own))


def win_factor(loser: Sequence[int]) -> int:
    """Return how many times the cube a win counts: 1, 2 for a gammon, 3 for a backgammon.

    Gammon: the loser has borne off no man. Backgammon: also a man is on the bar or in the winner's home board.
    """
    if loser[OFF]:
        return 1
    return 3 if any(loser[facing(HOME) :]) else 2
