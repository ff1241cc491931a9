"""Which mailbox mail is fetched from, as settings write it. It imports nothing that takes time."""

from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import unquote, urlsplit

SILENCE = timedelta(days=7)  #: after so long without a mail, the operator is told
LAGS = timedelta(minutes=30)  #: after so long without a look at the mailbox, something is wrong
_PORTS = {"imaps": 993, "imap": 143}
_MAILDIR = "maildir:"
_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Account:
    """A folder of a mailbox, and how to reach it. `is_tls`: TLS from the first byte, with a checked certificate.

    Without a host it is a Maildir of this machine, and its `user`, as people call it, is the path, too.
    """

    user: str
    host: str
    port: int
    folder: str = "INBOX"
    is_tls: bool = True

    @property
    def name(self) -> str:
        """The name of its state in the database. Another port is the same mailbox."""
        return f"{self.user}@{self.host}/{self.folder}" if self.host else f"{_MAILDIR}{self.folder}"


@dataclass(frozen=True)
class FetchPace:
    """How often the mailbox is looked at, in seconds.

    IDLE may take 29 minutes (RFC 2177 §3), but the end of a shorter one shows sooner that the connection lives.
    """

    idle: float = 300.0
    soonest: float = 30.0  #: between two looks without IDLE, just after a mail has come
    latest: float = 600.0  #: the same, when none has come for hours, as at night
    share: float = 0.05  #: of the time since the last mail; the pause is between these two
    failed: float = 2.0  #: until the next try after trouble; doubled each time
    longest: float = 900.0  #: the longest such pause
    lease: float = 30.0  #: for which a process keeps others away, unless it ends sooner
    batch: int = 50  #: mails until the lease is taken again

    def between_looks(self, silent: float) -> float:
        """Return the pause between two looks without IDLE, if the last mail came so many seconds ago."""
        return min(max(self.soonest, silent * self.share), self.latest)


@dataclass(frozen=True)
class MailboxSettings:
    """Which mailbox mails are fetched from, its password, and how often. Without a password, a token logs in."""

    account: Account
    password: str = field(repr=False)
    pace: FetchPace = FetchPace()


def read_account(url: str) -> Account:
    """Return the mailbox of `url`. Raises ValueError with the allowed form, and without what could be a password."""
    if url.startswith(_MAILDIR) and (folder := url.removeprefix(_MAILDIR)):
        return Account(folder, "", 0, folder, is_tls=False)
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        host, port, parts = "", 0, urlsplit("")
    if parts.password is not None:
        raise ValueError("PBMSERV_MAILBOX has no password in it: it belongs into PBMSERV_MAILBOX_PASSWORD")
    is_read = parts.scheme == "imaps" or (parts.scheme == "imap" and host in _HERE)
    if not (is_read and host and port and parts.username) or parts.query or parts.fragment:
        raise ValueError(
            "must be imaps://user@host, such as imaps://club@example.org@imap.example.org; a port may follow, and "
            "/folder if the mails are not in INBOX. imap:// without TLS is for this machine only. Or maildir:/folder"
        )
    return Account(
        unquote(parts.username), host, port, unquote(parts.path.strip("/")) or "INBOX", parts.scheme == "imaps"
    )
