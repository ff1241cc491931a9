"""Iterative deepening alpha-beta with a transposition table: for two players, without chance."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Generic, NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.rng import NoChance
from pbmserv.robots.tree import MOST_VALUE, SOONER, Search, draw, evaluate, key, mover, values

_DEEPEST = 64  #: plies
_EXACT, _AT_LEAST, _AT_MOST = range(3)
_NO_RNG = NoChance()


class _Known(NamedTuple, Generic[M]):
    """What is known of a position: its value for the seat that moves, as far as `depth` plies, and its best move.

    The value is that of a search from here: wins are counted in plies from here and not from the root.
    """

    depth: int
    value: float
    bound: int
    best: M | None


@dataclass
class AlphaBeta(Search[P, M]):
    """One search. `depth`: how far it sees. The values of the moves are seen equally deep.

    `is_proven`: all moves were seen to the end of the board, so `value` is a win or a loss by force.

    `run` raises ChanceNeeded if a move is tried after which chance decides.
    """

    wide: bool = False  #: the values of all moves are wanted, not only which is the best
    depth: int = 0
    is_proven: bool = False
    _table: dict[Hashable, _Known[M]] = field(default_factory=dict, repr=False)
    _path: set[Hashable] = field(default_factory=set, repr=False)
    _good: dict[M, int] = field(default_factory=dict, repr=False)
    _is_claimable: bool = False  #: a draw can be claimed now; who has not done so may be better, and plays on

    def _look_at(self, moves: list[M]) -> None:
        task = self.task
        self._is_claimable = bool(task.game.claim(task.position))
        self._path = set(task.past)
        self._path.add(key(task, task.position))
        for depth in range(1, _DEEPEST):
            moves = self._root(moves, depth)
            self.depth = depth
            if abs(self.value) > 1 - SOONER * _DEEPEST:  # a win or a loss by force: nothing will change
                self.is_proven = True
                break

    def _root(self, moves: list[M], depth: int) -> list[M]:
        """Search all moves, the best of the last depth first. Return them in the order of their values."""
        alpha, rated = -inf, list[tuple[float, M]]()
        for move in moves:
            least = -inf if self.wide else alpha
            value = self._after(self.task.position, self.task.seat, move, depth, least, inf, 0)
            rated.append((value, move))
            if depth == 1:
                self.values[move] = value
            if value > alpha:
                alpha = self.value = value
                self.best = move  # the best move of the last depth came first, so this holds even if we stop here
        self.values = {move: value for value, move in rated}
        return [move for _, move in sorted(rated, key=lambda pair: -pair[0])]

    def _after(self, position: P, seat: Seat, move: M, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return what a move is worth to the seat that makes it."""
        self.budget.take()
        task = self.task
        then = task.game.apply(position, seat, move, _NO_RNG).position
        outcome = task.game.outcome(then)
        if outcome:
            return _later(values(task, then, outcome)[seat], ply)
        known = key(task, then)
        if known in self._path or (not self._is_claimable and task.game.claim(then)):  # whoever is worse will claim it
            return draw(task, seat)
        if depth <= 1:
            return evaluate(task, then, seat)
        is_own = mover(task, then) == seat
        low, high = (alpha, beta) if is_own else (-beta, -alpha)
        self._path.add(known)
        try:
            value = self._inner(then, known, depth - 1, low, high, ply + 1)
        finally:
            self._path.discard(known)
        return value if is_own else -value

    def _inner(self, position: P, known: Hashable, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return what a position is worth to the seat that moves."""
        task, first = self.task, None
        if entry := self._table.get(known):
            first = entry.best
            if entry.depth >= depth:
                known_value = _later(entry.value, ply)
                if entry.bound == _EXACT or (entry.bound == _AT_LEAST and known_value >= beta):
                    return known_value
                if entry.bound == _AT_MOST and known_value <= alpha:
                    return known_value
        seat, start = mover(task, position), alpha
        best, value = None, -inf
        for move in self._ordered(task.game.legal_moves(position, seat), first):
            after = self._after(position, seat, move, depth, max(alpha, value), beta, ply)
            if after > value:
                best, value = move, after
                if value >= beta:
                    self._good[move] = self._good.get(move, 0) + depth * depth
                    break
        bound = _AT_LEAST if value >= beta else _EXACT if value > start else _AT_MOST
        self._table[known] = _Known(depth, _later(value, -ply), bound, best)
        return value

    def _ordered(self, moves: Sequence[M], first: M | None) -> list[M]:
        """Return moves with those first that were good elsewhere."""
        good = self._good
        ordered = sorted(moves, key=lambda move: -good.get(move, 0)) if good else list(moves)
        if first is not None and first in ordered:
            ordered.remove(first)
            ordered.insert(0, first)
        return ordered


def _later(value: float, plies: int) -> float:
    """Return what a value is worth if it comes so many plies later: a win is better the sooner it comes."""
    if abs(value) <= MOST_VALUE:
        return value
    return value - SOONER * plies if value > 0 else value + SOONER * plies
