"""How many answers an address gets in a day. Mails that prove nothing cannot use up what their reader has.

Everybody can write a name into From. So answers to mails that the reader of an address is proved to have sent are one
budget, and answers to all others are a smaller one.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from typing import NamedTuple

from pbmserv.inbox.authentication.authentication import Authentication
from pbmserv.letters.policy import Policy
from pbmserv.model.letters import PROVED, UNPROVED, AnswerCounts, AnswerKinds
from pbmserv.store import Store

_DAY = timedelta(days=1)


class Room(NamedTuple):
    """What an address can still get: answers, and bytes of them, of at most `most` and `most_bytes` in a day."""

    kinds: AnswerKinds  #: the kinds of answers that share these limits
    most: int
    most_bytes: int
    answers: int
    size: int

    @property
    def is_left(self) -> bool:
        """Whether it can get another answer."""
        return self.answers > 0 and self.size > 0


class AnswerLimits:
    """The limits of the answers to one mail."""

    def __init__(self, policy: Policy, store: Store, authentication: Authentication, now: datetime) -> None:
        self._authentication = authentication
        self._got: Callable[[str, AnswerKinds], AnswerCounts] = cache(
            lambda recipient, kinds: store.letters.answers_since(recipient, now - _DAY, kinds)
        )
        most, size = policy.answers_a_day, policy.answer_mb_a_day * 1_000_000
        few, little = policy.unproved_answers_a_day, policy.unproved_answer_kb_a_day * 1_000
        self._most = {PROVED: (most, size), UNPROVED: (min(few, most), min(little, size))}

    def room(self, recipient: str, *, is_proved: bool) -> Room:
        """Return what an address can still get today. `is_proved`: its reader is proved to have sent the mail."""
        kinds = PROVED if is_proved or self._authentication.is_proved_at(recipient) else UNPROVED
        got, (most, size) = self._got(recipient, kinds), self._most[kinds]
        return Room(kinds, most, size, most - got.letters, size - got.size)

    def errors(self, recipient: str, kinds: AnswerKinds) -> int:
        """Return how many answers to errors an address got today."""
        return self._got(recipient, kinds).errors
