"""Promises of the pipeline: one mail has one effect, a batch is done as a whole or not at all, our faults give 451."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbmserv.commands import COMMANDS, challenge
from pbmserv.db import engines
from pbmserv.inbox.command import Call
from pbmserv.inbox.context import Answer, Context
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from tests.commands.answers import ply
from tests.inbox.mails import everything, handle, message
from tests.world import ADDRESS, World

pytestmark = pytest.mark.both


class TestOneMailHasOneEffect:
    @pytest.fixture
    def letter(self, world: World) -> str:
        """Return the address to which alice answers the first letter of board 101."""
        world.signup("alice", "bob")
        return world.mail("alice", "tumble challenge alice bob -c")[0].reply_to

    def test_a_second_delivery_changes_nothing(self, world: World, letter: str) -> None:
        data = message("alice", "tumble move 101 alice alice-secret h4-g5t")
        assert len(world.bytes(data)) == 2
        before = everything(world)
        traced = b"Received: from a.example by b.example; Sun, 01 Mar 2026 12:00:05 +0000\r\n" + data
        for again in (data, traced, b"Delivered-To: <x@example.org>\r\n" + traced):
            assert world.bytes(again) == []
        assert everything(world) == before

    def test_a_second_delivery_to_another_signed_address_changes_nothing(self, world: World, letter: str) -> None:
        other = world.mail("alice", "tumble challenge alice bob -c")[0].reply_to
        data = message("alice", "Re: Tumble Board", "h4-g5t")
        assert len(world.bytes(data, letter)) == 2
        before = everything(world)
        assert world.bytes(data, other) == []
        assert world.bytes(data, ADDRESS) == []
        assert everything(world) == before

    def test_also_inside_one_batch(self, world: World, letter: str) -> None:
        data = message("alice", "tumble move 101 alice alice-secret h4-g5t")
        assert handle(world, data, data) == [ACCEPTED, ACCEPTED]
        assert ply(world) == 1
        assert len(world.letters()) == 2

    def test_an_equal_mail_without_message_id_and_date_is_new_an_hour_later(self, world: World, letter: str) -> None:
        data = b"From: alice@example.org\r\nSubject: tumble games alice\r\n\r\n"
        assert len(world.bytes(data)) == 1
        world.now += timedelta(minutes=40)  # a mail server tries again
        assert world.bytes(data) == []
        world.now += timedelta(minutes=20)
        assert len(world.bytes(data)) == 1
        assert world.bytes(data) == []
        assert handle(world, data, data) == [ACCEPTED, ACCEPTED]

    @pytest.mark.parametrize("header", [b"Date: Sun, 01 Mar 2026 12:00:00 +0000\r\n", b"Message-ID: <1@a.example>\r\n"])
    def test_a_mail_with_one_of_them_is_the_same_for_ever(self, world: World, letter: str, header: bytes) -> None:
        data = b"From: alice@example.org\r\nSubject: tumble games alice\r\n" + header + b"\r\n"
        assert len(world.bytes(data)) == 1
        world.now += timedelta(days=300)
        assert world.bytes(data) == []

    def test_the_same_words_in_another_mail_are_another_mail(self, world: World, letter: str) -> None:
        world.bytes(message("alice", "tumble games alice"))
        assert len(world.bytes(message("alice", "tumble games alice", number=2))) == 1


class TestBatches:
    def test_a_batch_is_one_commit(self, world: World) -> None:
        world.signup("alice", "bob")
        commits: list[object] = []
        sa.event.listen(world.engine, "commit", commits.append)
        mails = [message("alice", "tumble challenge alice bob -c", number=n) for n in range(5)]
        prepared = [world.prepare(Incoming(m, "x@example.org", (ADDRESS,))) for m in mails]
        commits.clear()
        assert world.pipeline.handle(prepared) == [ACCEPTED] * 5
        assert len(commits) == 1
        assert world.query(lambda s: s.board_lists.numbers()) == [101, 102, 103, 104, 105]

    def test_later_mails_see_what_earlier_ones_did(self, world: World) -> None:
        world.signup("alice", "bob")
        lines = ["tumble challenge alice bob -c", "tumble move 101 alice alice-secret h4-g5t",
                 "tumble move 101 bob bob-secret a5-b4t"]  # fmt: skip
        assert handle(world, *(message("alice", x, number=n) for n, x in enumerate(lines))) == [ACCEPTED] * 3
        assert ply(world) == 2
        world.verify()


class TestABugInsideOneMail:
    SUBJECT = "tumble challenge alice bob --as=alice:alice-secret"

    @pytest.fixture
    def broken(self, world: World, monkeypatch: pytest.MonkeyPatch) -> World:
        """A server with a bug: for boards with a nagtime of 3 days, an error is raised after the board was written."""

        def stumble(ctx: Context, call: Call) -> Answer:
            answer = challenge.challenge(ctx, call)
            if call.settings.get("nagtime") == "3":
                raise ZeroDivisionError(f"a bug that knows {call.credentials}")
            return answer

        command = next(c for c in COMMANDS if c.verb == "challenge")
        monkeypatch.setitem(command.__dict__, "run", stumble)
        world.signup("alice", "bob")
        return world

    def test_the_mail_is_shelved_and_the_batch_goes_through(self, broken: World) -> None:
        bad = message("alice", f"{self.SUBJECT} --nagtime=3", "a comment", number=2)
        with capture_logs() as logs:
            replies = handle(
                broken, message("alice", self.SUBJECT, number=1), bad, message("bob", "tumble games alice", number=3)
            )
        assert replies == [ACCEPTED] * 3
        assert broken.query(lambda s: s.board_lists.numbers()) == [101]
        statuses = [m.status for m in broken.query(lambda s: s.mails.newest())]
        assert statuses == ["done", "shelved", "done"]
        number = broken.query(lambda s: s.mails.newest())[1].id
        apology = next(x for x in broken.letters() if "fault" in x.subject)
        assert apology.to == "alice@example.org"
        assert apology.subject == f"Our fault: reference {number}"
        assert f"give the reference number {number}" in apology.flat
        row = broken.query(lambda s: s.mails.find(number))
        assert row
        assert row.sealed
        assert Incoming.unpack(broken.seal.open(row.sealed)).data == bad
        assert b"alice-secret" not in row.sealed
        assert "alice-secret" not in row.problem + str(logs) + apology.text
        assert "ZeroDivisionError" in row.problem
        assert "ZeroDivisionError" not in apology.text

    def test_its_rows_and_letters_are_gone(self, broken: World) -> None:
        before = broken.dump()
        (apology,) = broken.bytes(message("alice", f"{self.SUBJECT} --nagtime=3"))
        assert "Something went wrong on our side" in apology.text
        assert broken.dump() == before
        broken.mail("alice", self.SUBJECT)
        assert len(broken.query(lambda s: s.board_lists.numbers())) == 1

    def test_in_multiple_the_whole_mail_is_undone(self, broken: World) -> None:
        before = broken.dump()
        (apology,) = broken.mail("alice", "multiple", f"{self.SUBJECT}\n{self.SUBJECT} --nagtime=3")
        assert "Our fault" in apology.subject
        assert broken.dump() == before

    @pytest.mark.slow
    def test_a_template_that_is_missing_is_a_bug_and_no_trouble_of_the_database(
        self, world: World, tmp_path: Path
    ) -> None:
        (tmp_path / "own" / "mail").mkdir(parents=True)
        (tmp_path / "own" / "mail" / "answer.txt").write_text('{% include "mail/nowhere.txt" %}')
        world.signup("alice", "bob")
        world.use(Renderer(str(tmp_path / "own")))
        assert handle(world, message("alice", self.SUBJECT), message("bob", "help", number=2)) == [ACCEPTED] * 2
        assert [m.status for m in world.query(lambda s: s.mails.newest())] == ["shelved", "done"]  # the newest first


@pytest.mark.sqlite
class TestTheDatabaseFails:
    """Every mail of the batch gets 451, and nothing is stored. The mails are taken when the database works again."""

    @pytest.mark.slow
    def test_the_disk_is_full(self, world: World) -> None:
        world.signup("alice", "bob")
        with world.engine.connect() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        refused(
            world,
            lambda: pragma(world, f"max_page_count = {pages + 2}"),
            lambda: pragma(world, "max_page_count = 1073741823"),
        )

    @pytest.mark.slow
    def test_the_database_cannot_be_written(self, world: World) -> None:
        world.signup("alice", "bob")

        def forbid() -> None:
            with world.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA query_only = ON")

        refused(world, forbid, lambda: pragma(world, "query_only = OFF"))

    @pytest.mark.slow
    def test_a_page_of_the_file_is_damaged(self, world: World) -> None:
        world.signup("alice", "bob")
        with world.engine.connect() as connection:
            size = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
            page = connection.exec_driver_sql("SELECT rootpage FROM sqlite_master WHERE name = 'board'").scalar_one()
        world.engine.dispose()  # this moves the log into the file
        whole = world.file.read_bytes()
        begin = (page - 1) * size

        def damage() -> None:
            world.engine.dispose()
            world.file.write_bytes(whole[:begin] + b"\xff" * size + whole[begin + size :])

        def repair() -> None:
            world.engine.dispose()
            world.file.write_bytes(whole)

        refused(world, damage, repair)

    @pytest.mark.slow
    def test_the_database_is_locked(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        world.signup("alice", "bob")
        other = sqlite3.connect(world.file, isolation_level=None)
        monkeypatch.setattr(engines, "_BUSY_SECONDS", 0.1)
        refused(world, lambda: other.execute("BEGIN IMMEDIATE"), lambda: other.execute("ROLLBACK"))
        other.close()


def refused(world: World, fail: Callable[[], object], heal: Callable[[], object]) -> None:
    """Check that twenty mails are refused while the database fails, and taken afterwards."""
    world.allow(unanswered_boards=100)
    before = everything(world)
    mails = [message("alice", "tumble challenge alice bob -c", number=n) for n in range(20)]
    prepared = [world.prepare(Incoming(m, "x@example.org", (ADDRESS,))) for m in mails]
    fail()
    with capture_logs() as logs:
        assert world.pipeline.handle(prepared) == [TRY_AGAIN] * 20
    heal()
    assert [line["event"] for line in logs] == ["batch failed"]
    assert everything(world) == before
    assert world.pipeline.handle(prepared) == [ACCEPTED] * 20
    assert len(world.query(lambda s: s.board_lists.numbers())) == 20
    world.verify()


def pragma(world: World, text: str) -> None:
    """Set a pragma of the only connection in the pool."""
    with world.engine.execution_options(**engines.READ_ONLY).connect() as connection:
        connection.exec_driver_sql(f"PRAGMA {text}")
