"""What is known of the two seas: the position of Sea Battle."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache

from pbmserv.games.base import Seat
from pbmserv.games.race.battleship.fleets import GRID, SHIPS, Fleet, squares_of, ways

UNKNOWN, MISS, HIT, SANK = ".", "o", "x", "#"  #: signs of squares; a ship sank with the shot at SANK


@dataclass(frozen=True, slots=True)
class Position:
    """`fleets`: the ships of each seat, () if a view hides them; `placed`: how many ships each seat has placed.

    `seas`: what shots at each seat have told, a sign for each square; `sunk`: its ships that sank; `called`: the shots
    of a salvo that is not complete.
    """

    fleets: tuple[Fleet, ...] = ((), ())
    placed: tuple[int, ...] = (0, 0)
    seas: tuple[str, ...] = (UNKNOWN * GRID.size,) * 2
    sunk: tuple[tuple[int, ...], ...] = ((), ())
    turn: Seat = 0
    salvo: bool = False
    called: tuple[int, ...] = ()

    @property
    def shooting(self) -> bool:
        """Whether both fleets are complete."""
        return self.placed == (len(SHIPS), len(SHIPS))

    @property
    def shots(self) -> int:
        """How many shots the seat to move has in this turn: with salvoes, one for each of its ships."""
        if not self.salvo:
            return 1
        return min(len(SHIPS) - len(self.sunk[self.turn]), self.seas[1 - self.turn].count(UNKNOWN))


@lru_cache(maxsize=64)  # most shots sink nothing
def known_sunk(fleet: Fleet, sea: str, sunk: tuple[int, ...]) -> Set[int]:
    """Return the squares of the ships that sank: those of a fleet that is seen, or else those that the shots prove."""
    if fleet:
        return {square for ship in sunk for square in squares_of(fleet[ship])}
    ways_to_lie = list(_explanations(sea, sunk, frozenset()))
    return frozenset.intersection(*ways_to_lie) if ways_to_lie else frozenset()


def _explanations(sea: str, sunk: tuple[int, ...], taken: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield the squares of each way in which the sunk ships can lie: the last hit of each is the one that sank it."""
    if not sunk:
        yield taken
        return
    length = SHIPS[sunk[0]].length
    for squares in map(frozenset, map(squares_of, ways(length))):
        shots = sorted(sea[square] for square in squares)
        if shots == [SANK, *[HIT] * (length - 1)] and not squares & taken:
            yield from _explanations(sea, sunk[1:], taken | squares)
