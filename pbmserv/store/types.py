"""What the queries give back."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from pbmserv.games.base import Outcome, Seat
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry
from pbmserv.passwords import LOCKED

#: The form of a userid, a regular expression: 2-20 of a-z 0-9 _ -, a letter first.
USERID = "[a-z][a-z0-9_-]{1,19}"

#: What became of a mail, and what becomes of a letter.
MailStatus = Literal["done", "error", "silent", "refused", "shelved", "dropped"]
LetterStatus = Literal["queued", "held", "sent", "refused", "bounced", "dropped"]


@dataclass(frozen=True)
class Player:
    """An account. `password_hash` is None once it is closed."""

    id: int
    userid: str
    password_hash: str | None = field(repr=False)
    created: datetime

    @property
    def is_locked(self) -> bool:
        """Whether an admin keeps the player from doing anything in his own name."""
        return (self.password_hash or "").startswith(LOCKED)


@dataclass(frozen=True)
class Address:
    """An address of a player; nothing but the question is sent to it until it is confirmed.

    `leaving`: it is being replaced, and goes as soon as another one of the player's is confirmed.
    """

    id: int
    player_id: int
    address: str
    confirmed: datetime | None
    leaving: bool = False


@dataclass(frozen=True)
class Settings:
    """What a challenge sets besides the game's options. Times in days; None: no limit."""

    rated: bool = True
    nag: float | None = 7.0
    forfeit: float | None = 21.0
    total: float | None = None
    private: bool = False


@dataclass(frozen=True)
class Seek:
    """An open challenge: it becomes a board when `seats` players have joined. `rating`: the points that may join."""

    number: int
    game: str
    options: dict[str, str]
    settings: Settings
    seats: int
    rating: tuple[int, int] | None
    random: bool
    created: datetime
    players: tuple[Player, ...]


@dataclass(frozen=True)
class Clock:
    """The time of one seat; all in seconds, moments since 1970. `since` is None while the seat is not to move.

    `paused`: the moment until which the turn does not count, at most once in a turn.
    """

    since: float | None = None
    due: float | None = None
    used: float = 0.0
    nags: int = 0
    nagged: float | None = None
    paused: float | None = None


@dataclass(frozen=True)
class Rating:
    """A player's rating in one game."""

    mu: float
    sigma: float
    boards: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0


@dataclass(frozen=True)
class Vacation:
    """A time in which a player's clocks stand still; seconds since 1970."""

    begins: float
    ends: float


class Standing(NamedTuple):
    """A line of a rating list; `place`: 1 for the best."""

    place: int
    userid: str
    rating: Rating


class Record(NamedTuple):
    """What a player has reached in a solitaire: the best score, the sum of all, and on how many boards."""

    best: int
    total: int
    boards: int


@dataclass(frozen=True)
class Scores:
    """A line of a high-score table; `place`: 1 for the best."""

    place: int
    userid: str
    best: int
    average: float
    boards: int


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
    clocks: tuple["Clock", ...] = ()

    def seats_of(self, player: Player) -> tuple[Seat, ...]:
        """The seats of a player; two if he plays against himself."""
        return tuple(s for s, p in enumerate(self.players) if p.id == player.id)

    def may_be_read_by(self, reader: Player | None) -> bool:
        """Whether this player (None: anybody) may look at the board: a private one is for its players."""
        return not self.settings.private or (reader is not None and bool(self.seats_of(reader)))


@dataclass(frozen=True)
class LogLine:
    """An entry with when it was made and the mail that caused it."""

    number: int
    entry: Entry
    at: datetime
    mail_id: int | None


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
    private: bool = False
