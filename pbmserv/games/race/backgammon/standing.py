"""What a position of backgammon is worth for robots, apart from the dice."""

from collections.abc import Sequence
from math import erf, sqrt, tanh

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.cube import DOUBLE, DROP, ROLL, TAKE
from pbmserv.games.race.backgammon.equity import match_equity, should_double, should_take
from pbmserv.games.race.backgammon.places import BAR, DEVIATION, HOME, OFF, PIPS_OF_ROLL, can_meet, facing, pips
from pbmserv.games.race.backgammon.situation import NOBODY, Position

_BEHIND = 12  #: points: a blot that the enemy can hit with one roll from so near is in danger
_POINT, _HOME_POINT, _BLOT = 1.5, 2.5, 0.5  #: what held points and blots are worth, in pips
_ON_BAR = 8.0  #: pips that a man on the bar costs besides its way
_VARIANCE = DEVIATION**2 / PIPS_OF_ROLL  #: of the pips of a roll, for each pip to go
_SCALE = 45.0  #: pips of a lead that is nearly a win


def standing(position: Position, seat: Seat) -> float:
    """Return how good a position is for a seat, from -1 to 1: its lead, or in a match its chances to win the match."""
    ahead = _ahead(position, seat)
    return match_equity(position, seat, (1 + ahead) / 2) if position.goal else ahead


def cube_action(position: Position, seat: Seat) -> str:
    """Return what a robot does with the cube of a match before the dice are rolled, or when it is doubled."""
    chance = _chance(position, seat)
    if position.doubled:
        return TAKE if should_take(position, seat, chance) else DROP
    return DOUBLE if should_double(position, seat, chance) else ROLL


def _chance(position: Position, seat: Seat) -> float:
    """Return the chance of a seat to win the game, before the dice are rolled.

    In a race only pips count. Who is on roll is half a roll ahead.
    """
    own, other = position.of(seat), position.of(1 - seat)
    if can_meet(own, other):
        return (1 + _ahead(position, seat)) / 2
    on_roll = 1 - position.turn if position.doubled else position.turn
    lead = pips(other) - pips(own) + (PIPS_OF_ROLL if on_roll == seat else -PIPS_OF_ROLL) / 2
    return (1 + erf(lead / sqrt(2 * _VARIANCE * (pips(own) + pips(other))))) / 2


def _ahead(position: Position, seat: Seat) -> float:
    """Return how far a seat is ahead, from -1 to 1: by its way, held points, blots, men on the bar, and the cube."""
    own, other = position.of(seat), position.of(1 - seat)
    lead = _strength(own, other) - _strength(other, own)
    if position.owner != NOBODY:
        lead += 4 if position.owner == seat else -4
    return tanh(lead / _SCALE)


def _strength(own: Sequence[int], other: Sequence[int]) -> float:
    value = -float(pips(own)) - _ON_BAR * own[BAR] + 2.0 * own[OFF]
    for point in range(1, BAR):
        if own[point] > 1:
            value += _HOME_POINT if point <= HOME else _POINT
        elif own[point] == 1:
            there = facing(point)
            men = other[there + 1 : min(there + _BEHIND, BAR) + 1]
            danger = len(men) - men.count(0)
            value -= _BLOT * danger * (BAR - point) / 8
    return value
