"""Mails that came in."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.db.statement import Statement

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


class Mails(Queries):
    """Queries about mails."""

    def add_mail(self, digest: str, now: datetime, peer: str, sender: str, message_id: str) -> int | None:
        """Write down that a mail came in; None if the same mail came before."""
        values = {"digest": digest, "received": now, "peer": peer, "sender": sender, "message_id": message_id}
        added = self._first(_ADD[self._c.dialect.name], **values, status="done", calls="", problem="")
        return added.id if added else None

    def close_mail(self, mail_id: int, *, status: str, calls: str = "", problem: str = "") -> None:
        """Write down what became of a mail."""
        self._run(_CLOSE, {"mail": mail_id, "status": status, "calls": calls, "problem": problem})

    def shelve_mail(self, mail_id: int, problem: str, sealed: bytes) -> None:
        """Keep the bytes of a mail until an admin runs it again."""
        shelved = sa.update(tables.mail).where(tables.mail.c.id == mail_id)
        self._c.execute(shelved.values(status="shelved", problem=problem, sealed=sealed))

    def mails(self, limit: int = 50) -> list[Any]:
        """The newest mails first, without their sealed bytes."""
        columns = [c for c in tables.mail.c if c.name != "sealed"]
        return list(self._c.execute(sa.select(*columns).order_by(tables.mail.c.id.desc()).limit(limit)))

    def mail(self, mail_id: int) -> Any:
        """One mail's row, None if there is none."""
        return self._c.execute(sa.select(tables.mail).where(tables.mail.c.id == mail_id)).first()

    def errors_since(self, sender: str, since: datetime) -> int:
        """How many mails of this sender, however spelt, could not be done since then."""
        c = tables.mail.c
        mine = sa.func.lower(c.sender) == sender.lower()
        query = sa.select(sa.func.count()).where(c.received >= since, c.status == "error", mine)
        return self._c.execute(query).scalar_one()
