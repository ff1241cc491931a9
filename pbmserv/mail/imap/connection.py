"""One connection to a mailbox. Everything here blocks, because the library does: it runs in a thread of its own.

Nothing here looks at the flag \\Seen or sets it, because other programs do. What is done is moved to a folder beside.
"""

import re
import selectors
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from io import BufferedReader
from typing import Any, NamedTuple

import structlog
from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from pbmserv.mail.imap.account import Account
from pbmserv.mail.oauth.oauth_settings import hidden, words

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

#: Seconds to connect, and for an answer to any command.
_TIMEOUT = SocketTimeout(connect=20, read=60)
#: Seconds of silence after which the system asks whether the other side still lives, and between two such questions.
_KEEP_ALIVE = (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 20), ("TCP_KEEPCNT", 3))
MOST_HEADERS = 64 * 1024  #: bytes that are fetched of the headers of a mail that is too large
_AT_ONCE = 200  #: mails of which a command asks, because lines of commands must not be too long
_BYTES = re.compile(r"""b(["'])(.*)\1""", re.DOTALL)
_PARENT = "pbmserv"  #: the folder above those for mails that are done


class MailboxTrouble(Exception):
    """The mailbox cannot be used now. The text says why, in the words of the provider or the system."""


class MailboxRefusal(MailboxTrouble):
    """The mailbox works, but it refuses one command."""


class LoginRefused(MailboxTrouble):
    """The provider does not let us in."""


class Bearer(NamedTuple):
    """What logs in instead of a password (XOAUTH2)."""

    token: str


class Folder(NamedTuple):
    """The selected folder: UIDs mean mails only together with its validity; the next mail gets the UID `following`.

    `has_order`: the UIDs of later mails are higher.
    """

    validity: int
    following: int
    mails: int
    has_order: bool = True


class Unfetched(NamedTuple):
    """What is known of a mail before it is fetched: its size in bytes, and when the provider took it."""

    size: int
    came: datetime


