"""A position that a search changes: moves are made and taken back, thousands of times for one move of a robot.

Each game has one, because `Pure` asks its rules. A game can have a faster form of its own (`Game.searcher`), which must
say the same as its rules: tests compare them move by move.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from pbmserv.games.base.evaluation import Evaluation
from pbmserv.games.base.rules import M, Rules, Stored
from pbmserv.games.base.values import Outcome, P, Seat
from pbmserv.rng import NoChance

N = TypeVar("N", covariant=True)  #: a move as the game has it
T = TypeVar("T")  #: a move as the searcher writes it, perhaps a number; hashable

_NO_RNG = NoChance()


class Searcher(Protocol[N, T]):
    """A position of a board of two without chance or hidden things.

    `seat`: whose turn it is; `key`: equal if positions are the same for a search, whatever was before them.
    """

    seat: Seat
    key: Hashable

    def outcome(self) -> Outcome | None:
        """Return how the board has ended; None while it goes on."""

    def is_claimable(self) -> bool:
        """Return whether a draw can be claimed, but for positions that have come back."""

    def moves(self, good: Mapping[T, int]) -> Sequence[T]:
        """Return the legal moves, those first that promise most.

        `good`: how good moves were in other positions; empty, or 0 for those that it does not know.
        """

    def loud(self, least: float) -> Sequence[T]:
        """Return the loud moves (`Game.loud`), perhaps without those that promise no value above `least`."""

    def is_tense(self) -> bool:
        """Return whether the position is not to be judged, because one of the loud moves must be made."""

    def make(self, move: T) -> None:
        """Make a legal move. Raises ChanceNeeded if chance decides what follows."""

    def unmake(self) -> None:
        """Take the last move back."""

    def make_none(self) -> bool:
        """Let the other seat move, if there are positions in which that tells something; return whether it does now."""

    def value(self) -> float:
        """Return how good the position is for the seat that moves, between -1 and 1."""

    def named(self, move: T) -> N:
        """Return a move as the game writes it."""


class Searched(Rules[P, M], Evaluation[P, M]):
    """A game whose positions can be searched, as those of all games."""

    def searcher(self, position: P, own: Seat) -> Searcher[M, Any]:
        """Return a form of a position in which a search makes moves and takes them back. `own`: the robot's seat.

        The default asks the rules. A game that has a faster form must prove it equal to them.
        """
        return Pure(self, position, own)


class Pure(Generic[P, M]):
    """The rules themselves as a searcher. `own`: the seat that moves first, if several may."""

    def __init__(self, game: Searched[P, M], position: P, own: Seat) -> None:
        self._game, self._own = game, own
        self._is_keyed = type(game).position_key is not Stored.position_key
        self._before = list[tuple[P, Seat, Hashable, bool]]()
        self.seat: Seat = own
        self._go_to(position)

    def _go_to(self, position: P) -> None:
        game, self._position = self._game, position
        to_move = game.to_move(position)
        self._is_over = not to_move
        if to_move:
            self.seat = self._own if self._own in to_move else min(to_move)
        self._loud: Sequence[M] | None = None
        self.key: Hashable = (game.position_key(position), to_move) if self._is_keyed else position

    def outcome(self) -> Outcome | None:
        return self._game.outcome(self._position) if self._is_over else None

    def is_claimable(self) -> bool:
        return bool(self._game.claim(self._position))

    def moves(self, good: Mapping[M, int]) -> Sequence[M]:
        legal = self._game.legal_moves(self._position, self.seat)
        return sorted(legal, key=good.__getitem__, reverse=True) if good else legal

    def loud(self, least: float) -> Sequence[M]:
        if self._loud is None:
            self._loud = self._game.loud(self._position, self.seat)
        return self._loud

    def is_tense(self) -> bool:
        return self._game.loud_is_forced and bool(self.loud(-1))

    def make(self, move: M) -> None:
        before = self._position, self.seat, self.key, self._is_over
        self._go_to(self._game.apply(self._position, self.seat, move, _NO_RNG).position)
        self._before.append(before)

    def unmake(self) -> None:
        self._position, self.seat, self.key, self._is_over = self._before.pop()
        self._loud = None

    def make_none(self) -> bool:
        return False

    def value(self) -> float:
        return self._game.evaluate(self._position, self.seat) or 0.0

    def named(self, move: M) -> M:
        return move
