"""What passes between the listener, the pipeline and the sender: mails, letters, and the replies to a mail."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal, TypeAlias

#: An address that is written as it is everywhere: dot-atoms (RFC 5322 §3.2.3) of what nearly all are made of.
PLAIN_ADDRESS = re.compile(r"[\w+=-]+(\.[\w+=-]+)*@[\w-]+(\.[\w-]+)*", re.ASCII)

#: What becomes of a mail, and of a letter, in the words of their tables and of the admin's commands.
MailStatus = Literal["done", "error", "silent", "refused", "shelved", "dropped"]
LetterStatus = Literal["queued", "held", "sent", "refused", "bounced", "dropped"]

#: What to call the fate of a mail that did not become a row of the database, by the code of its reply.
_UNSTORED = {"451": "failed", "452": "busy", "550": "malformed", "552": "too large"}


@dataclass
class Progress:
    """What became of one mail. It travels with the mail, is filled in on the way, and becomes one line of the log.

    One thread at a time has the mail in hand, so there is no lock.
    """

    mail: int | None = None  #: the number under which it is stored, which apologies and `pbmserv mail show` name, too
    status: str = ""  #: as in the table of mails, or "duplicate"
    stages: dict[str, float] = field(default_factory=dict)  #: milliseconds, by the name of what was done
    _since: float = field(default_factory=perf_counter, repr=False)

    def did(self, stage: str) -> None:
        """Note that a stage has ended at this moment."""
        now = perf_counter()
        self.stages[stage] = (now - self._since) * 1000
        self._since = now

    def fate(self, reply: str) -> str:
        """In one word what became of the mail that got this reply."""
        return _UNSTORED.get(reply[:3], self.status)

    def log_fields(self, reply: str) -> dict[str, object]:
        """What there is to log. No number if the transaction failed: nothing is stored under it."""
        stages = {f"{name}_ms": round(spent, 1) for name, spent in self.stages.items()}
        stored = {"mail": self.mail} if self.mail and reply.startswith("2") else {}
        return {**stored, "status": self.fate(reply), **stages}


@dataclass(frozen=True)
class Incoming:
    """One message as it was handed in. `mail_from` is "" for the null sender; `peer` is the other side's address."""

    data: bytes = field(repr=False)
    mail_from: str
    rcpts: tuple[str, ...]
    peer: str = ""
    progress: Progress = field(default_factory=Progress, compare=False, repr=False)

    def pack(self) -> bytes:
        """The message with its envelope, for the shelf: a signed recipient says what the mail may do."""
        return json.dumps([self.mail_from, self.rcpts, self.peer]).encode() + b"\n" + self.data

    @classmethod
    def unpack(cls, packed: bytes) -> "Incoming":
        """What `pack` made bytes of."""
        envelope, _, data = packed.partition(b"\n")
        mail_from, rcpts, peer = json.loads(envelope)
        return cls(data, mail_from, tuple(rcpts), peer)


@dataclass(frozen=True)
class Outgoing:
    """One letter on its way: the row `id` of the outbox, its envelope, the finished message with CRLF line ends."""

    id: int
    mail_from: str
    recipient: str
    data: bytes = field(repr=False)
    attempts: int = 0


#: Numbers of letters that the relay has taken, with its words.
Receipts: TypeAlias = Sequence[tuple[int, str]]

#: The replies a message can get after its last byte (RFC 5321 §4.2, RFC 3463). No other text is ever sent there.
ACCEPTED = "250 2.0.0 Accepted"
TRY_AGAIN = "451 4.3.0 Temporary failure, please try again later"
BUSY = "452 4.3.1 Too busy, please try again later"
TOO_LARGE = "552 5.3.4 Message exceeds what this server reads"
BARE_LINE_END = "550 5.6.0 Lines must end with CR LF"
