"""What passes between the listener, the pipeline and the sender."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from pbmserv.mail.progress import Story

#: An address that is written as it is everywhere: dot-atoms (RFC 5322 §3.2.3) of what nearly all are made of.
PLAIN_ADDRESS = re.compile(r"[\w+=-]+(\.[\w+=-]+)*@[\w-]+(\.[\w-]+)*", re.ASCII)


@dataclass(frozen=True)
class Incoming:
    """One message as it was handed in. `mail_from` is "" for the null sender; `peer` is the other side's address."""

    data: bytes = field(repr=False)
    mail_from: str
    rcpts: tuple[str, ...]
    peer: str = ""
    story: Story = field(default_factory=Story, compare=False, repr=False)

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
