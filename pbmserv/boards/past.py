"""What was on a board: its log, read no further back than somebody looks, its boards, and what a mail can ask of it.

A mail of 1 kB can ask for a hundred pages of long boards. Other mails wait while it is answered. So each mail has a
budget, and an error says what to send instead. The log of each board is replayed only once for a mail.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from typing import overload

from pbmserv.boards.entries import MOST_ENTRIES
from pbmserv.errors import PlayerError
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.games.base.log import Entry, standing_places
from pbmserv.model import BoardRow
from pbmserv.store import Store

_AT_ONCE = 6  #: entries that are read with the last one; then twice as many each time


class Past(Sequence[Entry]):
    """The log of a board, up to the length that the board has now. Its end is read first.

    So a move on a board of 5,000 entries reads as many of them as one on a board of twenty.
    """

    def __init__(self, store: Store, row: BoardRow, known: Sequence[Entry] = ()) -> None:
        """`known`: the last entries, if they have been read already."""
        self._store = store
        self._board = row.number
        self._first = row.board.length - len(known)  #: the place of the first entry that is read
        self._read = list(known)

    def __len__(self) -> int:
        return self._first + len(self._read)

    @overload
    def __getitem__(self, place: int) -> Entry: ...
    @overload
    def __getitem__(self, place: slice) -> list[Entry]: ...
    def __getitem__(self, place: int | slice) -> Entry | list[Entry]:
        """Return the entry at a place, from 0, or those of a slice."""
        if isinstance(place, slice):
            places = range(len(self))[place]
            if places:
                self._reach(min(places))
            return [self._read[i - self._first] for i in places]
        if place < 0:
            place += len(self)
        if place < self._first:
            if place < 0:
                raise IndexError(place)
            self._reach(place)
        return self._read[place - self._first]

    def append(self, entry: Entry) -> None:
        """Add an entry that was stored just now."""
        self._read.append(entry)

    def ask(self) -> None:
        """Ask for the last entries, unless they are known. This is for `Store.ask_ahead`."""
        if not self._read:
            self._find(self._first - 1)

    def _reach(self, place: int) -> None:
        if place < self._first:
            entries = self._find(place)
            self._read[:0] = entries
            self._first -= len(entries)

    def _find(self, place: int) -> list[Entry]:
        """Read back to this place, and somewhat further, because the entries before it are often asked for next."""
        further = self._first - max(_AT_ONCE, 2 * len(self._read))
        return self._store.boards.entries(self._board, max(0, min(place, further)), self._first)


class Film(Sequence[Board]):
    """The board at each ply of a log, of which many are kept in memory. It is replayed no further than somebody looks.

    The keys of positions (`Board.seen`) of each board are the beginning of those of the next one, so one text holds all
    of them. If each board had its own, the memory would grow with the square of the number of plies.
    """

    def __init__(self, start: Start, log: Sequence[Entry], lock: AbstractContextManager[object] | None = None) -> None:
        """`lock`: is held while the log is replayed, so that threads can look at the same film."""
        self.start, self.log = start, log
        self._lock = lock or nullcontext()
        self._rest: Iterator[Board] = play.film(start, log)
        self._length = len(standing_places(log)) + 1
        self._boards: list[Board] = []  #: those that are made, without their keys
        self._ends: list[int] = []  #: how much of the text belongs to each board
        self._seen = ""  #: the keys of the last board that is made

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> Board: ...
    @overload
    def __getitem__(self, place: slice) -> list[Board]: ...
    def __getitem__(self, place: int | slice) -> Board | list[Board]:
        """Return the board at a ply, or those of a slice."""
        if isinstance(place, slice):
            return [self[i] for i in range(len(self))[place]]
        ply = range(len(self))[place]
        with self._lock:
            self._make(islice(self._rest, self.missing(ply)))
        return replace(self._boards[ply], seen=self._seen[: self._ends[ply]])

    def missing(self, ply: int) -> int:
        """Return how many boards have to be made before the one at this ply can be looked at."""
        return max(0, ply + 1 - len(self._boards))

    def longer(self, log: Sequence[Entry]) -> "Film":
        """Return a film of this log, which has moves behind the one of this film. Somebody may be looking at this one.

        All its boards have to be made.
        """
        film = Film(self.start, log, self._lock)
        film._boards, film._ends, film._seen = [*self._boards], [*self._ends], self._seen
        film._rest = _led_on(self[-1], log[len(self.log) :])
        return film

    def _make(self, boards: Iterable[Board]) -> None:
        for board in boards:
            self._seen = board.seen
            self._ends.append(len(board.seen))
            self._boards.append(replace(board, seen="") if board.seen else board)


def _led_on(board: Board, moves: Sequence[Entry]) -> Iterator[Board]:
    for move in moves:
        board = play.follow(board, move, ()).board
        yield board


#: Moves that are replayed to find earlier positions. A mail can ask for any position of the longest board. This takes
#: half a second of CPU.
MOST_REPLAYED = MOST_ENTRIES
#: Boards that are drawn. Each takes about 3 ms and fills a screen. A long board counts as several.
MOST_PAGES = 50
ENTRIES_OF_A_PAGE = 2_000
#: Bytes of an answer. When it is longer, no further command runs. The first command always gets its whole answer.
MOST_ANSWER_BYTES = 256 * 1024
#: The same for a mail that does not prove who sent it: anybody can send it, again and again. All together takes 50 ms.
FEW_REPLAYED, FEW_PAGES, FEW_BYTES = 1_000, 15, 64 * 1024
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
        """Use budget for moves on `row` (None: not stored) that will be played, tried or queued; or raise TooMuch."""
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


class Replays:
    """The logs and earlier positions of boards, for one mail. Each log is read and replayed once."""

    def __init__(self, store: Store, budget: Budget) -> None:
        self._store = store
        self._budget = budget
        self._logs: dict[int, Past] = {}
        self._films: dict[int, Film] = {}

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
        film = self._films.get(row.number)
        if film is None or len(film.log) != len(log):
            film = self._films[row.number] = Film(row.board.start, log)
        if missing := film.missing(ply):
            self._budget.replay(missing)
        return film[ply]

    def after(self, row: BoardRow, length: int) -> Board:
        """Return the board after the first entries of its log; later ones may take moves back. Raises TooMuch."""
        log = self.log(row)
        before = standing_places(log[:length])
        if before == standing_places(log)[: len(before)]:
            return self.at(row, len(before))
        self._budget.replay(length)
        return play.replay(row.board.start, log[:length])

    def forget(self) -> None:
        """Forget all that was read, because the transaction undoes it."""
        self._logs.clear()
        self._films.clear()
