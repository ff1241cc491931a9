"""A Maildir in which another program puts mails: the role `mailbox` reads it as it reads a folder by IMAP.

A mail is in new/ until it is committed, then in cur/. What is in tmp/ is half-written, so nobody looks there.
"""

import os
import re
import selectors
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from time import monotonic

from pbmserv import paths
from pbmserv.mail.imap.account import Account
from pbmserv.mail.imap.connection import (
    MOST_HEADERS,
    Bearer,
    Folder,
    ImapConnection,
    LoginRefused,
    MailboxRefusal,
    MailboxTrouble,
    Unfetched,
)
from pbmserv.mail.oauth.oauth_settings import Tokens

_EVERY = 1.0  #: seconds between two looks at the names of the files
_FLAGS = {"done": "S"}  #: of what is done: seen; of other mails: flagged, too
_SECOND = re.compile("[0-9]{1,20}")
_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")


class WatchedMaildir:
    """A Maildir, with the methods of a connection by IMAP. A mail's UID is a hash of its name, so it has no order."""

    can_idle = True

    def __init__(self, folder: Path) -> None:
        self._new, self._cur = folder / "new", folder / "cur"
        self._seen = frozenset[str]()  #: the files at the last look
        self._names: dict[int, str] = {}

    def select(self) -> Folder:
        """Look which mails are there."""
        for part in (self._new, self._cur):
            if not os.access(part, os.R_OK | os.W_OK | os.X_OK):
                raise MailboxTrouble(f"{part} is missing, or this user may not read and write there")
        there = self._entries()
        self._seen = frozenset(entry.name for entry in there)
        mails = (e for e in there if e.is_file(follow_symlinks=False) and not e.name.startswith("."))
        self._names = {_uid(mail.name): mail.name for mail in sorted(mails, key=_came)}
        return Folder(1, 1, len(self._names), has_order=False)

    def newest(self) -> datetime | None:
        """Return None: all that is in new/ counts, however old it is."""
        return None

    def newer(self, uid: int, since: datetime | None, upto: int | None = None) -> list[int]:
        """Return the UIDs of all mails, the oldest first."""
        return [*self._names]

    def listed(self, uids: Sequence[int]) -> dict[int, Unfetched]:
        """Return what is known of these mails. Those that somebody has moved meanwhile are missing."""
        known = {}
        for uid in uids:
            with suppress(FileNotFoundError), _told():
                status = self._file(uid).stat()
                known[uid] = Unfetched(status.st_size, datetime.fromtimestamp(status.st_mtime, UTC))
        return known

    def mail(self, uid: int, most: int) -> bytes | None:
        """Return a mail, but not more than `most` bytes; None if somebody has moved it meanwhile."""
        with suppress(FileNotFoundError), _told(), self._file(uid).open("rb") as file:
            return file.read(most)
        return None

    def headers(self, uid: int) -> bytes | None:
        """Return the headers of a mail; None if somebody has moved it meanwhile."""
        data = self.mail(uid, MOST_HEADERS)
        return data if data is None else _END_OF_HEADERS.split(data, maxsplit=1)[0] + b"\n\n"

    def kept(self, kind: str, most: int) -> Iterator[tuple[int, bytes]]:
        """Yield the mails of a kind in cur/ with their UIDs, each with at most `most` bytes."""
        if kind not in _FLAGS:
            return
        for file in sorted(self._cur.glob(f"*:2,{_FLAGS[kind]}")):
            with suppress(FileNotFoundError), _told(), file.open("rb") as opened:
                yield _uid(file.name), opened.read(most)

    def move(self, uid: int, kind: str) -> None:
        """Move a mail to cur/, so that it stays there whatever fails. Raises MailboxRefusal."""
        with suppress(FileNotFoundError), _told():
            name = self._names[uid].partition(":")[0]
            self._file(uid).rename(self._cur / f"{name}:2,{_FLAGS.get(kind, 'FS')}")
            paths.sync(self._cur)
            paths.sync(self._new)

    def rest(self, seconds: float, wake: socket.socket) -> None:
        """Wait until there is a new file, at most so long, or until `wake` can be read."""
        end = monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(wake, selectors.EVENT_READ)
            while not self._has_more() and monotonic() < end:
                if selector.select(min(_EVERY, seconds)):
                    return

    def _has_more(self) -> bool:
        return any(entry.name not in self._seen for entry in self._entries())

    def _entries(self) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._new) as entries:
                return [*entries]
        except OSError as error:
            raise MailboxTrouble(f"{self._new}: {error.strerror}") from None

    def _file(self, uid: int) -> Path:
        return self._new / self._names[uid]

    def leave(self) -> None:
        """Do nothing, because nothing is open."""

    close = cut = leave


def open_mailbox(account: Account, password: str, tokens: Tokens | None = None) -> ImapConnection | WatchedMaildir:
    """Return the mailbox of the settings. Without a password, a token logs in. Raises MailboxTrouble, LoginTrouble."""
    if not account.host:
        return WatchedMaildir(Path(account.folder))
    if password or tokens is None:
        return ImapConnection(account, password)
    try:
        return ImapConnection(account, Bearer(tokens.access()))
    except LoginRefused:
        tokens.refused()
        raise


def _uid(name: str) -> int:
    """Return a number for a name; what other programs write behind a colon does not count."""
    unique = os.fsencode(name.partition(":")[0])
    return int.from_bytes(blake2b(unique, digest_size=8).digest()) >> 1  # databases have 63 bits


def _came(mail: os.DirEntry[str]) -> tuple[int, int, str]:
    """Return when a mail came: its name begins with the second, and of one second its time tells which is older."""
    written = 0
    with suppress(OSError):  # somebody has moved it meanwhile, or it cannot be read
        written = mail.stat(follow_symlinks=False).st_mtime_ns
    digits = _SECOND.match(mail.name)
    return int(digits[0]) if digits else 0, written, mail.name


@contextmanager
def _told() -> Iterator[None]:
    """A context in which errors of the system become MailboxRefusal: about one file, and others can be read."""
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise MailboxRefusal(f"{Path(str(error.filename)).name}: {error.strerror}") from None
