"""What a position of backgammon is worth for robots, apart from the dice."""

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.cube import DOUBLE, DROP, ROLL, TAKE
from pbmserv.games.race.backgammon.judgement.chances import Chances, chances
from pbmserv.games.race.backgammon.judgement.equity import match_equity, should_double, should_take
from pbmserv.games.race.backgammon.places import ALL_MEN, BAR, pips
from pbmserv.games.race.backgammon.situation import Position

_MOST_LEAD = ALL_MEN * BAR
_PIP = 1e-6  #: what a pip is worth where nothing else counts any more


def standing(position: Position, seat: Seat) -> float:
    """Return how good a position is for a seat, from -1 to 1: its chance to win the board, where gammons do not count.

    In a match, it is the chance to win the match. Who is to move is taken to roll anew.
    """
    its = chances_of(position, seat)
    lead = pips(position.of(1 - seat)) - pips(position.of(seat))
    value = match_equity(position, seat, its) if position.goal else 2 * its.win - 1
    return (1 - _PIP * _MOST_LEAD) * value + _PIP * lead


def cube_action(position: Position, seat: Seat) -> str:
    """Return what a robot does with the cube of a match before the dice are rolled, or when it is doubled."""
    its = chances_of(position, seat)
    if position.doubled:
        return TAKE if should_take(position, seat, its) else DROP
    return DOUBLE if should_double(position, seat, its) else ROLL


def chances_of(position: Position, seat: Seat) -> Chances:
    """Return the chances of a seat to win the game, before the dice are rolled. A double waits for its answer."""
    roller = 1 - position.turn if position.doubled else position.turn
    its = chances(position.of(roller), position.of(1 - roller))
    return its if seat == roller else its.turned()
