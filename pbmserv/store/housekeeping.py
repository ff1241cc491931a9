"""What is forgotten after a time: personal data in the records of mails, letters that were delivered, counts."""

from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import ROWS_AT_ONCE, Queries


class Housekeeping(Queries):
    """Queries that forget, each of them at most ROWS_AT_ONCE."""

    def forget_mails(self, before: datetime) -> int:
        """Erase what old records of mails tell of people; how many.

        The digest stays, so that the same mail still does nothing, and so does what is on the shelf.
        """
        c = tables.mail.c
        nothing: sa.ColumnElement[str] = sa.literal_column("''")  # written out, as the index for this has it
        known = sa.or_(c.sender != nothing, c.peer != nothing)
        old = sa.select(c.id).where(c.received < before, known, c.status != "shelved")
        some = sa.update(tables.mail).where(c.id.in_(old.order_by(c.received).limit(ROWS_AT_ONCE)))
        return self._c.execute(some.values(sender="", peer="", message_id="", calls="", problem="")).rowcount

    def forget_letters(self, before: datetime) -> int:
        """Delete letters that were delivered or refused long ago; how many."""
        c = tables.outbox.c
        old = sa.select(c.id).where(c.finished < before, c.status != "queued").order_by(c.finished).limit(ROWS_AT_ONCE)
        return self._c.execute(sa.delete(tables.outbox).where(c.id.in_(old))).rowcount

    def forget_quotas(self, before: str) -> int:
        """Delete counts of the days before this one; how many."""
        key = list(tables.quota.primary_key)
        old = sa.select(*key).where(tables.quota.c.day < before).order_by(tables.quota.c.day).limit(ROWS_AT_ONCE)
        some = sa.delete(tables.quota).where(tables.quota.c.day < before, sa.tuple_(*key).in_(old))
        return self._c.execute(some).rowcount
