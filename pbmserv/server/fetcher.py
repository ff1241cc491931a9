"""The role `mailbox`: fetches mails by IMAP, and gives each to the same intake as the listener.

A mail is committed together with the place where it lies, and moved to another folder only after that. So whatever is
killed at whatever moment, it has its effect once: what was committed and not moved is moved the next time (ADR 88).
The library blocks, so all of it runs in a thread.
"""

import asyncio
import math
import random
import socket
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import closing, suppress
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias, TypeVar

import structlog
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv.db import engines
from pbmserv.db.trouble import TROUBLE, driver_message
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import ENGLISH
from pbmserv.letters.text.times import utc_now
from pbmserv.mail.envelope import TOO_LARGE, Incoming, MailStatus, Place
from pbmserv.mail.imap.account import MailboxSettings
from pbmserv.mail.imap.connection import Folder, ImapConnection, MailboxRefusal, MailboxTrouble
from pbmserv.mail.imap.lost_envelope import incoming
from pbmserv.mail.imap.watched_maildir import WatchedMaildir, open_mailbox
from pbmserv.mail.oauth.settings import LoginNeeded, LoginTrouble, Tokens
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES
from pbmserv.model.operations import Allowance
from pbmserv.model.rows import MailboxRow
from pbmserv.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")
Connection: TypeAlias = ImapConnection | WatchedMaildir
Submit: TypeAlias = Callable[[Incoming], str]  #: runs the transaction of one mail, and returns the reply of SMTP

_LEASE = "mailbox"
_GRACE = 5.0  #: seconds for the current mail when the server ends; then the connection is cut
_TICK = 1.1  #: seconds in which the provider's time goes on by one
#: What became of a mail, and the folder for it. All others are done.
_FOLDERS: Mapping[str, str] = {MailStatus.REFUSED: "refused", MailStatus.SHELVED: "shelved"}
DONE = "done"
SILENCE = timedelta(days=7)  #: after so long without a mail, the operator is told


