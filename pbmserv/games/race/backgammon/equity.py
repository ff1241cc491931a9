"""What the games of a match are worth for robots: the chance to win the match, and what to do with the cube."""

from math import exp, sqrt

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.match_table import equity
from pbmserv.games.race.backgammon.places import BAR, HOME, OFF, PIPS_OF_ROLL, Men, can_meet, pips
from pbmserv.games.race.backgammon.situation import BEFORE_CRAWFORD, Position

_AHEAD = 0.4  #: how much of the way from even to a win a game is worth, at least, before it is doubled
_SPREAD = 0.46  #: of rolls, for the chance of a gammon: at the beginning it is 0.26, as in the match table
_SPREAD_IN_RACE = 0.3  #: of rolls, for each root of a roll: DEVIATION / PIPS_OF_ROLL, and a logistic curve is flatter


def match_equity(position: Position, seat: Seat, chance: float) -> float:
    """Return what a position of a match is worth to a seat, from -1 to 1.

    `chance`: to win the game on the board, from 0 to 1. Who has to answer a double does what is better.
    """
    if not position.doubled:
        return _expected(position, seat, chance, position.cube)
    doubler = 1 - position.turn
    won = chance if seat == doubler else 1 - chance
    taken = _expected(position, doubler, won, 2 * position.cube)
    value = min(taken, _after_game(position, doubler, position.cube))
    return value if seat == doubler else -value


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
    left = pips(winner) / PIPS_OF_ROLL
    home = sum(men * (place - HOME) for place, men in enumerate(loser[: BAR + 1]) if place > HOME) / PIPS_OF_ROLL
    spread = _SPREAD * left if can_meet(winner, loser) else _SPREAD_IN_RACE * sqrt(left + home)
    return 1 / (1 + exp((left - home - 1) / (spread + 0.1)))


def _after_game(position: Position, winner: Seat, points: int) -> float:
    """Return what the match is worth to a seat that has won so many points, from -1 to 1."""
    need, other = (position.goal - position.score[s] for s in (winner, 1 - winner))
    is_over = position.crawford != BEFORE_CRAWFORD or 1 in (need, other)
    return 2 * equity(need - points, other, after_crawford=is_over) - 1
