"""Boards with their settings, players and logs; lines of lists of them; and moves that wait."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from pbmserv.games.base import AnyGame, Outcome, Seat
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry
from pbmserv.model.players import Player
from pbmserv.model.ratings import Rating
from pbmserv.model.rows import Json
from pbmserv.points import Score


@dataclass(frozen=True)
class DaysOff:
    """Days of the week on which the time of a player stands still. Stored as `sat,sun Europe/Berlin`."""

    days: tuple[str, ...] = ()  #: `sat`, `sun`, in the order of the week
    zone: str = "UTC"  #: the time zone of the player, in which days begin and end

    def __str__(self) -> str:
        return f"{','.join(self.days)} {self.zone}" if self.days else ""

    @classmethod
    @lru_cache(maxsize=1024)
    def of(cls, text: str) -> "DaysOff":
        """Return what a text says; "": no days."""
        days, _, zone = text.partition(" ")
        return cls(tuple(days.split(",")), zone) if text else NO_DAYS_OFF


NO_DAYS_OFF = DaysOff()


@dataclass(frozen=True)
class SeatClock:
    """The time of one seat. Durations are in seconds, times in seconds since 1970."""

    since: float | None = None  #: from when its turn counts on, perhaps later than now; None: it is not its turn
    due: float | None = None  #: when the clock has to handle the seat
    used: float = 0.0  #: in the turns before
    nags: int = 0  #: in this turn
    nagged: float | None = None  #: how many seconds of the turn had counted at the last of them
    paused: float | None = None  #: the time until which the turn does not count; at most once in a turn
    spent: float = 0.0  #: of this turn, before `since`
    bank: float | None = None  #: the seconds that its bank had when the turn began; None: the board has no banks
    earned: int = 0  #: up to this ply its moves have added to the bank
    rest: DaysOff = NO_DAYS_OFF  #: of its player when the board began


class BoardState(StrEnum):
    """Which boards a list has, in the words of players and admins."""

    ALL = "all"
    ACTIVE = "active"
    INACTIVE = "inactive"
    NEXT = "next"  #: those on which it is the player's turn


SHARED = "shared"  #: of `Settings.dice`
ALLOWED = "allowed"  #: of `Settings.engines`


@dataclass(frozen=True)
class Settings:
    """The settings of a challenge, besides the game's options. Times are in days; None: no limit."""

    rated: bool = True
    nag: float | None = 7.0
    forfeit: float | None = 21.0
    total: float | None = None
    private: bool = False
    repetition: int = 0  #: a position that stands so often is a draw; 0: the players have not agreed on that
    bank: float | None = None  #: the time of each player at the beginning; it shrinks while the player is to move
    increment: float | None = None  #: what a move adds to the bank
    cap: float | None = None  #: the most that the bank can hold
    vacation: float | None = None  #: how many days of vacation stop the time, from the beginning of the board on
    counting: int = 0  #: the version of the rule for ratings with which the board began, see boards/entries.py
    dice: str = ""  #: SHARED: the seed is made of a word of each player, too
    engines: str = ""  #: ALLOWED: programs may help with the moves; "": that is forbidden, on honour


class LeftSeat(NamedTuple):
    """A seat that somebody left: on which board, after which ply, who it was, and how (`resign`, `forfeit`)."""

    board: int
    seat: Seat
    ply: int
    userid: str
    how: str


@dataclass(frozen=True)
class BoardRow:
    """A board with its number, its players by seat and its settings."""

    number: int
    board: Board
    players: tuple[Player, ...]
    settings: Settings
    created: datetime
    changed: datetime
    over: datetime | None
    clocks: tuple[SeatClock, ...] = ()
    rematch_of: int | None = None  #: the board that this one is the rematch of
    continues: LeftSeat | None = None  #: the seat that a substitute took over on this board, where another one went on
    tournament: int | None = None  #: the tournament that it counts for
    beginning: str = ""  #: what was fixed when it began, see receipts.py
    receipt: str = ""  #: of the last entry of its log, or of its beginning

    @property
    def game(self) -> AnyGame:
        """The game of the board."""
        return self.board.game

    @property
    def key(self) -> str:
        """The name of the game in commands, such as `tumble`."""
        return self.board.game.info.key

    @property
    def title(self) -> str:
        """How subjects of letters about the board begin."""
        return board_title(self.key, self.number)

    def seats_of(self, player: Player) -> tuple[Seat, ...]:
        """Return the seats of a player; several if the player plays against themselves."""
        return tuple(s for s, p in enumerate(self.players) if p.id == player.id)

    def seat_to_move(self, player: Player) -> Seat:
        """Return the seat for which a player reads the board and moves: of two, the one to move."""
        own = self.seats_of(player)
        return next((s for s in own if s in self.board.to_move), own[0])

    def may_be_read_by(self, reader: Player | None) -> bool:
        """Return whether this player may see the board; None means anybody. Only its players see a private board."""
        return not self.settings.private or (reader is not None and bool(self.seats_of(reader)))


@dataclass(frozen=True)
class LogLine:
    """An entry of a log, with its number, its time and the mail that caused it (None: no mail did)."""

    number: int
    entry: Entry
    at: datetime
    mail_id: int | None
    receipt: str


@dataclass(frozen=True)
class Listed:
    """A line of a list of boards."""

    number: int
    game: str
    options: dict[str, str]
    ply: int
    players: tuple[str, ...]
    to_move: tuple[str, ...]
    changed: datetime
    result: Outcome | None
    settings: Settings
    tournament: int | None
    player_ids: tuple[int, ...]  #: in the order of `players`
    rests: tuple[DaysOff, ...]  #: of each seat, as in SeatClock


class SeatRow(NamedTuple):
    """A stored seat, without its player and its time."""

    seat: Seat
    to_move: bool
    rank: int | None
    score: Score | None


class Difference(NamedTuple):
    """A row with an error, and the reason. For an entry: the number of its board and its own; else `entry` is 0."""

    number: int
    entry: int
    why: str


class ReviewRow(NamedTuple):
    """A review of a board, done or not: see its table. `seats`: those whose players get the letter."""

    board: int
    length: int
    asked: datetime
    seats: tuple[Seat, ...]
    until: float
    verdicts: list[Any]
    done: datetime | None
    result: Json | None

    def is_of(self, row: BoardRow) -> bool:
        """Return whether nothing has happened on the board since it was asked for."""
        return row.board.result is not None and row.board.length == self.length


class PuzzleRow(NamedTuple):
    """A puzzle: the position of a board before a ply. `mu`, `sigma`: its rating."""

    id: int
    board: int
    ply: int
    game: str
    mu: float
    sigma: float


class Solving(NamedTuple):
    """A puzzle that a player got. `solved`: None until there is an answer."""

    solved: bool | None
    rating: Rating


class Queued(NamedTuple):
    """A move for a later turn. With `theirs`, it is played only after this move of the opponent."""

    own: str
    theirs: str = ""

    def __str__(self) -> str:
        return f"{self.theirs}:{self.own}" if self.theirs else self.own


class Submitted(NamedTuple):
    """Moves that wait for `confirm`, and the length of the log when they were submitted."""

    length: int
    moves: tuple[str, ...]


def board_title(key: str, number: int) -> str:
    """Return what the subjects of letters about a board begin with, such as `Tumble Board 101`: a command's start."""
    return f"{key.capitalize()} Board {number}"


def options_text(options: Mapping[str, str]) -> str:
    """Return the options of a board as written in a challenge."""
    return " ".join(f"-{k}={v}" if v else f"-{k}" for k, v in options.items())
