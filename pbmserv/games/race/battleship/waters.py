"""What is known of the two seas: the position of Sea Battle."""

from dataclasses import dataclass

from pbmserv.games.base import Seat
from pbmserv.games.race.battleship.fleets import GRID, SHIPS, Fleet

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
