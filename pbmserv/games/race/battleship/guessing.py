"""Where the enemy's ships may be: fleets that agree with all shots, for robots."""

from collections.abc import Sequence
from functools import lru_cache

from pbmserv.games.race.battleship.fleets import SHIPS, Fleet, squares_of, ways
from pbmserv.games.race.battleship.waters import HIT, MISS, SANK
from pbmserv.rng import Rng

_TRIES = 40  #: fleets that are drawn until one explains all hits


def guessed(sea: str, sunk: Sequence[int], rng: Rng) -> Fleet:
    """Return a fleet that agrees with the shots at a sea. If none is found soon, one that explains most of the hits."""
    hits = frozenset(square for square, shot in enumerate(sea) if shot in (HIT, SANK))
    possible = _possible(sea, tuple(sunk))
    best, left = _drawn(possible, hits, rng)
    for _ in range(_TRIES):
        if not left:
            break
        fleet, unexplained = _drawn(possible, hits, rng)
        if unexplained < left:
            best, left = fleet, unexplained
    return best


@lru_cache(maxsize=8)  # a robot guesses several times before each shot
def _possible(sea: str, sunk: tuple[int, ...]) -> list[list[str]]:
    """Return for each ship the ways in which it can lie."""
    return [[way for way in ways(ship.length) if _fits(sea, way, number in sunk)] for number, ship in enumerate(SHIPS)]


def _fits(sea: str, way: str, is_sunk: bool) -> bool:
    """Return whether a ship can lie so: a sunk one has been hit everywhere, any other one somewhere not yet."""
    shots = {sea[square] for square in squares_of(way)}
    if MISS in shots:
        return False
    return shots <= {HIT, SANK} and SANK in shots if is_sunk else SANK not in shots and shots != {HIT}


def _drawn(possible: Sequence[Sequence[str]], hits: frozenset[int], rng: Rng) -> tuple[Fleet, int]:
    """Draw a fleet in which ships explain hits if they can. Return it, and how many hits it does not explain."""
    chosen, taken = dict[int, str](), set[int]()
    for number in sorted(rng.shuffled(range(len(possible))), key=lambda n: len(possible[n]) > 1):
        free = [way for way in possible[number] if taken.isdisjoint(squares_of(way))]
        telling = [way for way in free if not (hits - taken).isdisjoint(squares_of(way))]
        options = telling or free or list(ways(SHIPS[number].length))
        chosen[number] = rng.choice(options)
        taken |= set(squares_of(chosen[number]))
    return tuple(chosen[number] for number in range(len(possible))), len(hits - taken)
