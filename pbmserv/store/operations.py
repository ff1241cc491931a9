"""The server's own records: single values, leases, events of admins, counts for limits, and figures."""

import json
import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TypeAlias

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import ROWS_AT_ONCE, Queries, inserting
from pbmserv.mail.envelope import LetterStatus
from pbmserv.model import Allowance, Waiting
from pbmserv.model.operations import ENGINES, INSTANCE, Counted, EngineHealth, Use
from pbmserv.model.rows import EventRow
from pbmserv.store.mails import QUARANTINED

_NEWEST = 10_000  #: failed letters are counted only among this many newest ones, because there is no index for them
_Seconds: TypeAlias = float | sa.BindParameter[float]


class OperationsQueries(Queries):
    """Queries about the server's own affairs."""

    def fact(self, name: str) -> str | None:
        """Return a stored value, locked until the transaction ends; None if there is none."""
        query = self._locked(sa.select(tables.fact.c.value).where(tables.fact.c.name == name))
        return self._c.execute(query).scalar_one_or_none()

    def set_fact(self, name: str, value: str) -> None:
        """Store a value."""
        self._put(tables.fact, {"name": name}, {"value": value})

    def engines(self) -> dict[str, EngineHealth]:
        """Return how the engines of robots are, of those that were ever asked."""
        stored = json.loads(self.fact(ENGINES) or "{}")
        return {name: EngineHealth(*fields) for name, fields in stored.items()}

    def note_engines(self, news: Mapping[str, str], known: Collection[str], now: float) -> None:
        """Store new faults of engines, "" for one that answers again; forget those that are not `known` any more."""
        health = {name: engine for name, engine in self.engines().items() if name in known}
        for name, trouble in news.items():
            last = health.get(name, EngineHealth())
            health[name] = EngineHealth(trouble, now, last.faults + 1) if trouble else last._replace(trouble="")
        self.set_fact(ENGINES, json.dumps(health))

    def instance(self) -> str:
        """Return the name of this installation: eight hexadecimal digits, made at the first call. It is no secret."""
        made = self._insert(tables.fact).values(name=INSTANCE, value=secrets.token_hex(4))
        self._c.execute(made.on_conflict_do_nothing(index_elements=["name"]))
        return self.fact(INSTANCE) or ""

    def date_back(self, since: datetime, now: datetime) -> None:
        """Set times from `since` on to `now`, because they were written while the clock was ahead.

        Only times from which a limit counts are changed. The logs of boards and the records of admins stay.
        """
        mail, letter, seek, address = (t.c for t in (tables.mail, tables.outbox, tables.seek, tables.address))
        stamps = (
            (mail.received, ()),
            (letter.created, (letter.status == LetterStatus.QUEUED,)),
            (letter.due, (letter.status == LetterStatus.QUEUED,)),
            (letter.finished, (letter.finished.is_not(None),)),
            (seek.created, (seek.closed.is_(None),)),
            (address.created, (address.confirmed.is_(None),)),
            (tables.entrant.c.warned, (tables.entrant.c.warned.is_not(None),)),
            (tables.webhook.c.since, ()),
            (tables.collected.c.created, ()),
        )
        for stamp, conditions in stamps:
            later = sa.update(stamp.table).where(stamp >= since, *conditions)
            self._c.execute(later.values({stamp.name: now}))

    def lease(self, name: str, now: float, seconds: float) -> bool:
        """Take a lease for some seconds from `now` (since 1970) on. False while somebody else has it.

        If a lease ends more than `seconds` from now, it was taken before the clock was set back, and counts as expired.
        """
        free = self._insert(tables.fact).values(name=name, value="0")
        self._c.execute(free.on_conflict_do_nothing(index_elements=["name"]))
        if now < float(self.fact(name) or 0) <= now + seconds:
            return False
        self.set_fact(name, repr(now + seconds))
        return True

    def add_event(self, at: datetime, who: str, what: str, why: str) -> None:
        """Record who did what, and why. `what` begins with the object: `board 101: …`, `player alice: …`."""
        self._c.execute(sa.insert(tables.event).values(at=at, who=who[:80], what=what, why=why))

    def events(self, *, since: datetime | None = None, about: str = "", limit: int = 200) -> list[EventRow]:
        """What admins did, the newest first. `about`: to one thing, such as `board 101`."""
        c = tables.event.c
        query = sa.select(tables.event).order_by(c.id.desc()).limit(limit)
        if since:
            query = query.where(c.at >= since)
        if about:
            query = query.where(c.what.startswith(f"{about}: ", autoescape=True))
        return self._found(query)

    # --- what was used of allowances: counts that hold for all processes together ------------------------------------

    def spend(self, uses: Sequence[Use], now: float, amount: int = 1) -> float:
        """Use `amount` of each allowance. If one has less, use none, and return when its count ends; else return 0.

        If several transactions use one allowance, the later ones wait until the first ends.
        """
        for done, (subject, allowance) in enumerate(uses):
            if free_at := self._spend(subject, allowance, now, amount):
                self._give_back(uses[:done], amount)
                return free_at
        return 0.0

    def _spend(self, subject: str, allowance: Allowance, now: float, amount: int) -> float:
        what, most, seconds = allowance
        ends, latest = now + seconds, _latest(now, allowance)
        if amount > most:
            return ends
        use = {"whose": subject, "kind": what, "amount": amount, "most": most, "until": ends}
        if self._c.execute(_using(self._c.dialect.name), {**use, "now": now, "latest": latest}).first():
            return 0.0
        stands = sa.select(tables.counter.c.ends).where(*_of(subject, allowance))
        return float(self._c.scalar(stands) or ends)

    def _give_back(self, uses: Sequence[Use], amount: int) -> None:
        for use in uses:
            back = sa.update(tables.counter).where(*_of(*use))
            self._c.execute(back.values(used=tables.counter.c.used - amount))

    def is_spent(self, subject: str, allowance: Allowance, now: float) -> bool:
        """Return whether an allowance is used up."""
        c = tables.counter.c
        used = sa.select(c.used).where(*_of(subject, allowance), ~_is_over(now, _latest(now, allowance)))
        return (self._c.scalar(used) or 0) >= allowance.most

    def counted(self, now: float, subjects: Collection[str] = (), limit: int = 200) -> list[Counted]:
        """The running counts of these subjects, or of all; the highest first."""
        c = tables.counter.c
        query = sa.select(c.subject, c.what, c.used, c.ends).where(c.ends > now)
        if subjects:
            query = query.where(c.subject.in_(subjects))
        return [Counted(*row) for row in self._c.execute(query.order_by(c.used.desc(), c.subject, c.what).limit(limit))]

    def lift(self, subjects: Collection[str] = ()) -> int:
        """Reset the counts of these subjects, or of all. Returns how many there were."""
        gone = sa.delete(tables.counter)
        return self._c.execute(gone.where(tables.counter.c.subject.in_(subjects)) if subjects else gone).rowcount

    def forget_counts(self, now: float) -> int:
        """Delete counts whose time is over, at most ROWS_AT_ONCE. Returns how many."""
        c, key = tables.counter.c, list(tables.counter.primary_key)
        old = sa.select(*key).where(c.ends <= now).order_by(c.ends).limit(ROWS_AT_ONCE)
        return self._c.execute(sa.delete(tables.counter).where(c.ends <= now, sa.tuple_(*key).in_(old))).rowcount

    # --- figures -----------------------------------------------------------------------------------------------------

    def waiting_letters(self) -> Waiting:
        """The letters that are not sent yet. Events for webhooks are not among them: see `waiting_events`."""
        return self._waiting(tables.outbox.c.webhook.is_(None))

    def waiting_events(self) -> Waiting:
        """The events that no webhook has taken yet."""
        return self._waiting(tables.outbox.c.webhook.is_not(None))

    def _waiting(self, which: sa.ColumnElement[bool]) -> Waiting:
        c = tables.outbox.c
        counted = sa.select(c.leased, sa.func.count(), sa.func.min(c.created)).where(
            c.status == LetterStatus.QUEUED, which
        )
        rows = {leased: (count, oldest) for leased, count, oldest in self._c.execute(counted.group_by(c.leased))}
        oldest = min((when for _, when in rows.values()), default=None)
        return Waiting(rows.get(False, (0, None))[0], rows.get(True, (0, None))[0], oldest)

    def failed_letters(self, since: datetime) -> int:
        """Return how many letters were refused or bounced since a time, among the newest 10 000."""
        c = tables.outbox.c
        newest = c.id > sa.select(sa.func.max(c.id)).scalar_subquery() - _NEWEST
        lost = c.status.in_((LetterStatus.REFUSED, LetterStatus.BOUNCED))
        letters = sa.select(sa.func.count()).where(newest, lost, c.finished >= since, c.webhook.is_(None))
        return self._c.execute(letters).scalar_one()

    def quarantined_mails(self) -> int:
        """How many mails are in quarantine."""
        return self._c.execute(sa.select(sa.func.count()).where(tables.mail.c.status == QUARANTINED)).scalar_one()

    def traffic(self, since: datetime) -> tuple[int, int]:
        """How many mails came since then, and how many moves they played."""
        mail, entry = tables.mail.c, tables.entry.c
        mails = sa.select(sa.func.count()).where(mail.received >= since)
        caused = tables.entry.join(tables.mail, entry.mail_id == mail.id)
        moves = sa.select(sa.func.count()).select_from(caused).where(mail.received >= since, entry.kind == "move")
        return self._c.execute(mails).scalar_one(), self._c.execute(moves).scalar_one()

    def board_totals(self) -> tuple[int, int]:
        """How many boards are running, and how many there are in all."""
        every = sa.select(sa.func.count()).select_from(tables.board)
        running = every.where(
            tables.board.c.over.is_(None)
        )  # an index answers each query; reading the rows would be slow, because they are long
        return self._c.execute(running).scalar_one(), self._c.execute(every).scalar_one()

    def player_total(self) -> int:
        """How many accounts are open."""
        return self._c.execute(sa.select(sa.func.count()).where(tables.player.c.closed.is_(None))).scalar_one()

    def new_players(self, since: datetime) -> int:
        """How many accounts were opened since then and are still open."""
        c = tables.player.c
        new = sa.select(sa.func.count()).where(c.created >= since, c.closed.is_(None))
        return self._c.execute(new).scalar_one()

    def suspended_addresses(self) -> int:
        """How many addresses get no letters, because too many came back."""
        suspended = sa.select(sa.func.count()).where(tables.address.c.suspended.is_not(None))
        return self._c.execute(suspended).scalar_one()

    # --- counts by day and by game -----------------------------------------------------------------------------------

    def by_day(self, since: datetime) -> dict[str, dict[str, int]]:
        """How many mails came in, moves were played and letters were written: each by day in UTC."""
        return {
            "mails": self._by_day(tables.mail.c.received, since),
            "moves": self._by_day(tables.entry.c.at, since, tables.entry.c.kind == "move"),
            "letters": self._by_day(tables.outbox.c.created, since),
        }

    def answer_seconds(self, since: datetime) -> list[float]:
        """Return how long moves took, ascending, each from the entry before or the start. Solitaires do not count."""
        e, b = tables.entry.c, tables.board.c
        before = sa.func.lag(e.at).over(partition_by=e.board, order_by=e.number)
        several = sa.select(tables.seat.c.board).where(tables.seat.c.seat == 1)
        touched = sa.select(e.board).where(e.at >= since, e.board.in_(several))
        query = sa.select(e.kind, e.at, sa.func.coalesce(before, b.created, type_=tables.Utc()).label("since"))
        rows = self._c.execute(query.join(tables.board).where(e.board.in_(touched)))
        return sorted((r.at - r.since).total_seconds() for r in rows if r.kind == "move" and r.at >= since)

    def boards_by_game(self, since: datetime) -> dict[str, tuple[int, int, int]]:
        """Boards of each game: game -> (running now, begun since then, ended since then)."""
        c = tables.board.c
        counts = (
            sa.func.count().filter(c.over.is_(None)),
            sa.func.count().filter(c.created >= since),
            sa.func.count().filter(c.over >= since),
        )
        query = sa.select(c.game, *counts).group_by(c.game).order_by(c.game)
        return {game: (running, begun, ended) for game, running, begun, ended in self._c.execute(query)}

    def _by_day(self, at: sa.Column[datetime], since: datetime, *conditions: sa.ColumnElement[bool]) -> dict[str, int]:
        if self._c.dialect.name == "sqlite":
            day = sa.func.strftime("%Y-%m-%d", at, type_=sa.String())
        else:
            day = sa.func.to_char(sa.func.timezone("UTC", at), "YYYY-MM-DD", type_=sa.String())
        query = sa.select(day, sa.func.count()).where(at >= since, *conditions).group_by(day).order_by(day)
        return {str(name): count for name, count in self._c.execute(query)}


