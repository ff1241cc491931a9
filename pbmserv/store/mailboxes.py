"""Mailboxes: how far each is read, which mails of it are committed, and the logins by OAuth2."""

from datetime import datetime

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.db.queries import Queries
from pbmserv.mail.duplicates import POSTED
from pbmserv.mail.envelope import Place
from pbmserv.model.rows import LoginRow, MailboxRow


class MailboxQueries(Queries):
    """Queries about mailboxes."""

    def find(self, name: str) -> MailboxRow | None:
        """Return the state of a mailbox, locked until the transaction ends; None if it was never tried."""
        query = sa.select(tables.mailbox).where(tables.mailbox.c.name == name)
        return next(iter(self._found(self._locked(query))), None)

    def all(self) -> list[MailboxRow]:
        """Return the state of each mailbox that was ever tried."""
        return self._found(sa.select(tables.mailbox).order_by(tables.mailbox.c.name))

    def put(self, name: str, **values: int | str | datetime | None) -> MailboxRow:
        """Write values of a mailbox, which may be new. Returns its state."""
        new = {"validity": 0, "uid": 0, "old": 0, "trouble": ""}
        put = self._insert(tables.mailbox).values(name=name, **new | values)
        put = put.on_conflict_do_update(index_elements=["name"], set_=values)
        row: MailboxRow = self._c.execute(put.returning(*tables.mailbox.c)).one()  # type: ignore[assignment]
        return row

    def begin_anew(self, name: str, **values: int | str | datetime | None) -> MailboxRow:
        """Write values of a mailbox in which UIDs mean other mails from now on, or for the first time."""
        self._c.execute(sa.delete(tables.fetched).where(tables.fetched.c.mailbox == name))
        return self.put(name, **values)

    def take(self, place: Place) -> bool:
        """Write that the transaction commits the mail at this place; False if another one did.

        One that does so at the same moment waits for the end of the first.
        """
        new = self._insert(tables.fetched).values(place._asdict()).on_conflict_do_nothing()
        return self._c.execute(new.returning(tables.fetched.c.uid)).first() is not None

    def give_back(self, place: Place) -> None:
        """Undo `take`, because the mail was not accepted, or lies there no more."""
        c = tables.fetched.c
        keys = (c.mailbox == place.mailbox, c.validity == place.validity, c.uid == place.uid)
        self._c.execute(sa.delete(tables.fetched).where(*keys))

    def forget_posted(self, before: float) -> int:
        """Forget the posts of providers whose time is over. Returns how many."""
        c = tables.fetched.c
        return self._c.execute(sa.delete(tables.fetched).where(c.mailbox == POSTED, c.validity < before)).rowcount

    def taken(self, name: str, validity: int) -> set[int]:
        """Return the UIDs of the mails that are committed, above that of the mailbox."""
        c = tables.fetched.c
        return set(self._c.scalars(sa.select(c.uid).where(c.mailbox == name, c.validity == validity)))

    def login(self, name: str) -> LoginRow | None:
        """Return the login of a user; None if nobody has logged in."""
        return next(iter(self._found(sa.select(tables.login).where(tables.login.c.name == name))), None)

    def put_login(self, name: str, sealed: bytes, renewed: datetime, expires: datetime) -> None:
        """Store the tokens of a user. They are of use, as far as is known."""
        values = {"sealed": sealed, "renewed": renewed, "expires": expires, "trouble": ""}
        self._put(tables.login, {"name": name}, values)

    def change_login(self, name: str, **values: str | datetime) -> None:
        """Write values of a login, if there is one."""
        self._c.execute(sa.update(tables.login).where(tables.login.c.name == name).values(values))

    def forget_taken(self, upto: Place) -> None:
        """Forget which mails are committed up to this one, and those of another validity, which are over."""
        c = tables.fetched.c
        is_over = sa.or_(c.validity != upto.validity, c.uid <= upto.uid)
        self._c.execute(sa.delete(tables.fetched).where(c.mailbox == upto.mailbox, is_over))
