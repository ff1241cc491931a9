"""What the relay says of all letters and not of one: a limit that is reached, or the same refusal for several domains.

Then no letter is refused and no address counts as bouncing: the letters wait. A letter that the relay takes ends it.
Several dead addresses look the same. So a letter that is tried again and again is given up, as any other.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import NamedTuple

from pbmserv.letters.policy import Policy
from pbmserv.letters.waiting import suspension
from pbmserv.mail.bounce_reports import Verdict, judge_reply
from pbmserv.mail.envelope import LetterStatus
from pbmserv.mail.smtp.relay_refusals import is_limit, without_names
from pbmserv.model.letters import FinishedLetter
from pbmserv.store import Store

#: Equal refusals for letters to so many domains, with no letter taken between them, are not about these letters.
SEVERAL_DOMAINS = 3
#: How long a letter is tried. RFC 5321 §4.5.4.1 recommends four to five days.
GIVE_UP = timedelta(days=5)
#: Numbers of failed tries. After fewer than SEVERAL a letter is not given up, however old it seems to be. After MANY it
#: is given up at the next failure, however new it seems to be. Clocks may be wrong.
SEVERAL, MANY = 9, 99
_REMEMBERED, _LOOKED_AT = timedelta(days=1), 50
_FACT = "relay trouble"


class RelayTrouble(NamedTuple):
    """Since when the relay takes no letters, and its latest reply."""

    since: datetime
    reply: str

    @property
    def is_alike(self) -> bool:
        """Whether it is no limit, but the same refusal for several domains: perhaps these addresses are dead."""
        return not is_limit(self.reply)


class Quota(NamedTuple):
    """How many letters the relay takes in a time, how many it has taken, and when the oldest of these went out."""

    most: int
    hours: int
    sent: int
    oldest: datetime | None

    @property
    def free_at(self) -> datetime | None:
        """When the next letter may go out; None: now."""
        return self.oldest + timedelta(hours=self.hours) if self.sent >= self.most and self.oldest else None


def current(store: Store) -> RelayTrouble | None:
    """Return the trouble that no letter has ended yet."""
    if (stored := store.operations.fact(_FACT)) is None:
        return None
    since, latest, reply = json.loads(stored)
    is_over = store.letters.sent_after(datetime.fromtimestamp(latest, UTC))
    return None if is_over else RelayTrouble(datetime.fromtimestamp(since, UTC), reply)


def note(store: Store, reply: str, now: datetime) -> None:
    """Note that the relay takes no letters now."""
    known = current(store)
    since = known.since if known else now
    store.operations.set_fact(_FACT, json.dumps([since.timestamp(), now.timestamp(), reply[:300]]))


def is_about_all(store: Store, letter_id: int, error: str, now: datetime) -> bool:
    """Return whether the relay refuses a letter as it refuses others: see SEVERAL_DOMAINS.

    Then the earlier ones of them wait again, and their addresses are as they were.
    """
    reply, known = without_names(error), current(store)
    latest = store.letters.finished_last(now - _REMEMBERED, _LOOKED_AT)
    untaken = takewhile(lambda letter: letter.status != LetterStatus.SENT, latest)
    equal = [x for x in untaken if x.status == LetterStatus.REFUSED and without_names(x.receipt) == reply]
    domains = {_domain(x.recipient) for x in equal} | {_domain(store.letters.recipient(letter_id) or "")}
    if len(domains) < SEVERAL_DOMAINS and not (known and without_names(known.reply) == reply):
        return False
    _take_back(store, equal, now)
    note(store, error, now)
    return True


def given_up(store: Store, letter_ids: Sequence[int], now: datetime, several: int = SEVERAL) -> set[int]:
    """Return which of these letters are not tried again: after days and `several` tries, or after MANY."""
    return set(store.letters.given_up(letter_ids, now - GIVE_UP, several, MANY))


def quotas(store: Store, policy: Policy, now: datetime) -> list[Quota]:
    """Return how many letters the operator lets go out, as far as there are limits."""
    limits = ((policy.letters_an_hour, 1), (policy.letters_a_day, 24))
    return [
        Quota(most, hours, *store.letters.sent_lately(now - timedelta(hours=hours), now, most))
        for most, hours in limits
        if most
    ]


def _take_back(store: Store, letters: Sequence[FinishedLetter], now: datetime) -> None:
    lost = given_up(store, [letter.id for letter in letters], now)
    for letter in letters:
        if letter.id in lost:
            continue
        store.letters.take_back(letter.id, now)
        if judge_reply(letter.receipt) is Verdict.PERMANENT:
            suspension.uncount_bounce(store, letter.recipient)


def _domain(address: str) -> str:
    return address.rpartition("@")[2].casefold()