class ImapConnection:
    """A connection that is logged in. Every method raises MailboxTrouble, after which it can only be closed."""

    def __init__(self, account: Account, password: str | Bearer) -> None:
        self._account = account
        with _told():
            self._client = _connected(account)
        try:
            with _told():
                self._log_in(password)
        except BaseException:
            self.close()
            raise

    def _log_in(self, password: str | Bearer) -> None:
        self._client.normalise_times = False
        if isinstance(password, Bearer):
            self._show(password.token)
        else:
            self._client.login(self._account.user, password)
        self.can_idle = bool(self._client.has_capability("IDLE"))
        self._moves = bool(self._client.has_capability("MOVE"))
        self._beside = self._names()

    def _show(self, token: str) -> None:
        """Log in with a token. To a refusal the provider adds what it says, and waits for an empty answer."""
        answers = [f"user={self._account.user}\1auth=Bearer {token}\1\1"]
        try:
            self._client.sasl_login("XOAUTH2", lambda _: answers.pop() if answers else "")
        except LoginError as error:
            error.args = (hidden(str(error), token),)
            raise

    def close(self) -> None:
        """End it, whatever state it is in."""
        with suppress(Exception):
            self._client.shutdown()

    def cut(self) -> None:
        """Let a call that waits for the provider in another thread fail at once."""
        with suppress(OSError):
            socket.socket.shutdown(self._client.socket(), socket.SHUT_RDWR)

    def leave(self) -> None:
        """Log out."""
        with suppress(Exception):
            self._client.logout()

    def select(self) -> Folder:
        """Open the folder, anew each time: only so the provider tells whether UIDs still mean the same mails."""
        with _told():
            answer = self._client.select_folder(self._account.folder)
            validity, following = answer.get(b"UIDVALIDITY"), answer.get(b"UIDNEXT")
            if following is None:
                following = self._client.folder_status(self._account.folder, ["UIDNEXT"])[b"UIDNEXT"]
            if not validity:
                raise MailboxTrouble("the provider gives no UIDVALIDITY, so nobody could know which mails are done")
            return Folder(int(validity), int(following), int(answer[b"EXISTS"]))

    def newest(self) -> datetime | None:
        """Return when the newest mail of the folder came; None if there is none. UIDs do not tell which one that is."""
        with _told():
            uids = self._client.search(["ALL"])
        return max((mail.came for mail in self.listed(uids).values()), default=None)

    def newer(self, uid: int, since: datetime | None, upto: int | None = None) -> list[int]:
        """Return the UIDs above `uid`, in their order: those that came after a time, and up to another UID."""
        day = ["SINCE", (since - timedelta(days=1)).date()] if since else []
        with _told():
            others = self._client.search(["UID", f"{uid + 1}:{upto or '*'}", "UNDELETED", *day])
        uids = sorted(int(other) for other in others if other > uid)  # `*` is the last one, also if that is smaller
        return [u for u, mail in sorted(self.listed(uids).items()) if mail.came > since] if since else uids

    def listed(self, uids: Sequence[int]) -> dict[int, Unfetched]:
        """Return what is known of these mails. Those that somebody has deleted meanwhile are missing."""
        with _told():
            rows = [self._client.fetch(part, ["RFC822.SIZE", "INTERNALDATE"]) for part in _parts(uids)]
            pairs = [pair for part in rows for pair in part.items()]
            asked = set(uids)  # the provider may tell of flags of other mails in between
            return {
                uid: Unfetched(int(row[b"RFC822.SIZE"]), row[b"INTERNALDATE"]) for uid, row in pairs if uid in asked
            }

    def mail(self, uid: int, most: int) -> bytes | None:
        """Return a mail, but not more than `most` bytes; None if somebody has deleted it meanwhile."""
        return self._part(uid, f"BODY.PEEK[]<0.{most}>", b"BODY[]<0>")

    def headers(self, uid: int) -> bytes | None:
        """Return the headers of a mail; None if somebody has deleted it meanwhile."""
        return self._part(uid, f"BODY.PEEK[HEADER]<0.{MOST_HEADERS}>", b"BODY[HEADER]<0>")

    def kept(self, kind: str, most: int) -> Iterator[tuple[int, bytes]]:
        """Yield the mails in the folder for a kind with their UIDs, each with at most `most` bytes. Nothing is changed.

        The folder of the mailbox is no longer open after that.
        """
        with _told():
            name = self._beside(kind)
            if not self._client.folder_exists(name):
                return
            self._client.select_folder(name, readonly=True)
            uids = [int(uid) for uid in self._client.search(["UNDELETED"])]
        for uid in uids:
            if (data := self.mail(uid, most)) is not None:
                yield uid, data

    def move(self, uid: int, kind: str) -> None:
        """Move a mail to the folder for its kind, which is made if it is missing. Raises MailboxRefusal."""
        with _told():
            try:
                self._move(uid, self._beside(kind))
            except IMAPClientAbortError:
                raise
            except IMAPClientError:  # there is no such folder, or it was renamed
                self._make_folder(self._beside(kind))
                self._move(uid, self._beside(kind))

    def _make_folder(self, name: str) -> None:
        with suppress(MailboxRefusal), _told():
            self._client.create_folder(name)

    def rest(self, seconds: float, wake: socket.socket) -> None:
        """Wait until the provider says something, at most so long, or until `wake` can be read."""
        with _told(), selectors.DefaultSelector() as selector:
            selector.register(wake, selectors.EVENT_READ)
            if self._has_told:
                return
            if self.can_idle:
                self._idle(selector, seconds)
            else:
                selector.select(seconds)

    @property
    def _has_told(self) -> bool:
        """Whether a new mail was told of beside the answer to another command, since the folder was opened."""
        return len(self._client._imap.untagged_responses.get("EXISTS", ())) > 1

    def _idle(self, selector: selectors.BaseSelector, seconds: float) -> None:
        selector.register(self._client.socket(), selectors.EVENT_READ)
        try:
            self._client.idle()
            selector.select(0 if self._has_read_ahead() else seconds)
        except IMAPClientAbortError:
            raise
        except IMAPClientError:  # a mail was announced before the provider agreed to be silent
            log.debug("mailbox_early")
        self._client.idle_done()

    def _has_read_ahead(self) -> bool:
        """Return whether the library has already read what was said, so that the socket would tell nothing of it."""
        connected = self._client.socket()
        connected.settimeout(0)
        try:
            return bool(self._reader.peek(1))
        except (BlockingIOError, ssl.SSLWantReadError):
            return False
        finally:
            connected.settimeout(_TIMEOUT.read)

    @property
    def _reader(self) -> BufferedReader:
        inner = self._client._imap
        reader: BufferedReader = getattr(inner, "_file", None) or inner.file  # the first is its name since Python 3.14
        return reader

    def _part(self, uid: int, asked: str, told: bytes) -> bytes | None:
        with _told():
            row = self._client.fetch([uid], [asked]).get(uid)
            part = row.get(told) if row else None
            return None if part is None else bytes(part)

    def _move(self, uid: int, folder: str) -> None:
        if self._moves:
            self._client.move([uid], folder)
        else:
            self._client.copy([uid], folder)
            self._remove(uid)

    def _remove(self, uid: int) -> None:
        self._client.delete_messages([uid], silent=True)
        if self._client.has_capability("UIDPLUS"):  # else others may have marked mails that they want to keep for now
            self._client.uid_expunge([uid])

    def _names(self) -> Callable[[str], str]:
        """Return how the folder for a kind of mails is called here: `pbmserv/done`, or `INBOX.pbmserv.done`."""
        prefix, sign = "", None
        if self._client.has_capability("NAMESPACE"):
            (prefix, sign), *_ = self._client.namespace().personal or (("", None),)
        else:
            sign = next((row[1] for row in self._client.list_folders("", "")), None)
        sign = (sign.decode() if isinstance(sign, bytes) else sign) or "/"
        return lambda kind: f"{prefix}{_PARENT}{sign}{kind}"


