"""What the server notes of itself: single values, leases, what admins did, and how much there is of everything."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.store.mails import SHELVED

#: The fact that says when the server's clock ran last, in seconds since 1970.
LAST_RUN = "clock"

_NEWEST = 10_000  #: letters: only among these are the failed ones counted, because no index leads to them


@dataclass(frozen=True)
class Waiting:
    """How many letters are not sent yet. A sender has the `leased` ones in hand."""

    queued: int
    leased: int
    oldest: datetime | None

    @property
    def count(self) -> int:
        """All of them."""
        return self.queued + self.leased


class OperationsQueries(Queries):
    """Queries about the server's own affairs."""

    def fact(self, name: str) -> str | None:
        """A remembered value, locked until the transaction ends; None if there is none."""
        query = self._locked(sa.select(tables.fact.c.value).where(tables.fact.c.name == name))
        return self._c.execute(query).scalar_one_or_none()

    def set_fact(self, name: str, value: str) -> None:
        """Remember a value."""
        statement = self._insert(tables.fact).values(name=name, value=value)
        self._c.execute(statement.on_conflict_do_update(index_elements=["name"], set_={"value": value}))

    def lease(self, name: str, now: float, seconds: float) -> bool:
        """Take something for some seconds from `now` (since 1970) on; False while somebody else has it.

        A lease that ends more than `seconds` from now was taken before the clock was set back: it counts as over.
        """
        free = self._insert(tables.fact).values(name=name, value="0")
        self._c.execute(free.on_conflict_do_nothing(index_elements=["name"]))
        if now < float(self.fact(name) or 0) <= now + seconds:
            return False
        self.set_fact(name, repr(now + seconds))
        return True

    def add_event(self, at: datetime, who: str, what: str, why: str) -> None:
        """Write who did what, and why. `what` begins with the thing: `board 101: …`, `player alice: …`."""
        self._c.execute(sa.insert(tables.event).values(at=at, who=who[:80], what=what, why=why))

    def events(self, *, since: datetime | None = None, about: str = "", limit: int = 200) -> list[Any]:
        """What admins did, the newest first. `about`: to one thing, such as `board 101`."""
        c = tables.event.c
        query = sa.select(tables.event).order_by(c.id.desc()).limit(limit)
        if since:
            query = query.where(c.at >= since)
        if about:
            query = query.where(c.what.startswith(f"{about}: ", autoescape=True))
        return list(self._c.execute(query))

    # --- figures -----------------------------------------------------------------------------------------------------

    def waiting_letters(self) -> Waiting:
        """The letters that are not sent yet."""
        c = tables.outbox.c
        counted = sa.select(c.leased, sa.func.count(), sa.func.min(c.created)).where(c.status == "queued")
        rows = {leased: (count, oldest) for leased, count, oldest in self._c.execute(counted.group_by(c.leased))}
        oldest = min((when for _, when in rows.values()), default=None)
        return Waiting(rows.get(False, (0, None))[0], rows.get(True, (0, None))[0], oldest)

    def failed_letters(self, since: datetime) -> int:
        """How many letters were refused or came back since then, of the newest 10 000."""
        c = tables.outbox.c
        newest = c.id > sa.select(sa.func.max(c.id)).scalar_subquery() - _NEWEST
        lost = c.status.in_(("refused", "bounced"))
        return self._c.execute(sa.select(sa.func.count()).where(newest, lost, c.finished >= since)).scalar_one()

    def shelved_mails(self) -> int:
        """How many mails are shelved."""
        return self._c.execute(sa.select(sa.func.count()).where(tables.mail.c.status == SHELVED)).scalar_one()

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
        running = every.where(tables.board.c.over.is_(None))  # an index answers each: the rows themselves are long
        return self._c.execute(running).scalar_one(), self._c.execute(every).scalar_one()

    def player_total(self) -> int:
        """How many accounts are open."""
        return self._c.execute(sa.select(sa.func.count()).where(tables.player.c.closed.is_(None))).scalar_one()

    # --- counts by day and by game -----------------------------------------------------------------------------------

    def mails_by_day(self, since: datetime) -> dict[str, int]:
        """How many mails came in, by day in UTC."""
        return self._by_day(tables.mail.c.received, since)

    def letters_by_day(self, since: datetime) -> dict[str, int]:
        """How many letters were written, by day in UTC."""
        return self._by_day(tables.outbox.c.created, since)

    def moves_by_day(self, since: datetime) -> dict[str, int]:
        """How many moves were played, by day in UTC."""
        return self._by_day(tables.entry.c.at, since, tables.entry.c.kind == "move")

    def answer_seconds(self, since: datetime) -> list[float]:
        """How long players took for their moves, in ascending order: from the entry before, or the board's beginning.

        Solitaires do not count.
        """
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
