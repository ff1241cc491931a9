"""What a game is: a stateless object over frozen positions. It knows nothing of mail, SQL, players or time."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import TypeAdapter

from pbmserv.errors import AmbiguousMove, IllegalMove, MoveError, NotAMove, PlayerError, quote
from pbmserv.rng import Rng

Seat = int  #: a place at a board, 0 .. n-1
Options = Mapping[str, str]  #: the options a board was begun with: name -> value, "" for a plain switch
P = TypeVar("P")  #: position: a frozen dataclass of plain values
M = TypeVar("M")  #: move: hashable, equal when it is the same move


@dataclass(frozen=True)
class Option:
    """An option of the challenge: `-name`, or `-name=value` with one of `values`."""

    name: str
    text: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Display:
    """One way to draw the board, chosen by each reader for himself. The first of a game is the default."""

    name: str
    text: str


@dataclass(frozen=True)
class Info:
    """What the server, the help pages and the tests need to know about a game.

    `pattern` matches a whole canonical or alternative move text in lower case, whether legal or not.
    `endings` maps each `Outcome.reason` to a phrase that can follow "White wins: ".
    """

    key: str
    name: str
    summary: str
    seats: tuple[int, ...]
    pattern: str
    endings: Mapping[str, str]
    credit: str
    aliases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    displays: tuple[Display, ...] = ()
    agreements: frozenset[str] = frozenset({"draw", "undo"})  #: what seats can agree on here
    chance: bool = False
    hidden: bool = False
    rules: int = 1  #: version of the rules, draws and their order included


@dataclass(frozen=True)
class Note:
    """Something that happened in a move, in one sentence; `seats` says who may read it (None: everybody)."""

    text: str
    seats: frozenset[Seat] | None = None


@dataclass(frozen=True)
class Step(Generic[P]):
    """The position after a move, and what there is to tell about it."""

    position: P
    notes: tuple[Note, ...] = ()
    missed: tuple[Seat, ...] = ()  #: seats that then had no move and were passed over, in order
    revealed: bool = False  #: something hidden was seen, so the move cannot be taken back


@dataclass(frozen=True)
class Outcome:
    """How a board ended. `ranks`: one per seat, 1 is best, equal is tied. A solitaire has one rank and a score."""

    reason: str
    ranks: tuple[int, ...]
    scores: tuple[int, ...] = ()

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of the best rank; nobody if all share it."""
        if len(set(self.ranks)) == 1:
            return ()
        return tuple(s for s, rank in enumerate(self.ranks) if rank == min(self.ranks))


@dataclass(frozen=True)
class View(Generic[P]):
    """A position as one seat may see it (None: a spectator). Only `Game.view` makes one."""

    seat: Seat | None
    position: P = field(repr=False)


class Game(ABC, Generic[P, M]):
    """The rules of one game. All methods are pure: they return new values and remember nothing."""

    info: ClassVar[Info]
    position_type: ClassVar[Any]  #: the dataclass P

    @abstractmethod
    def setup(self, options: Options, seats: int, rng: Rng) -> P:
        """The position before the first move. `options` and `seats` have passed `check`."""

    @abstractmethod
    def to_move(self, position: P) -> frozenset[Seat]:
        """Who may move; empty exactly when `outcome` is not None."""

    @abstractmethod
    def legal_moves(self, position: P, seat: Seat) -> Sequence[M]:
        """All moves of a seat that is to move, in an order that depends on the position only."""

    @abstractmethod
    def apply(self, position: P, seat: Seat, move: M, rng: Rng) -> Step[P]:
        """The position after a legal move."""

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """How the board ended, None while it goes on."""

    @abstractmethod
    def format(self, move: M) -> str:
        """The canonical text: lower case, no spaces, understood by `parse`."""

    @abstractmethod
    def scene(self, view: View[P]) -> Mapping[str, Any]:
        """Plain data for the diagram template."""

    def check(self, options: Options, seats: int) -> None:
        """Raise PlayerError, naming the clash, if these options or this number of seats do not go together."""
        if seats not in self.info.seats:
            wanted = " or ".join(str(n) for n in self.info.seats)
            raise PlayerError(f"{self.info.name} is for {wanted} player{'s' * (wanted != '1')}, not for {seats}.")

    def seat_names(self, seats: int) -> tuple[str, ...]:
        """What the rules call the seats."""
        return tuple(f"Player {s + 1}" for s in range(seats))

    def teams(self, seats: int) -> tuple[int, ...]:
        """The team of each seat; partners share a team and a rank. By default each seat is a team of its own."""
        return tuple(range(seats))

    def normalise(self, text: str) -> str:
        """`text` in the one form in which spellings are compared."""
        return text.strip().lower()

    def words(self, text: str) -> list[str]:
        """The moves that are run together in one word; most games never do that."""
        return [text]

    def spellings(self, position: P, move: M) -> tuple[str, ...]:
        """The texts other than `format(move)` that name this move here."""
        return ()

    def why_not(self, position: P, seat: Seat, text: str) -> str:
        """Why the move `text` (normalised; it matches the pattern) is not possible: one sentence."""
        return f"'{text}' is not possible now."

    def parse(self, position: P, seat: Seat, text: str) -> M:
        """The legal move that `text` names.

        Raises NotAMove, IllegalMove or AmbiguousMove. Never completes or corrects: equality with `format`
        and `spellings` decides.
        """
        wanted = self.normalise(text)
        if not self.is_move(wanted):
            raise self.not_a_move(position, seat, text)
        found = [
            m for m in self.legal_moves(position, seat) if wanted in (self.format(m), *self.spellings(position, m))
        ]
        if len(found) > 1:
            raise AmbiguousMove(text, [self.format(m) for m in found])
        if not found:
            raise self.illegal(position, seat, wanted)
        return found[0]

    def is_move(self, text: str) -> bool:
        """Whether the normalised `text` has the form of a move of this game."""
        return re.fullmatch(self.info.pattern, text) is not None

    def not_a_move(self, position: P, seat: Seat, text: str) -> MoveError:
        """The error for a text that is no move on any board of this game."""
        return NotAMove(f"{quote(text)} is not a move in {self.info.name}.", self._advice(position, seat))

    def illegal(self, position: P, seat: Seat, text: str) -> MoveError:
        """The error for a move that is not possible now."""
        return IllegalMove(self.why_not(position, seat, text), self._advice(position, seat))

    def example(self, position: P, seat: Seat) -> str:
        """The text of a legal move that suits as an example."""
        return self.format(self.legal_moves(position, seat)[0])

    def view(self, position: P, seat: Seat | None) -> View[P]:
        """What a seat may see: everything, unless the game overrides this and takes away what is hidden."""
        return View(seat, position)

    def scores(self, position: P) -> tuple[int, ...] | None:
        """The running score of each seat, where the game has one."""
        return None

    def retire(self, position: P, seat: Seat, rng: Rng) -> Step[P]:
        """What remains for the others when a seat resigns or forfeits and two teams or more are left.

        Afterwards `outcome` may be decided; otherwise the seat is never to move again.
        """
        raise NotImplementedError(f"{self.info.key} has no rule for a seat that leaves")

    def dump(self, position: P) -> str:
        """The position as JSON."""
        return self._adapter.dump_json(position).decode()

    def load(self, text: str | bytes) -> P:
        """The position that `dump` wrote."""
        return self._adapter.validate_json(text)  # type: ignore[no-any-return]

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self.position_type)

    def _advice(self, position: P, seat: Seat) -> str:
        return f"Send a move such as: {self.example(position, seat)}"


#: A game of which no more is known: what the rest of the server works with.
AnyGame = Game[Any, Any]
