"""Who plays: accounts, their addresses, vacations and webhooks; and robots."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.model.passwords import LOCKED

USERID_LENGTH = range(2, 21)
#: The form of a userid, a regular expression: a-z 0-9 _ -, a letter first.
USERID = f"[a-z][a-z0-9_-]{{{USERID_LENGTH[0] - 1},{USERID_LENGTH[-1] - 1}}}"


@dataclass(frozen=True)
class Player:
    """An account. `password_hash` is None once it is closed. `robot`: a program plays.

    `epoch`: how many passwords were set after the first one; None: none. It is a part of addresses that act for them.
    """

    id: int
    userid: str
    password_hash: str | None = field(repr=False)
    created: datetime
    robot: bool = False
    epoch: int | None = None

    @property
    def shown(self) -> str:
        """The userid as other players see it where they want to know who plays."""
        return f"{self.userid} (ROBOT)" if self.robot else self.userid

    @property
    def is_locked(self) -> bool:
        """Whether an admin has locked the account."""
        return (self.password_hash or "").startswith(LOCKED)


@dataclass(frozen=True)
class Vacation:
    """A vacation: the player's time does not run. In seconds since 1970."""

    begins: float
    ends: float


@dataclass(frozen=True)
class Address:
    """An address of a player. Until it is confirmed, it gets only the confirmation letter.

    `leaving`: it is being replaced, and is deleted when another address of the player is confirmed.
    """

    id: int
    player_id: int
    address: str
    confirmed: datetime | None
    leaving: bool = False


@dataclass(frozen=True)
class Robot:
    """A robot. `boards`: how many it plays with one player at a time.

    `engine`: the program of others that chooses its moves, and its limit, `elo` or `nodes`; None: it thinks by itself.
    """

    player: Player
    game: str
    level: int
    boards: int
    paused: bool
    engine: str | None = None
    elo: int | None = None
    nodes: int | None = None

    @property
    def mind(self) -> str:
        """How it plays, as everybody may know: `at level 2`, or `by the engine stockfish, Elo 1500`."""
        if self.engine is None:
            return f"at level {self.level}"
        limit = f", Elo {self.elo}" if self.elo else f", {self.nodes} nodes" if self.nodes else ""
        return f"by the engine {self.engine}{limit}"


class WaitingTurn(NamedTuple):
    """A seat where a robot is to move. `opponent`: the number of an account of who plays with it; alone, its own."""

    board: int
    seat: Seat
    level: int
    opponent: int


class WebhookState(StrEnum):
    """Whether a webhook gets events."""

    ASKED = "asked"  #: its owner must send a code back first
    ON = "on"
    SUSPENDED = "suspended"  #: it failed too often


@dataclass(frozen=True)
class WebhookRow:
    """The webhook of a player. `nonce`: a random number in its code and its secret; `failures`: in a row."""

    player_id: int
    sealed: bytes = field(repr=False)
    form: str
    nonce: int
    state: WebhookState
    since: datetime
    failures: int = 0
