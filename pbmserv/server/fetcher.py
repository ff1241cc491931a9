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
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
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
from pbmserv.mail.imap.account import SILENCE, MailboxSettings
from pbmserv.mail.imap.connection import Folder, ImapConnection, MailboxRefusal, MailboxTrouble
from pbmserv.mail.imap.lost_envelope import incoming
from pbmserv.mail.imap.watched_maildir import WatchedMaildir, open_mailbox
from pbmserv.mail.oauth.oauth_settings import LoginNeeded, LoginTrouble, Tokens
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
        self._ended = asyncio.Event()
        self._wake, self._woken = socket.socketpair()
        self._failures = 0
        self._connection: Connection | None = None
        self._tries = Counter[Place]()  #: of mails that are not done
        self._reads = False  #: whether it has the lease
        self._is_first = False  #: whether the connection is new, and has not looked yet

    async def run(self) -> None:
        """Fetch mails until `stop`."""
        loop = asyncio.get_running_loop()

        def work() -> None:
            try:
                self._run(lambda mail: asyncio.run_coroutine_threadsafe(self._submit(mail), loop).result())
            finally:
                with suppress(RuntimeError):  # the loop has not waited
                    loop.call_soon_threadsafe(self._ended.set)

        threading.Thread(target=work, name="mailbox", daemon=True).start()
        try:
            await self._ended.wait()
        finally:
            self._stopping.set()
            self._wake.close()
            self._woken.close()

    def stop(self) -> None:
        """End after the current mail, and soon, even if the provider says nothing any more. Called in the loop."""
        self._stopping.set()
        asyncio.get_running_loop().call_later(_GRACE, self._cut)
        with suppress(OSError):
            self._wake.send(b"\0")

    def _cut(self) -> None:
        """Cut the connection. Where there is none yet, no mail is in hand: the thread is left alone with its host."""
        if self._connection:
            self._connection.cut()
        else:
            self._ended.set()

    async def _submit(self, mail: Incoming) -> str:
        return await self._hand_in(mail)

    # --- in the thread ------------------------------------------------------------------------------------------------

    def _run(self, submit: Submit) -> None:
        while not self._stopping.is_set():
            try:
                with closing(open_mailbox(self._account, self._password, self._tokens)) as connection:
                    self._connection, self._is_first = connection, True
                    self._stay(connection, submit)
                    connection.leave()
            except LoginNeeded as trouble:
                self._failed(str(trouble), self._pace.soonest)  # that is only asked in our own database
            except (LoginTrouble, MailboxTrouble) as trouble:
                self._failed(str(trouble))
            except Exception as bug:  # this thread must live; SQLAlchemyError: the database is down
                TROUBLE.log(log, "mailbox failed", bug, **driver_message(bug))
                self._failed("" if isinstance(bug, SQLAlchemyError) else type(bug).__name__)
            finally:
                self._connection = None

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
        begun = self._transact(self._begin)
        if begun is None:
            return self._pace.lease
        self._reads = True
        folder = connection.select()
        row, taken = self._understood(connection, folder, *begun)
        uids = connection.newer(row.uid, None if row.uid else row.since)
        are_left = self._deal_with(connection, submit, _Round(folder, row, taken, deque(uids)))
        self._reads = False
        if are_left is None:
            return 0.0
        if connection.can_idle and not are_left:
            return self._pace.idle
        return self._pace.soonest if uids else self._between_looks(row)

    def _between_looks(self, row: MailboxRow) -> float:
        now = self._now()
        return self._pace.between_looks((now - (row.heard or now)).total_seconds())

    def _understood(
        self, connection: Connection, folder: Folder, row: MailboxRow, taken: set[int]
    ) -> tuple[MailboxRow, set[int]]:
        """Return how far the folder is read, and which mails above that are committed, in the UIDs that it has now."""
        values: dict[str, int | datetime | None] = {"uid": 0, "old_upto": None}
        if not row.validity and not folder.has_order:
            values["heard"] = self._now()
        elif not row.validity:
            folder, newest = self._first_contact(connection, folder)
            values |= {"uid": folder.following - 1, "since": newest, "old": folder.mails, "heard": self._now()}
        elif row.validity == folder.validity and not self._is_restored(connection, folder, row):
            return row, taken
        else:
            log.warning("mailbox_renumbered", before=row.validity, now=folder.validity)
        name, validity = self._name, folder.validity
        return self._transact(lambda store: store.mailboxes.begin_anew(name, validity=validity, **values)), set()

    def _is_restored(self, connection: Connection, folder: Folder, row: MailboxRow) -> bool:
        """Return whether an older copy of the mailbox is in its place, without another UIDVALIDITY, as it must have.

        What is done was moved, so no mail with such a UID came after the first contact. It is looked for once in each
        connection, because nobody is connected while a mailbox is restored.
        """
        is_first, self._is_first = self._is_first and folder.has_order, False
        if folder.following <= row.uid:
            return True
        return is_first and row.uid > 0 and bool(connection.newer(0, row.since, upto=row.uid))

    def _first_contact(self, connection: Connection, folder: Folder) -> tuple[Folder, datetime | None]:
        """Return the folder, and when the newest of the mails came that are there.

        The provider tells times in whole seconds. So a second goes by without a mail, before the first new one counts.
        """
        while True:
            newest, before = connection.newest(), folder
            if self._stopping.wait(_TICK):
                raise MailboxTrouble("stopped before the first contact")
            folder = connection.select()
            if folder == before:
                return folder, newest

    def _deal_with(self, connection: Connection, submit: Submit, look: "_Round") -> int | None:
        """Deal with mails, some at a time. Returns how many are left; None if an admin asks for others meanwhile.

        Neither those that were tried before nor old ones must stop others, even if these come meanwhile.
        """
        uids = deque(sorted(look.left, key=lambda uid: (self._tries[self._place(look, uid)], look.is_old(uid))))
        goes_on = True
        while goes_on:
            some = [uids.popleft() for _ in range(min(self._pace.batch, len(uids)))]
            heard = self._deal_with_some(connection, submit, look, some)
            goes_on = bool(uids) and not self._stopping.is_set()
            row = self._transact(partial(self._end, look=look, heard=heard, goes_on=goes_on))
            if row is None:
                return None
            look.row = row
            if goes_on and look.is_old(uids[0]):
                uids.extendleft(reversed(look.more(connection)))
        return len(look.left)

    def _deal_with_some(self, connection: Connection, submit: Submit, look: "_Round", uids: Sequence[int]) -> bool:
        """Deal with some mails. Returns whether one of them is new."""
        there = connection.listed(uids)
        places = {uid: self._place(look, uid) for uid in there}
        done = {uid for uid in there if self._deal(connection, places[uid], there[uid].size, uid in look.taken, submit)}
        look.close(done.union(set(uids) - there.keys()))
        return bool(there.keys() - look.taken)

    def _place(self, look: "_Round", uid: int) -> Place:
        return Place(self._name, look.folder.validity, uid)

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

    def _begin(self, store: Store) -> tuple[MailboxRow, set[int]] | None:
        """Return how far it is read, and which mails above that are committed; None if another process reads it."""
        if not store.operations.lease(_LEASE, self._now().timestamp(), self._pace.lease):
            return None
        row = store.mailboxes.find(self._name) or store.mailboxes.put(self._name, uid=0)
        return row, store.mailboxes.taken(self._name, row.validity)

    def _end(self, store: Store, look: "_Round", heard: bool, goes_on: bool) -> MailboxRow | None:
        """Note what is done with, and let other processes read, unless it goes on.

        Returns the state; None if somebody has changed how far it is read, see `take-old`.
        """
        now, name, begun = self._now(), self._name, look.row
        row = store.mailboxes.find(name)
        is_same = row is not None and (row.validity, row.uid, row.since) == (begun.validity, begun.uid, begun.since)
        if is_same and look.upto > begun.uid:
            store.mailboxes.put(name, uid=look.upto)
            store.mailboxes.forget_taken(Place(name, begun.validity, look.upto))
        for uid in look.gone:
            store.mailboxes.give_back(self._place(look, uid))
        last = row.heard if row else None
        if not heard and last and now - last > SILENCE:
            self._tell_silence(store, last)
        row = store.mailboxes.put(name, looked=now, trouble="", heard=now if heard else last)
        store.operations.set_fact(_LEASE, repr(now.timestamp() + self._pace.lease) if goes_on and is_same else "0")
        return row if is_same else None

    def _note(self, store: Store, trouble: str) -> None:
        store.mailboxes.put(self._name, trouble=trouble or "see the log")
        if self._reads:
            store.operations.set_fact(_LEASE, "0")
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