class Fetcher:
    """Fetches the mails of one mailbox until `stop`."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        settings: MailboxSettings,
        hand_in: Callable[[Incoming], Awaitable[str]],
        now: Callable[[], datetime] = utc_now,
        tokens: Tokens | None = None,
    ) -> None:
        """`hand_in`: runs the transaction of a mail, in the loop, and returns the reply of SMTP.

        `tokens`: what logs in if there is no password.
        """
        self._tokens = tokens
        self._engine = engine
        self._site = site
        self._account, self._password, self._pace = settings.account, settings.password, settings.pace
        self._hand_in = hand_in
        self._now = now
        self._stopping = threading.Event()
        self._wake, self._woken = socket.socketpair()
        self._failures = 0
        self._connection: Connection | None = None
        self._tries = Counter[Place]()  #: of mails that are not done
        self._reads = False  #: whether it has the lease
        self._has_met = False  #: whether the mailbox is in the database

    async def run(self) -> None:
        """Fetch mails until `stop`."""
        loop = asyncio.get_running_loop()
        try:
            await asyncio.to_thread(
                self._run, lambda m: asyncio.run_coroutine_threadsafe(self._submit(m), loop).result()
            )
        finally:
            self._wake.close()
            self._woken.close()

    def stop(self) -> None:
        """End after the current mail, and soon, even if the provider says nothing any more. Called in the loop."""
        self._stopping.set()
        asyncio.get_running_loop().call_later(_GRACE, self._cut)
        with suppress(OSError):
            self._wake.send(b"\0")

    def _cut(self) -> None:
        if self._connection:
            self._connection.cut()

    async def _submit(self, mail: Incoming) -> str:
        return await self._hand_in(mail)

    # --- in the thread ------------------------------------------------------------------------------------------------

    def _run(self, submit: Submit) -> None:
        while not self._stopping.is_set():
            try:
                with closing(open_mailbox(self._account, self._password, self._tokens)) as connection:
                    self._connection = connection
                    self._stay(connection, submit)
                    connection.leave()
            except LoginNeeded as trouble:
                self._failed(str(trouble), self._pace.soonest)  # that is only asked in our own database
            except (LoginTrouble, MailboxTrouble) as trouble:
                self._failed(str(trouble))
            except Exception as bug:  # this thread must live; SQLAlchemyError: the database is down
                TROUBLE.log(log, "mailbox failed", bug, **driver_message(bug))
                self._failed("" if isinstance(bug, SQLAlchemyError) else type(bug).__name__)

    def _stay(self, connection: Connection, submit: Submit) -> None:
        """Look for mails again and again, on one connection."""
        while not self._stopping.is_set():
            pause = self._look(connection, submit)
            self._failures = 0
            if pause and not self._stopping.is_set():
                connection.rest(pause, self._woken)

    def _failed(self, trouble: str, longest: float = math.inf) -> None:
        """Note why nothing can be fetched, and wait: longer each time, but so many seconds at most."""
        pause, self._failures = min(self._retry_pause(), longest), self._failures + 1
        if self._stopping.is_set():
            return
        log.warning("mailbox_trouble", trouble=trouble, pause=round(pause, 1))
        with suppress(SQLAlchemyError):
            self._transact(lambda store: self._note(store, trouble))
        self._stopping.wait(pause)

    def _retry_pause(self) -> float:
        longest = min(self._pace.failed * 2.0 ** min(self._failures, 20), self._pace.longest)
        return longest * random.uniform(0.5, 1.0)  # noqa: S311 - not at the same moment as other servers

    @property
    def _name(self) -> str:
        """What the mailbox is called in the database."""
        return self._account.name

    def _look(self, connection: Connection, submit: Submit) -> float:
        """Fetch what is new. Returns for how many seconds to rest."""
        folder, newest = self._opened(connection)
        begun = self._transact(partial(self._begin, folder=folder, newest=newest))
        if begun is None:
            return self._pace.lease
        self._has_met = self._reads = True
        row, taken = begun
        places = {uid: Place(self._name, folder.validity, uid) for uid in _new(connection, row)}
        uids = sorted(places, key=lambda uid: self._tries[places[uid]])  # those that wait must not stop the others
        some = connection.listed(uids[: self._pace.batch])
        done = [self._deal(connection, places[uid], some[uid].size, uid in taken, submit) for uid in some]
        gone = {uid for uid, is_done in zip(some, done, strict=True) if is_done} | (taken - places.keys())
        upto = folder.following - 1 if all(done) and len(uids) <= self._pace.batch else None
        heard = bool(some.keys() - taken)
        self._transact(partial(self._end, folder=folder, begun=row.uid, upto=upto, heard=heard, gone=gone))
        self._reads = False
        if len(uids) > self._pace.batch and any(done):
            return 0.0
        if connection.can_idle and all(done):
            return self._pace.idle
        return self._pace.soonest if done else self._between_looks(row)

    def _between_looks(self, row: MailboxRow) -> float:
        now = self._now()
        return self._pace.between_looks((now - (row.heard or now)).total_seconds())

    def _opened(self, connection: Connection) -> tuple[Folder, datetime | None]:
        """Open the folder. At the first contact, return also when the newest of the mails came that were there before.

        The provider tells times in whole seconds. So a second goes by without a mail, before the first new one counts.
        """
        folder = connection.select()
        if not folder.has_order or self._has_met or self._is_known():
            return folder, None
        return self._first_contact(connection, folder)

    def _first_contact(self, connection: Connection, folder: Folder) -> tuple[Folder, datetime | None]:
        while True:
            newest, before = connection.newest(folder), folder
            if self._stopping.wait(_TICK):
                raise MailboxTrouble("stopped before the first contact")
            folder = connection.select()
            if folder == before:
                return folder, newest

    def _is_known(self) -> bool:
        with self._engine.execution_options(**engines.READ_ONLY).connect() as reader:
            row = Store(reader).mailboxes.find(self._name)
        return row is not None and row.validity > 0

    def _deal(self, connection: Connection, place: Place, size: int, is_taken: bool, submit: Submit) -> bool:
        """Hand in one mail of so many bytes, and move it. Returns whether nothing is left to do with it."""
        if self._stopping.is_set():
            return False
        self._tries[place] += 1  # before it is tried, because it may break the connection
        try:
            kind = DONE if is_taken else self._kind(connection, place, size, submit)
            if kind:
                connection.move(place.uid, kind)
        except MailboxRefusal as trouble:
            log.warning("mail_not_moved", uid=place.uid, trouble=str(trouble))
            return False
        if kind is not None:
            del self._tries[place]
        return kind is not None

    def _kind(self, connection: Connection, place: Place, size: int, submit: Submit) -> str | None:
        """Hand in one mail. Returns the folder for it; "" if it is there no more; None if it must be tried again."""
        mail = self._fetched(connection, place, size)
        if mail is None:
            return ""
        reply = submit(mail)
        if reply == TOO_LARGE and not mail.is_cut:
            mail = incoming(_head(mail.data), self._site.signer, place, is_cut=True)
            reply = submit(mail)
        if reply.startswith("4"):
            return None
        return _FOLDERS.get(mail.progress.status, DONE) if reply.startswith("2") else _FOLDERS[MailStatus.REFUSED]

    def _fetched(self, connection: Connection, place: Place, size: int) -> Incoming | None:
        """Fetch a mail; of one that is too large only the headers. None if it is no longer there."""
        data = None if size > MOST_MESSAGE_BYTES else connection.mail(place.uid, MOST_MESSAGE_BYTES + 1)
        is_cut = size > MOST_MESSAGE_BYTES or (data is not None and len(data) > MOST_MESSAGE_BYTES)
        if is_cut:
            data = connection.headers(place.uid)
        return None if data is None else incoming(data, self._site.signer, place, is_cut=is_cut)

    # --- in transactions ----------------------------------------------------------------------------------------------

    def _begin(self, store: Store, folder: Folder, newest: datetime | None) -> tuple[MailboxRow, set[int]] | None:
        """Return how far it is read, and which mails above that are committed; None if another process reads it."""
        now, name = self._now(), self._name
        if not store.operations.lease(_LEASE, now.timestamp(), self._pace.lease):
            return None
        row, validity = store.mailboxes.find(name), folder.validity
        if row is None or not row.validity:
            upto, old = folder.following - 1, folder.mails if folder.has_order else 0
            row = store.mailboxes.put(name, validity=validity, uid=upto, since=newest, old=old, heard=now)
        elif row.validity != validity:
            log.warning("mailbox_renumbered", before=row.validity, now=validity)
            row = store.mailboxes.put(name, validity=validity, uid=0)
        return row, store.mailboxes.taken(name, validity)

    def _end(
        self, store: Store, folder: Folder, begun: int, upto: int | None, heard: bool, gone: Collection[int]
    ) -> None:
        """Note that all mails up to this UID are done with, or those that are gone; and let other processes read."""
        now, name = self._now(), self._name
        row = store.mailboxes.find(name)
        if row is None or row.validity != folder.validity:
            return
        if upto is not None and upto > row.uid == begun:  # else an admin asks for what was before, see `take-old`
            self._advance(store, Place(name, folder.validity, upto))
        for uid in () if folder.has_order else gone:
            store.mailboxes.give_back(Place(name, folder.validity, uid))
        if not heard and row.heard and now - row.heard > SILENCE:
            self._tell_silence(store, row.heard)
        store.mailboxes.put(name, looked=now, trouble="", heard=now if heard else row.heard)
        self._free(store)

    def _advance(self, store: Store, upto: Place) -> None:
        store.mailboxes.put(upto.mailbox, uid=upto.uid)
        store.mailboxes.forget_taken(upto)

    def _free(self, store: Store) -> None:
        """Let other processes read."""
        store.operations.set_fact(_LEASE, "0")

    def _note(self, store: Store, trouble: str) -> None:
        store.mailboxes.put(self._name, trouble=trouble or "see the log")
        if self._reads:
            self._free(store)
        self._reads = False

    def _tell_silence(self, store: Store, heard: datetime) -> None:
        """Tell the operator that no mail has come for a week; once a week."""
        use = ("server", Allowance("silence", 1, SILENCE.total_seconds()))
        if store.operations.spend([use], self._now().timestamp()):
            return
        days = (self._now() - heard).days
        log.warning("mailbox_silent", days=days)
        text = _silence(self._account.user, days)
        letters = Letters(self._site, store, Cause(None), self._now())
        to = [*filter(None, [self._site.policy.operator])]
        letters.write("answer", to, "No mail for a week", {"text": text}, language=ENGLISH)
        store.letters.queue(letters.rows)

    def _transact(self, do: Callable[[Store], T]) -> T:
        return engines.transact(self._engine, lambda connection, _: do(Store(connection)))


def _new(connection: Connection, row: MailboxRow) -> list[int]:
    """Return the UIDs of the mails that are not done yet, in their order.

    When UIDs have just got another meaning, only the time tells which mails were there before us.
    """
    since = None if row.uid else row.since
    uids = connection.newer(row.uid, since)
    if since is None:
        return uids
    return [uid for uid, listed in connection.listed(uids).items() if listed.came > since]


def _silence(user: str, days: int) -> str:
    return (
        f"No mail has come into {user} for {days} days, though the mailbox can be reached. If that is strange, write a "
        "mail to it yourself, and look into its folder for spam, and at its rules."
    )


def _head(data: bytes) -> bytes:
    return data.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
