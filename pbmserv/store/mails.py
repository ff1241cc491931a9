"""Mails that came in, and quarantine: mails that met a bug wait there until an admin runs them again."""

from collections.abc import Collection, Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from pbmserv.db import tables
from pbmserv.db.pipelining.statement import Statement
from pbmserv.db.queries import ROWS_AT_ONCE, Queries, newest
from pbmserv.mail.envelope import MailStatus
from pbmserv.model.mails import Added, Handled, Seen, quarantine_origin
from pbmserv.model.operations import LAST_RUN
from pbmserv.model.rows import ListedMail, StoredMail

#: The columns of a mail without its sealed bytes.
MAIL_COLUMNS = tuple(c for c in tables.mail.c if c.name != "sealed")

#: A literal and no parameter: else the database would not see that the partial index fits.
QUARANTINED: sa.ColumnElement[str] = sa.literal_column("'shelved'")
_DIGITS = 32  #: of a fingerprint
_NEW = ("digest", "received", "peer", "sender", "message_id", "status", "calls", "problem")
# Asked for together with the number, so that no mail costs one statement more.
_LAST_RUN = sa.select(tables.fact.c.value).where(tables.fact.c.name == LAST_RUN).scalar_subquery()
_ADD = {
    name: Statement(
        insert(tables.mail)
        .on_conflict_do_nothing(index_elements=["digest"])
        .returning(tables.mail.c.id, _LAST_RUN.label("last_run")),
        _NEW,
    )
    for name, insert in (("sqlite", sqlite.insert), ("postgresql", postgresql.insert))
}
_LOOK = Statement(
    sa.select(
        sa.select(tables.mail.c.received)
        .where(tables.mail.c.digest == sa.bindparam("fingerprint"))
        .scalar_subquery()
        .label("received"),
        _LAST_RUN.label("last_run"),
    )
)
_CLOSE = Statement(
    sa.update(tables.mail).where(tables.mail.c.id == sa.bindparam("mail")), ("status", "calls", "problem")
)


