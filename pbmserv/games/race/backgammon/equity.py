"""Match equity: how probable it is to win a match from a score, and what the games in it are worth for robots.

Far from the end it is R. Janowski's formula, 1/2 + 0.85 d / (t + 6), where d is the lead in points and t what the
player behind still needs. As soon as somebody needs one point, we compute it by recursion over equal players: nobody
doubles in the Crawford game, and after it the player behind doubles each game at once.
"""

from functools import cache
from math import exp

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.places import BAR, HOME, OFF, Men, pips
from pbmserv.games.race.backgammon.situation import BEFORE_CRAWFORD, Position

_GAMMONS = 0.2  #: part of all wins that count twice
_ROLL = 8.17  #: pips of a roll on average, with doublets
_AHEAD = 0.4  #: how much of the way from even to a win a game is worth, at least, before it is doubled
_SPREAD = 0.39  #: of rolls, for the chance of a gammon: at the beginning it is _GAMMONS


def match_worth(position: Position, seat: Seat, chance: float) -> float:
    """Return what a position of a match is worth to a seat, from -1 to 1.

    `chance`: to win the game on the board, from 0 to 1. Who has to answer a double does what is better.
    """
    if not position.doubled:
        return _expected(position, seat, chance, position.cube)
    doubler = 1 - position.turn
    won = chance if seat == doubler else 1 - chance
    taken = _expected(position, doubler, won, 2 * position.cube)
    found = min(taken, _after_game(position, doubler, position.cube))
    return found if seat == doubler else -found


def should_double(position: Position, seat: Seat, chance: float) -> bool:
    """Return whether a seat doubles: it is well ahead, and not so far that it hopes for a gammon (too good)."""
    even, now = (_expected(position, seat, won, position.cube) for won in (0.5, chance))
    cash = _after_game(position, seat, position.cube)
    doubled = min(_expected(position, seat, chance, 2 * position.cube), cash)
    return doubled > now and now - even >= _AHEAD * (cash - even)


def should_take(position: Position, seat: Seat, chance: float) -> bool:
    """Return whether a seat plays on for twice as much rather than lose the game as it stands."""
    return _expected(position, seat, chance, 2 * position.cube) >= -_after_game(position, 1 - seat, position.cube)


def _expected(position: Position, seat: Seat, chance: float, stake: int) -> float:
    """Return the value of a game that counts so many points, gammons twice."""
    own, other = position.of(seat), position.of(1 - seat)
    win, loss = _gammon(own, other), _gammon(other, own)
    good = (1 - win) * _after_game(position, seat, stake) + win * _after_game(position, seat, 2 * stake)
    bad = (1 - loss) * _after_game(position, 1 - seat, stake) + loss * _after_game(position, 1 - seat, 2 * stake)
    return chance * good - (1 - chance) * bad


def _gammon(winner: Men, loser: Men) -> float:
    """Return how probable it is that a win is a gammon: whose rolls are enough first, to be off or to bear off one."""
    if loser[OFF]:
        return 0.0
    left = pips(winner) / _ROLL
    home = sum(men * (place - HOME) for place, men in enumerate(loser[: BAR + 1]) if place > HOME) / _ROLL
    return 1 / (1 + exp((left - home - 1) / (_SPREAD * left + 0.1)))


def _after_game(position: Position, winner: Seat, points: int) -> float:
    """Return what the match is worth to a seat that has won so many points, from -1 to 1."""
    need, other = (position.goal - position.score[s] for s in (winner, 1 - winner))
    is_over = position.crawford != BEFORE_CRAWFORD or 1 in (need, other)
    return 2 * equity(max(need - points, 0), other, after_crawford=is_over) - 1


@cache
def equity(need: int, other: int, *, after_crawford: bool = False) -> float:
    """Return the chance to win a match for who needs so many points, before a game; the opponent needs `other`."""
    if need <= 0 or other <= 0:
        return float(need <= 0)
    if need == other:
        return 0.5
    if need < other:
        return 1 - equity(other, need, after_crawford=after_crawford)
    if other > 1:
        return 0.5 - 0.85 * (need - other) / (need + 6)
    stake = 2 if after_crawford else 1
    then = (equity(max(need - stake * times, 0), 1, after_crawford=True) for times in (1, 2))
    return 0.5 * sum(part * won for part, won in zip((1 - _GAMMONS, _GAMMONS), then, strict=True))
