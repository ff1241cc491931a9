"""Mails as an admin asks for them: the shelf, and lists with filters."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries, newest

#: All of a mail's row but its sealed bytes.
MAIL_COLUMNS = tuple(c for c in tables.mail.c if c.name != "sealed")

#: Written out where it is searched for, as the index for it has it.
SHELVED: sa.ColumnElement[str] = sa.literal_column("'shelved'")


class Shelf(Queries):
    """Queries about mails, for admins."""

    def shelved(self, mail_id: int) -> bytes | None:
        """The sealed bytes of a mail on the shelf, locked until the transaction ends; None if it is not there."""
        c = tables.mail.c
        query = sa.select(c.sealed).where(c.id == mail_id, c.status == "shelved")
        return self._c.execute(self._locked(query)).scalar_one_or_none()

    def resolve_mail(self, mail_id: int, **values: str) -> None:
        """A mail leaves the shelf: its bytes are erased; `values`: what else its row says now."""
        self._c.execute(sa.update(tables.mail).where(tables.mail.c.id == mail_id).values(sealed=None, **values))

    def came_as(self, digest: str, other_than: int) -> int | None:
        """The number of another mail with this digest."""
        c = tables.mail.c
        return self._c.scalar(sa.select(c.id).where(c.digest == digest, c.id != other_than))

    def find_mails(
        self,
        *,
        status: str = "",
        senders: Collection[str] = (),
        since: datetime | None = None,
        limit: int = 50,
    ) -> list[Any]:
        """Mails, the newest first; `senders` in any case of letters."""
        c = tables.mail.c
        query = newest(
            MAIL_COLUMNS,
            at=c.received,
            since=since,
            equal=((c.status, status),),
            addresses=(c.sender, senders),
            limit=limit,
        )
        if status == "shelved":
            query = query.where(c.status == SHELVED)  # else no index is seen to fit
        return list(self._c.execute(query))

    def mails_by_id(self, ids: Sequence[int]) -> list[Any]:
        """These mails, the oldest first."""
        query = sa.select(*MAIL_COLUMNS).where(tables.mail.c.id.in_(ids))
        return list(self._c.execute(query.order_by(tables.mail.c.id)))