class MailQueries(Queries):
    """Queries about mails."""

    def add(self, fingerprint: str, now: datetime, peer: str, sender: str, message_id: str) -> Added | None:
        """Write that a mail came in; None if the same mail came before: mail/duplicates.py says which is the same."""
        values = {"digest": fingerprint, "received": now, "peer": peer, "sender": sender, "message_id": message_id}
        added = self._first(_ADD[self._c.dialect.name], **values, status=MailStatus.DONE, calls="", problem="")
        return Added(added.id, _seconds(added.last_run)) if added else None

    def seen(self, fingerprint: str) -> Seen:
        """Return what is known of a mail before it is written down."""
        row = self._first(_LOOK, fingerprint=fingerprint)
        return Seen(row.received, _seconds(row.last_run))

    def outcome(self, fingerprint: str) -> Handled | None:
        """Return what became of a mail. The web pages may ask, but of a mail they may read no more than this."""
        c = tables.mail.c
        row = self._c.execute(sa.select(c.id, c.status, c.problem).where(c.digest == fingerprint)).first()
        return Handled(*row) if row else None

    def known(self, fingerprints: Collection[str], *, apart: bool = False) -> set[str]:
        """Return those of some fingerprints that mails have. `apart`: also those that `tell_apart` has changed."""
        digest = tables.mail.c.digest
        same = sa.func.substr(digest, 1, _DIGITS) if apart else digest
        return set(self._c.scalars(sa.select(same).where(same.in_(fingerprints))))

    def tell_apart(self, fingerprint: str, before: datetime) -> bool:
        """Make an earlier mail with this fingerprint differ from later ones. Returns whether there was one."""
        c = tables.mail.c
        old = sa.update(tables.mail).where(c.digest == fingerprint, c.received < before)
        # A fingerprint has only so many digits, so no other mail has the longer one.
        return self._c.execute(old.values(digest=c.digest + "." + sa.cast(c.id, sa.String))).rowcount > 0

    def close(self, mail_id: int, *, status: MailStatus, calls: str = "", problem: str = "") -> None:
        """Write what became of a mail."""
        self._run(_CLOSE, {"mail": mail_id, "status": status, "calls": calls, "problem": problem})

    def quarantine(self, mail_id: int, problem: str, sealed: bytes) -> None:
        """Put a mail into quarantine, with its sealed bytes."""
        updated = sa.update(tables.mail).where(tables.mail.c.id == mail_id)
        self._c.execute(updated.values(status=MailStatus.SHELVED, problem=problem, sealed=sealed))

    def quarantined_bytes(self) -> dict[str, int]:
        """Return how many bytes of each origin are in quarantine.

        Other transactions that ask the same wait until ours ends, so that two cannot both fill the last room.
        """
        self._take_turns("shelf")
        c, sizes = tables.mail.c, dict[str, int]()
        query = sa.select(c.peer, c.sender, sa.func.coalesce(sa.func.sum(sa.func.length(c.sealed)), 0)).where(
            c.status == QUARANTINED
        )
        for peer, sender, size in self._c.execute(query.group_by(c.peer, c.sender)):
            where = quarantine_origin(peer, sender)
            sizes[where] = sizes.get(where, 0) + int(size)
        return sizes

    def remove(self, mail_id: int) -> None:
        """Delete the row of a mail that was not accepted, so that it is no duplicate when it comes again."""
        self._c.execute(sa.delete(tables.mail).where(tables.mail.c.id == mail_id))

    def find(self, mail_id: int) -> StoredMail | None:
        """The row of a mail; None if there is no such mail."""
        return next(iter(self._found(sa.select(tables.mail).where(tables.mail.c.id == mail_id))), None)

    def newest(self, limit: int = 50) -> list[ListedMail]:
        """The newest mails, without their sealed bytes."""
        return self._found(sa.select(*MAIL_COLUMNS).order_by(tables.mail.c.id.desc()).limit(limit))

    # --- for admins --------------------------------------------------------------------------------------------------

    def quarantined(self, mail_id: int) -> bytes | None:
        """The sealed bytes of a mail in quarantine, locked until the transaction ends; None if it is not there."""
        c = tables.mail.c
        query = sa.select(c.sealed).where(c.id == mail_id, c.status == MailStatus.SHELVED)
        return self._c.execute(self._locked(query)).scalar_one_or_none()

    def resolve(self, mail_id: int, fingerprint: str = "", **values: str) -> None:
        """Take a mail out of quarantine and erase its bytes. `values`: the new values of other columns."""
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
    ) -> list[ListedMail]:
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
            query = query.where(c.status == QUARANTINED)  # once more, for the partial index
        return self._found(query)

    def by_ids(self, ids: Sequence[int]) -> list[ListedMail]:
        """These mails, the oldest first."""
        query = sa.select(*MAIL_COLUMNS).where(tables.mail.c.id.in_(ids))
        return self._found(query.order_by(tables.mail.c.id))

    # --- after a time ------------------------------------------------------------------------------------------------

    def forget(self, before: datetime) -> int:
        """Erase what mails from before a time tell of people, in at most ROWS_AT_ONCE mails. Returns in how many.

        Fingerprints stay, so that the same mail still does nothing when it comes again. Mails in quarantine stay whole.
        """
        c = tables.mail.c
        nothing: sa.ColumnElement[str] = sa.literal_column("''")  # a literal, for the partial index
        known = sa.or_(c.sender != nothing, c.peer != nothing)
        old = sa.select(c.id).where(c.received < before, known, c.status != MailStatus.SHELVED)
        some = sa.update(tables.mail).where(c.id.in_(old.order_by(c.received).limit(ROWS_AT_ONCE)))
        return self._c.execute(some.values(sender="", peer="", message_id="", calls="", problem="")).rowcount


def _seconds(value: str | None) -> float | None:
    """Return the seconds that a fact holds, if there is one."""
    return float(value) if value else None
