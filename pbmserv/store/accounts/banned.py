"""Bans: addresses and domains whose mails are not read."""

from collections.abc import Iterable
from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.model.mails import Ban, banned, bans_of

_C = tables.ban.c


class BanQueries(Queries):
    """Queries about bans."""

    def all(self) -> list[Ban]:
        """Return all bans, the oldest first."""
        return self._bans(sa.select(tables.ban))

    def of(self, address: str) -> Ban | None:
        """Return the ban of an address; None if there is none."""
        there = self._bans(sa.select(tables.ban).where(_C.what.in_(list(bans_of(address)))))
        return banned(address, {ban.what: ban for ban in there})

    def add(self, what: str, why: str, now: datetime) -> int:
        """Add a ban, and return its number. There must be none of this yet."""
        new = sa.insert(tables.ban).values(what=what, why=why, created=now)
        return int(self._c.execute(new.returning(_C.id)).scalar_one())

    def remove(self, ban_id: int) -> None:
        """Take a ban back."""
        self._c.execute(sa.delete(tables.ban).where(_C.id == ban_id))

    def _bans(self, query: sa.Select[tuple[object, ...]]) -> list[Ban]:
        rows: Iterable[sa.Row[tuple[object, ...]]] = self._c.execute(query.order_by(_C.id))
        return [Ban(row.id, row.what, row.why, row.created) for row in rows]
