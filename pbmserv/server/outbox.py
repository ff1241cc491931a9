"""The sender's side of the outbox: each call is one short transaction."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Protocol, TypeVar

import structlog
from sqlalchemy.engine import Engine

from pbmserv.db import engines
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.letters.waiting import bounced_addresses, relay_trouble
from pbmserv.letters.waiting.finisher import Finisher
from pbmserv.mail import signed_addresses
from pbmserv.mail.bounce_reports import Verdict, judge_reply
from pbmserv.mail.envelope import LetterStatus, Outgoing, Receipts
from pbmserv.mail.smtp.relay_refusals import is_limit
from pbmserv.model.letters import ALL, LeasedLetter, LetterKind, Share
from pbmserv.server.processes.slots import Slots
from pbmserv.store import Store

#: How long a letter that cannot be made waits until the next try.
NEXT_TRY = timedelta(minutes=5)

#: The fact that says that no letter in the outbox has signatures any more.
_UNSIGNED = "letters without signatures"

_DAY = timedelta(days=1)  # the longest time for which there is a limit
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)

T = TypeVar("T")

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Outbox(Protocol):
    """The interface that the sender uses for letters. It calls every method in a worker thread."""

    def claim(self, limit: int, lease_seconds: float, receipts: Receipts = ()) -> list[Outgoing]:
        """Record `receipts` as `sent_many` does, and lease letters that are due, oldest first.

        No letter is leased while an older one for the same board and recipient waits, unless that is leased, too.
        """

    def sent_many(self, receipts: Receipts) -> None:
        """Record (id, receipt) of letters that the relay has accepted."""

    def defer_many(self, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        """Count a failed attempt for each of these letters, and release them again. Too old ones are refused."""

    def release_many(self, letter_ids: Sequence[int], delay_seconds: float) -> None:
        """Release letters that were not tried."""

    def refuse(self, letter_id: int, error: str) -> bool:
        """Record that a letter will never be delivered.

        Returns False, and records nothing, if the relay says the same of letters to several domains, and takes none:
        then it is not about these letters. Those that were refused before for the same reason wait again.
        """


class StoredOutbox:
    """Letters in the database, leased to one sender at a time. If a sender dies, its leases end."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        now: Callable[[], datetime] = utc_now,
        *,
        slot: int | None = None,
        share: Share = ALL,
    ) -> None:
        """`slot`: the slot of this sender (slots.py), on SQLite. `share`: the letters that it takes first."""
        self._engine = engine
        self._reader = engine.execution_options(**engines.READ_ONLY)
        self._site = site
        self._now = now
        self._slot = slot
        self._share = share
        self._finisher = Finisher(site)
        self._has_limits = bool(site.policy.letters_an_hour or site.policy.letters_a_day)
        self._farewells: set[int] = set()  #: of the letters that were leased: those that are blanked afterwards
        self._full_until = _LONG_AGO  #: when the relay may get the next letter, if the operator has set limits

    def claim(self, limit: int, lease_seconds: float, receipts: Receipts = ()) -> list[Outgoing]:
        """Lease the due letters. Their envelope senders are the addresses for their bounces."""
        if not receipts and (self._is_full() or not self._any_due()):
            return []

        def exchange(store: Store) -> list[LeasedLetter]:
            now = self._now()
            self._note(store, receipts, LetterStatus.SENT, now)
            most = self._allowed(store, limit, now)
            lease = timedelta(seconds=lease_seconds)
            by_worth = self._has_limits
            return store.letters.claim(now, lease, most, self._slot, self._share, by_worth=by_worth) if most else []

        return self._finished(self._transact(exchange))

    def _is_full(self) -> bool:
        """Return whether the operator's limits are known to be used up. If the clock was set back, they are asked."""
        now = self._now()
        return now < self._full_until <= now + _DAY

    def _allowed(self, store: Store, limit: int, now: datetime) -> int:
        """Return how many letters may go out now, at most `limit`, by the limits that the operator has set.

        Letters that another sender has in hand count as sent. On PostgreSQL senders ask one after the other.
        """
        if not self._has_limits:
            return limit
        store.letters.take_turns()
        quotas, in_hand = relay_trouble.quotas(store, self._site.policy, now), store.letters.in_hand(now)
        self._full_until = max((q.free_at for q in quotas if q.free_at), default=_LONG_AGO)
        return max(min(limit, *(q.most - q.sent - in_hand for q in quotas)), 0)

    def _finished(self, rows: Sequence[LeasedLetter]) -> list[Outgoing]:
        """Return letters as they are sent. Those that cannot be made are put off, and those behind them go back."""
        if not rows:
            return []
        self._farewells |= {row.id for row in rows if row.kind == LetterKind.FAREWELL}
        with self._reader.connect() as connection:
            made = self._finisher.finish(Store(connection), rows)
        outgoing, bugs = list[Outgoing](), dict[int, Exception]()
        stopped, behind = set[tuple[int | None, str]](), list[int]()
        for row in rows:
            message, line = made[row.id], (row.board, row.recipient)
            if not isinstance(message, bytes):
                bugs[row.id] = message
                stopped.add(line)
            elif row.board is not None and line in stopped:
                behind.append(row.id)
            else:
                sender = self._envelope_sender(row.id)
                outgoing.append(Outgoing(row.id, sender, row.recipient, message, row.attempts))
        if bugs:
            self._put_off(bugs)
        if behind:
            self.release_many(behind, NEXT_TRY.total_seconds())
        return outgoing

    def _envelope_sender(self, letter: int) -> str:
        """Return where bounces go: an address of the letter's own, if our provider takes mail to such addresses."""
        signer = self._site.signer
        return signer.sign(signed_addresses.VERP, letter) if self._site.policy.plus else signer.address

    def _put_off(self, bugs: Mapping[int, Exception]) -> None:
        """Let letters that cannot be made wait until somebody has mended the template or the game that fails.

        This counts as no attempt, so they are never given up.
        """
        for name, ids in _by_name(bugs).items():
            log.error("letters_cannot_be_made", ids=ids, bug=name, exc_info=bugs[ids[0]])
            self._transact(partial(self._wait, ids=ids, bug=name))

    def _wait(self, store: Store, ids: Sequence[int], bug: str) -> None:
        store.letters.put_off(ids, bug, self._now() + NEXT_TRY)

    def recover(self) -> None:
        """At the start, release the letters of killed senders. Only on SQLite, where it is known which ones are dead.

        On PostgreSQL a sender may run on another machine, and its leases end by themselves. Letters that could not be
        made are tried again, because a template may have been mended. Signatures in letters that release 1.0 wrote are
        removed, once.
        """
        if engines.has_one_writer(self._engine):
            self._end_leases_of_the_dead()
        self._transact(lambda store: store.letters.try_unmade(self._now()))
        last: int | None = 0
        while last is not None:
            last = self._transact(partial(self._take_signatures_out, after=last))

    def _end_leases_of_the_dead(self) -> None:
        """End the leases of senders without a slot, of our predecessor in our slot, and of slots that nobody has.

        We hold these slots meanwhile, so that no new sender takes one and leases letters.
        """
        slots = Slots(self._engine)
        with ExitStack() as held:
            leasing = self._transact(lambda store: store.letters.leasing_slots())
            dead = [n for n in leasing if n in (None, self._slot) or held.enter_context(slots.locked(n))]
            if dead:
                self._transact(lambda store: store.letters.end_leases(self._now(), dead))

    def _take_signatures_out(self, store: Store, after: int) -> int | None:
        """Rewrite some letters with numbers above `after`. Returns the last number, None at the end."""
        if store.operations.fact(_UNSIGNED):
            return None
        stored = store.letters.stored_after(after)
        if not stored:
            store.operations.set_fact(_UNSIGNED, "done")
            return None
        bare = [(letter_id, self._site.signer.without_signatures(data)) for letter_id, data in stored]
        store.letters.rewrite([new for new, old in zip(bare, stored, strict=True) if new != old])
        return stored[-1][0]

    def sent_many(self, receipts: Receipts) -> None:
        """Record that the relay has accepted these letters."""
        self._finish(receipts, LetterStatus.SENT)

    def refuse(self, letter_id: int, error: str) -> bool:
        """Record that the relay refuses the letter for good. If the reason is the address, this counts against it."""
        return self._transact(partial(self._refuse, letter_id=letter_id, error=error))

    def _refuse(self, store: Store, letter_id: int, error: str) -> bool:
        now = self._now()
        if relay_trouble.is_about_all(store, letter_id, error, now):
            return False
        if judge_reply(error) is not Verdict.PERMANENT:
            self._note(store, [(letter_id, error)], LetterStatus.REFUSED, now)
            return True
        letters = Letters(self._site, store, Cause(None), now)
        bounced_addresses.lost(store, letters, letter_id, LetterStatus.REFUSED, error, now)
        store.letters.queue(letters.rows)
        return True

    def defer_many(self, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        """Try again later, but give up letters that are old and were tried several times."""
        self._transact(partial(self._defer, letter_ids=letter_ids, error=error, delay_seconds=delay_seconds))

    def _defer(self, store: Store, letter_ids: Sequence[int], error: str, delay_seconds: float) -> None:
        now = self._now()
        several = relay_trouble.SEVERAL
        if is_limit(error):  # the letter is not to blame, however old it is
            several = relay_trouble.MANY
            relay_trouble.note(store, error, now)
        lost = relay_trouble.given_up(store, letter_ids, now, several)
        self._note(store, [(i, f"given up: {error}") for i in lost], LetterStatus.REFUSED, now)
        store.letters.defer([i for i in letter_ids if i not in lost], error, now + timedelta(seconds=delay_seconds))

    def release_many(self, letter_ids: Sequence[int], delay_seconds: float) -> None:
        """Release letters that were not tried."""
        delay = timedelta(seconds=delay_seconds)
        self._transact(lambda store: store.letters.defer(letter_ids, "", self._now() + delay))

    def _any_due(self) -> bool:
        """Return whether a letter is due. Usually none is, so this only reads and does not delay mails."""
        with self._reader.connect() as connection:
            return Store(connection).letters.any_due(self._now(), self._share)

    def _finish(self, receipts: Receipts, status: LetterStatus) -> None:
        if receipts:
            self._transact(lambda store: self._note(store, receipts, status, self._now()))

    def _note(self, store: Store, receipts: Receipts, status: LetterStatus, now: datetime) -> None:
        """Write what became of letters. Nothing stays of those to people whose data is erased."""
        store.letters.finish(receipts, status, now)
        if farewells := self._farewells.intersection(letter_id for letter_id, _ in receipts):
            store.letters.blank(farewells)

    def _transact(self, do: Callable[[Store], T]) -> T:
        return engines.transact(self._engine, lambda connection, _: do(Store(connection)))


def _by_name(bugs: Mapping[int, Exception]) -> dict[str, list[int]]:
    """Return the ids of letters by the names of their bugs."""
    names: dict[str, list[int]] = {}
    for id_, bug in bugs.items():
        names.setdefault(type(bug).__name__, []).append(id_)
    return names
