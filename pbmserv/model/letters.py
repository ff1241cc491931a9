"""Letters: who reads them, which wait for which sender, and how many answers an address got."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.model.players import Player

#: The kind of letter that goes to somebody whose data is erased: it is blanked as soon as it is done with, and deleted.
FAREWELL = "farewell"


class AnswerKinds(NamedTuple):
    """The kinds of letters that are answers, and answers to errors."""

    answer: str
    error: str


#: Answers to mails that their reader is proved to have sent, and to all others: their limits are apart.
PROVED, UNPROVED = AnswerKinds("answer", "error"), AnswerKinds("unproved", "unproved error")


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
