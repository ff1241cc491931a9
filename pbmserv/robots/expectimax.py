"""Expectimax: for two players with dice, where the game tells all throws and what they can lead to.

All turns are judged as they look before the opponent throws. If the nodes are enough, the best of them are judged by
every throw of the opponent and their best answer to it. A robot with few nodes judges roughly, as people do: it takes
any of the turns that seem nearly as good as the best one.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Any, Protocol, runtime_checkable

from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.robots.tree import Search, Spent, evaluate, values

_CANDIDATES = 5  #: turns that are looked at further, at most
_ENOUGH = 1500  #: nodes with which two or more turns can be looked at further
#: Divided by the root of the nodes: how far from the best value to the middle one a turn may lie that is as good to the
#: robot. So it errs where much differs little, whatever is at stake.
_ROUGHLY = 3.0


@runtime_checkable
class Thrown(Protocol):
    """A game with dice whose throws are all known."""

    def turns(self, position: Any) -> Mapping[Any, Any]:
        """Return the position after each legal move that is worth a look, before the next throw.

        There are none if the moves are no turns.
        """
        ...

    def throws(self, position: Any) -> Iterable[tuple[float, Sequence[Any]]]:
        """Yield for each throw of the player to move its probability, and the positions after its legal turns."""
        ...


@dataclass
class Expectimax(Search[P, M]):
    """One search. `values`: of all moves at first sight, or of those that were looked at further."""

    game: Thrown

    def _look_at(self, moves: list[M]) -> None:
        part = _ROUGHLY / sqrt(self.budget.left)
        turns = self.game.turns(self.task.position)
        looks = [move for move in moves if move in turns][: self.budget.left]
        self.values = {move: self._value(turns[move]) for move in looks}
        order = sorted(looks, key=lambda move: -self.values[move])
        most = self.values[order[0]]
        least = most - part * (most - median(self.values.values()))
        self.best = self.rng.choice([move for move in order if self.values[move] >= least])
        self.value = self.values[self.best]
        if self.budget.left >= _ENOUGH:
            self._look_further({move: turns[move] for move in order[:_CANDIDATES]})

    def _look_further(self, candidates: Mapping[M, P]) -> None:
        """Judge as many of these as there are nodes for, half by the answers to them.

        The first look counts the other half: it errs in another way, so both together err less than each.
        """
        seen = dict[M, float]()
        with suppress(Spent):
            for move, position in candidates.items():
                seen[move] = (self.values[move] + self._answered(position)) / 2
        if len(seen) > 1:
            self.values = seen
            self.best, self.value = max(seen.items(), key=lambda pair: pair[1])

    def _answered(self, position: P) -> float:
        """Return what a position is worth after a throw of the opponent and their best answer, on average."""
        if self.task.game.outcome(position):
            return self._value(position)
        return sum(weight * min(map(self._value, answers)) for weight, answers in self.game.throws(position))

    def _value(self, position: P) -> float:
        """Return what a position is worth to the seat. Raises Spent."""
        self.budget.take()
        outcome, seat = self.task.game.outcome(position), self.task.seat
        return values(self.task, position, outcome)[seat] if outcome else evaluate(self.task, position, seat)
