"""Games like chess: positions and moves as values."""

from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.base.values import changed

CHECK = "+"  #: at the end of a key: who is to move is in check


class Move(NamedTuple):
    """A move of one man; or, if `drop` is the letter of a man, this man comes on the board at `target`.

    `promotion`: the letter of what it becomes, or "". `rook`: where the rook stands in castling, else -1; then `target`
    is where the king goes.
    """

    source: int
    target: int
    promotion: str = ""
    drop: str = ""
    rook: int = -1


DECLARED = Move(-1, -1)  #: no man moves: its seat declares that its king has entered the other camp, and wins


@dataclass(frozen=True)
class Position:
    """A position of a game like chess.

    `board`: a letter or a dot for each square, upper case for White. `rooks`: those that can still castle. `passed`:
    the square that a pawn has just passed over, else -1. `passer`: where it stands now. `hands`: the men that each seat
    can drop, sorted.
    `promoted`: the squares of men that were pawns, where men are dropped. `checks`: how many each seat has given.
    `quiet`: plies since the last capture or move of a pawn. `past`: keys of this position and of those before it that
    can still come again. `counted`: plies of the counting of makruk, and how many may be.
    `over`: the ending, "" while the game goes on. `won`: who has won then; -1: nobody.
    """

    board: str
    turn: Seat = 0
    rooks: tuple[int, ...] = ()
    passed: int = -1
    passer: int = -1
    hands: tuple[str, str] = ("", "")
    promoted: tuple[int, ...] = ()
    checks: tuple[int, int] = (0, 0)
    quiet: int = 0
    past: tuple[str, ...] = ()
    counted: tuple[int, int] = (0, 0)
    over: str = ""
    won: int = -1

    def with_key(self, sign: str = "", *, whole: bool = False) -> "Position":
        """Return the position with its key at the end of its past.

        `sign`: CHECK where repeated checks count. `whole`: the key is the board, because who chases whom counts.
        """
        if whole:
            return changed(self, past=(*self.past, f"{self.board}{self.turn}{sign}"))
        facts = f"{self.board}{self.turn}{self.rooks}{self.passed}{self.passer}{self.hands}{self.promoted}{self.checks}"
        key = blake2b(facts.encode(), digest_size=6).hexdigest()
        return changed(self, past=(*self.past, key + sign))