def _connected(account: Account) -> IMAPClient:
    """Connect, with the certificate checked."""
    tls = ssl.create_default_context() if account.is_tls else None
    client = IMAPClient(account.host, account.port, ssl=account.is_tls, ssl_context=tls, timeout=_TIMEOUT)
    _keep_alive(client.socket())
    return client


def _keep_alive(connected: socket.socket) -> None:
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE:
        if hasattr(socket, name):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _parts(uids: Sequence[int]) -> list[Sequence[int]]:
    return [uids[start : start + _AT_ONCE] for start in range(0, len(uids), _AT_ONCE)]


@contextmanager
def _told() -> Iterator[None]:
    """A context in which what the library raises becomes MailboxTrouble. It can raise much for odd answers."""
    try:
        yield
    except MailboxTrouble:
        raise
    except LoginError as error:
        is_lost = isinstance(error.__context__, IMAPClientAbortError)
        raise (MailboxTrouble if is_lost else LoginRefused)(f"the login failed: {_words(error)}") from None
    except IMAPClientAbortError as error:
        raise MailboxTrouble(f"the connection ended: {_words(error)}") from None
    except IMAPClientError as error:
        raise MailboxRefusal(_words(error)) from None
    except (OSError, ssl.SSLError) as error:
        raise MailboxTrouble(error.strerror or _words(error)) from None
    except (AttributeError, IndexError, KeyError, LookupError, TypeError, ValueError) as error:
        raise MailboxTrouble(f"the provider's answer cannot be read: {type(error).__name__}") from None


def _words(error: BaseException) -> str:
    """Return one printable line of what an error says: PostgreSQL stores no NUL, and terminals obey other signs."""
    text: Any = error.args[0] if error.args else error
    if isinstance(text, bytes):
        text = text.decode("ascii", "replace")
    if bare := _BYTES.fullmatch(str(text)):  # as the library writes what the provider says to a login
        text = bare[2]
    return words(text) or type(error).__name__
