# ruff: noqa: N802 - the library finds hooks by names like handle_RCPT
"""What the sessions of a listener share: its limits, the envelopes that it takes, and commits that none may cancel."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbmserv import metrics
from pbmserv.mail.envelope import BUSY, TRY_AGAIN, Incoming, Progress

#: Runs the transaction of one mail and returns one of the replies of envelope.py.
Submit = Callable[[Incoming], Awaitable[str]]

TOO_MANY = "421 4.7.0 Too many connections, please try again later"
LEAVING = "421 4.3.2 Shutting down, please try again later"

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Guest(Protocol):
    """A session as its listener sees it."""

    @property
    def peer(self) -> str:
        """The address of the other side, without its port; "" on a Unix socket."""

    @property
    def task(self) -> asyncio.Task[None]:
        """What runs the session and ends with it."""

    @property
    def idle(self) -> bool:
        """Whether no transaction is under way."""

    def hang_up(self, reply: str) -> None:
        """End the session with `reply`; a commit under way goes on."""


@dataclass(frozen=True)
class SessionLimits:
    """What one listener takes. Sizes are in bytes and counted as RFC 1870 §3 does, without the dots of transparency."""

    connections: int = 200
    per_peer: int = 20  #: connections from one address; peers of a Unix socket have none
    recipients: int = 10
    message: int = 256 * 1024
    line: int = 64 * 1024
    session_seconds: float = 600
    waiting: int = 1000  #: mails that may wait for their commit at one time


@dataclass
class Intake:
    """What the sessions of one listener share."""

    submit: Submit
    accepts: Callable[[str], bool]
    limits: SessionLimits
    sessions: set[Guest] = field(default_factory=set)
    commits: set[asyncio.Task[str]] = field(default_factory=set)
    leaving: bool = False

    def refusal(self, peer: str) -> str:
        """The reply to a connection that cannot be taken now, or ""."""
        if self.leaving:
            return LEAVING
        crowd = sum(session.peer == peer for session in self.sessions) if peer else 0
        full = len(self.sessions) >= self.limits.connections or crowd >= self.limits.per_peer
        return TOO_MANY if full else ""

    @property
    def busy(self) -> bool:
        """Whether too many mails wait for their commit."""
        return len(self.commits) >= self.limits.waiting

    async def hand_in(self, mail: Incoming) -> str:
        """Submit a mail; the reply to it once its fate is decided.

        Whoever waits here may be cancelled; the commit goes on.
        """
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
    """What a client is offered and which envelopes are taken: the hooks of aiosmtpd, with its signatures."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake

    async def handle_HELO(self, server: SMTP, session: Session, _: Envelope, hostname: str) -> bytes:
        """Answer in bytes, which `push` leaves alone: a greeting has no enhanced code (RFC 2034 §4)."""
        session.host_name = hostname
        return f"250 {server.hostname}".encode()

    async def handle_EHLO(
        self, server: SMTP, session: Session, envelope: Envelope, hostname: str, responses: list[str]
    ) -> list[bytes]:
        """Offer what we do and no more: the library would offer AUTH once TLS runs."""
        session.host_name = hostname
        words = [line[4:] for line in responses if line[4:8] not in ("AUTH", "HELP")]
        words[1:1] = ["PIPELINING", "ENHANCEDSTATUSCODES"]
        lines = [f"250-{word}" for word in words[:-1]] + [f"250 {words[-1]}"]
        return ["\r\n".join(lines).encode()]

    async def handle_MAIL(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Begin a transaction, unless too many mails wait already."""
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
    """Log what became of a mail of `size` bytes; returns `reply`."""
    progress = progress or Progress()
    metrics.mail(progress.fate(reply), progress.stages)
    log.info("mail", **progress.log_fields(reply), peer=peer, reply=reply[:3], size=size)
    return reply


def log_error(error: Exception, peer: str) -> None:
    """Log where `error` happened. Its own words are left out: they may hold data of the message."""
    where = "".join(traceback.format_tb(error.__traceback__))
    log.error("listener_error", peer=peer, error=type(error).__name__, where=where)
