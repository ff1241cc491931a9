# ruff: noqa: N802 - the library finds hooks by names like handle_RCPT
"""What the sessions of a listener share: limits, accepted envelopes, and commits that nobody can cancel."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbmserv import metrics
from pbmserv.mail.envelope import BARE_LINE_END, BUSY, NO_SUCH_LETTERS, TOO_LARGE, TRY_AGAIN, Incoming, Progress
from pbmserv.mail.reading.headers import is_unanswerable
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES

#: Runs the transaction of one mail and returns one of the replies of envelope.py.
Submit = Callable[[Incoming], Awaitable[str]]

TOO_MANY = "421 4.7.0 Too many connections, please try again later"
LEAVING = "421 4.3.2 Shutting down, please try again later"

#: File descriptors that are not for sessions: databases, relay, sockets, and a connection that is refused.
_RESERVED = 32

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Guest(Protocol):
    """The part of a session that its listener uses."""

    @property
    def peer(self) -> str:
        """The address of the other side, without its port; "" on a Unix socket."""

    @property
    def task(self) -> asyncio.Task[None]:
        """The task of the session."""

    @property
    def idle(self) -> bool:
        """Whether the session has no transaction now."""

    def hang_up(self, reply: str) -> None:
        """End the session with `reply`; a commit under way goes on."""


@dataclass(frozen=True)
class SessionLimits:
    """The limits of one listener. Sizes are in bytes, without the extra dots of SMTP (RFC 1870 §3)."""

    connections: int = 200
    per_peer: int = 20  #: connections from one IP address; does not apply to Unix sockets
    recipients: int = 10
    message: int = MOST_MESSAGE_BYTES
    line: int = 64 * 1024
    session_seconds: float = 600
    waiting: int = 1000  #: mails that wait for their commit at the same time

    def within(self, descriptors: int) -> "SessionLimits":
        """Return these limits with so few connections that a process with so many file descriptors can serve them.

        Without a descriptor, the event loop would close a connection without a reply, and without a line in the log.
        """
        return replace(self, connections=max(1, min(self.connections, descriptors - _RESERVED)))


@dataclass
class Intake:
    """The state that the sessions of one listener share."""

    submit: Submit
    accepts: Callable[[str], bool]
    limits: SessionLimits
    instance: str = ""  #: names this installation in the greeting; no secret
    report: Callable[[], str] = str  #: whether the last commits succeeded, for programs on this machine
    sessions: set[Guest] = field(default_factory=set)
    commits: set[asyncio.Task[str]] = field(default_factory=set)
    leaving: bool = False

    def refusal(self, peer: str) -> str:
        """Return the reply to a connection that cannot be accepted now; "" if it can."""
        if self.leaving:
            return LEAVING
        crowd = sum(session.peer == peer for session in self.sessions) if peer else 0
        full = len(self.sessions) >= self.limits.connections or crowd >= self.limits.per_peer
        if full:
            log.warning("connection_refused", peer=peer, reply=TOO_MANY[:3], sessions=len(self.sessions), of_peer=crowd)
        return TOO_MANY if full else ""

    @property
    def busy(self) -> bool:
        """Return whether too many mails wait for their commit."""
        return len(self.commits) >= self.limits.waiting

    async def decide(self, mail: Incoming, peer: str, *, is_whole: bool) -> str:
        """Return the reply to a message from `peer`. `is_whole`: it was not over the limit."""
        if refusal := self._refuse(mail) if is_whole else TOO_LARGE:
            return noted(peer, refusal, len(mail.data))
        return await self.hand_in(mail)

    def _refuse(self, mail: Incoming) -> str:
        """Return the reply to a message whose bytes cannot be accepted; "" if they can."""
        data = mail.data
        if len(data) > self.limits.message or max(map(len, data.split(b"\r\n"))) > self.limits.line:
            return TOO_LARGE
        if not data.count(b"\r\n") == data.count(b"\r") == data.count(b"\n"):
            return BARE_LINE_END
        return NO_SUCH_LETTERS if mail.mail_from and is_unanswerable(data, mail.mail_from) else ""

    async def hand_in(self, mail: Incoming) -> str:
        """Submit a mail, and return the reply when known. The commit goes on if the caller is cancelled meanwhile."""
        if self.busy:
            return noted(mail.peer, BUSY, len(mail.data), mail.progress)
        task = asyncio.create_task(self._run(mail))
        self.commits.add(task)
        task.add_done_callback(self.commits.discard)
        return await asyncio.shield(task)

    async def _run(self, mail: Incoming) -> str:
        try:
            reply = await self.submit(mail)
        except Exception as error:
            log_error(error, mail.peer)
            reply = TRY_AGAIN
        return noted(mail.peer, reply, len(mail.data), mail.progress)


class EnvelopeRules:
    """The hooks of aiosmtpd that decide which extensions we offer and which envelopes we accept."""

    def __init__(self, intake: Intake, extensions: Sequence[str] = ()) -> None:
        """`extensions`: what is offered beside that which every session offers."""
        self._intake = intake
        self._extensions = extensions

    async def handle_HELO(self, server: SMTP, session: Session, _: Envelope, hostname: str) -> bytes:
        """Reply in bytes, which `push` does not change, because a greeting has no enhanced code (RFC 2034 §4)."""
        session.host_name = hostname
        return f"250 {server.hostname}".encode()

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[bytes]:
        """Offer only what we support. The library would offer AUTH after STARTTLS."""
        session.host_name = hostname
        words = [line[4:] for line in responses if line[4:8] not in ("AUTH", "HELP")]
        words[1:1] = ["PIPELINING", "ENHANCEDSTATUSCODES", *self._extensions]
        lines = [f"250-{word}" for word in words[:-1]] + [f"250 {words[-1]}"]
        return ["\r\n".join(lines).encode()]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Begin a transaction, unless too many mails are waiting."""
        if self._intake.busy:
            return BUSY
        envelope.mail_from = address
        return "250 2.1.0 Sender ok"

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take our own addresses only: this server relays nothing."""
        if address == "<>":
            return "501 5.1.3 A recipient cannot be empty"
        if len(envelope.rcpt_tos) >= self._intake.limits.recipients:
            return "452 4.5.3 Too many recipients"
        if not self._intake.accepts(address):
            return "550 5.1.1 No such address here"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 Recipient ok"


def noted(peer: str, reply: str, size: int, progress: Progress | None = None) -> str:
    """Log the result for a mail of `size` bytes, and return `reply`."""
    progress = progress or Progress()
    metrics.mail(progress.fate(reply), progress.stages)
    log.info("mail", **progress.log_fields(reply), peer=peer, reply=reply[:3], size=size)
    return reply


def log_error(error: Exception, peer: str) -> None:
    """Log where `error` happened, without its text, which can contain parts of the message."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("listener_error", peer=peer, error=type(error).__name__, where=where)
