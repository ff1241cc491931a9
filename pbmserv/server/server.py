"""One server process with its roles, from start to shutdown."""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from time import monotonic, time

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from pbmserv import __version__, metrics
from pbmserv.commands import command_language
from pbmserv.db import engines, migrate, schema_guard
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.letters.waiting import relay_trouble
from pbmserv.mail.imap.account import MailboxSettings
from pbmserv.mail.oauth.oauth_settings import OAuthSettings, Tokens
from pbmserv.mail.seal import Seal
from pbmserv.mail.smtp.intake import Intake, SessionLimits
from pbmserv.mail.smtp.listener import Listener, ListenError
from pbmserv.mail.smtp.relay import open_relay
from pbmserv.model.letters import ALL, Share
from pbmserv.model.operations import LAST_RUN
from pbmserv.robots.engines import Engines, EngineSettings
from pbmserv.server.clock import Clock
from pbmserv.server.committer import Committer
from pbmserv.server.outbox import StoredOutbox
from pbmserv.server.processes import systemd
from pbmserv.server.processes.children import ChildPlan, Children, obey_parent
from pbmserv.server.processes.fork_server import ForkServer
from pbmserv.server.processes.slots import Slots
from pbmserv.server.robot_player import NICE, USUAL, Pace, Robots, until_there_are_robots
from pbmserv.server.sender import Sender
from pbmserv.store import Store

#: Seconds for which a busy thread keeps Python to itself. With the usual 5 ms, a writer that waits for the disk or the
#: database some ten times would wait for a thread that makes pages ten times, too.
_SWITCH = 0.0005


#: Posts to webhooks at the same time. Those of a batch wait for its slowest, ten seconds at most.
_POSTS = 50


@dataclass(frozen=True)
class ServerSettings:
    """The checked settings, as an entry point passes them."""

    database_url: str
    listen: Sequence[str]
    relay: str
    roles: Sequence[str]
    site: Site
    key: bytes = field(repr=False)
    metrics: str = ""  #: where to show them; the parent of a child does that
    children: Sequence[ChildPlan] = ()
    fork_server: ForkServer | None = None  #: forks the children; None: they are started as programs of their own
    is_child: bool = False  #: whether another server started this one to send or to play (children.py)
    share: Share = ALL  #: the letters that it sends first
    pace: Pace = USUAL  #: of robots
    engines: Mapping[str, EngineSettings] = field(default_factory=dict)  #: of others, which choose moves for robots
    mailbox: MailboxSettings | None = None  #: None: mails come by SMTP or LMTP only
    mailbox_login: OAuthSettings | None = None  #: None: it has a password
    relay_login: OAuthSettings | None = None  #: the same


