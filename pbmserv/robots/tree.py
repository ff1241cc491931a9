"""What all searches share: their run, a budget of nodes, the value of a position, and its successors."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, Self

from pbmserv.games.base import Game, Outcome, Seat
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.rng import ChanceNeeded, NoChance, Rng

WON = 1.0  #: the value of a board that is won; of a lost one it is -WON
DULL = 0.02  #: how much less than an even position a draw is worth to the robot, so that it plays on as long as it can
SOONER = 0.0001  #: how much better a win is for each ply that it comes earlier
MOST_VALUE = 0.98  #: the highest value before a board is over, so that a forced win is seen as one


class Spent(Exception):
    """The budget of nodes is spent."""


@dataclass
class Nodes:
    """How many positions may still be made. It counts nodes and not time, so a robot plays alike on every machine."""

    left: int

    def take(self) -> None:
        """Take one node. Raises Spent."""
        if self.left <= 0:
            raise Spent
        self.left -= 1


@dataclass(frozen=True)
class Task(Generic[P, M]):
    """A decision: the position as the seat may think of it, and what was on the board before.

    `past`: the keys of earlier positions (`key`); to come back to one of them is a draw for the search.
    """

    game: Game[P, M]
    position: P = field(repr=False)
    seat: Seat
    seats: int
    past: frozenset[Hashable] = field(default=frozenset(), repr=False)

    @property
    def is_solitaire(self) -> bool:
        """Whether only points count, because there is no opponent."""
        return self.seats == 1


@dataclass
class Search(ABC, Generic[P, M]):
    """One search. `best`: the best move so far; `value`: what it is worth to the seat; `values`: of the moves."""

    task: Task[P, M]
    budget: Nodes
    rng: Rng
    best: M = field(init=False)
    value: float = field(default=0.0, init=False)
    values: dict[M, float] = field(default_factory=dict, init=False, repr=False)

    def run(self) -> Self:
        """Look for the best move until the budget is spent. A move without another one is not looked at."""
        moves = self.rng.shuffled(self._moves())
        self.best = moves[0]
        if len(moves) > 1:
            with suppress(Spent):
                self._look_at(moves)
        return self

    def chosen(self) -> M:
        """Return the move to make."""
        return self.best

    def _moves(self) -> Sequence[M]:
        return self.task.game.legal_moves(self.task.position, self.task.seat)

    @abstractmethod
    def _look_at(self, moves: list[M]) -> None:
        """Look for the best of two or more moves. May raise Spent."""


def values(task: Task[P, M], position: P, outcome: Outcome) -> tuple[float, ...]:
    """Return what the end of a board is worth to each seat."""
    if task.is_solitaire:
        return (evaluate(task, position, 0),)
    best, worst = min(outcome.ranks), max(outcome.ranks)
    if best == worst:
        return tuple(draw(task, seat) for seat in range(task.seats))
    return tuple(WON - 2 * WON * (rank - best) / (worst - best) for rank in outcome.ranks)


def draw(task: Task[P, M], seat: Seat) -> float:
    """Return what a draw is worth to a seat."""
    return -DULL if seat == task.seat else DULL


def evaluate(task: Task[P, M], position: P, seat: Seat) -> float:
    """Return what the game says of a position for a seat; 0 if it has no opinion."""
    value = task.game.evaluate(position, seat) or 0.0
    return value if task.is_solitaire else MOST_VALUE * value


def mover(task: Task[P, M], position: P) -> Seat:
    """Return the seat that moves next: our own, if several may move at the same time."""
    to_move = task.game.to_move(position)
    return task.seat if task.seat in to_move else min(to_move)


def after(task: Task[P, M], position: P, seat: Seat, move: M) -> P | None:
    """Return the position after a move; None if chance decides what follows."""
    try:
        return task.game.apply(position, seat, move, NoChance()).position
    except ChanceNeeded:
        return None


def drawn(task: Task[P, M], position: P, seat: Seat, move: M, luck: Rng) -> P:
    """Return the position after a move, with our own random numbers."""
    return task.game.apply(position, seat, move, luck).position


def luck(rng: Rng, count: int) -> Sequence[str]:
    """Return seeds for as many samples of chance. Each move is tried with the same ones, so that luck is equal."""
    return [f"{rng.randrange(1 << 62):x}" for _ in range(count)]


def key(task: Task[P, M], position: P) -> Hashable:
    """Return what two positions have in common that are the same for the search, whatever was before them."""
    return task.game.searcher(position, task.seat).key
