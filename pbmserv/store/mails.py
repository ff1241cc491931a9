"""Mails that came in, and the shelf: mails that met a bug wait there until an admin runs them again."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pbmserv.db import tables
from pbmserv.db.queries import ROWS_AT_ONCE, Queries, newest
from pbmserv.db.statement import Statement

#: The columns of a mail without its sealed bytes.
MAIL_COLUMNS = tuple(c for c in tables.mail.c if c.name != "sealed")

#: A literal and no parameter: else the database would not see that the partial index fits.
SHELVED: sa.ColumnElement[str] = sa.literal_column("'shelved'")
_NEW = ("digest", "received", "peer", "sender", "message_id", "status", "calls", "problem")
_ADD = {
    name: Statement(
        insert(tables.mail).on_conflict_do_nothing(index_elements=["digest"]).returning(tables.mail.c.id), _NEW
    )
    for name, insert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}
_CLOSE = Statement(
    sa.update(tables.mail).where(tables.mail.c.id == sa.bindparam("mail")), ("status", "calls", "problem")
)


class MailQueries(Queries):
    """Queries about mails."""

    def add(self, fingerprint: str, now: datetime, peer: str, sender: str, message_id: str) -> int | None:
        """Write that a mail came in; its number, or None if the same mail came before."""
        values = {"digest": fingerprint, "received": now, "peer": peer, "sender": sender, "message_id": message_id}
        added = self._first(_ADD[self._c.dialect.name], **values, status="done", calls="", problem="")
        return added.id if added else None

    def close(self, mail_id: int, *, status: str, calls: str = "", problem: str = "") -> None:
        """Write what became of a mail."""
        self._run(_CLOSE, {"mail": mail_id, "status": status, "calls": calls, "problem": problem})

    def shelve(self, mail_id: int, problem: str, sealed: bytes) -> None:
        """Put a mail on the shelf, with its sealed bytes."""
        shelved = sa.update(tables.mail).where(tables.mail.c.id == mail_id)
        self._c.execute(shelved.values(status="shelved", problem=problem, sealed=sealed))

    def find(self, mail_id: int) -> Any:
        """The row of a mail; None if there is no such mail."""
        return self._c.execute(sa.select(tables.mail).where(tables.mail.c.id == mail_id)).first()

    def newest(self, limit: int = 50) -> list[Any]:
        """The newest mails, without their sealed bytes."""
        return list(self._c.execute(sa.select(*MAIL_COLUMNS).order_by(tables.mail.c.id.desc()).limit(limit)))

    def errors_since(self, sender: str, since: datetime) -> int:
        """How many mails of this sender ended with an error since then. The case of the address does not matter."""
        c = tables.mail.c
        mine = sa.func.lower(c.sender) == sender.lower()
        query = sa.select(sa.func.count()).where(c.received >= since, c.status == "error", mine)
        return self._c.execute(query).scalar_one()

    # --- for admins --------------------------------------------------------------------------------------------------

    def shelved(self, mail_id: int) -> bytes | None:
        """The sealed bytes of a mail on the shelf, locked until the transaction ends; None if it is not there."""
        c = tables.mail.c
        query = sa.select(c.sealed).where(c.id == mail_id, c.status == "shelved")
        return self._c.execute(self._locked(query)).scalar_one_or_none()

    def resolve(self, mail_id: int, fingerprint: str = "", **values: str) -> None:
        """Take a mail off the shelf and erase its bytes. `values`: what its row says from now on."""
        if fingerprint:
            values["digest"] = fingerprint
        self._c.execute(sa.update(tables.mail).where(tables.mail.c.id == mail_id).values(sealed=None, **values))

    def came_as(self, fingerprint: str, other_than: int) -> int | None:
        """The number of another mail with this fingerprint."""
        c = tables.mail.c
        return self._c.scalar(sa.select(c.id).where(c.digest == fingerprint, c.id != other_than))

    def search(
        self,
        *,
        status: str = "",
        senders: Collection[str] = (),
        since: datetime | None = None,
        limit: int = 50,
    ) -> list[Any]:
        """Mails, the newest first. The case of `senders` does not matter."""
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
            query = query.where(c.status == SHELVED)  # once more, for the partial index
        return list(self._c.execute(query))

    def by_ids(self, ids: Sequence[int]) -> list[Any]:
        """These mails, the oldest first."""
        query = sa.select(*MAIL_COLUMNS).where(tables.mail.c.id.in_(ids))
        return list(self._c.execute(query.order_by(tables.mail.c.id)))

    # --- after a time ------------------------------------------------------------------------------------------------

    def forget(self, before: datetime) -> int:
        """Erase what mails from before a time tell of people, of at most ROWS_AT_ONCE mails; how many it were.

        Fingerprints stay, so that the same mail still does nothing when it comes again. Shelved mails stay whole.
        """
        c = tables.mail.c
        nothing: sa.ColumnElement[str] = sa.literal_column("''")  # a literal, for the partial index
        known = sa.or_(c.sender != nothing, c.peer != nothing)
        old = sa.select(c.id).where(c.received < before, known, c.status != "shelved")
        some = sa.update(tables.mail).where(c.id.in_(old.order_by(c.received).limit(ROWS_AT_ONCE)))
        return self._c.execute(some.values(sender="", peer="", message_id="", calls="", problem="")).rowcount
