"""The rows that statements find, if others read them by the names of their columns."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from pbmserv.points import Score

#: An object that is read from JSON: what it holds, whoever wrote it knows.
Json: TypeAlias = dict[str, Any]
#: A seat that somebody left, as JSON: see `LeftSeat`.
_LeftSeat: TypeAlias = tuple[int, int, int, str, str]


class HasLeftSeat(Protocol):
    """A board or a seek."""

    left_seat: _LeftSeat | None


class StoredBoard(HasLeftSeat, Protocol):
    """The columns of a board."""

    number: int
    game: str
    rules: int
    options: dict[str, str]
    seed: str
    origin: str | None
    rematch_of: int | None
    tournament: int | None
    settings: Json
    created: datetime
    beginning: str
    over: datetime | None
    changed: datetime
    ply: int
    length: int
    position: str
    state: Json
    receipt: str


class LockedSeat(Protocol):
    """What a transaction reads of the player of a seat, together with its board."""

    id: int
    queued: bool
    vacation: float | None
    doubts: bool


class StoredEntry(Protocol):
    """The columns of an entry of a log, without those that only admins read."""

    seat: int
    kind: str
    text: str
    ply: int
    fixed: bool
    written: str | None
    missed: str
    notes: str


class SealedEntry(Protocol):
    """What the receipt of an entry is made from, and the receipt."""

    number: int
    seat: int
    kind: str
    text: str
    ply: int
    at: datetime
    receipt: str


class ListedBoard(Protocol):
    """A board in a list of boards."""

    number: int
    game: str
    options: dict[str, str]
    ply: int
    changed: datetime
    state: Json
    settings: Json
    tournament: int | None


class ListedSeat(Protocol):
    """A seat in a list of boards."""

    board: int
    player_id: int
    userid: str
    to_move: bool
    rest: str


class StoredSeek(HasLeftSeat, Protocol):
    """The columns of a seek."""

    number: int
    game: str
    options: dict[str, str]
    settings: Json
    seats: int
    rating_from: int | None  #: NULL as `rating_to` is
    rating_to: int
    random: bool
    created: datetime
    wanted: int | None


class StoredTournament(Protocol):
    """The columns of a tournament."""

    number: int
    game: str
    name: str
    form: str
    options: dict[str, str]
    settings: Json
    size: int
    rounds: int | None
    every: str
    robots: bool
    teams: list[str] | None  #: two
    organiser: int | None
    created: datetime
    phase: str
    entries: bool
    season: int
    round: int
    start: datetime
    zone: str
    first: datetime
    due: datetime | None
    steps: int


class RankedPlayer(Protocol):
    """A player in a list of ratings or scores, with the place."""

    userid: str
    robot: bool
    place: int
    boards: int


class RatedPlayer(RankedPlayer, Protocol):
    """A player in a list of ratings."""

    mu: float
    sigma: float
    won: int
    drawn: int
    lost: int


class ScoredPlayer(RankedPlayer, Protocol):
    """A player in a list of high scores."""

    best: Score
    total: Score


class Plain(Protocol):
    """A row that is shown to admins, all of its columns."""

    _mapping: Mapping[str, object]


class AddressRow(Plain, Protocol):
    """An address as it is stored."""

    bounces: int


class ListedAddress(Protocol):
    """An address, and when the last mail from it came."""

    player_id: int
    address: str
    confirmed: datetime | None
    suspended: datetime | None
    bounces: int
    last_mail: datetime | None


class ListedMail(Plain, Protocol):
    """A mail without its sealed bytes."""

    id: int
    received: datetime
    peer: str
    sender: str
    status: str
    calls: str
    problem: str


class StoredMail(ListedMail, Protocol):
    """A mail with its sealed bytes, if it is in quarantine."""

    sealed: bytes | None


class CountedSeat(Plain, Protocol):
    """A seat of a finished board that counts for ratings, with what is known of the board."""

    game: str
    rules: int
    over: datetime
    counting: int | None
    board: int
    seat: int
    player_id: int
    rank: int
    mu_before: float
    mu_after: float


class MailboxRow(Plain, Protocol):
    """How far a mailbox is read: see its table."""

    name: str
    validity: int
    uid: int
    since: datetime | None
    old: int
    old_upto: int | None
    looked: datetime | None
    heard: datetime | None
    trouble: str


class LoginRow(Plain, Protocol):
    """A login by OAuth2: see its table."""

    name: str
    sealed: bytes
    renewed: datetime
    expires: datetime
    trouble: str


class EventRow(Plain, Protocol):
    """What an admin did."""

    at: datetime
    who: str
    what: str
    why: str


class UsedAddress(Protocol):
    """A confirmed address of a player."""

    player_id: int
    id: int
    address: str
    folded: str
    suspended: datetime | None
    away: datetime | None
    userid: str


class SuspectAddress(Protocol):
    """An address that is suspended or away, and the reader of a letter who owns it."""

    id: int
    address: str
    suspended: datetime | None
    away: datetime | None
    userid: str


class ReadersSuspect(SuspectAddress, Protocol):
    """The same, with the address of the letter in lower case."""

    reader: str