class Server:
    """Starts the roles of one process and ends them without losing anything."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._engine = engines.connect(settings.database_url)
        self._site = settings.site
        self._stack = AsyncExitStack()
        self._listener: Listener | None = None
        self._senders: Children | None = None
        self._wakes: list[Callable[[], None]] = []
        self._end: Callable[[], object] = lambda: None
        self._has_other_schema = False
        schema_guard.guard(self._engine, migrate.newest(), self._leave)

    @property
    def addresses(self) -> list[str]:
        """The addresses on which it listens."""
        return self._listener.addresses if self._listener else []

    async def start(self) -> None:
        """Start the roles. The sender is first, to send letters that are left from last time."""
        self._stack.callback(self._engine.dispose)
        self._engine.connect().close()  # stays open in the pool, so that `pbmserv restore` sees a running server
        if self._settings.metrics and not self._settings.is_child:
            self._start_metrics()
        if self._settings.fork_server:
            self._settings.fork_server.watch()
        for plan in self._settings.children:
            self._start_children(plan)
        if self._sends:
            await self._start_sender()
        if "clock" in self._settings.roles:
            await self._start_clock()
        if set(self._settings.roles) == {"robots"}:
            self._start_robots()
        if self._fetches or "listener" in self._settings.roles:
            await self._start_intakes()

    async def stop(self) -> None:
        """Accept no more mail, finish the current commits and letters, and close."""
        await self._stack.aclose()

    async def run(self, ready: Callable[["Server"], None] = lambda _: None) -> None:
        """Serve until SIGTERM or SIGINT. Raises schema_guard.OtherSchema if another program has changed the schema."""
        ended, loop = asyncio.Event(), asyncio.get_running_loop()
        for signum in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(signum, ended.set)
        self._end = lambda: loop.call_soon_threadsafe(ended.set)
        try:
            if self._settings.is_child:
                obey_parent(self._wake, ended.set, counts=bool(self._settings.metrics))
            await self.start()
            ready(self)
            systemd.notify("READY=1", f"STATUS=listens on {', '.join(self.addresses) or 'nothing'}")
            await _alive_until(ended)
        finally:
            systemd.notify("STOPPING=1")
            await self.stop()
        if self._has_other_schema:
            raise schema_guard.OtherSchema

    def _leave(self) -> None:
        """End, because this program would damage what another version has made. Called in any thread."""
        self._has_other_schema = True
        self._end()

    def _start_metrics(self) -> None:
        """Raises ListenError."""
        host, _, port = self._settings.metrics.rpartition(":")
        mailbox = self._settings.mailbox.account.name if self._settings.mailbox else ""
        users = {login.user for login in (self._settings.mailbox_login, self._settings.relay_login) if login}
        look = Gauges(self._engine, self._own_gauges, mailbox, users)
        try:
            end = metrics.serve(host.strip("[]"), int(port), __version__, look)
        except OSError as error:
            place = f"{self._settings.metrics} (PBMSERV_METRICS)"
            raise ListenError(f"Cannot show metrics on {place}: {error.strerror}") from error
        self._stack.callback(end)
        sa.event.listen(self._engine, "begin", lambda _: metrics.begun())
        sa.event.listen(self._engine, "commit", lambda _: metrics.settled())

    def _own_gauges(self) -> dict[str, float]:
        return {
            "sessions_open": self._listener.sessions if self._listener else 0,
            "senders": self._sends + (self._senders.count if self._senders else 0),
        }

    @property
    def _sends(self) -> bool:
        """Whether this process sends letters itself: it does nothing else, or there are no children."""
        only = set(self._settings.roles) == {"sender"}
        by_children = any(plan.role == "sender" for plan in self._settings.children)
        return "sender" in self._settings.roles and (only or not by_children)

    def _tokens(self, login: OAuthSettings | None) -> Tokens | None:
        if login is None:
            return None
        from pbmserv.server.logins.tokens import StoredTokens  # here, because few servers need it

        return StoredTokens(self._engine, login, self._settings.key)

    async def _start_sender(self) -> None:
        relay = open_relay(self._settings.relay, tokens=self._tokens(self._settings.relay_login))
        slot = None
        if engines.has_one_writer(self._engine):
            slot = self._stack.enter_context(Slots(self._engine).taken())
        outbox = StoredOutbox(self._engine, self._site, slot=slot, share=self._settings.share)
        await asyncio.to_thread(outbox.recover)
        sender = Sender(outbox, relay)
        self._wakes.append(sender.wake)
        task = asyncio.create_task(sender.run(), name="sender")

        async def end() -> None:
            await sender.stop()
            await task
            await relay.close()

        self._stack.push_async_callback(end)
        if self._settings.share.number == 0:
            await self._start_events(slot)

    async def _start_events(self, slot: int | None) -> None:
        """Send events to webhooks, in a loop of their own. Without webhooks, those that wait are dropped."""
        if not self._site.policy.webhooks:
            await asyncio.to_thread(engines.transact, self._engine, _drop_events)
            return
        from pbmserv.server.event_outbox import EventOutbox  # here, because few servers need it
        from pbmserv.webhooks.post_relay import PostRelay
        from pbmserv.webhooks.posting import Client

        client = Client(self._site.policy.webhook_networks, ports=self._site.policy.webhook_ports)
        outbox = EventOutbox(self._engine, self._site, slot=slot)
        sender = Sender(
            outbox,
            PostRelay(client),
            connections=_POSTS,
            batch=_POSTS,
            poll_seconds=0.5,
            count=metrics.event,
            announces=False,
        )
        self._wakes.append(sender.wake)
        task = asyncio.create_task(sender.run(), name="events")

        async def end() -> None:
            await sender.stop()
            await task

        self._stack.push_async_callback(end)

    def _start_children(self, plan: ChildPlan) -> None:
        children = Children(plan, self._settings.fork_server)
        if plan.role == "sender":
            self._senders = children
            self._wakes.append(children.wake)
        awaited = partial(until_there_are_robots, self._engine) if plan.role == "robot" else None
        task = asyncio.create_task(_run_later(children, awaited), name=f"{plan.role} children")

        async def end() -> None:
            children.stop()
            if not children.count:
                task.cancel()
            with suppress(asyncio.CancelledError):
                await task

        self._stack.push_async_callback(end)

    def _start_robots(self) -> None:
        """Play for robots in this process, which has no other role: others are more important for the machine."""
        os.setpriority(os.PRIO_PROCESS, 0, max(NICE, os.getpriority(os.PRIO_PROCESS, 0)))
        pipeline = Pipeline(self._engine, self._site, command_language(), Seal(self._settings.key).close)
        asks = None if self._settings.share.number else Engines(self._settings.engines)
        robots = Robots(self._engine, self._site, pipeline, pace=self._settings.pace, engines=asks)
        task = asyncio.create_task(robots.run(), name="robots")

        async def end() -> None:
            robots.stop()
            await task

        self._stack.push_async_callback(end)

    def _wake(self) -> None:
        """Let all senders check the outbox now."""
        for wake in self._wakes:
            wake()

    async def _start_clock(self) -> None:
        clock = Clock(self._engine, self._site, wake=self._wake, steady=monotonic)
        await asyncio.to_thread(clock.catch_up)
        task = asyncio.create_task(clock.run(), name="clock")

        async def end() -> None:
            clock.stop()
            await task

        self._stack.push_async_callback(end)

    @property
    def _fetches(self) -> bool:
        return "mailbox" in self._settings.roles and self._settings.mailbox is not None

    async def _start_intakes(self) -> None:
        committer = self._start_committer()
        if "listener" in self._settings.roles:
            await self._start_listener(committer)
        if self._fetches and self._settings.mailbox:
            self._start_mailbox(self._settings.mailbox, committer)

    def _start_committer(self) -> Committer:
        sys.setswitchinterval(_SWITCH)
        seal = Seal(self._settings.key).close
        pipeline = Pipeline(self._engine, self._site, command_language(), seal)
        # SQLite has one writer, so many mails share a commit. PostgreSQL groups the commits of its connections, too.
        batch, writers = (16, 1) if engines.has_one_writer(self._engine) else (4, 4)
        committer = Committer(pipeline, batch=batch, writers=writers, committed=self._wake)
        self._stack.push_async_callback(committer.close)
        return committer

    async def _start_listener(self, committer: Committer) -> None:
        domain = self._site.address.rpartition("@")[2]
        name = await asyncio.to_thread(engines.transact, self._engine, _instance)
        listener = Listener(
            self._settings.listen,
            committer.submit,
            self._site.signer.accepts,
            domain,
            instance=name,
            report=lambda: str(committer.last),
        )
        await listener.start()
        self._stack.push_async_callback(listener.drain)
        self._listener = listener

    def _start_mailbox(self, settings: MailboxSettings, committer: Committer) -> None:
        """Fetch mails from a mailbox, too. Its mails go the way of those that the listener takes."""
        from pbmserv.server.fetcher import Fetcher  # here, because few servers need it

        intake = Intake(committer.submit, self._site.signer.accepts, SessionLimits())
        tokens = self._tokens(self._settings.mailbox_login)
        mailbox = Fetcher(self._engine, self._site, settings, intake.hand_in, tokens=tokens)
        task = asyncio.create_task(mailbox.run(), name="mailbox")

        async def end() -> None:
            mailbox.stop()
            await task

        self._stack.push_async_callback(end)


async def _run_later(children: Children, awaited: Callable[[], Awaitable[None]] | None) -> None:
    """Keep children running, as soon as they are needed."""
    if awaited:
        await awaited()
    await children.run()


def _drop_events(connection: Connection, _: bool) -> None:
    Store(connection).letters.drop_events(None, "webhooks are turned off", utc_now())


def _instance(connection: Connection, _: bool) -> str:
    return Store(connection).operations.instance()


class Gauges:
    """Metrics read from the database when Prometheus asks, in the threads that answer Prometheus."""

    def __init__(
        self, engine: Engine, own: Callable[[], Mapping[str, float]], mailbox: str = "", users: Collection[str] = ()
    ) -> None:
        """`own`: returns the values that are not in the database.

        `mailbox`: the name of that which is fetched from; `users`: who log in by OAuth2.
        """
        self._mailbox, self._users = mailbox, users
        self._engine = engine.execution_options(**engines.READ_ONLY)
        self._own = own

    def __call__(self) -> Mapping[str, float]:
        """Return names and values. If the database is down, return only that."""
        gauges = dict(self._own())
        try:
            with self._engine.connect() as connection:
                gauges |= self._look(Store(connection))
        except SQLAlchemyError:
            return gauges | {"database_up": 0}
        return gauges | {"database_up": 1}

    def _look(self, store: Store) -> dict[str, float]:
        now, waiting, last = time(), store.operations.waiting_letters(), store.operations.fact(LAST_RUN)
        turn = store.robots.longest_wait()
        gauges: dict[str, float] = {
            "robots_oldest_seconds": max(now - turn, 0.0) if turn else 0.0,
            "outbox_letters": waiting.count,
            "outbox_oldest_seconds": now - waiting.oldest.timestamp() if waiting.oldest else 0.0,
            "relay_limited": float(relay_trouble.current(store) is not None),
            "webhook_events": store.operations.waiting_events().count,
            "shelf_mails": store.operations.quarantined_mails(),
            "engines_down": sum(bool(engine.trouble) for engine in store.operations.engines().values()),
        }
        if last:
            gauges["clock_age_seconds"] = now - float(last)
        if self._mailbox and (row := store.mailboxes.find(self._mailbox)) and row.looked:
            gauges["mailbox_age_seconds"] = now - row.looked.timestamp()
        if self._users:
            logins = map(store.mailboxes.login, self._users)
            gauges["login_needed"] = float(any(login is None or login.trouble for login in logins))
        return gauges


async def _alive_until(ended: asyncio.Event) -> None:
    """Wait, and meanwhile tell systemd's watchdog that the event loop works."""
    while not ended.is_set():
        with suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), systemd.watchdog_seconds() or None)
        systemd.notify("WATCHDOG=1")
