"""The sender's side of the outbox: each call is one short transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

import structlog
from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.letters import undelivered
from pbmserv.letters.draft import finished
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.mail import signed_addresses
from pbmserv.mail.bounces import Verdict, judge_reply
from pbmserv.mail.envelope import Outgoing, Receipts
from pbmserv.store import Store

#: RFC 5321 §4.5.4.1: a letter is tried for four to five days.
GIVE_UP = timedelta(days=5)

T = TypeVar("T")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Outbox(Protocol):
    """Where letters wait, as the sender sees it. It calls every method in a worker thread."""

    def claim(self, limit: int, lease_seconds: float, receipts: Receipts = ()) -> list[Outgoing]:
        """Record `receipts` as `sent_many` does, and lease letters that are due, oldest first.

        No letter is leased while an older one for the same board and recipient waits, unless that is leased, too.
        """

    def sent_many(self, receipts: Receipts) -> None:
        """Record (id, receipt) of letters that the relay has taken."""

    def defer_many(self, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        """Count an attempt with each of these letters and give them back for another one. Too old ones are refused."""

    def release_many(self, letter_ids: Sequence[int], delay_seconds: float) -> None:
        """Give back letters that were not tried."""

    def refuse(self, letter_id: int, error: str) -> None:
        """Record that a letter will never be delivered."""


class StoredOutbox:
    """Letters in the database, leased to one sender at a time: a sender that dies gives its letters back."""

    def __init__(self, engine: Engine, site: Site, now: Callable[[], datetime] = utc_now) -> None:
        self._engine = engine
        self._reader = engine.execution_options(**engines.READ_ONLY)
        self._site = site
        self._now = now

    def claim(self, limit: int, lease_seconds: float, receipts: Receipts = ()) -> list[Outgoing]:
        """The due letters, with the envelope sender to which their bounces come back (VERP)."""
        if not receipts and not self._any_due():
            return []

        def exchange(store: Store) -> list[Any]:
            now = self._now()
            store.letters.finish(receipts, "sent", now)
            return store.letters.claim(now, timedelta(seconds=lease_seconds), limit)

        return [letter for row in self._transact(exchange) if (letter := self._finished(row))]

    def _finished(self, row: Any) -> Outgoing | None:
        """A letter as it is sent. None if it cannot be made: then it is held back, for an admin to look at."""
        try:
            data = finished(row.data, self._site.renderer, self._site.address)
        except Exception as bug:
            log.exception("letter_held", id=row.id, bug=type(bug).__name__)
            why = f"it cannot be written: {type(bug).__name__}"
            self._transact(lambda store: store.letters.set_aside(row.id, "held", why, None))
            return None
        return Outgoing(
            row.id, self._site.signer.sign(signed_addresses.VERP, row.id), row.recipient, data, row.attempts
        )

    def recover(self) -> None:
        """At the start, give back what a killed sender had in hand: on SQLite, where there is only one sender.

        On PostgreSQL others may be at work; there a lease ends by itself.
        """
        if engines.has_one_writer(self._engine):
            self._transact(lambda store: store.letters.end_leases(self._now()))

    def sent_many(self, receipts: Receipts) -> None:
        """The relay has taken these letters."""
        self._finish(receipts, "sent")

    def refuse(self, letter_id: int, error: str) -> None:
        """The relay will never take the letter, perhaps because its address does not work: that counts against it."""
        if judge_reply(error) is not Verdict.PERMANENT:
            self._finish([(letter_id, error)], "refused")
            return

        def lose(store: Store) -> None:
            now = self._now()
            letters = Letters(self._site, store, Cause(None), now)
            undelivered.lost(store, letters, letter_id, "refused", error, now)
            store.letters.queue(letters.rows)

        self._transact(lose)

    def defer_many(self, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        """Try again later; those that are too old for that are given up."""

        def defer(store: Store) -> None:
            now = self._now()
            old = set(store.letters.written_before(letter_ids, now - GIVE_UP))
            store.letters.finish([(i, f"given up: {error}") for i in old], "refused", now)
            store.letters.defer([i for i in letter_ids if i not in old], error, now + timedelta(seconds=delay_seconds))

        self._transact(defer)

    def release_many(self, letter_ids: Sequence[int], delay_seconds: float) -> None:
        """Give back letters that were not tried."""
        delay = timedelta(seconds=delay_seconds)
        self._transact(lambda store: store.letters.defer(letter_ids, "", self._now() + delay))

    def _any_due(self) -> bool:
        """Whether a letter is due. Mostly none is; so this only reads, and keeps no mail from being written."""
        with self._reader.connect() as connection:
            return Store(connection).letters.any_due(self._now())

    def _finish(self, receipts: Receipts, status: str) -> None:
        if receipts:
            self._transact(lambda store: store.letters.finish(receipts, status, self._now()))

    def _transact(self, do: Callable[[Store], T]) -> T:
        return engines.transact(self._engine, lambda connection, _: do(Store(connection)))
