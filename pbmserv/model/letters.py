"""Letters: who reads them, which wait for which sender, and how many answers an address got."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from pbmserv.games.base import Seat
from pbmserv.model.players import Player


class LetterKind(StrEnum):
    """The kinds of letters on which something depends. The kind of any other is the name of its template alone."""

    ANSWER = "answer"
    ERROR = "error"
    UNPROVED = "unproved"  #: an answer to a mail that its reader is not proved to have sent
    UNPROVED_ERROR = "unproved error"
    BOARD = "board"
    CHAT = "chat"
    CONFIRM = "confirm"  #: asks whether an address is right
    FAREWELL = "farewell"  #: to somebody whose data is erased: it is blanked when it is done with, and deleted


#: Kinds of letters that wait where only some letters a day may go out: first the digest, and news behind it.
LATER = ("digest", "tournament_new", "broadcast")


class Form(StrEnum):
    """What the data of a row of the outbox is (ADR 62)."""

    WORDS = "words"  #: a letter about no board: letters/waiting/draft.py
    VIEW = "view"  #: a letter about a board: letters/waiting/board_draft.py
    EVENT = "event"  #: for a webhook: webhooks/events.py
    MESSAGE = "message"  #: a letter that was finished when it was written, before release 1.0


class EventKind(StrEnum):
    """What an event tells; in the outbox, the kind of its row."""

    CHALLENGE = "challenge"  #: asks whether the address takes events
    TURN = "turn"
    END = "end"
    MESSAGE = "message"


class Event(NamedTuple):
    """What the webhook of a player is told."""

    kind: EventKind
    board: int | None
    data: bytes


class NewLetter(NamedTuple):
    """A letter or an event for the outbox."""

    mail_id: int | None  #: the mail that caused it
    board: int | None
    kind: str
    recipient: str
    form: Form
    data: bytes
    created: datetime
    webhook: int | None = None  #: of an event: the player whose webhook gets it
    due: datetime | None = None  #: it is not sent before; None: at once


class StoredLetter(Protocol):
    """What a message is made from: the columns of a letter that do not change any more."""

    id: int
    mail_id: int | None
    board: int | None
    kind: str
    recipient: str
    form: str
    data: bytes
    created: datetime


class LeasedLetter(StoredLetter, Protocol):
    """A letter that a sender has leased."""

    attempts: int


class LeasedEvent(LeasedLetter, Protocol):
    """An event that a sender has leased."""

    webhook: int  #: the player whose webhook gets it


L = TypeVar("L", bound=LeasedLetter)


class ListedLetter(Protocol):
    """The row of a letter without its text."""

    id: int
    mail_id: int | None
    board: int | None
    kind: str
    recipient: str
    created: datetime
    status: str
    due: datetime
    leased: bool
    slot: int | None
    attempts: int
    finished: datetime | None
    receipt: str
    webhook: int | None
    _mapping: Mapping[str, object]


class WholeLetter(ListedLetter, StoredLetter, Protocol):
    """The whole row of a letter."""


class FinishedLetter(Protocol):
    """A letter that the relay has taken or refused, and what it said."""

    id: int
    recipient: str
    status: str
    receipt: str


class LostLetter(Protocol):
    """A letter that did not arrive."""

    recipient: str
    board: int | None
    created: datetime
    kind: str


class AnswerKinds(NamedTuple):
    """The kinds of letters that are answers, and answers to errors."""

    answer: LetterKind
    error: LetterKind


#: Answers to mails that their reader is proved to have sent, and to all others: their limits are apart.
PROVED, UNPROVED = (
    AnswerKinds(LetterKind.ANSWER, LetterKind.ERROR),
    AnswerKinds(LetterKind.UNPROVED, LetterKind.UNPROVED_ERROR),
)


class AnswerCounts(NamedTuple):
    """How many answers of one kind an address got, how many bytes they have, and how many of them are about errors."""

    letters: int
    size: int
    errors: int


class Share(NamedTuple):
    """Which letters a sender prefers, if there are several: part `number` (from 0) of so many.

    All letters of a board are in one share. So one sender makes them, and it makes once what several readers see.
    """

    number: int
    of: int


ALL = Share(0, 1)


@dataclass(frozen=True)
class Waiting:
    """How many letters are not sent yet. `leased`: a sender is working on them."""

    queued: int
    leased: int
    oldest: datetime | None

    @property
    def count(self) -> int:
        """The number of all of them."""
        return self.queued + self.leased


class Subscriber(NamedTuple):
    """A player who follows a board without playing on it. `end_only`: gets only its last letter."""

    player: Player
    end_only: bool


class Collected(NamedTuple):
    """A board letter that waits for a digest. `by`: the player who caused it, with or without a comment."""

    board: int
    by: str
    comment: str


class SentDigest(NamedTuple):
    """A digest that was sent. `boards`: number -> (seat, length of the log when it was sent)."""

    player_id: int
    boards: dict[int, tuple[Seat, int]]
