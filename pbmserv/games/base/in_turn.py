"""Games whose seats move one after the other, which nearly all do: a position says whose turn it is."""

from abc import abstractmethod
from typing import ClassVar, Protocol, TypeVar

from pbmserv.games.base.game import Game
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import Outcome, Seat


class HasTurn(Protocol):
    """A position that says which seat moves next, or would if the board were not over."""

    @property
    def turn(self) -> Seat: ...


T = TypeVar("T", bound=HasTurn)


class InTurn(Game[T, M]):
    """One seat moves at a time. Of two players, who moved last has won, unless the ending is one of `draws`."""

    draws: ClassVar[frozenset[str]] = frozenset()  #: those keys of `info.endings` with which nobody wins
    names: ClassVar[tuple[str, ...]] = ()  #: of the seats in the rules; none: Player 1, Player 2 …

    @abstractmethod
    def end(self, position: T) -> str:
        """Return how the board ended, a key of `info.endings`; "" while it goes on."""

    def winner(self, position: T) -> Seat | None:
        """Return who of two has won a board that is over; None: nobody."""
        return None if self.end(position) in self.draws else 1 - position.turn

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return self.names or super().seat_names(seats)

    def to_move(self, position: T) -> frozenset[Seat]:
        return frozenset() if self.end(position) else frozenset({position.turn})

    def outcome(self, position: T) -> Outcome | None:
        reason = self.end(position)
        return Outcome(reason, ranks_of(self.winner(position)), self.scores(position) or ()) if reason else None


def ranks_of(winner: Seat | None) -> tuple[int, int]:
    """Return the ranks of two players; None: nobody has won."""
    return (1, 1) if winner is None else (1, 2) if winner == 0 else (2, 1)


def leader(first: float, second: float) -> Seat | None:
    """Return who of two has more; None if they have the same."""
    return None if first == second else int(first < second)
