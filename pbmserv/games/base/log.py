"""The log of a board: its entries, which moves were not taken back, and how much of it a seat has seen."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pbmserv.games.base.values import Note, Seat, at_once


class Kind(StrEnum):
    """The kind of an entry."""

    MOVE = "move"
    PROPOSE = "propose"  #: a seat offers a draw, or claims it
    UNDO = "undo"  #: a seat asks to take back its last move
    ACCEPT = "accept"
    REJECT = "reject"
    RESIGN = "resign"
    FORFEIT = "forfeit"
    DECLINE = "decline"
    ADMIN = "admin"  #: an admin makes the next entry for its seat
    REVERT = "revert"  #: an admin goes back to the board after the first `text` entries
    VOID = "void"  #: an admin ends the board without a result
    ADJUDICATE = "adjudicate"  #: an admin sets the result; `text` has a rank for each seat
    FULL = "full"  #: the server ends the board because its log is full
    WORD = "word"  #: a seat gives its word for the dice, before the board is set up
    IDLE = "idle"  #: the server ends the board because the time of all who still play has run out
    SUBSTITUTE = "substitute"  #: the server ends the board because it goes on elsewhere, with a substitute


#: The seat number of an admin, and of the server itself, in the log. Neither has a seat.
ADMIN: Seat = -1
BY_THE_SERVER = frozenset({Kind.FULL, Kind.IDLE, Kind.SUBSTITUTE})
RULINGS = frozenset({Kind.ADMIN, Kind.REVERT, Kind.VOID, Kind.ADJUDICATE}) | BY_THE_SERVER


@dataclass(frozen=True)
class Entry:
    """One entry of the log. `ply` is the board's ply after it (ADR 6).

    `fixed`: it drew or revealed something, so it stays. `joins`: it belongs to a turn of several seats that an earlier
    move has begun; this is known of hidden moves that somebody reads (hidden.py), and is not stored. `written`: how
    players of the game write the move, "" if that is its text; a replay does not ask for it.
    """

    seat: Seat
    kind: Kind
    text: str = ""
    ply: int = 0
    fixed: bool = False
    missed: tuple[Seat, ...] = ()
    notes: tuple[Note, ...] = ()
    joins: bool = field(default=False, compare=False, repr=False)
    written: str = field(default="", compare=False, repr=False)

    @property
    def shown(self) -> str:
        """What people read of a move. Programs read its text."""
        return self.written or self.text


@dataclass(frozen=True)
class Rounds:
    """The rounds of the table of moves: how many there are, and the last seat that has a cell in the last one.

    All moves of one turn share a cell. `last` is -1 while there is no move.
    """

    count: int = 0
    last: Seat = -1

    def then(self, seat: Seat, missed: Sequence[Seat] = ()) -> "Rounds":
        """Return the rounds after a move of `seat`. After that move, the seats `missed` were skipped."""
        rounds = self if seat == self.last else self._with(seat)
        for other in missed:
            rounds = rounds._with(other)
        return rounds

    def _with(self, seat: Seat) -> "Rounds":
        """Add a cell. It begins a new round if this seat, or a later one, has a cell in the last round already."""
        return at_once(Rounds, count=self.count + (not self.count or seat <= self.last), last=seat)


NO_ROUNDS = Rounds()


def standing(log: Sequence[Entry]) -> list[Entry]:
    """Return the standing moves, the earliest first: all moves that were not taken back."""
    return [entry for _, entry in standing_backwards(log)][::-1]


def count_rounds(log: Sequence[Entry]) -> Rounds:
    """Return the rounds of the standing moves."""
    rounds = NO_ROUNDS
    for entry in standing(log):
        rounds = rounds.then(entry.seat, entry.missed)
    return rounds


def has_note(entries: Sequence[Entry], seats: Collection[Seat]) -> bool:
    """Return whether an entry has a note that one of these seats may read."""
    return any(n.seats is None or not n.seats.isdisjoint(seats) for e in entries for n in e.notes)


def moved_since(log: Sequence[Entry], length: int) -> bool:
    """Return whether the position changed after the first `length` entries (a move, an undo, a seat that left)."""
    ply = log[length - 1].ply if length else 0
    quiet = (Kind.PROPOSE, Kind.UNDO, Kind.ACCEPT, Kind.REJECT, Kind.ADMIN)
    return any((e.kind not in quiet and not is_only_a_word(e)) or e.ply != ply for e in log[length:])


def is_only_a_word(entry: Entry) -> bool:
    """Return whether an entry is a word for the dice, and the board still waits for others: the last one sets it up."""
    return entry.kind is Kind.WORD and not entry.fixed


def seen_by(log: Sequence[Entry], seat: Seat) -> int:
    """Return how many entries a seat has seen: all up to its own last entry."""
    return next((i + 1 for i in reversed(range(len(log))) if log[i].seat == seat), 0)


def standing_places(log: Sequence[Entry]) -> list[int]:
    """Return the indices of the standing moves in the log, from 0."""
    return [i for i, _ in standing_backwards(log)][::-1]


def kept_places(log: Sequence[Entry]) -> list[int]:
    """Return the indices of the entries that no admin has undone, from 0."""
    return [i for i, _ in _kept_backwards(log)][::-1]


def standing_backwards(log: Sequence[Entry]) -> Iterator[tuple[int, Entry]]:
    """Yield the standing moves with their indices, the latest first. The end of a long log answers most questions.

    A move stands if the board did not go back before it later.
    """
    lowest: int | None = None
    for i, entry in _kept_backwards(log):
        if lowest is None or entry.ply <= lowest:
            lowest = entry.ply
            if entry.kind is Kind.MOVE:
                yield i, entry


def _kept_backwards(log: Sequence[Entry]) -> Iterator[tuple[int, Entry]]:
    """Yield the entries that no admin has undone with their indices, the latest first."""
    left = len(log)
    while left:
        entry = log[left - 1]
        if entry.kind is Kind.REVERT:
            left = int(entry.text)
        else:
            left -= 1
            yield left, entry
