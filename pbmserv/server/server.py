"""One server process: what its roles need, from start to drain."""

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from time import time

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv import __version__, metrics
from pbmserv.commands import command_language
from pbmserv.db import engines
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.mail.seal import Seal
from pbmserv.mail.smtp.listener import Listener, ListenError
from pbmserv.mail.smtp.relay import open_relay
from pbmserv.server import systemd
from pbmserv.server.clock import Clock
from pbmserv.server.committer import Committer
from pbmserv.server.outbox import StoredOutbox
from pbmserv.server.sender import Sender
from pbmserv.store import Store
from pbmserv.store.operations import LAST_RUN


@dataclass(frozen=True)
class ServerSettings:
    """What an entry point hands over: the settings, checked, and nothing of where they came from."""

    database_url: str
    listen: Sequence[str]
    relay: str
    roles: Sequence[str]
    site: Site
    key: bytes = field(repr=False)
    metrics: str = ""


class Server:
    """Starts the roles of one process and ends them without losing anything."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._engine = engines.connect(settings.database_url)
        self._site = settings.site
        self._stack = AsyncExitStack()
        self._listener: Listener | None = None
        self._wake: Callable[[], None] = lambda: None

    @property
    def addresses(self) -> list[str]:
        """What it listens on."""
        return self._listener.addresses if self._listener else []

    async def start(self) -> None:
        """Start the roles: the sender first, so that what was left from last time goes out."""
        self._stack.callback(self._engine.dispose)
        self._engine.connect().close()  # the pool keeps it: `pbmserv restore` sees that somebody works here
        if self._settings.metrics:
            self._start_metrics()
        if "sender" in self._settings.roles:
            await self._start_sender()
        if "clock" in self._settings.roles:
            await self._start_clock()
        if "listener" in self._settings.roles:
            await self._start_listener()

    async def stop(self) -> None:
        """Take no more mail, finish the commits and the letter in hand, close."""
        await self._stack.aclose()

    async def run(self, ready: Callable[["Server"], None] = lambda _: None) -> None:
        """Serve until SIGTERM or SIGINT."""
        ended = asyncio.Event()
        for signum in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(signum, ended.set)
        try:
            await self.start()
            ready(self)
            systemd.notify("READY=1", f"STATUS=listens on {', '.join(self.addresses) or 'nothing'}")
            await _alive_until(ended)
        finally:
            systemd.notify("STOPPING=1")
            await self.stop()

    def _start_metrics(self) -> None:
        """Raises ListenError."""
        host, _, port = self._settings.metrics.rpartition(":")
        look = Gauges(self._engine, lambda: self._listener.sessions if self._listener else 0)
        try:
            end = metrics.serve(host.strip("[]"), int(port), __version__, look)
        except OSError as error:
            raise ListenError(f"Cannot show metrics on {self._settings.metrics}: {error.strerror}") from error
        self._stack.callback(end)
        sa.event.listen(self._engine, "begin", lambda _: metrics.begun())
        sa.event.listen(self._engine, "commit", lambda _: metrics.settled())

    async def _start_sender(self) -> None:
        relay = open_relay(self._settings.relay)
        outbox = StoredOutbox(self._engine, self._site)
        await asyncio.to_thread(outbox.recover)
        sender = Sender(outbox, relay)
        self._wake = sender.wake
        task = asyncio.create_task(sender.run(), name="sender")

        async def end() -> None:
            await sender.stop()
            await task
            await relay.close()

        self._stack.push_async_callback(end)

    async def _start_clock(self) -> None:
        clock = Clock(self._engine, self._site, wake=self._wake)
        await asyncio.to_thread(clock.catch_up)
        task = asyncio.create_task(clock.run(), name="clock")

        async def end() -> None:
            clock.stop()
            await task

        self._stack.push_async_callback(end)

    async def _start_listener(self) -> None:
        pipeline = Pipeline(self._engine, self._site, command_language(), Seal(self._settings.key).close)
        # SQLite has one writer, so mails share its commits; PostgreSQL groups the commits of its connections itself.
        batch, writers = (16, 1) if engines.has_one_writer(self._engine) else (1, 4)
        committer = Committer(pipeline, batch=batch, writers=writers, committed=self._wake)
        domain = self._site.address.rpartition("@")[2]
        listener = Listener(self._settings.listen, committer.submit, self._site.signer.accepts, domain)
        self._stack.push_async_callback(committer.close)
        await listener.start()
        self._stack.push_async_callback(listener.drain)
        self._listener = listener


class Gauges:
    """What metrics show that is known only by looking into the database, at the moment when somebody asks.

    It is called in the threads that answer Prometheus.
    """

    def __init__(self, engine: Engine, sessions: Callable[[], int]) -> None:
        self._engine = engine.execution_options(**engines.READ_ONLY)
        self._sessions = sessions

    def __call__(self) -> Mapping[str, float]:
        """Names and values; of the database only that it is away, if it is."""
        found: dict[str, float] = {"sessions_open": self._sessions()}
        try:
            with self._engine.connect() as connection:
                found |= self._look(Store(connection))
        except SQLAlchemyError:
            return found | {"database_up": 0}
        return found | {"database_up": 1}

    def _look(self, store: Store) -> dict[str, float]:
        now, waiting, last = time(), store.operations.waiting_letters(), store.operations.fact(LAST_RUN)
        found: dict[str, float] = {
            "outbox_letters": waiting.count,
            "outbox_oldest_seconds": now - waiting.oldest.timestamp() if waiting.oldest else 0.0,
            "shelf_mails": store.operations.shelved_mails(),
        }
        if last:
            found["clock_age_seconds"] = now - float(last)
        return found


async def _alive_until(ended: asyncio.Event) -> None:
    """Wait, and tell systemd's watchdog meanwhile that this loop goes on."""
    while not ended.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), systemd.watchdog_seconds() or None)
        systemd.notify("WATCHDOG=1")