@dataclass
class _Round:
    """One look at the folder: the mails that are not done yet, in their order, and how far all are done."""

    folder: Folder
    row: MailboxRow
    taken: set[int]
    left: deque[int]
    upto: int = 0  #: all mails up to this UID are done; 0: it is not known
    gone: set[int] = field(default_factory=set)  #: of a folder without an order: what is there no more
    _done: set[int] = field(default_factory=set)

    def is_old(self, uid: int) -> bool:
        """Return whether a mail was there before an admin asked for such mails."""
        return uid <= (self.row.old_upto or 0)

    def more(self, connection: Connection) -> list[int]:
        """Return the mails that have come meanwhile, which are left to be done, too."""
        uids = connection.newer(self.left[-1], None)
        self.left.extend(uids)
        return uids

    def close(self, done: set[int]) -> None:
        """Note that these mails are done.

        When UIDs have just got another meaning, mails that were there before us lie between new ones, so only the end
        of all says how far they are done.
        """
        if not self.folder.has_order:
            self.gone = done | (self.taken.difference(self.left) if self.taken else set())
        self._done |= done
        while self.left and self.left[0] in self._done:
            self._done.remove(self.left.popleft())
        if not self.left or not self.folder.has_order:
            self.upto = self.folder.following - 1
        elif self.row.uid or not self.row.since:
            self.upto = self.left[0] - 1


def _silence(user: str, days: int) -> str:
    return (
        f"No mail has come into {user} for {days} days, though the mailbox can be reached. If that is strange, write a "
        "mail to it yourself, and look into its folder for spam, and at its rules."
    )


def _head(data: bytes) -> bytes:
    return data.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
