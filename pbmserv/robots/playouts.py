"""UCT: for games that say nothing about the worth of a position. Random games to the end tell which move is good."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf, log, sqrt
from typing import Generic

from pbmserv.games.base import Seat
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.robots.tree import Search, Spent, drawn, evaluate, mover, values

_CURIOSITY = 0.7  #: how much moves are preferred that were tried rarely
_LONGEST = 400  #: plies of a random game; a longer one counts as a draw


@dataclass
class _Node(Generic[M]):
    """A move in the tree, with the sum of the values for the seat that made it."""

    seat: Seat = 0
    tried: int = 0
    total: float = 0.0
    children: dict[M, "_Node[M]"] = field(default_factory=dict)

    def score(self, around: int) -> float:
        """Return how much this move deserves the next try. `around`: how often its parent was tried."""
        return inf if not self.tried else self.total / self.tried + _CURIOSITY * sqrt(log(around) / self.tried)


@dataclass
class Playouts(Search[P, M]):
    """One search. `best`: the move that was tried most often; `value`: its average for the seat."""

    def _look_at(self, moves: list[M]) -> None:
        root = _Node[M](children={move: _Node(self.task.seat) for move in moves})
        with suppress(Spent):
            while True:
                self._once(root)
        self.best, node = max(root.children.items(), key=lambda child: child[1].tried)
        self.value = node.total / max(node.tried, 1)
        self.values = {move: child.total / child.tried for move, child in root.children.items() if child.tried}

    def _once(self, root: _Node[M]) -> None:
        """Go down the tree to a new leaf, play to the end, and count the result on the way."""
        task, node, position, way = self.task, root, self.task.position, [root]
        while not (outcome := task.game.outcome(position)):
            seat = mover(task, position)
            moves = task.game.legal_moves(position, seat)
            fresh = [move for move in moves if move not in node.children]
            move = self.rng.choice(fresh) if fresh else self._most_promising(node, moves)
            self.budget.take()
            position = drawn(task, position, seat, move, self.rng)
            node = node.children.setdefault(move, _Node(seat))
            way.append(node)
            if not node.tried:
                break
        result = values(task, position, outcome) if outcome else self._play_on(position)
        for node in way:
            node.tried += 1
            node.total += result[node.seat]

    def _most_promising(self, node: _Node[M], moves: Sequence[M]) -> M:
        return max(moves, key=lambda move: node.children[move].score(node.tried + 1))

    def _play_on(self, position: P) -> tuple[float, ...]:
        """Return the values at the end of a random game."""
        task = self.task
        for _ in range(_LONGEST):
            if outcome := task.game.outcome(position):
                return values(task, position, outcome)
            seat = mover(task, position)
            self.budget.take()
            position = drawn(task, position, seat, self.rng.choice(task.game.legal_moves(position, seat)), self.rng)
        return tuple(evaluate(task, position, s) for s in range(task.seats))
