"""The values that listener, pipeline and sender exchange: mails, letters, and replies to mails."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from ipaddress import ip_address, ip_network
from time import perf_counter
from typing import NamedTuple, TypeAlias

#: An address that needs no quoting or encoding: dot-atoms (RFC 5322 §3.2.3) of common characters.
PLAIN_ADDRESS = re.compile(r"[\w+=-]+(\.[\w+=-]+)*@[\w-]+(\.[\w-]+)*", re.ASCII)

_IPV4 = 4

#: The status in the log of a mail that is not in the database, by the code of its reply.
_UNSTORED = {"451": "failed", "452": "busy", "550": "malformed", "553": "unanswerable", "552": "too large"}


class MailStatus(StrEnum):
    """What became of a mail, as in its table and in the admin commands."""

    DONE = "done"
    ERROR = "error"
    SILENT = "silent"
    REFUSED = "refused"
    SHELVED = "shelved"
    DROPPED = "dropped"


class LetterStatus(StrEnum):
    """What became of a letter or an event, as in its table and in the admin commands."""

    QUEUED = "queued"
    HELD = "held"
    SENT = "sent"
    REFUSED = "refused"
    BOUNCED = "bounced"
    DROPPED = "dropped"


@dataclass
class Progress:
    """The progress of one mail. Each stage fills in its part, and at the end it becomes one line of the log.

    It needs no lock, because only one thread at a time works on a mail.
    """

    mail: int | None = None  #: the number of the stored mail, as in apologies and `pbmserv mail show`
    status: str = ""  #: as in the table of mails, or "duplicate"
    trouble: str = ""  #: why its batch could not be committed; "" if it was
    stages: dict[str, float] = field(default_factory=dict)  #: milliseconds by the name of the stage
    _since: float = field(default_factory=perf_counter, repr=False)

    def did(self, stage: str) -> None:
        """Note that a stage ends now."""
        now = perf_counter()
        self.stages[stage] = (now - self._since) * 1000
        self._since = now

    def fate(self, reply: str) -> str:
        """Return one word for what happened to the mail that got this reply."""
        return _UNSTORED.get(reply[:3], self.status)

    def log_fields(self, reply: str) -> dict[str, object]:
        """Return the fields of the log line. Nothing is stored of a failed transaction, so there is no number."""
        stages = {f"{name}_ms": round(spent, 1) for name, spent in self.stages.items()}
        stored = {"mail": self.mail} if self.mail and reply.startswith("2") else {}
        return {**stored, "status": self.fate(reply), **stages}


class Place(NamedTuple):
    """Where a fetched mail lies: in the mailbox of this name, `validity` and `uid` name it (RFC 3501 §2.3.1.1).

    A mail that a provider posted has the time and the hash of its signature instead.
    """

    mailbox: str
    validity: int
    uid: int


@dataclass(frozen=True)
class Incoming:
    """One message as it came in. `mail_from` is "" for the null sender; `peer` is the IP address of the client."""

    data: bytes = field(repr=False)
    mail_from: str
    rcpts: tuple[str, ...]
    peer: str = ""
    progress: Progress = field(default_factory=Progress, compare=False, repr=False)
    place: Place | None = None  #: of a mail that was fetched or posted; None: it came by SMTP or LMTP
    is_cut: bool = False  #: `data` has only the headers of a mail that is too large

    def pack(self) -> bytes:
        """Return message and envelope as bytes for quarantine, with the recipient: a signed one gives rights."""
        return json.dumps([self.mail_from, self.rcpts, self.peer, self.is_cut]).encode() + b"\n" + self.data

    @classmethod
    def unpack(cls, packed: bytes) -> "Incoming":
        """Return the mail that `pack` turned into bytes."""
        envelope, _, data = packed.partition(b"\n")
        mail_from, rcpts, peer, *cut = json.loads(envelope)  # before release 2.0, no mail was cut
        return cls(data, mail_from, tuple(rcpts), peer, is_cut=cut == [True])


@dataclass(frozen=True)
class Outgoing:
    """One letter to send: its `id` in the outbox, its envelope, and the finished message with CRLF line ends."""

    id: int
    mail_from: str
    recipient: str
    data: bytes = field(repr=False)
    attempts: int = 0


#: The ids of letters that the relay has accepted, with its replies.
Receipts: TypeAlias = Sequence[tuple[int, str]]

#: All possible replies after the last byte of a message (RFC 5321 §4.2, RFC 3463).
ACCEPTED = "250 2.0.0 Accepted"
TRY_AGAIN = "451 4.3.0 Temporary failure, please try again later"
BUSY = "452 4.3.1 Too busy, please try again later"
TOO_LARGE = "552 5.3.4 Message exceeds what this server reads"
NO_SUCH_LETTERS = (
    "553 5.6.7 We cannot write to you: From must have one address, without letters beyond a-z or an encoded word "
    "before the @"
)
BARE_LINE_END = "550 5.6.0 Lines must end with CR LF"


@lru_cache(maxsize=1024)  # most mails come from a few mail servers
def client_network(peer: str, ipv4_bits: int = 32, ipv6_bits: int = 64) -> str:
    """Return the network of a client: so many bits of its address.

    One customer of a provider has all the IPv6 addresses of such a network. "" if `peer` is this machine or has no
    address: then it is a mail server of our own that hands on the mails of many clients.
    """
    try:
        address = ip_address(peer)
    except ValueError:  # LMTP, a Unix socket
        return ""
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return ""
    return str(ip_network((address, ipv4_bits if address.version == _IPV4 else ipv6_bits), strict=False)).removesuffix(
        "/32"
    )
