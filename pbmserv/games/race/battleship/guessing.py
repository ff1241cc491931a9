"""Where the enemy's ships may be: fleets that agree with all shots, for robots. A set of squares is a number here.

Each hit is explained by a ship that can lie there, those that sank first. A long ship has more ways to cover a square,
and so it explains a hit more often than a short one.
"""

from collections.abc import Collection, Sequence
from functools import cache, lru_cache

from pbmserv.games.race.battleship.fleets import SHIPS, Fleet, squares_of, ways
from pbmserv.games.race.battleship.waters import HIT, MISS, SANK
from pbmserv.rng import Rng

_TRIES = 40  #: fleets that are drawn until one explains all hits
_WHOLE = 1000  #: the weight of a ship that can lie in no other way

Way = tuple[int, str]  #: the squares of a ship, and its placement


def guessed(sea: str, sunk: Sequence[int], rng: Rng) -> Fleet:
    """Return a fleet that agrees with the shots at a sea. If none is found soon, one that explains most of the hits."""
    possible = _possible(sea, tuple(sunk))
    sank, hit = ([1 << square for square, shot in enumerate(sea) if shot == sign] for sign in (SANK, HIT))
    hits = [*sank, *rng.shuffled(hit)]
    best, left = _drawn(possible, hits, rng)
    for _ in range(_TRIES):
        if not left:
            break
        fleet, unexplained = _drawn(possible, hits, rng)
        if unexplained < left:
            best, left = fleet, unexplained
    return best


@lru_cache(maxsize=8)  # a robot guesses several times before each shot
def _possible(sea: str, sunk: tuple[int, ...]) -> list[list[Way]]:
    """Return for each ship the ways in which it can lie."""
    return [[way for way in _ways(ship.length) if _fits(sea, way, n in sunk)] for n, ship in enumerate(SHIPS)]


@cache
def _ways(length: int) -> list[Way]:
    return [(sum(1 << square for square in squares_of(placed)), placed) for placed in ways(length)]


def _fits(sea: str, way: Way, is_sunk: bool) -> bool:
    """Return whether a ship can lie so: a sunk one has been hit everywhere, any other one somewhere not yet."""
    shots = {sea[square] for square in squares_of(way[1])}
    if MISS in shots:
        return False
    return shots <= {HIT, SANK} and SANK in shots if is_sunk else SANK not in shots and shots != {HIT}


def _drawn(possible: Sequence[Sequence[Way]], hits: Sequence[int], rng: Rng) -> tuple[Fleet, int]:
    """Draw a fleet in which ships explain the hits if they can. Return it, and how many hits it does not explain."""
    chosen, taken, unexplained = dict[int, str](), 0, 0
    for hit in hits:
        if not hit & taken:
            number, here = _explained(possible, hit, taken, chosen, rng)
            if here:
                squares, chosen[number] = rng.choice(here)
                taken |= squares
            else:
                unexplained += 1
    for number in rng.shuffled(n for n in range(len(SHIPS)) if n not in chosen):
        free = [way for way in possible[number] if not way[0] & taken]
        squares, chosen[number] = rng.choice(free or _ways(SHIPS[number].length))
        taken |= squares
    return tuple(chosen[number] for number in range(len(SHIPS))), unexplained


def _explained(
    possible: Sequence[Sequence[Way]], hit: int, taken: int, chosen: Collection[int], rng: Rng
) -> tuple[int, list[Way]]:
    """Draw a ship that can lie on a hit square. Return its number and its ways; no ways if there is no such ship."""
    ways_of, weights = list[list[Way]](), list[int]()
    for number, of_ship in enumerate(possible):
        here = [] if number in chosen else [way for way in of_ship if way[0] & hit and not way[0] & taken]
        ways_of.append(here)
        weights.append(_WHOLE * len(here) // len(of_ship) if here else 0)
    number = rng.weighted(weights) if any(weights) else 0
    return number, ways_of[number]
