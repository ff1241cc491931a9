"""A world whose players have webhooks, and the sender of their events."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from pbmserv.server import sender as sender_module
from pbmserv.server.event_outbox import EventOutbox
from pbmserv.server.sender import Sender
from pbmserv.webhooks.post_relay import PostRelay
from tests.tools.aio import until
from tests.webhooks.receiving import HOST, Hook, Names, client
from tests.world import Received, World

HERE = [["127.0.0.1"]]


@asynccontextmanager
async def sending(
    world: World, names: Names | None = None, timeout: float = 5, batch: int = 50
) -> AsyncIterator[Sender]:
    """Send the events of a world, and stop at the end."""
    outbox = EventOutbox(world.engine, world.site, lambda: world.now)
    sender = Sender(
        outbox,
        PostRelay(client(names or Names([*HERE]), timeout)),
        connections=batch,
        batch=batch,
        poll_seconds=0.01,
        announces=False,
    )
    task = asyncio.create_task(sender.run())
    try:
        yield sender
    finally:
        await sender.stop()
        await task


def ask(world: World, hook: Hook, userid: str = "alice", form: str = "") -> list[Received]:
    """Name a webhook."""
    world.allow(webhooks=True, webhook_ports=(hook.port,))
    return world.mail(userid, f"set {userid} {userid}-secret webhook={form}https://{HOST}:{hook.port}/Path")


async def prove(world: World, hook: Hook, userid: str = "alice", form: str = "") -> str:
    """Name a webhook and send its code back. Returns the secret."""
    ask(world, hook, userid, form)
    before = len(hook.bodies)
    async with sending(world):
        await until(lambda: len(hook.bodies) > before)
    code = hook.bodies[-1].decode().partition("webhook=")[2][:12] or event(hook)["data"]["code"]
    letters = world.mail(userid, f"set {userid} {userid}-secret webhook={code}")
    (letter,) = [x for x in letters if x.subject == "Your webhook"]
    return letter.text.partition("as it stands here:")[2].split()[0]


def event(hook: Hook, n: int = -1) -> Any:
    """Return a body that the webhook got."""
    return json.loads(hook.bodies[n])


def events(hook: Hook) -> list[Any]:
    """Return all bodies but the challenge."""
    return [e for e in map(json.loads, hook.bodies) if e.get("type") != "challenge"]


def fates(world: World) -> list[tuple[str, str, str]]:
    """Return kind, status and receipt of all events, the oldest first."""
    found = world.query(lambda s: s.letters.search(limit=500))
    return [(x.kind, x.status, x.receipt) for x in reversed(found) if x.webhook is not None]


def states(world: World) -> list[str]:
    """Return the states of the webhooks of the first two players."""
    return world.query(lambda s: [x.state for x in s.webhooks.of([1, 2]).values()])


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a sender try again at once."""
    monkeypatch.setattr(sender_module, "FIRST_DELAY", 0.0)
