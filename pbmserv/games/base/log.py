"""The log of a board: what its entries are, which moves of it stand, and what a seat has seen of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pbmserv.games.base.game import Note, Seat


class Kind(StrEnum):
    """What an entry of the log is."""

    MOVE = "move"
    PROPOSE = "propose"  #: a draw is offered
    UNDO = "undo"  #: a seat asks to take its last move back
    ACCEPT = "accept"
    REJECT = "reject"
    RESIGN = "resign"
    FORFEIT = "forfeit"
    DECLINE = "decline"
    ADMIN = "admin"  #: an admin makes the next entry in its seat's stead
    REVERT = "revert"  #: an admin goes back to what the board was after the first `text` entries
    VOID = "void"  #: an admin ends the board without a result
    ADJUDICATE = "adjudicate"  #: an admin ends the board; `text` has a rank for each seat


#: The place of an admin in the log: he sits nowhere.
ADMIN: Seat = -1
RULINGS = frozenset({Kind.ADMIN, Kind.REVERT, Kind.VOID, Kind.ADJUDICATE})


@dataclass(frozen=True)
class Entry:
    """One line of the log. `ply` is the board's ply after it; `fixed`: it drew or revealed, so no undo goes past it."""

    seat: Seat
    kind: Kind
    text: str = ""
    ply: int = 0
    fixed: bool = False
    missed: tuple[Seat, ...] = ()
    notes: tuple[Note, ...] = ()


def standing(log: Sequence[Entry]) -> list[Entry]:
    """The moves that stand: those that were taken back are left out."""
    return [log[i] for i in standing_places(log)]


def moved_since(log: Sequence[Entry], length: int) -> bool:
    """Whether the position changed after the first `length` entries (a move, an undo, somebody leaving)."""
    ply = log[length - 1].ply if length else 0
    quiet = (Kind.PROPOSE, Kind.UNDO, Kind.ACCEPT, Kind.REJECT, Kind.ADMIN)
    return any(e.kind not in quiet or e.ply != ply for e in log[length:])


def seen_by(log: Sequence[Entry], seat: Seat) -> int:
    """How many entries of the log a seat has seen: all up to its own last one."""
    return max((i + 1 for i, e in enumerate(log) if e.seat == seat), default=0)


def standing_places(log: Sequence[Entry]) -> list[int]:
    """The places of the standing moves in the log, from 0."""
    moves: list[int] = []
    for i in kept_places(log):
        if log[i].kind is Kind.MOVE:
            moves.append(i)
        del moves[log[i].ply :]
    return moves


def kept_places(log: Sequence[Entry]) -> list[int]:
    """The places of the entries that no admin has taken back, from 0."""
    last = [-1]  # last[n]: after the first n entries, the place of the latest one that was kept then; -1: of none
    for i, entry in enumerate(log):
        last.append(last[int(entry.text)] if entry.kind is Kind.REVERT else i)
    kept, i = list[int](), last[-1]
    while i >= 0:
        kept.append(i)
        i = last[i]
    return kept[::-1]
