"""The outbox: letters that wait, what became of them, and what admins do with them."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache

import sqlalchemy as sa

from pbmserv.db import engines, tables
from pbmserv.db.pipelining.statement import Statement, Values, filled, placed, places
from pbmserv.db.queries import ROWS_AT_ONCE, Queries, newest
from pbmserv.mail.envelope import LetterStatus
from pbmserv.model.letters import (
    ALL,
    LATER,
    AnswerCounts,
    AnswerKinds,
    FinishedLetter,
    L,
    LeasedEvent,
    LeasedLetter,
    LetterKind,
    ListedLetter,
    LostLetter,
    NewLetter,
    Share,
    StoredLetter,
    WholeLetter,
)

#: The columns of a letter without its text.
LETTER_COLUMNS = tuple(c for c in tables.outbox.c if c.name not in ("form", "data"))
_WRITTEN = [c.name for c in tables.outbox.c if c.name not in ("id", "finished", "slot")]
_QUEUE = Statement(sa.insert(tables.outbox), _WRITTEN)
_O = tables.outbox.c
# A literal and no parameter: else the database would not see that the partial indexes fit.
_QUEUED: sa.ColumnElement[str] = sa.literal_column("'queued'")
_ANSWERS = Statement(
    sa.select(
        sa.func.count().label("letters"),
        sa.func.coalesce(sa.func.sum(sa.func.length(_O.data)), 0).label("bytes"),
        sa.func.count().filter(_O.kind == sa.bindparam("error")).label("errors"),
    ).where(
        _O.recipient == sa.bindparam("recipient"),
        _O.created >= sa.bindparam("since"),
        sa.or_(_O.kind == sa.bindparam("answer"), _O.kind == sa.bindparam("error")),
    )
)
#: How many of the latest letters are looked through for the one that a mail answers.
_LATEST = 60
_MADE_FROM = (_O.id, _O.mail_id, _O.board, _O.kind, _O.recipient, _O.form, _O.data, _O.created)
_ABOUT = Statement(
    sa.select(*_MADE_FROM)
    .where(_O.board == sa.bindparam("board"), _O.webhook.is_(None))
    .order_by(_O.id.desc())
    .limit(_LATEST)
)
_TO = Statement(
    sa.select(*_MADE_FROM)
    .where(_O.recipient == sa.bindparam("recipient"), _O.board.is_(None))
    .order_by(_O.created.desc())
    .limit(_LATEST)
)
#: Nobody has tried to send it, and it is not to be sent before the time at which somebody may.
_RESTS = (_O.status == _QUEUED, ~_O.leased, _O.attempts == 0, _O.receipt == "", _O.due > _O.created)
_RESTING = Statement(
    sa.select(*_MADE_FROM)
    .where(
        _O.board == sa.bindparam("board"), _O.recipient == sa.bindparam("recipient"), _O.kind == sa.bindparam("kind")
    )
    .where(*_RESTS)
)
_EARLIER = tables.outbox.alias()
_WAITS = sa.exists().where(
    _EARLIER.c.status == _QUEUED,
    _EARLIER.c.board == _O.board,
    _EARLIER.c.recipient == _O.recipient,
    _EARLIER.c.id < _O.id,
    _EARLIER.c.due > sa.bindparam("now"),
    _EARLIER.c.due <= sa.bindparam("latest"),
)
_IS_DUE = (_O.status == _QUEUED, sa.or_(_O.due <= sa.bindparam("now"), _O.due > sa.bindparam("latest")))
_LONG_AGO = sa.literal(datetime(1970, 1, 1, tzinfo=UTC), tables.Utc())
#: No letter waits longer for its next try. A later time was written by a wrong clock.
LONGEST_DELAY = timedelta(hours=5)
#: A letter of another sender's share that is due for so long may be taken: that sender is busy, or dead.
TOO_LONG = timedelta(seconds=1)
#: A share: the letters of some boards, and some of the letters without a board.
_IN_SHARE = sa.func.coalesce(_O.board, _O.id) % sa.bindparam("of", type_=sa.Integer()) == sa.bindparam(
    "share", type_=sa.Integer()
)
#: Letters go to the relay, and events to webhooks. Each has senders of its own, so neither waits for the other.
_LETTER, _EVENT = _O.webhook.is_(None), _O.webhook.is_not(None)
_some = sa.select(_O.id).where(*_IS_DUE).with_hint(tables.outbox, "INDEXED BY ix_outbox_queue", "sqlite").limit(1)
_ANY = Statement(_some.where(_LETTER))
_ANY_EVENT = Statement(_some.where(_EVENT))
_ANY_IN_SHARE = Statement(_some.where(_LETTER, sa.or_(_IN_SHARE, _O.due <= sa.bindparam("before", type_=tables.Utc()))))
_due = (
    sa.select(*_MADE_FROM, _O.attempts, _O.webhook)
    .where(*_IS_DUE, ~_WAITS)
    .order_by(_O.id)
    .limit(sa.bindparam("most", type_=sa.Integer()))
    # Left alone, SQLite would walk through all letters by their ids instead of the queue.
    .with_hint(tables.outbox, "INDEXED BY ix_outbox_queue", "sqlite")
    .with_for_update(skip_locked=True, of=tables.outbox)
)
_DUE = Statement(_due.where(_LETTER))
_DUE_SINCE = Statement(
    sa.select(sa.func.min(_O.due).label("since"))
    .where(*_IS_DUE, ~_WAITS, _LETTER)
    .with_hint(tables.outbox, "INDEXED BY ix_outbox_queue", "sqlite")
)
#: The same, with letters of lists last, because a mailbox may send only some letters a day.
_IS_LAST = sa.case({kind: worth for worth, kind in enumerate(LATER, 1)}, value=_O.kind, else_=0)
_DUE_BY_WORTH = Statement(_due.where(_LETTER).order_by(None).order_by(_IS_LAST, _O.id))
# The first event of each webhook: one with many events must not fill all the places of a claim.
_first_events = (
    sa.select(sa.func.min(_O.id))
    .where(*_IS_DUE, ~_WAITS, _EVENT)
    .group_by(_O.webhook)
    .with_hint(tables.outbox, "INDEXED BY ix_outbox_queue", "sqlite")
    .correlate(None)
)
_DUE_EVENTS = Statement(_due.where(_EVENT, _O.id.in_(_first_events)))
_DUE_IN_SHARE = Statement(_due.where(_LETTER, _IN_SHARE))
_FINISH = Statement(
    sa.update(tables.outbox)
    .where(_O.id == sa.bindparam("letter"), _O.status == _QUEUED)
    .values(
        finished=sa.case((_O.kind == LetterKind.FAREWELL, _LONG_AGO), else_=sa.bindparam("at", type_=tables.Utc()))
    ),
    ("status", "leased", "receipt"),
)

#: The beginning of the receipt of a letter whose page or words could not be made.
UNMADE = "it cannot be written"
_UNMADE = (_O.status == _QUEUED, _O.receipt.startswith(UNMADE))


@cache
def _lease(count: int) -> Statement:
    return Statement(sa.update(tables.outbox).where(_O.id.in_(places("id", count))), ("due", "leased", "slot"))


@cache
def _overtaking(count: int) -> Statement:
    ids = places("id", count)
    line = (_EARLIER.c.board == _O.board, _EARLIER.c.recipient == _O.recipient, _EARLIER.c.id < _O.id)
    elsewhere = sa.exists().where(_EARLIER.c.status == _QUEUED, *line, _EARLIER.c.id.not_in(ids))
    return Statement(sa.select(_O.id).where(_O.id.in_(ids), elsewhere))


def _to(domain: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions for a letter to an address of a domain."""
    return _LETTER, sa.func.lower(_O.recipient).endswith(f"@{domain.lower()}", autoescape=True)