def _of(subject: str, allowance: Allowance) -> tuple[sa.ColumnElement[bool], ...]:
    """Where the count of an allowance stands."""
    return tables.counter.c.subject == subject, tables.counter.c.what == allowance.what


def _latest(now: float, allowance: Allowance) -> float:
    """Return when a count ends at the latest. If it ends later, it began under a wrong clock, and counts as over."""
    return now + 2 * allowance.seconds


def _is_over(now: _Seconds, latest: _Seconds) -> sa.ColumnElement[bool]:
    """Return whether a count is over."""
    c = tables.counter.c
    return sa.or_(c.ends <= now, c.ends > latest)


@cache
def _using(kind: str) -> sa.Executable:
    """Return the statement that uses an allowance. Each mail runs it, and to make it takes longer than to run it."""
    c = tables.counter.c
    amount, most = (sa.bindparam(name, type_=sa.Integer) for name in ("amount", "most"))
    until, now, latest = (sa.bindparam(name, type_=sa.Double) for name in ("until", "now", "latest"))
    over = _is_over(now, latest)
    keys = {"subject": sa.bindparam("whose", type_=sa.String), "what": sa.bindparam("kind", type_=sa.String)}
    more = inserting(tables.counter, kind).values(**keys, used=amount, ends=until)
    used = more.on_conflict_do_update(
        index_elements=list(keys),
        set_={"used": sa.case((over, amount), else_=c.used + amount), "ends": sa.case((over, until), else_=c.ends)},
        where=sa.or_(over, c.used + amount <= most),
    )
    return used.returning(c.used)
