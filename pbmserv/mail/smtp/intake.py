"""What the sessions of a listener share: its limits, and the commits that none of them may cancel."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

import structlog

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
class Limits:
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
    limits: Limits
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

    async def commit(self, mail: Incoming) -> str:
        """The reply to `mail` once its fate is decided. Whoever waits here may be cancelled, the commit goes on."""
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
