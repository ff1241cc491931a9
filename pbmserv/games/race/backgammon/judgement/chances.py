"""The chances of a game of backgammon, by the men alone."""

from functools import lru_cache
from typing import NamedTuple

from pbmserv.games.race.backgammon.judgement import bearing_off
from pbmserv.games.race.backgammon.judgement.nets import nets
from pbmserv.games.race.backgammon.places import OFF, Men, can_meet


class Chances(NamedTuple):
    """What can become of a game for a player, as probabilities. Each gammon is one of the wins; so are triple ones."""

    win: float
    gammon: float
    lost_gammon: float

    def turned(self) -> "Chances":
        """Return those of the opponent."""
        return Chances(1 - self.win, self.lost_gammon, self.gammon)


@lru_cache(maxsize=1 << 14)  # a search comes to the same men by several ways
def chances(own: Men, other: Men) -> Chances:
    """Return the chances of who is about to roll. Nobody is off with all men."""
    win = bearing_off.chance(own, other)
    if win is not None:
        return Chances(win, 0.0, 0.0)
    contact, race = nets()
    win, gammon, lost = (contact if can_meet(own, other) else race)(own, other)
    return Chances(win, 0.0 if other[OFF] else min(gammon, win), 0.0 if own[OFF] else min(lost, 1 - win))
