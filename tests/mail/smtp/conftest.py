"""A listener on loopback. The test can watch its commits and make them wait."""

import asyncio
import os
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
import structlog
import trustme
from structlog.typing import EventDict

from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.smtp.listener import Listener, SessionLimits

if os.environ.get("SESSION") == "own":  # the way out of aiosmtpd (ADR 95) must pass these tests, too
    from benchmarks import own_session

    own_session.use()


@dataclass
class Desk:
    """Where the listener hands mails in. While `open` is clear, they wait here. `error` is raised instead of a 250."""

    came: list[Incoming] = field(default_factory=list)
    done: list[Incoming] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)
    error: Exception | None = None

    async def submit(self, mail: Incoming) -> str:
        """Take a mail in place of the pipeline."""
        self.came.append(mail)
        await self.open.wait()
        if self.error:
            raise self.error
        self.done.append(mail)
        return ACCEPTED


def accepts(address: str) -> bool:
    """Addresses of the service that the tests write to."""
    if address == "broken@example.org":
        raise RuntimeError("sword" + "fish")  # split in two, because a traceback shows this line
    return address.lower() == "postmaster" or address.startswith("pbmserv")


@asynccontextmanager
async def listening(
    desk: Desk, *urls: str, limits: SessionLimits | None = None, tls: ssl.SSLContext | None = None, closed: bool = False
) -> AsyncIterator[Listener]:
    """A listener that runs; with `closed`, mails wait at the desk until the test opens it."""
    if not closed:
        desk.open.set()
    listener = Listener(urls or ["smtp://127.0.0.1:0"], desk.submit, accepts, "host.example", limits=limits, tls=tls)
    await listener.start()
    try:
        yield listener
    finally:
        desk.open.set()
        await listener.drain(1)


@pytest.fixture
def desk() -> Desk:
    """A desk that is open unless the test closes it."""
    return Desk()


@pytest.fixture
def lines() -> Iterator[list[EventDict]]:
    """Return the list of logged lines."""
    with structlog.testing.capture_logs() as captured:
        yield captured


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    """A certificate authority for this run."""
    return trustme.CA()


@pytest.fixture(scope="session")
def server_tls(authority: trustme.CA) -> ssl.SSLContext:
    """The server's side of TLS, for localhost."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    return context


@pytest.fixture(scope="session")
def client_tls(authority: trustme.CA) -> ssl.SSLContext:
    """The client's side of TLS."""
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context
