"""What a position of backgammon is worth for robots, apart from the dice."""

from collections.abc import Sequence
from math import tanh

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.places import BAR, HOME, OFF, facing, pips
from pbmserv.games.race.backgammon.situation import NOBODY, Position

_BEHIND = 12  #: points: a blot that the enemy can hit with one roll from so near is in danger
_POINT, _HOME_POINT, _BLOT = 1.5, 2.5, 0.5  #: what held points and blots are worth, in pips
_ON_BAR = 8.0  #: pips that a man on the bar costs besides its way
_SCALE = 45.0  #: pips of a lead that is nearly a win


def standing(position: Position, seat: Seat) -> float:
    """Return how far a seat is ahead, from -1 to 1: by its way, held points, blots, men on the bar, and the cube."""
    own, other = position.of(seat), position.of(1 - seat)
    lead = _strength(own, other) - _strength(other, own)
    if position.owner != NOBODY:
        lead += 4 if position.owner == seat else -4
    if position.doubled:
        lead *= 1.5  # the stakes are to be higher, which is good for who is ahead
    return tanh(lead / _SCALE)


def _strength(own: Sequence[int], other: Sequence[int]) -> float:
    found = -float(pips(own)) - _ON_BAR * own[BAR] + 2.0 * own[OFF]
    for point in range(1, BAR):
        if own[point] > 1:
            found += _HOME_POINT if point <= HOME else _POINT
        elif own[point] == 1:
            there = facing(point)
            men = other[there + 1 : min(there + _BEHIND, BAR) + 1]
            danger = len(men) - men.count(0)
            found -= _BLOT * danger * (BAR - point) / 8
    return found
