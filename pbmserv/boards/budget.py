"""Limits on the work that one mail can cause, and the earlier positions that it asks for.

A mail of 1 kB can ask for a hundred pages of long boards. Other mails wait while it is answered. So each mail has a
budget, and an error says what to send instead. The log of each board is replayed only once for a mail.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from pbmserv.boards.entries import MOST_ENTRIES
from pbmserv.boards.past import Film, Past
from pbmserv.errors import PlayerError
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry, standing_places
from pbmserv.model import BoardRow
from pbmserv.store import Store

#: Moves that are replayed to find earlier positions. A mail can ask for any position of the longest board. This takes
#: half a second of CPU.
MOST_REPLAYED = MOST_ENTRIES
#: Boards that are drawn. Each takes about 3 ms and fills a screen. A long board counts as several.
MOST_PAGES = 50
ENTRIES_OF_A_PAGE = 2_000
#: Bytes of an answer. When it is longer, no further command runs. The first command always gets its whole answer.
MOST_ANSWER_BYTES = 256 * 1024
#: The same for a mail that does not prove who sent it: anybody can send it, again and again. All together takes 50 ms.
FEW_REPLAYED, FEW_PAGES, FEW_BYTES = 1_000, 20, 64 * 1024
#: Moves that are played, tried or queued. Nobody types so many, but a program could send thousands to a solitaire.
MOST_MOVES = 200
#: Moves on boards against oneself. Such boards are for trying a game out, and the player never waits for an opponent.
MOST_AGAINST_ONESELF = 40

_ANOTHER_MAIL = "Send the rest in another mail."
_PROVED_MAIL = (
    "Send the rest in another mail. A mail with your password gets more, for example: GAME showas USERID PASSWORD BOARD"
)


class TooMuch(PlayerError):
    """A mail asks for more than its budget allows."""


@dataclass
class Budget:
    """What one mail has used."""

    replayed: int = 0
    pages: int = 0
    written: int = 0
    moves: int = 0
    against_oneself: int = 0
    most_replayed: int = MOST_REPLAYED
    most_pages: int = MOST_PAGES
    most_bytes: int = MOST_ANSWER_BYTES
    rest: str = _ANOTHER_MAIL  #: how to get what is left out

    def lower(self) -> None:
        """Give a mail that does not prove who sent it the lower limits."""
        self.most_replayed, self.most_pages = FEW_REPLAYED, FEW_PAGES
        self.limit(FEW_BYTES)
        self.rest = _PROVED_MAIL

    def replay(self, moves: int) -> None:
        """Use budget for moves that will be replayed. Raises TooMuch, and then uses nothing."""
        if self.replayed + moves > self.most_replayed:
            raise TooMuch(
                f"To find earlier positions, at most {self.most_replayed} moves are replayed for one mail. "
                f"This mail needs {self.replayed + moves}.",
                self.rest,
            )
        self.replayed += moves

    def page(self, row: BoardRow) -> None:
        """Use budget for a board that will be drawn. Raises TooMuch."""
        self.demand_room()
        pages = 1 + row.board.length // ENTRIES_OF_A_PAGE
        if self.pages + pages > self.most_pages:
            raise TooMuch(
                f"You get at most {self.most_pages} boards for one mail, and fewer if they are long.", self.rest
            )
        self.pages += pages

    def demand_room(self) -> None:
        """Raise TooMuch if the answer is too long for anything more."""
        if self.written > self.most_bytes:
            raise TooMuch(
                f"The answer to this mail has {self.written // 1024} KiB already. "
                f"Nothing is added to an answer of more than {self.most_bytes // 1024} KiB.",
                self.rest,
            )

    def limit(self, size: int) -> None:
        """Let the answer become no longer than this, because its reader gets no more today."""
        self.most_bytes = min(self.most_bytes, size)

    def write(self, size: int) -> None:
        """Note that the answer has become longer by `size` bytes."""
        self.written += size

    def move(self, count: int, row: BoardRow | None = None) -> None:
        """Use budget for moves that will be played, tried or queued. `row`: their board, None if it is not stored.

        Raises TooMuch, and then uses nothing.
        """
        if self.moves + count > MOST_MOVES:
            raise TooMuch(
                f"A mail can have at most {MOST_MOVES} moves, and yours has {self.moves + count}.",
                "Send the first of them now, and the rest later.",
            )
        if row and is_against_oneself(row):
            if self.against_oneself + count > MOST_AGAINST_ONESELF:
                raise TooMuch(
                    f"On boards against yourself, a mail has at most {MOST_AGAINST_ONESELF} moves, and yours has "
                    f"{self.against_oneself + count}.",
                    "Send the first of them now, and the rest later.",
                )
            self.against_oneself += count
        self.moves += count


def is_against_oneself(row: BoardRow) -> bool:
    """Return whether one player has all seats of the board, and the game is not a solitaire."""
    return len(row.players) > 1 and len({p.id for p in row.players}) == 1


@dataclass
class _Replay:
    """The boards from the first ply to the latest one that was asked for, and the rest, which is not made yet."""

    log: Sequence[Entry]
    rest: Iterator[Board]
    made: Film = field(default_factory=Film)


class Replays:
    """The logs and earlier positions of boards, for one mail. Each log is read and replayed once."""

    def __init__(self, store: Store, budget: Budget) -> None:
        self._store = store
        self._budget = budget
        self._logs: dict[int, Past] = {}
        self._replays: dict[int, _Replay] = {}

    def log(self, row: BoardRow) -> Past:
        """Return the log of a board as of when `row` was read."""
        known = self._logs.get(row.number)
        if known is None or len(known) != row.board.length:
            known = self._logs[row.number] = Past(self._store, row)
        return known

    def at(self, row: BoardRow, ply: int) -> Board:
        """Return the board at a ply, as `board.at` does. Raises PlayerError if there is no such ply; TooMuch."""
        log = self.log(row)
        play.demand_ply(log, ply)
        replay = self._replays.get(row.number)
        if replay is None or len(replay.log) != len(log):
            replay = self._replays[row.number] = _Replay(log, play.film(row.board.start, log))
        missing = ply + 1 - len(replay.made)
        if missing > 0:
            self._budget.replay(missing)
            replay.made.extend(islice(replay.rest, missing))
        return replay.made[ply]

    def after(self, row: BoardRow, length: int) -> Board:
        """Return the board after the first entries of its log. Later ones may have taken moves back since.

        Raises TooMuch if too much would have to be replayed.
        """
        log = self.log(row)
        before = standing_places(log[:length])
        if before == standing_places(log)[: len(before)]:
            return self.at(row, len(before))
        self._budget.replay(length)
        return play.replay(row.board.start, log[:length])

    def forget(self) -> None:
        """Forget all that was read, because the transaction undoes it."""
        self._logs.clear()
        self._replays.clear()
