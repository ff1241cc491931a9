"""Iterative deepening alpha-beta with a transposition table: for two players, without chance.

At the horizon only loud moves are looked at (`Game.loud`), until a position is quiet enough to be judged.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Generic, NamedTuple

from pbmserv.games.base import Outcome
from pbmserv.games.base.rules import M
from pbmserv.games.base.searcher import Searcher
from pbmserv.games.base.values import P
from pbmserv.robots.tree import DULL, MOST_VALUE, SOONER, WON, Search, Spent

_DEEPEST = 64  #: plies
_EXACT, _AT_LEAST, _AT_MOST = range(3)
_REDUCED = 2  #: plies less for a null move
_LEAST = 1e-6  #: of two values that are different
_FIRST = 4  #: moves that are looked at in full depth
_HURRIED = 2  #: loud moves in a row that are looked at when the budget is spent
_PROVEN = 1 - SOONER * _DEEPEST  #: a value from here on is a win by force


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
    near: float = 0.0  #: the values of moves are wanted that are worse than the best by no more than this
    is_patient: bool = False  #: a win by force does not end the search, because others are wanted, too
    is_thorough: bool = False  #: if there is a node for each move, all are seen once, even when the budget is spent
    depth: int = 0
    is_proven: bool = False
    _table: dict[Hashable, _Known[Any]] = field(default_factory=dict, repr=False)
    _latest: dict[M, float] = field(default_factory=dict, repr=False)  #: values, some of them seen deeper than others
    _path: set[Hashable] = field(default_factory=set, repr=False)
    _good: dict[Any, int] = field(default_factory=lambda: defaultdict(int), repr=False)
    _most_loud: float = inf  #: loud moves in a row that are looked at
    _at_root: float = inf  #: how many moves are looked at, if not all lose (`Evaluation.promising`)
    _width: float = inf  #: and in later positions
    _is_still: bool = False
    _is_claimable: bool = False  #: a draw can be claimed now; who has not done so may be better, and plays on

    def chosen(self) -> M:
        """Return the best move, or one of those that are nearly as good (`near`). Neither win nor loss is hurried."""
        if not self.near or abs(self.value) > MOST_VALUE:
            return self.best
        return self.rng.choice([*self.close()] or [self.best])

    def close(self) -> dict[M, float]:
        """Return the values of the best move and of those that are nearly as good (`near`)."""
        least = self.value - self.near
        return {move: value for move, value in self._latest.items() if value >= least}

    def _look_at(self, moves: list[M]) -> None:
        task = self.task
        self._state: Searcher[M, Any] = task.game.searcher(task.position, task.seat)
        self._is_claimable = bool(task.game.claim(task.position))
        self._path = {*task.past, self._state.key}
        places = {move: n for n, move in enumerate(moves)}
        named = [(self._state.named(move), move) for move in self._state.moves({})]
        order = sorted(named, key=lambda pair: places[pair[0]])
        self.is_thorough &= len(moves) <= self.budget.left
        few = task.game.promising
        for depth in range(1, _DEEPEST):
            order = self._root(order, depth)
            self.depth = depth
            if few and depth == 1:  # what is good at once is good some plies later, and for the opponent, too
                self._good.update((made, few - n) for n, (_, made) in enumerate(order[:few]))
                self._at_root = few
            elif few:  # the answers have been seen
                self._width = few
            if abs(self.value) > _PROVEN:  # nothing will change
                self.is_proven = True
                if not self.is_patient:
                    break

    def _root(self, moves: list[tuple[M, Any]], depth: int) -> list[tuple[M, Any]]:
        """Search all moves, the best of the last depth first. Return them in the order of their values."""
        alpha, rated = -inf, list[tuple[float, tuple[M, Any]]]()
        for move, made in moves:
            if len(rated) >= self._at_root and alpha > -MOST_VALUE:
                self._latest.update((left, -inf) for left, _ in moves[len(rated) :])
                break
            least = -inf if self.wide else alpha - self.near
            value = self._after(made, depth, least, inf, 0)
            rated.append((value, (move, made)))
            self._latest[move] = value if value > least else -inf  # else it is only known to be worth no more
            if depth == 1:
                self.values[move] = value
            if value > alpha:
                alpha = self.value = value
                self.best = move  # the best move of the last depth came first, so this holds even if we stop here
        self.values = {move: value for value, (move, _) in rated}
        return [both for _, both in sorted(rated, key=lambda pair: -pair[0])] + moves[len(rated) :]

    def _after(self, move: Any, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return what a move is worth to the seat that makes it."""
        budget, state = self.budget, self._state
        if budget.left <= 0:
            if self.depth or not self.is_thorough:
                raise Spent
            self._most_loud = _HURRIED
        budget.left -= 1
        seat = state.seat
        state.make(move)
        if state.seat == seat:
            value = self._inner(depth - 1, alpha, beta, ply)
        else:
            value = -self._inner(depth - 1, -beta, -alpha, ply)
        state.unmake()
        return value

    def _inner(self, depth: int, alpha: float, beta: float, ply: int) -> float:
        """Return what a position is worth to the seat that moves. `ply`: of the move that led to it."""
        state = self._state
        if outcome := state.outcome():
            return _later(self._over(outcome), ply)
        known = state.key
        if known in self._path or (not self._is_claimable and state.is_claimable()):  # whoever is worse will claim it
            return self._draw()
        if depth <= 0:
            return self._calm(alpha, beta, ply)
        first, entry = None, self._table.get(known)
        if entry:
            first = entry.best
            if entry.depth >= depth:
                value = _later(entry.value, ply)
                if entry.bound == _EXACT or (value >= beta if entry.bound == _AT_LEAST else value <= alpha):
                    return value
        self._path.add(known)
        if depth > _REDUCED and beta < MOST_VALUE and self._stands_still(depth, beta, ply):
            self._path.discard(known)
            return beta
        best, value = self._best_of(self._ordered(state.moves(self._good), first), depth, alpha, beta, ply)
        self._path.discard(known)
        bound = _AT_LEAST if value >= beta else _EXACT if value > alpha else _AT_MOST
        self._table[known] = _Known(depth, _later(value, -ply), bound, best)
        return value

    def _stands_still(self, depth: int, beta: float, ply: int) -> bool:
        """Return whether the seat that moves stands so well that it need not even move."""
        state = self._state
        if self._is_still or not state.make_none():
            return False
        self._is_still = True  # not twice in a row
        value = -self._inner(depth - 1 - _REDUCED, -beta, -beta + _LEAST, ply + 1)
        self._is_still = False
        state.unmake()
        return value >= beta

    def _best_of(self, moves: Sequence[Any], depth: int, alpha: float, beta: float, ply: int) -> tuple[Any, float]:
        """Return the best of these moves and its value, or one that is good enough."""
        best, value, place = None, -inf, 0
        for move in moves:
            place += 1
            if place > self._width and value > -MOST_VALUE:
                break
            if depth > 2 and place > _FIRST and value > -MOST_VALUE:
                after = self._after(move, depth - 1, alpha, alpha + _LEAST, ply + 1)
                if after <= alpha:
                    continue
            after = self._after(move, depth, alpha, beta, ply + 1)
            if after > value:
                best, value = move, after
                if value >= beta:
                    self._good[move] += depth * depth
                    break
                alpha = max(alpha, value)
        return best, value

    def _calm(self, alpha: float, beta: float, ply: int) -> float:
        """Return what a position is worth when nothing loud is left to do, at least as much as to do nothing."""
        state = self._state
        goes_on = ply < self._most_loud
        value = -inf if goes_on and state.is_tense() else MOST_VALUE * state.value()
        if goes_on and value < beta:
            for move in state.loud(max(alpha, value) / MOST_VALUE):
                value = max(value, self._after(move, 0, max(alpha, value), beta, ply + 1))
                if value >= beta:
                    break
        return value

    def _over(self, outcome: Outcome) -> float:
        """Return what an end is worth to the seat that would move."""
        ranks, seat = outcome.ranks, self._state.seat
        if ranks[0] == ranks[1]:
            return self._draw()
        return WON if ranks[seat] < ranks[1 - seat] else -WON

    def _draw(self) -> float:
        return -DULL if self._state.seat == self.task.seat else DULL

    @staticmethod
    def _ordered(moves: Sequence[Any], first: Any) -> Sequence[Any]:
        """Return moves with the one first that was the best here before."""
        others = [move for move in moves if move != first]
        return moves if len(others) == len(moves) else [first, *others]


def _later(value: float, plies: int) -> float:
    """Return what a value is worth if it comes so many plies later: a win is better the sooner it comes."""
    if abs(value) <= MOST_VALUE:
        return value
    return value - SOONER * plies if value > 0 else value + SOONER * plies
