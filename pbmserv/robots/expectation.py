"""Max^n with sampled chance: for more than two players, and for one player alone.

Each seat chooses what is best for itself. Where chance decides what follows a move, the values of a few samples are
averaged.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pbmserv.games.base import Seat
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.rng import Rng
from pbmserv.robots.tree import SOONER, Search, Spent, after, draw, drawn, evaluate, key, luck, mover, values

_DEEPEST = 12  #: plies
_SAMPLES = (4, 2, 1)  #: of chance, at the first ply, at the second and at the rest
_ALONE = (6, 3, 2)  #: in a solitaire, where chance is the opponent


@dataclass
class Expectation(Search[P, M]):
    """One search. `depth`: how far it sees. The values of the moves are seen equally deep."""

    depth: int = 0

    def _moves(self) -> Sequence[M]:
        legal = super()._moves()
        return [move for move in legal if not (self.task.is_solitaire and self._comes_back(move))] or legal

    def _look_at(self, moves: list[M]) -> None:
        for depth in range(1, _DEEPEST):
            moves = self._root(moves, depth)
            self.depth = depth

    def _comes_back(self, move: M) -> bool:
        """Return whether a move leads to a position that was there before. Alone, a robot could go in circles."""
        then = after(self.task, self.task.position, self.task.seat, move)
        return then is not None and key(self.task, then) in self.task.past

    def _root(self, moves: list[M], depth: int) -> list[M]:
        seeds = luck(self.rng, _ALONE[0])
        rated = list[tuple[float, M]]()
        try:
            for move in moves:
                value = self._after(self.task.position, self.task.seat, move, depth, 0, seeds)[self.task.seat]
                rated.append((value, move))
                if depth == 1:
                    self.values[move] = value
        except Spent:
            if rated:  # the best of those that were seen so deep; the best of the last depth is among them
                self.value, self.best = max(rated, key=lambda pair: pair[0])
            raise
        rated.sort(key=lambda pair: -pair[0])
        self.value, self.best = rated[0]
        self.values = {move: value for value, move in rated}
        return [move for _, move in rated]

    def _after(self, position: P, seat: Seat, move: M, depth: int, ply: int, seeds: Sequence[str]) -> tuple[float, ...]:
        """Return what a move is worth to each seat."""
        self.budget.take()
        then = after(self.task, position, seat, move)
        if then is not None:
            return self._value(then, depth - 1, ply + 1, seeds)
        samples = _ALONE if self.task.is_solitaire else _SAMPLES if depth > 1 else (1,)
        count = samples[min(ply, len(samples) - 1)]
        sums = [0.0] * self.task.seats
        for n, seed in enumerate(seeds[:count]):
            if n:
                self.budget.take()
            then = drawn(self.task, position, seat, move, Rng(seed, ply))
            for s, value in enumerate(self._value(then, depth - 1, ply + 1, seeds)):
                sums[s] += value
        return tuple(total / len(seeds[:count]) for total in sums)

    def _value(self, position: P, depth: int, ply: int, seeds: Sequence[str]) -> tuple[float, ...]:
        """Return what a position is worth to each seat."""
        task = self.task
        if outcome := task.game.outcome(position):
            result = values(task, position, outcome)
            return result if task.is_solitaire else tuple(v * (1 - SOONER * ply) for v in result)
        if task.past and not task.is_solitaire and key(task, position) in task.past:
            return tuple(draw(task, s) for s in range(task.seats))
        if depth <= 0:
            return tuple(evaluate(task, position, s) for s in range(task.seats))
        seat = mover(task, position)
        moves = task.game.legal_moves(position, seat)
        return max((self._after(position, seat, m, depth, ply, seeds) for m in moves), key=lambda result: result[seat])
