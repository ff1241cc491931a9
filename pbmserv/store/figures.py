"""How much there is of everything: what monitoring asks for."""

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.store.shelf import SHELVED

_NEWEST = 10_000  #: letters among which failed ones are counted: no index leads to them


@dataclass(frozen=True)
class Waiting:
    """The letters of the outbox that are not sent yet; `leased` ones are in the hands of a sender."""

    queued: int
    leased: int
    oldest: datetime | None

    @property
    def count(self) -> int:
        """All of them."""
        return self.queued + self.leased


@dataclass(frozen=True)
class Standby:
    """A server that follows this PostgreSQL; what the account may not read is None."""

    name: str | None
    state: str | None
    bytes_behind: int | None
    seconds_behind: float | None


class Figures(Queries):
    """Queries that count."""

    def waiting(self) -> Waiting:
        """The letters that are not sent yet."""
        c = tables.outbox.c
        counted = sa.select(c.leased, sa.func.count(), sa.func.min(c.created)).where(c.status == "queued")
        rows = {leased: (count, oldest) for leased, count, oldest in self._c.execute(counted.group_by(c.leased))}
        oldest = min((when for _, when in rows.values()), default=None)
        return Waiting(rows.get(False, (0, None))[0], rows.get(True, (0, None))[0], oldest)

    def failed(self, since: datetime) -> int:
        """How many of the newest 10 000 letters were refused, or came back, since then."""
        c = tables.outbox.c
        newest = c.id > sa.select(sa.func.max(c.id)).scalar_subquery() - _NEWEST
        lost = c.status.in_(("refused", "bounced"))
        return self._c.execute(sa.select(sa.func.count()).where(newest, lost, c.finished >= since)).scalar_one()

    def shelf(self) -> int:
        """How many mails are shelved."""
        return self._c.execute(sa.select(sa.func.count()).where(tables.mail.c.status == SHELVED)).scalar_one()

    def traffic(self, since: datetime) -> tuple[int, int]:
        """How many mails came since then, and how many moves they made."""
        mail, entry = tables.mail.c, tables.entry.c
        mails = sa.select(sa.func.count()).where(mail.received >= since)
        caused = tables.entry.join(tables.mail, entry.mail_id == mail.id)
        moves = sa.select(sa.func.count()).select_from(caused).where(mail.received >= since, entry.kind == "move")
        return self._c.execute(mails).scalar_one(), self._c.execute(moves).scalar_one()

    def board_totals(self) -> tuple[int, int]:
        """How many boards are running, and how many there are in all."""
        count = sa.select(sa.func.count()).select_from(tables.board)  # of two indexes: the rows themselves are long
        return self._c.execute(count.where(tables.board.c.over.is_(None))).scalar_one(), self._c.execute(
            count
        ).scalar_one()

    def player_total(self) -> int:
        """How many accounts are open."""
        return self._c.execute(sa.select(sa.func.count()).where(tables.player.c.closed.is_(None))).scalar_one()

    def size(self) -> int:
        """The size of the database in bytes; on SQLite without what its WAL adds."""
        if self._c.dialect.name == "sqlite":
            pages, page = sa.text("PRAGMA page_count"), sa.text("PRAGMA page_size")
            return int(self._c.execute(pages).scalar_one() * self._c.execute(page).scalar_one())
        return int(self._c.execute(sa.select(sa.func.pg_database_size(sa.func.current_database()))).scalar_one())

    def standbys(self) -> list[Standby]:
        """The servers that follow this one. An account without pg_monitor sees only that there are some."""
        if self._c.dialect.name == "sqlite":
            return []
        found = self._c.execute(
            sa.text(
                "SELECT application_name, state, (sent_lsn - replay_lsn)::bigint, extract(epoch FROM replay_lag)::float"
                " FROM pg_stat_replication ORDER BY application_name"
            )
        )
        return [Standby(*row) for row in found]

    def ping(self) -> None:
        """The smallest question there is."""
        self._c.execute(sa.select(1))
