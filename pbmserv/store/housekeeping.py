"""What is forgotten after a time: personal data in the records of mails, letters that were delivered."""

from datetime import datetime

import sqlalchemy as sa

from pbmserv import db
from pbmserv.store.base import Queries


class Housekeeping(Queries):
    """Queries that forget."""

    def forget_mails(self, before: datetime) -> int:
        """Erase what old records of mails tell of people; how many.

        The digest stays, so that the same mail still does nothing, and so does what is on the shelf.
        """
        c = db.mail.c
        nothing: sa.ColumnElement[str] = sa.literal_column("''")  # written out, as the index for this has it
        old = sa.update(db.mail).where(c.received < before, c.sender != nothing, c.status != "shelved")
        return self._c.execute(old.values(sender="", peer="", message_id="", calls="", problem="")).rowcount

    def forget_letters(self, before: datetime) -> int:
        """Delete letters that were delivered or refused long ago; how many."""
        c = db.outbox.c
        return self._c.execute(sa.delete(db.outbox).where(c.status != "queued", c.finished < before)).rowcount