def _fresh(now: datetime) -> dict[str, object]:
    """Return the values of a letter that waits as if it had never been tried."""
    never: dict[str, object] = {"leased": False, "attempts": 0, "finished": None, "receipt": ""}
    return {"status": LetterStatus.QUEUED, "due": now, **never}


class OutboxQueries(Queries):
    """Queries about letters."""

    def queue(self, letters: Sequence[NewLetter]) -> None:
        """Put letters into the outbox."""
        fixed = {"status": LetterStatus.QUEUED, "attempts": 0, "receipt": "", "leased": False}
        if letters:
            self._run(_QUEUE, [{**x._asdict(), **fixed, "due": x.due or x.created} for x in letters])

    def resting(self, board: int, recipient: str) -> list[StoredLetter]:
        """Return the letters about a board to an address that rest until a later one can tell all they tell."""
        return self._rows(_RESTING, board=board, recipient=recipient, kind=LetterKind.BOARD)

    def join(self, letter_id: int, now: datetime) -> bool:
        """Drop a letter that rests, because a later one tells all it tells. False if a sender has it in hand."""
        resting = sa.update(tables.outbox).where(_O.id == letter_id, *_RESTS)
        told = {"status": LetterStatus.DROPPED, "receipt": "the next letter tells it, too", "finished": now}
        return bool(self._c.execute(resting.values(told)).rowcount)

    def answers_since(self, recipient: str, since: datetime, kinds: AnswerKinds) -> AnswerCounts:
        """Return how many answers of these kinds were written to this address since then."""
        count, size, errors = self._first(_ANSWERS, recipient=recipient, since=since, **kinds._asdict())
        return AnswerCounts(count, int(size), errors)

    def of_mail(self, mail_id: int) -> list[WholeLetter]:
        """The letters that a mail caused."""
        return self._found(sa.select(tables.outbox).where(_O.mail_id == mail_id).order_by(_O.id))

    def latest_about(self, board: int) -> list[StoredLetter]:
        """Return the latest letters about a board, the newest first: only what they are made from."""
        return self._rows(_ABOUT, board=board)

    def latest_to(self, recipient: str) -> list[StoredLetter]:
        """Return the latest letters to an address that are about no board, in the same form."""
        return self._rows(_TO, recipient=recipient)

    def any_due(self, now: datetime, share: Share = ALL) -> bool:
        """Whether there may be something to claim."""
        values = {"now": now, "latest": now + LONGEST_DELAY}
        if share == ALL:
            return bool(self._rows(_ANY, **values))
        return bool(self._rows(_ANY_IN_SHARE, **values, share=share.number, of=share.of, before=now - TOO_LONG))

    def due_since(self, now: datetime) -> datetime | None:
        """Return since when a letter could go out that no sender has in hand; None: there is none."""
        since: datetime | None = self._first(_DUE_SINCE, now=now, latest=now + LONGEST_DELAY).since
        return since

    def claim(
        self,
        now: datetime,
        lease: timedelta,
        limit: int,
        slot: int | None = None,
        share: Share = ALL,
        *,
        by_worth: bool = False,
    ) -> list[LeasedLetter]:
        """Lease due letters to one sender. A letter waits for earlier letters of the same board to the same reader.

        `slot`: the number of the sender, if it has one. If it has a share, it takes letters of others only if it has
        none of its own, and if they have waited too long. `by_worth`: of all shares, those of lists after the others.
        """
        values = {"due": now + lease, "leased": True, "slot": slot}
        times = {"now": now, "latest": now + LONGEST_DELAY}
        if by_worth:
            return self._leased(self._rows(_DUE_BY_WORTH, **times, most=limit), values)
        if share == ALL:
            return self._leased(self._rows(_DUE, **times, most=limit), values)
        own = self._rows(_DUE_IN_SHARE, **times, most=limit, share=share.number, of=share.of)
        leased = self._leased(own, values)
        return leased or self._leased(self._rows(_DUE, **(times | {"now": now - TOO_LONG}), most=limit), values)

    def any_event_due(self, now: datetime) -> bool:
        """Whether there may be an event to claim."""
        return bool(self._rows(_ANY_EVENT, now=now, latest=now + LONGEST_DELAY))

    def claim_events(self, now: datetime, lease: timedelta, limit: int, slot: int | None = None) -> list[LeasedEvent]:
        """Lease due events for webhooks to one sender, in the same order as letters, one of each webhook."""
        due = self._rows(_DUE_EVENTS, now=now, latest=now + LONGEST_DELAY, most=limit)
        return self._leased(due, {"due": now + lease, "leased": True, "slot": slot})

    def let_events_wait(self, player_id: int, due: datetime) -> None:
        """Let the events that wait for the webhook of a player wait until `due`, because it has just failed."""
        waiting = sa.update(tables.outbox).where(_O.webhook == player_id, _O.status == _QUEUED, ~_O.leased)
        self._c.execute(waiting.where(_O.due < due).values(due=due))

    def oldest_event(self, player_id: int) -> int | None:
        """Return the event that has waited longest for the webhook of a player."""
        waiting = sa.select(sa.func.min(_O.id)).where(_O.webhook == player_id, _O.status == _QUEUED)
        oldest: int | None = self._c.scalar(waiting)
        return oldest

    def drop_events(self, player_id: int | None, why: str, now: datetime) -> None:
        """Drop the events that wait for the webhook of a player; None: those of all players."""
        whose = _EVENT if player_id is None else _O.webhook == player_id
        dropped = sa.update(tables.outbox).where(whose, _O.status == _QUEUED)
        self._c.execute(dropped.values(status=LetterStatus.DROPPED, receipt=why, finished=now, leased=False))

    def _leased(self, due: Sequence[L], values: Values) -> list[L]:
        overtaking = self._overtaking([letter.id for letter in due])
        letters = [letter for letter in due if letter.id not in overtaking]
        if letters:
            padded = filled([letter.id for letter in letters])
            self._run(_lease(len(padded)), {**values, **placed("id", padded)})
        return letters

    def _overtaking(self, ids: Collection[int]) -> set[int]:
        """Which of these letters would overtake an earlier letter of the same board to the same reader.

        That earlier letter is not among `ids`, because another sender is about to lease it: its row was locked, so our
        query skipped it, and nothing in it said yet that it is leased.
        """
        if engines.has_one_writer(self._c) or not ids:
            return set()
        padded = filled(ids)
        return {row.id for row in self._rows(_overtaking(len(padded)), **placed("id", padded))}

    def leasing_slots(self) -> set[int | None]:
        """The slots of the senders that have leased letters, dead or alive. None: a sender without a slot."""
        c = tables.outbox.c
        return set(self._c.scalars(sa.select(c.slot).where(c.status == LetterStatus.QUEUED, c.leased).distinct()))

    def end_leases(self, now: datetime, slots: Collection[int | None]) -> None:
        """Let the letters that these slots have leased be due again. Their senders must be dead."""
        c = tables.outbox.c
        theirs = [c.slot.is_(None) if slot is None else c.slot == slot for slot in slots]
        leased = sa.update(tables.outbox).where(c.status == LetterStatus.QUEUED, c.leased, sa.or_(sa.false(), *theirs))
        self._c.execute(leased.values(due=now, leased=False))

    def finish(self, receipts: Sequence[tuple[int, str]], status: LetterStatus, now: datetime) -> None:
        """Write that letters were sent, or refused for good. `receipts`: (letter, what the relay said).

        A letter that has come back already stays bounced.
        """
        values = {"status": status, "leased": False, "at": now}
        if receipts:
            self._run(_FINISH, [{**values, "letter": id_, "receipt": text[:500]} for id_, text in receipts])

    def defer(self, letter_ids: Sequence[int], error: str, due: datetime) -> None:
        """Let these letters be tried again at `due`. `error`: why the attempt failed; "" if none was made.

        They could be made, so no receipt goes on saying that one could not.
        """
        c = tables.outbox.c
        made = sa.case((c.receipt.startswith(UNMADE), ""), else_=c.receipt)
        tried = {"attempts": c.attempts + 1, "receipt": error[:500]} if error else {"receipt": made}
        self._c.execute(sa.update(tables.outbox).where(c.id.in_(letter_ids)).values(due=due, leased=False, **tried))

    def put_off(self, letter_ids: Sequence[int], bug: str, due: datetime) -> None:
        """Let letters that cannot be made wait until `due`. This counts as no attempt."""
        values = {"due": due, "leased": False, "receipt": f"{UNMADE}: {bug}"}
        self._c.execute(sa.update(tables.outbox).where(tables.outbox.c.id.in_(letter_ids)).values(values))

    def unmade(self) -> list[int]:
        """Return the waiting letters that could not be made at the last try."""
        return list(self._c.scalars(sa.select(tables.outbox.c.id).where(*_UNMADE).order_by(tables.outbox.c.id)))

    def try_unmade(self, now: datetime) -> None:
        """Let letters that could not be made be due now, as somebody may have mended it; leased ones stay there."""
        self._c.execute(sa.update(tables.outbox).where(*_UNMADE, ~_O.leased).values(due=now))

    def given_up(self, letter_ids: Sequence[int], created: datetime, several: int, most: int) -> list[int]:
        """Return the letters that failed several times and were written before a time, or that failed `most` times."""
        c = tables.outbox.c
        hopeless = sa.or_(sa.and_(c.created < created, c.attempts >= several), c.attempts >= most)
        return list(self._c.scalars(sa.select(c.id).where(c.id.in_(letter_ids), hopeless)))

    def lose(self, letter_id: int, status: LetterStatus, receipt: str, now: datetime) -> LostLetter | None:
        """Write that a letter did not arrive, and return it; None if that was known."""
        c = tables.outbox.c
        lost = sa.update(tables.outbox).where(c.id == letter_id, c.status.in_((LetterStatus.QUEUED, LetterStatus.SENT)))
        values = {"status": status, "receipt": receipt[:500], "finished": now}
        letter = self._c.execute(lost.values(values).returning(c.recipient, c.board, c.created, c.kind)).first()
        if letter and letter.kind == LetterKind.FAREWELL:
            self.blank([letter_id])
        return letter

    def blank(self, letter_ids: Collection[int]) -> None:
        """Leave no address, text or answer of farewells that are done with, until they are deleted."""
        theirs = sa.update(tables.outbox).where(
            _O.id.in_(letter_ids), _O.kind == LetterKind.FAREWELL, _O.finished.is_not(None)
        )
        self._c.execute(theirs.values(recipient="", data=b"", receipt="", finished=_LONG_AGO))

    def recipient(self, letter_id: int) -> str | None:
        """The address that a letter goes to; None if there is no such letter."""
        return self._c.scalar(sa.select(tables.outbox.c.recipient).where(tables.outbox.c.id == letter_id))

    def sent_to(self, recipients: Collection[str], marks: Iterable[bytes]) -> int | None:
        """Return the latest letter to one of these addresses with one of these parts; None if there is none.

        Some mail systems change the case of an address, so those of players count in any.
        """
        c, folded = tables.address.c, {recipient.casefold() for recipient in recipients}
        as_written = self._c.scalars(sa.select(c.address).where(c.folded.in_(folded)))
        has_one = sa.or_(*(self._place(mark, _O.data) > 0 for mark in marks))
        theirs = sa.select(_O.id).where(_O.recipient.in_({*recipients, *folded, *as_written}), has_one)
        return self._c.scalar(theirs.order_by(_O.id.desc()).limit(1))

    # --- what the relay takes ---------------------------------------------------------------------------------------

    def sent_after(self, moment: datetime) -> bool:
        """Whether the relay has taken a letter after a moment."""
        return bool(
            self._c.scalar(sa.select(sa.exists().where(_LETTER, _O.finished > moment, _O.status == LetterStatus.SENT)))
        )

    def finished_last(self, since: datetime, limit: int) -> list[FinishedLetter]:
        """Return the letters that were finished last since a time, the latest first."""
        query = sa.select(_O.id, _O.recipient, _O.status, _O.receipt).where(_LETTER, _O.finished > since)
        return self._found(query.order_by(_O.finished.desc(), _O.id.desc()).limit(limit))

    def sent_lately(self, since: datetime, now: datetime, most: int) -> tuple[int, datetime | None]:
        """Return how many letters the relay has taken since a time, at most `most`, and when the first of these.

        Those of a clock that was ahead do not count, or no letter would go out until that time.
        """
        taken = (
            _LETTER,
            _O.finished > since,
            _O.finished <= now,
            _O.status.in_((LetterStatus.SENT, LetterStatus.BOUNCED)),
        )
        last = sa.select(_O.finished).where(*taken).order_by(_O.finished.desc()).limit(most).subquery()
        row = self._c.execute(sa.select(sa.func.count(), sa.func.min(last.c.finished, type_=tables.Utc()))).one()
        return int(row[0]), row[1]

    def take_turns(self) -> None:
        """Wait until other transactions that count the relay's letters have ended."""
        self._take_turns("the relay's letters")

    def in_hand(self, now: datetime) -> int:
        """Return how many letters senders have leased and not recorded yet."""
        leased = sa.select(sa.func.count()).where(_O.status == _QUEUED, _LETTER, _O.leased, _O.due > now)
        return int(self._c.scalar(leased) or 0)

    # --- for admins --------------------------------------------------------------------------------------------------

    def search(
        self,
        *,
        status: str = "",
        recipients: Collection[str] = (),
        board: int | None = None,
        since: datetime | None = None,
        limit: int = 50,
    ) -> list[ListedLetter]:
        """Letters without their text, the newest first. The case of `recipients` does not matter."""
        c = tables.outbox.c
        query = newest(
            LETTER_COLUMNS,
            at=c.created,
            since=since,
            equal=((c.status, status), (c.board, board)),
            addresses=(c.recipient, recipients),
            limit=limit,
        )
        return self._found(query)

    def find(self, letter_id: int) -> WholeLetter | None:
        """The whole row of a letter, locked until the transaction ends; None if there is no such letter."""
        query = sa.select(tables.outbox).where(tables.outbox.c.id == letter_id)
        return next(iter(self._found(self._locked(query))), None)

    def ages(self, status: LetterStatus) -> list[tuple[str, datetime]]:
        """Return the reader of each letter with this status, and when it was written. Events are not among them."""
        query = sa.select(_O.recipient, _O.created).where(_O.status == sa.literal_column(f"'{status}'"), _LETTER)
        return [(row.recipient, row.created) for row in self._c.execute(query)]

    def hold_to(self, domain: str, receipt: str, now: datetime) -> int:
        """Hold back the letters to a domain that wait, but those that a sender has in hand. Return how many."""
        waits = (_O.status == _QUEUED, sa.or_(~_O.leased, _O.due <= now))
        held = sa.update(tables.outbox).where(*waits, *_to(domain))
        return self._c.execute(held.values(status=LetterStatus.HELD, receipt=receipt, leased=False)).rowcount

    def release_to(self, domain: str, now: datetime) -> int:
        """Let the letters to a domain that are held back wait for the sender as if never tried. Return how many."""
        held = sa.update(tables.outbox).where(_O.status == LetterStatus.HELD, *_to(domain))
        return self._c.execute(held.values(_fresh(now))).rowcount

    def by_ids(self, ids: Sequence[int]) -> list[ListedLetter]:
        """These letters without their text, the oldest first."""
        query = sa.select(*LETTER_COLUMNS).where(tables.outbox.c.id.in_(ids))
        return self._found(query.order_by(tables.outbox.c.id))

    def set_aside(self, letter_id: int, status: LetterStatus, receipt: str, finished: datetime | None) -> None:
        """Let a letter not go out: it is held back, or dropped for good."""
        values = {"status": status, "receipt": receipt, "finished": finished, "leased": False}
        self._c.execute(sa.update(tables.outbox).where(tables.outbox.c.id == letter_id).values(values))
        self.blank([letter_id])

    def send_again(self, letter_id: int, now: datetime) -> None:
        """Let a letter wait for the sender as if it had never been tried."""
        self._c.execute(sa.update(tables.outbox).where(_O.id == letter_id).values(_fresh(now)))

    def take_back(self, letter_id: int, now: datetime) -> None:
        """Let a letter that was refused wait for the sender again. The refusal counts as an attempt."""
        again = {"status": LetterStatus.QUEUED, "due": now, "attempts": _O.attempts + 1, "finished": None}
        self._c.execute(sa.update(tables.outbox).where(_O.id == letter_id).values(again))

    # --- for letters of an older release -----------------------------------------------------------------------------

    def stored_after(self, letter_id: int) -> list[tuple[int, bytes]]:
        """Return numbers and texts of the next letters, in the order of their numbers, at most ROWS_AT_ONCE."""
        c = tables.outbox.c
        query = sa.select(c.id, c.data).where(c.id > letter_id).order_by(c.id).limit(ROWS_AT_ONCE)
        return [(row.id, row.data) for row in self._c.execute(query)]

    def rewrite(self, letters: Sequence[tuple[int, bytes]]) -> None:
        """Replace the texts of these letters: (number, text)."""
        c = tables.outbox.c
        for letter_id, data in letters:
            self._c.execute(sa.update(tables.outbox).where(c.id == letter_id).values(data=data))

    # --- after a time ------------------------------------------------------------------------------------------------

    def forget(self, before: datetime) -> int:
        """Delete letters that were finished before a time, at most ROWS_AT_ONCE. Returns how many."""
        c = tables.outbox.c
        old = (
            sa.select(c.id)
            .where(c.finished < before, c.status != LetterStatus.QUEUED)
            .order_by(c.finished)
            .limit(ROWS_AT_ONCE)
        )
        return self._c.execute(sa.delete(tables.outbox).where(c.id.in_(old))).rowcount
