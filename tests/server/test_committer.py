"""The committer: mails are read, answered and committed in threads, and those that wait together share a commit."""

import asyncio
import json
import threading
from collections.abc import Sequence

import pytest
from structlog.testing import capture_logs

from pbmserv.commands import command_language
from pbmserv.inbox.pipeline import Pipeline, Prepared
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, TOO_LARGE, TRY_AGAIN, Incoming
from pbmserv.server.committer import Committer
from tests.inbox.mails import message
from tests.tools.aio import in_loop, until
from tests.world import ADDRESS, World


class Gate(Pipeline):
    """A pipeline that commits nothing until `open` is set. `batches`: the subjects of each batch."""

    def __init__(self, world: World) -> None:
        super().__init__(world.engine, world.site, command_language(), world.seal.close, lambda: world.now)
        self.open = threading.Event()
        self.batches: list[list[str]] = []

    def handle(self, batch: Sequence[Prepared]) -> list[str]:
        self.batches.append([prepared.mail.subject for prepared in batch])
        assert self.open.wait(30)
        return super().handle(batch)


def mail(subject: str, number: int, *, to: str = ADDRESS, body: str = "") -> Incoming:
    return Incoming(message("alice", subject, body, number=number), "x@example.org", (to,), "192.0.2.1")


def challenges(count: int) -> list[Incoming]:
    return [mail(f"tumble challenge alice bob --forfeittime={number}", number) for number in range(1, count + 1)]


def last(committer: Committer) -> dict[str, object]:
    """Return what the committer tells of its last commits, but the times as whether there is one."""
    told: dict[str, object] = json.loads(str(committer.last))
    return told | {name: told[name] is not None for name in ("committed", "failed")}


@pytest.fixture
def gate(world: World) -> Gate:
    world.signup("alice", "bob")
    return Gate(world)


@in_loop
async def test_mails_that_wait_share_a_commit_and_none_has_more_than_its_batch(gate: Gate) -> None:
    done: list[int] = []
    committer = Committer(gate, batch=3, threads=1, committed=lambda: done.append(len(gate.batches)))
    mails = challenges(5)
    waiting = [asyncio.create_task(committer.submit(incoming)) for incoming in mails]
    await until(lambda: bool(gate.batches) and "read" in mails[-1].progress.stages)
    assert not done
    gate.open.set()
    assert await asyncio.gather(*waiting) == [ACCEPTED] * 5
    subjects = [f"tumble challenge alice bob --forfeittime={number}" for number in range(1, 6)]
    assert gate.batches == [subjects[:1], subjects[1:4], subjects[4:]]
    assert len(done) == 3
    assert [list(incoming.progress.stages) for incoming in mails] == [["read", "wait", "commit"]] * 5
    await committer.close()


@in_loop
async def test_a_writer_that_has_ended_is_followed_by_another(gate: Gate) -> None:
    committer = Committer(gate)
    gate.open.set()
    for incoming in challenges(3):
        assert await committer.submit(incoming) == ACCEPTED
    await committer.close()
    assert [len(batch) for batch in gate.batches] == [1, 1, 1]


@in_loop
async def test_several_writers_commit_at_a_time_and_only_answers_to_board_letters_go_together(
    world: World, gate: Gate
) -> None:
    for _ in range(2):
        world.mail("alice", "tumble challenge alice bob")
    sign = world.site.signer.sign
    answers = [
        mail("answer", number, to=sign(signed_addresses.BOARD, number, 0, 0), body="propose") for number in (101, 102)
    ]
    first, second, third, fourth = challenges(4)
    committer = Committer(gate, writers=2, threads=1)
    mails = [first, second, third, *answers, fourth]
    waiting = [asyncio.create_task(committer.submit(incoming)) for incoming in mails]
    await until(lambda: len(gate.batches) == 2 and "read" in mails[-1].progress.stages)
    assert sorted(map(len, gate.batches)) == [1, 1]
    gate.open.set()
    assert await asyncio.gather(*waiting) == [ACCEPTED] * 6
    await committer.close()
    assert sorted(map(len, gate.batches)) == [1, 1, 1, 1, 2]
    assert ["answer", "answer"] in gate.batches


@in_loop
async def test_a_mail_that_only_asks_is_answered_before_it_waits(world: World, gate: Gate) -> None:
    gate.open.set()
    committer = Committer(gate)
    question = mail("help", 1)
    assert await committer.submit(question) == ACCEPTED
    await committer.close()
    assert list(question.progress.stages) == ["read", "answer", "wait", "commit"]
    assert [letter.to for letter in world.letters()] == ["alice@example.org"]


@in_loop
async def test_a_session_that_is_gone_holds_up_nobody(gate: Gate) -> None:
    committer = Committer(gate, threads=1)
    mails = challenges(3)
    waiting = [asyncio.create_task(committer.submit(incoming)) for incoming in mails]
    await until(lambda: "read" in mails[-1].progress.stages)
    waiting[1].cancel()
    await asyncio.sleep(0)
    gate.open.set()
    assert await asyncio.gather(*waiting[::2]) == [ACCEPTED] * 2
    await committer.close()


@in_loop
async def test_close_waits_for_all_that_was_submitted(world: World, gate: Gate) -> None:
    committer = Committer(gate)
    waiting = [asyncio.create_task(committer.submit(incoming)) for incoming in [*challenges(2), mail("help", 3)]]
    await asyncio.sleep(0)
    gate.open.set()
    await committer.close()
    assert len(world.query(lambda s: s.board_lists.numbers())) == 2
    assert await asyncio.gather(*waiting) == [ACCEPTED] * 3


class TestTrouble:
    @in_loop
    async def test_a_mail_that_is_too_large_is_no_trouble_of_the_server(self, gate: Gate) -> None:
        committer = Committer(gate)
        assert await committer.submit(mail("help", 1, body="many\n" * 60_000)) == TOO_LARGE
        assert last(committer) == {"committed": False, "failed": False, "failures": 0, "trouble": ""}
        await committer.close()

    @in_loop
    async def test_failures_are_counted_until_the_next_commit(self, world: World) -> None:
        world.signup("alice", "bob")
        committer = Committer(world.pipeline)
        rename = "ALTER TABLE mail RENAME TO away", "ALTER TABLE away RENAME TO mail"
        with world.engine.begin() as connection:
            connection.exec_driver_sql(rename[0])
        with capture_logs() as logs:
            assert await committer.submit(challenges(1)[0]) == TRY_AGAIN  # at its commit
            assert await committer.submit(mail("help", 2)) == TRY_AGAIN  # at its answer, before any commit
        trouble = "OperationalError: no such table: mail"
        assert last(committer) == {"committed": False, "failed": True, "failures": 2, "trouble": trouble}
        said = [(line["event"], line["error"], line["says"]) for line in logs]
        assert said == [
            (event, "OperationalError", "no such table: mail")
            for event in ("batch failed", "mail could not be prepared")
        ]
        with world.engine.begin() as connection:
            connection.exec_driver_sql(rename[1])
        assert await committer.submit(challenges(1)[0]) == ACCEPTED
        assert last(committer) == {"committed": True, "failed": True, "failures": 0, "trouble": ""}
        await committer.close()
