"""What the games of a match are worth for robots: the chance to win the match, and what to do with the cube.

The value of a game lies between that with a dead cube, which nobody turns any more, and that with a live one, which is
always turned just when the opponent can as well drop (R. Janowski, "Take-Points in Money Games", 1993). All values are
from -1, the match is lost, to 1.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.judgement.chances import Chances
from pbmserv.games.race.backgammon.judgement.match_table import equity
from pbmserv.games.race.backgammon.situation import AFTER_CRAWFORD, BEFORE_CRAWFORD, CRAWFORD, Position

_LIVE = 0.68  #: how much of the way from a dead to a live cube players get out of it


def match_equity(position: Position, seat: Seat, chances: Chances) -> float:
    """Return what a position of a match is worth to a seat. `chances`: of that seat.

    Who has to answer a double does what is better.
    """
    if position.men == type(position)().men:
        return _score(position, seat)
    game = _Game(position, seat, chances)
    if not position.doubled:
        return game.value(seat, position.cube, position.owner)
    return game.doubled(seat) if seat != position.turn else -game.doubled(1 - seat)


def should_double(position: Position, seat: Seat, chances: Chances) -> bool:
    """Return whether a seat doubles: not if it hopes for more than the stake of now (too good)."""
    game = _Game(position, seat, chances)
    return game.doubled(seat) > game.value(seat, position.cube, position.owner)


def should_take(position: Position, seat: Seat, chances: Chances) -> bool:
    """Return whether a seat plays on for twice as much rather than lose the game as it stands."""
    game = _Game(position, seat, chances)
    return game.value(seat, 2 * position.cube, seat) >= -game.cashed(1 - seat, position.cube)


def _score(position: Position, seat: Seat) -> float:
    """Return what the score is worth before a game, when both could begin."""
    need, other = (position.goal - position.score[s] for s in (seat, 1 - seat))
    return 2 * equity(need, other, after_crawford=position.crawford == AFTER_CRAWFORD) - 1


class _Game:
    """The game on the board. What it is worth is always worth it to a seat, whose number comes first."""

    def __init__(self, position: Position, seat: Seat, chances: Chances) -> None:
        self._position = position
        self._needs = [position.goal - points for points in position.score]
        self._is_over = position.crawford != BEFORE_CRAWFORD or 1 in self._needs
        by_seat = (chances, chances.turned()) if seat == 0 else (chances.turned(), chances)
        self._wins = [its.win for its in by_seat]
        self._gammons = [its.gammon / max(its.win, its.gammon, 1e-9) for its in by_seat]  #: parts of the wins

    def doubled(self, seat: Seat) -> float:
        """Return what it is worth to double."""
        cube = self._position.cube
        return min(self.value(seat, 2 * cube, 1 - seat), self.cashed(seat, cube))

    def value(self, seat: Seat, stake: int, owner: Seat) -> float:
        """Return what the game is worth at a stake, before the dice are rolled. `owner`: of the cube."""
        win, worst, best = self._wins[seat], -self._won(1 - seat, stake), self._won(seat, stake)
        line = [(0.0, worst), *self._turns(seat, stake, owner), (1.0, best)]
        return _LIVE * _height(line, win) + (1 - _LIVE) * (worst + (best - worst) * win)

    def _turns(self, seat: Seat, stake: int, owner: Seat) -> Iterator[tuple[float, float]]:
        """Yield the chances to win with which a live cube is turned and dropped, and what that is worth."""
        other = 1 - seat
        if owner != seat and self._can_double(other, stake):
            yield 1 - self._cash_point(other, stake), -self.cashed(other, stake)
        if owner != other and self._can_double(seat, stake):
            yield self._cash_point(seat, stake), self.cashed(seat, stake)

    def _cash_point(self, seat: Seat, stake: int) -> float:
        """Return the chance to win from which on the opponent drops a double."""
        other = 1 - seat
        low, worst = 0.0, -self._won(other, 2 * stake)
        if self._can_double(other, 2 * stake):  # who takes may double again
            low, worst = 1 - self._cash_point(other, 2 * stake), -self.cashed(other, 2 * stake)
        return low + (1 - low) * min((self.cashed(seat, stake) - worst) / (self._won(seat, 2 * stake) - worst), 1)

    def _can_double(self, seat: Seat, stake: int) -> bool:
        """Return whether more points than the stake would help."""
        return self._needs[seat] > stake and self._position.crawford != CRAWFORD

    def _won(self, seat: Seat, stake: int) -> float:
        """Return what it is worth to win the game at a stake. Gammons count twice."""
        part = self._gammons[seat]
        return (1 - part) * self.cashed(seat, stake) + part * self.cashed(seat, 2 * stake)

    def cashed(self, seat: Seat, points: int) -> float:
        """Return what it is worth to win so many points."""
        need, other = self._needs[seat] - points, self._needs[1 - seat]
        return 2 * equity(need, other, after_crawford=self._is_over) - 1


def _height(line: Sequence[tuple[float, float]], x: float) -> float:
    """Return the height of a line of several pieces."""
    for (left, low), (right, high) in pairwise(line):
        if x <= right:
            return low + (high - low) * (x - left) / max(right - left, 1e-9)
    return line[-1][1]
