"""The committer on PostgreSQL: several transactions run in parallel, and only answers to board letters share one."""

import asyncio
from functools import partial

import pytest
import sqlalchemy as sa

from pbmserv.db.pipelining.statement import settle
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from pbmserv.server.committer import Committer
from pbmserv.store import Store
from tests.inbox.mails import message
from tests.promises.many_processes.at_once import at_once
from tests.tools.aio import in_loop
from tests.world import ADDRESS, World

pytestmark = pytest.mark.postgresql


def answer(world: World, board: int, number: int, word: str = "resign") -> Incoming:
    """Return an answer of alice to her letter about a board."""
    to = world.site.signer.sign(signed_addresses.BOARD, board, 0, world.row(board).board.length)
    return Incoming(message("alice", "Re: board", word, number=number), "x@example.org", (to,), "192.0.2.1")


def incoming(subject: str, number: int, body: str = "") -> Incoming:
    """Return a mail from alice."""
    return Incoming(message("alice", subject, body, number=number), "x@example.org", (ADDRESS,), "192.0.2.1")


@pytest.mark.slow
@in_loop
async def test_a_board_that_is_locked_holds_up_its_own_mails_only(world: World, other: World) -> None:
    for _ in range(2):
        world.board("alice", "bob", options="-c")
    committer = Committer(world.pipeline, batch=4, writers=2)
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


@pytest.mark.slow
@in_loop
async def test_a_crowd_of_mails_is_committed_one_by_one(world: World) -> None:
    world.allow(unanswered_boards=100)
    world.signup("alice", "bob")
    commits: list[object] = []
    sa.event.listen(world.engine, "commit", commits.append)
    committer = Committer(world.pipeline, batch=4, writers=4)
    mails = [incoming("tumble challenge alice bob", n) for n in range(12)]
    assert await asyncio.gather(*map(committer.submit, mails)) == [ACCEPTED] * 12
    await committer.close()
    assert len(commits) == 12
    assert len(world.query(lambda s: s.board_lists.numbers())) == 12


@pytest.mark.slow
@in_loop
async def test_answers_that_wait_for_a_writer_share_a_commit(world: World, other: World) -> None:
    world.allow(unanswered_boards=100)
    for _ in range(10):
        world.board("alice", "bob", options="-c")
    commits: list[object] = []
    sa.event.listen(world.engine, "commit", commits.append)
    committer = Committer(world.pipeline, batch=4, writers=2)
    mails = [answer(world, number, number) for number in range(101, 111)]
    with other.engine.begin() as connection:
        Store(connection).boards.lock([101, 102])
        settle(connection)
        waiting = []
        for mail in mails:
            waiting.append(asyncio.create_task(committer.submit(mail)))
            await asyncio.sleep(0.05)
        assert not commits
    assert await asyncio.gather(*waiting) == [ACCEPTED] * 10
    await committer.close()
    assert len(commits) == 2 + 8 / 4
    assert sorted(world.query(lambda s: s.board_lists.ended())) == list(range(101, 111))


@pytest.mark.parametrize("count", [1, 2])
def test_a_question_that_is_answered_waits_for_no_board(world: World, other: World, count: int) -> None:
    for _ in range(count):
        world.board("alice", "bob", options="-c")
    numbers = range(101, 101 + count)

    def hurry(connection: sa.Connection) -> None:
        connection.exec_driver_sql("SET LOCAL lock_timeout = '100ms'")

    batch = [world.pipeline.answer(world.pipeline.prepare(answer(world, n, n, "show"))) for n in numbers]
    assert all(mail.answered for mail in batch)
    with other.engine.begin() as connection:
        Store(connection).boards.lock(numbers)
        settle(connection)
        sa.event.listen(world.engine, "begin", hurry)
        assert world.pipeline.handle(batch) == [ACCEPTED] * count
        sa.event.remove(world.engine, "begin", hurry)
    assert len(world.letters()) == count


@pytest.mark.slow
def test_batches_about_the_same_boards_never_wait_for_each_other(world: World, other: World) -> None:
    for _ in range(4):
        world.board("alice", "bob", options="-c")
    numbers = (101, 102, 103, 104)
    with world.engine.connect() as connection:
        count = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"
        before = connection.exec_driver_sql(count).scalar_one()
    for turn in range(5):
        mine = [world.pipeline.prepare(answer(world, n, 20 * n + turn, "propose")) for n in numbers]
        theirs = [other.pipeline.prepare(answer(other, n, 20 * n + turn + 10, "reject")) for n in reversed(numbers)]
        handle = partial(world.pipeline.handle, mine), partial(other.pipeline.handle, theirs)
        assert at_once(*handle) == [[ACCEPTED] * 4] * 2
    with world.engine.connect() as connection:
        assert connection.exec_driver_sql(count).scalar_one() == before


class TestBatchesThatFail:
    @pytest.mark.slow
    def test_one_mail_waits_too_long(self, world: World, other: World) -> None:
        """Then only this one has to come again."""
        for _ in range(3):
            world.board("alice", "bob", options="-c")

        def hurry(connection: sa.Connection) -> None:
            connection.exec_driver_sql("SET LOCAL lock_timeout = '100ms'")

        batch = [world.pipeline.prepare(answer(world, number, number)) for number in (101, 102, 103)]
        with other.engine.begin() as connection:
            Store(connection).boards.lock([102])
            settle(connection)
            sa.event.listen(world.engine, "begin", hurry)
            assert world.pipeline.handle(batch) == [ACCEPTED, TRY_AGAIN, ACCEPTED]
            sa.event.remove(world.engine, "begin", hurry)
        assert world.query(lambda s: s.board_lists.ended()) == [101, 103]
        assert world.pipeline.handle(batch) == [ACCEPTED] * 3
        assert world.query(lambda s: s.board_lists.ended()) == [101, 103, 102]

    @pytest.mark.slow
    def test_the_connection_is_lost(self, world: World, other: World) -> None:
        """Then all have to come again."""
        for _ in range(2):
            world.board("alice", "bob", options="-c")
        attempts: list[object] = []

        def end(connection: sa.Connection) -> None:
            attempts.append(connection)
            pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            with other.engine.connect() as stronger:
                stronger.exec_driver_sql(f"SELECT pg_terminate_backend({pid}, 5000)")

        batch = [world.pipeline.prepare(answer(world, number, number)) for number in (101, 102)]
        sa.event.listen(world.engine, "begin", end)
        assert world.pipeline.handle(batch) == [TRY_AGAIN] * 2
        sa.event.remove(world.engine, "begin", end)
        assert len(attempts) == 1
        assert world.pipeline.handle(batch) == [ACCEPTED] * 2
