"""The rules of a game: pure functions of frozen positions. They know nothing of mail, SQL, players, time or texts."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, Self, TypeVar

from pbmserv.errors import PlayerError
from pbmserv.games.base.stored import JsonForm, form_of
from pbmserv.games.base.values import Info, Options, Outcome, P, Played, Seat, Step, View
from pbmserv.points import Score
from pbmserv.rng import Rng

_MOST_NAMED = 3  #: numbers of players that are named one by one
M = TypeVar("M")  #: move: hashable, equal when it is the same move


class Stored(Generic[P]):
    """Positions as text."""

    position_type: ClassVar[Any]  #: the dataclass P

    def dump(self, position: P) -> str:
        """Return the position as JSON."""
        return self._form.dump(position)

    def load(self, text: str | bytes) -> P:
        """Return the position that `dump` wrote. Raises ValueError for other texts."""
        return self._form.load(text)  # type: ignore[no-any-return]

    def position_key(self, position: P) -> str:
        """Return a text that two positions have in common if and only if they count as the same for repetition.

        By default this is all that is stored of them. Leave out what only counts, such as moves without progress. The
        seats that are to move are compared, too.
        """
        return self.dump(position)

    @cached_property
    def _form(self) -> JsonForm:
        return form_of(self.position_type)


class Rules(ABC, Stored[P], Generic[P, M]):
    """What may happen on a board. All methods return new values and store nothing."""

    info: ClassVar[Info]

    @abstractmethod
    def setup(self, options: Options, seats: int, rng: Rng) -> P:
        """Return the position before the first move. `options` and `seats` have passed `check`."""

    @abstractmethod
    def to_move(self, position: P) -> frozenset[Seat]:
        """Return the seats that may move: none if and only if `outcome` is not None."""

    @abstractmethod
    def legal_moves(self, position: P, seat: Seat) -> Sequence[M]:
        """Return all legal moves of a seat whose turn it is. Their order depends on the position only."""

    @abstractmethod
    def apply(self, position: P, seat: Seat, move: M, rng: Rng) -> Step[P]:
        """Return the position after a legal move."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the board ended; None while it goes on."""

    def followed(self) -> Self:
        """Return the same rules for a position after which a move was played, so that there is one: by default these.

        A replay asks for them. A game overrides this if it takes long to find out that a board has ended for want of
        moves; all other ends must still be noticed.
        """
        return self

    def check(self, options: Options, seats: int) -> None:
        """Raise PlayerError, naming the clash, if these options or this number of seats do not go together."""
        if seats not in self.info.seats:
            least, most = min(self.info.seats), max(self.info.seats)
            is_span = len(self.info.seats) == most - least + 1 > _MOST_NAMED
            numbers = f"{least} to {most}" if is_span else " or ".join(map(str, self.info.seats))
            raise PlayerError(f"{self.info.name} is for {numbers} player{'s' * (numbers != '1')}, not for {seats}.")

    def usual_options(self, named: Options) -> Options:
        """The options of a new board whose challenge names these. Boards that have begun keep those that they have."""
        return named

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """Return the names of the seats in the rules, such as White and Black."""
        return tuple(f"Player {s + 1}" for s in range(seats))

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        """Return the names of the seats on a board with these options, if they are not always the same."""
        return self.seat_names(seats)

    def teams(self, seats: int) -> tuple[int, ...]:
        """Return the team of each seat. Partners share a team and a rank. By default each seat is its own team."""
        return tuple(range(seats))

    def view(self, position: P, seat: Seat | None) -> View[P]:
        """Return what a seat may see. By default this is everything; a game with hidden things removes them here.

        When a board is over, everybody sees everything, and the server does not ask.
        """
        return View(seat, position)

    def public_text(self, move: Played[P], reader: Seat | None) -> str:
        """Return what a reader (None: a spectator) reads in place of the text of a move; by default its text.

        A game in which a move itself is hidden returns a word that names no cell, such as `ship`, for as long as it is
        hidden: `move.before` and `move.now` tell whether it has been revealed since. Players always read their own
        moves, and everybody reads all when the board is over: the server does not ask then.
        """
        return move.text

    def scores(self, position: P) -> tuple[Score, ...] | None:
        """Return the current score of each seat; None if the game has no scores."""
        return None

    def claim(self, position: P) -> str:
        """Return why each player can end the board as a draw now, without consent: a key of `info.endings`; else "".

        In chess this is so when the same position stands for the third time. Players claim it with `propose`.
        """
        return ""

    def agreeing(self, position: P) -> str:
        """Return the move by which a seat agrees to what the rules let another one propose; "" if there is none now.

        In Go this is how a count is agreed to, in Backgammon a double. Whoever writes `accept` there is told so.
        """
        return ""

    def refusing(self, position: P) -> str:
        """Return the move by which a seat refuses that; "" if there is none now."""
        return ""

    def can_win(self, position: P, seat: Seat) -> bool:
        """Return whether a seat could still win by any series of legal moves. By default it could.

        If it cannot, the board is a draw when its only opponents lose on time. In chess: FIDE Laws, article 6.9.
        """
        return True

    def retire(self, position: P, seat: Seat, rng: Rng) -> Step[P]:
        """Return the position after a seat resigned or forfeited and two or more teams are left.

        The game may be over in this position. If it goes on, it must never be this seat's turn again.
        """
        raise NotImplementedError(f"{self.info.key} has no rule for a seat that leaves")

    def rejoin(self, position: P, seat: Seat) -> P:
        """Return the position after a substitute has taken the seat of one that left: `retire` the other way round.

        Only games whose boards go on after `retire` need it. The seat has what it had when it left, and gets its turns
        again. Raises PlayerError if the game has no rule for this.
        """
        raise PlayerError(f"{self.info.name} has no rule for a substitute.", "The others can only play on without one.")


def moves_of(rules: Rules[P, M], position: P, seat: Seat) -> tuple[M, ...]:
    """Return `legal_moves`, which are made once for all who ask about the same position.

    A mail and its letters need them to read the move, to see whether the board is over, and for the example, the links
    and the word `moves`.
    """
    try:
        return _moves(rules, position, seat)  # type: ignore[no-any-return]
    except TypeError:  # a game of others has positions that can change, so nothing can be kept
        return tuple(rules.legal_moves(position, seat))


@lru_cache(maxsize=64)  # of the boards that are played on right now
def _moves(rules: Rules[Any, Any], position: object, seat: Seat) -> Any:
    return tuple(rules.legal_moves(position, seat))
