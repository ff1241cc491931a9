"""Rollouts: for two players and chance. To see more throws tells more than to see further.

A throw is all that chance decides, be it dice or tiles. All moves are judged as they look after one throw. Those that
look best are tried with one throw after the other, each throw with all of them, so that luck is equal; after it both
make the moves that look best. The name and the idea are those of programs for backgammon (G. Tesauro and G. Galperin,
"On-line Policy Improvement using Monte-Carlo Search", 1996).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from pbmserv.games.base import Seat
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.rng import Rng
from pbmserv.robots.tree import Search, Spent, drawn, evaluate, luck, mover, values

_MANY, _FEW = 6, 3  #: candidates at the beginning, and after the first throws
_FIRST = 2  #: throws after which only the reply is looked at; after the later ones also the reply to that
_PRIOR = 2  #: throws that the first look counts for
_REPLIES = 40  #: moves that are looked at for a reply; of more, so many at random, because more throws tell more


@dataclass
class Rollouts(Search[P, M]):
    """One search. `values`: of the candidates."""

    def _look_at(self, moves: list[M]) -> None:
        task, looks = self.task, dict[M, float]()
        try:
            seed = luck(self.rng, 1)[0]
            for move in moves:
                looks[move] = self._value(self._after(task.position, move, seed, 0), task.seat)
            self._try(looks)
        except Spent:
            if not self.values and looks:
                self._note(looks, 1)

    def _try(self, looks: dict[M, float]) -> None:
        """Try the moves that look best until the budget is spent."""
        candidates = sorted(looks, key=lambda move: -looks[move])[:_MANY]
        sums = {move: _PRIOR * looks[move] for move in candidates}
        throws = 0
        while True:
            if throws == _FIRST:
                candidates = sorted(candidates, key=lambda move: -sums[move])[:_FEW]
            seed, turns = luck(self.rng, 1)[0], 1 if throws < _FIRST else 2
            results = [self._played_on(move, turns, seed) for move in candidates]
            throws += 1
            sums = {move: sums[move] + value for move, value in zip(candidates, results, strict=True)}
            self._note(sums, _PRIOR + throws)

    def _played_on(self, move: M, turns: int, seed: str) -> float:
        """Return what a move is worth when so many more turns are over, in which both make the moves that look best.

        What is left of the turn of the move itself is not counted.
        """
        task, seat, ply = self.task, self.task.seat, 0
        position = self._after(task.position, move, seed, ply)
        while not task.game.outcome(position):
            if mover(task, position) != seat:
                if turns == 0:
                    break
                turns -= 1
                seat = mover(task, position)
            ply += 1
            replies = [self._after(position, reply, seed, ply) for reply in self._replies(position, seat, seed, ply)]
            position = max(replies, key=partial(self._value, seat=seat))
        return self._value(position, task.seat)

    def _replies(self, position: P, seat: Seat, seed: str, ply: int) -> Sequence[M]:
        legal = self.task.game.legal_moves(position, seat)
        return legal if len(legal) <= _REPLIES else Rng(seed, ply, "replies").shuffled(legal)[:_REPLIES]

    def _after(self, position: P, move: M, seed: str, ply: int) -> P:
        """Return the position after a move. All moves of a position are followed by the same throw. Raises Spent."""
        self.budget.take()
        return drawn(self.task, position, mover(self.task, position), move, Rng(seed, ply))

    def _value(self, position: P, seat: Seat) -> float:
        outcome = self.task.game.outcome(position)
        return values(self.task, position, outcome)[seat] if outcome else evaluate(self.task, position, seat)

    def _note(self, sums: dict[M, float], count: int) -> None:
        """Keep what is known now, as averages of so many throws."""
        self.values = {move: total / count for move, total in sums.items()}
        self.best, self.value = max(self.values.items(), key=lambda pair: pair[1])
