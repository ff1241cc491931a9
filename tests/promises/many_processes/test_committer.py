"""The committer on PostgreSQL: each mail has a transaction of its own, and several run in parallel."""

import asyncio

import pytest
import sqlalchemy as sa

from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.server.committer import Committer
from pbmserv.store import Store
from tests.inbox.mails import message
from tests.tools.aio import in_loop
from tests.world import ADDRESS, World

pytestmark = pytest.mark.postgresql


def incoming(subject: str, number: int, body: str = "") -> Incoming:
    """Return a mail from alice."""
    return Incoming(message("alice", subject, body, number=number), "x@example.org", (ADDRESS,), "192.0.2.1")


@in_loop
async def test_a_board_that_is_locked_holds_up_its_own_mails_only(world: World, other: World) -> None:
    for _ in range(2):
        world.board("alice", "bob", options="-c")
    committer = Committer(world.pipeline, batch=1, writers=2)
    with other.engine.begin() as connection:
        Store(connection).boards.find(101)
        waiting = asyncio.create_task(committer.submit(incoming("tumble resign 101 alice alice-secret", 1)))
        await asyncio.sleep(0.1)
        async with asyncio.timeout(5):
            assert await committer.submit(incoming("tumble resign 102 alice alice-secret", 2)) == ACCEPTED
            assert await committer.submit(incoming("help", 3)) == ACCEPTED
        assert not waiting.done()
    assert await waiting == ACCEPTED
    await committer.close()
    assert world.query(lambda s: s.board_lists.ended()) == [102, 101]


@in_loop
async def test_a_crowd_of_mails_is_committed_one_by_one(world: World) -> None:
    world.allow(unanswered_boards=100)
    world.signup("alice", "bob")
    commits: list[object] = []
    sa.event.listen(world.engine, "commit", commits.append)
    committer = Committer(world.pipeline, batch=1, writers=4)
    mails = [incoming("tumble challenge alice bob", n) for n in range(12)]
    assert await asyncio.gather(*map(committer.submit, mails)) == [ACCEPTED] * 12
    await committer.close()
    assert len(commits) == 12
    assert len(world.query(lambda s: s.board_lists.numbers())) == 12
