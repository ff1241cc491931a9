"""What the games of a match are worth for robots: the chance to win the match, and what to do with the cube.

The value of a game lies between that with a dead cube, which nobody turns any more, and that with a live one, which is
always turned just when the opponent can as well drop (R. Janowski, "Take-Points in Money Games", 1993). All values are
from -1, the match is lost, to 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pbmserv.games.base import Seat
from pbmserv.games.race.backgammon.judgement.chances import Chances
from pbmserv.games.race.backgammon.judgement.match_table import equity
from pbmserv.games.race.backgammon.situation import AFTER_CRAWFORD, BEFORE_CRAWFORD, CRAWFORD, NOBODY, Position

BEGUN = Position().men
_LIVE = 0.68  #: how much of the way from a dead to a live cube players get out of it


def match_equity(position: Position, seat: Seat, chances: Chances) -> float:
    """Return what a position of a match is worth to a seat. `chances`: of that seat.

    Who has to answer a double does what is better.
    """
    if position.men == BEGUN:
        return _score(position, seat)
    game = _Game(position, seat, chances)
    if not position.doubled:
        return game.value(position.cube, position.owner)
    return game.doubled() if seat != position.turn else -game.turned().doubled()


def should_double(position: Position, seat: Seat, chances: Chances) -> bool:
    """Return whether a seat doubles: not if it hopes for more than the stake of now (too good)."""
    game = _Game(position, seat, chances)
    return game.doubled() > game.value(position.cube, position.owner)


def should_take(position: Position, seat: Seat, chances: Chances) -> bool:
    """Return whether a seat plays on for twice as much rather than lose the game as it stands."""
    game = _Game(position, seat, chances)
    return game.value(2 * position.cube, seat) >= -game.turned().cashed(position.cube)


def _score(position: Position, seat: Seat) -> float:
    """Return what the score is worth before a game, when both could begin."""
    need, other = (position.goal - position.score[s] for s in (seat, 1 - seat))
    return 2 * equity(need, other, after_crawford=position.crawford == AFTER_CRAWFORD) - 1


@dataclass(frozen=True)
class _Game:
    """The game on the board, from the view of a seat."""

    position: Position
    seat: Seat
    chances: Chances

    def turned(self) -> "_Game":
        """Return the same game from the view of the opponent."""
        return replace(self, seat=1 - self.seat, chances=self.chances.turned())

    def doubled(self) -> float:
        """Return what it is worth to double."""
        cube = self.position.cube
        return min(self.value(2 * cube, 1 - self.seat), self.cashed(cube))

    def value(self, stake: int, owner: Seat) -> float:
        """Return what the game is worth at a stake, before the dice are rolled. `owner`: of the cube."""
        win = self.chances.win
        dead = win * self.won(stake) - (1 - win) * self.turned().won(stake)
        return _LIVE * _between(list(self._live(stake, owner)), win) + (1 - _LIVE) * dead

    def _live(self, stake: int, owner: Seat) -> Iterator[tuple[float, float]]:
        """Yield chances to win, and what they are worth with a live cube; between them it is a straight line."""
        other = self.turned()
        yield 0.0, -other.won(stake)
        if owner != self.seat and other.can_double(stake):
            yield 1 - other.cash_point(stake), -other.cashed(stake)
        if owner in (self.seat, NOBODY) and self.can_double(stake):
            yield self.cash_point(stake), self.cashed(stake)
        yield 1.0, self.won(stake)

    def cash_point(self, stake: int) -> float:
        """Return the chance to win from which on the opponent drops a double."""
        other = self.turned()
        low, worst = 0.0, -other.won(2 * stake)
        if other.can_double(2 * stake):  # who takes may double again
            low, worst = 1 - other.cash_point(2 * stake), -other.cashed(2 * stake)
        return low + (1 - low) * min((self.cashed(stake) - worst) / (self.won(2 * stake) - worst), 1)

    def can_double(self, stake: int) -> bool:
        """Return whether more points than the stake would help."""
        return self.position.crawford != CRAWFORD and self.position.score[self.seat] + stake < self.position.goal

    def won(self, stake: int) -> float:
        """Return what it is worth to win the game at a stake. Gammons count twice."""
        gammons = self.chances.gammon / max(self.chances.win, self.chances.gammon, 1e-9)
        return (1 - gammons) * self.cashed(stake) + gammons * self.cashed(2 * stake)

    def cashed(self, points: int) -> float:
        """Return what it is worth to win so many points."""
        need, other = (self.position.goal - self.position.score[s] for s in (self.seat, 1 - self.seat))
        is_over = self.position.crawford != BEFORE_CRAWFORD or 1 in (need, other)
        return 2 * equity(need - points, other, after_crawford=is_over) - 1


def _between(line: Sequence[tuple[float, float]], x: float) -> float:
    """Return the height of a line of several pieces."""
    for (left, low), (right, high) in pairwise(line):
        if x <= right:
            return low + (high - low) * (x - left) / max(right - left, 1e-9)
    return line[-1][1]
