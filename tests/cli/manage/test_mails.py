"""The shelf: after a bug is fixed, the mail that met it is handled again, once and with its envelope."""

import pytest

from pbmserv.commands import COMMANDS
from pbmserv.inbox.command import Call
from pbmserv.inbox.context import Answer, Context
from tests.cli.conftest import Desk, move
from tests.world import Received

MOVE = "tumble move 101 alice alice-secret c1-c2"


def stumble(ctx: Context, call: Call) -> Answer:
    """Fail as a command with a bug does."""
    raise ZeroDivisionError


class Shelf:
    """A server on which a test can break and repair the command `move`."""

    def __init__(self, desk: Desk, patch: pytest.MonkeyPatch) -> None:
        command = next(c for c in COMMANDS if c.verb == "move")
        self.desk, self.world = desk, desk.world
        self._command, self._patch, self._right = command, patch, command.run

    def break_(self) -> None:
        self._patch.setitem(self._command.__dict__, "run", stumble)

    def mend(self) -> None:
        self._patch.setitem(self._command.__dict__, "run", self._right)


@pytest.fixture
def shelf(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    return Shelf(desk, monkeypatch)


def quarantined(shelf: Shelf) -> str:
    """Put a mail of alice on the shelf, then fix the bug; returns the mail's number."""
    shelf.break_()
    shelf.world.mail("alice", MOVE)
    shelf.mend()
    (row,) = shelf.desk.json("mail", "list", "--status", "shelved")
    assert "sealed" not in row
    return str(row["id"])


def test_its_story_names_the_way_off_the_shelf(shelf: Shelf) -> None:
    number = quarantined(shelf)
    assert f"to handle it again: pbmserv mail retry {number}" in shelf.desk.says("mail", "show", number)


class TestRetry:
    @pytest.mark.slow
    def test_it_runs_with_all_its_letters(self, shelf: Shelf) -> None:
        number = quarantined(shelf)
        letters = shelf.desk.letters("mail", "retry", number, "--why", "the bug is mended")
        assert shelf.world.row().board.ply == 1
        assert {x.to.partition("@")[0] for x in letters} == {"alice", "bob"}
        row = shelf.world.query(lambda s: s.mails.find(int(number)))
        assert row
        assert (row.status, row.problem, row.sealed) == ("done", "", None)
        assert shelf.desk.event() == (f"mail {number}: retry, done", "the bug is mended")
        assert [line.mail_id for line in shelf.world.query(lambda s: s.boards.log(101))] == [int(number)]

    @pytest.mark.slow
    def test_it_has_its_effect_once(self, shelf: Shelf) -> None:
        number = quarantined(shelf)
        shelf.desk.run("mail", "retry", number)
        assert "is not on the shelf: it is done" in shelf.desk.says("mail", "retry", number, code=65)
        assert shelf.world.row().board.length == 1

    @pytest.mark.slow
    def test_the_same_mail_a_second_time_does_nothing(self, shelf: Shelf) -> None:
        number = quarantined(shelf)
        shelf.world.count -= 1
        shelf.world.mail("alice", MOVE)
        shelf.desk.letters("mail", "retry", number)
        shelf.world.count -= 1
        assert shelf.world.mail("alice", MOVE) == shelf.world.letters() == []
        assert shelf.world.row().board.length == 1

    @pytest.mark.slow
    def test_an_answer_to_a_letter_keeps_its_signed_address(self, shelf: Shelf) -> None:
        letter: Received = next(x for x in shelf.world.mail("alice", "tumble challenge alice bob") if "alice" in x.to)
        shelf.break_()
        shelf.world.reply(letter, "c1-c2")
        shelf.mend()
        (row,) = shelf.desk.json("mail", "list", "--status", "shelved")
        shelf.desk.run("mail", "retry", str(row["id"]))
        assert shelf.world.row(102).board.ply == 1

    @pytest.mark.slow
    def test_a_bug_that_is_still_there_keeps_it_without_a_second_apology(self, shelf: Shelf) -> None:
        number = quarantined(shelf)
        shelf.break_()
        shelf.world.letters()
        assert "shelved ZeroDivisionError" in shelf.desk.says("mail", "retry", number, code=1)
        assert shelf.world.letters() == []
        shelf.mend()
        shelf.desk.run("mail", "retry", number)
        assert shelf.world.row().board.ply == 1

    @pytest.mark.slow
    def test_it_may_be_refused_by_the_rules_now(self, shelf: Shelf) -> None:
        number = quarantined(shelf)
        move(shelf.world, "alice", "c1-c5t")
        assert "error It is not your turn" in shelf.desk.says("mail", "retry", number)

    @pytest.mark.slow
    @pytest.mark.both
    def test_a_mail_that_was_never_read_and_came_again(self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("pbmserv.mail.inbound.read", stumble)
            shelf.world.mail("alice", MOVE)
        (row,) = shelf.desk.json("mail", "list", "--status", "shelved")
        shelf.world.count -= 1
        shelf.world.mail("alice", MOVE)
        assert f"it came again as mail {row['id'] + 1}" in shelf.desk.says("mail", "retry", str(row["id"]))
        assert shelf.world.row().board.length == 1

    @pytest.mark.both
    def test_under_another_key_it_cannot_be_opened(self, shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
        number = quarantined(shelf)
        monkeypatch.setenv("PBMSERV_SECRET_KEY", "another key")
        assert "another PBMSERV_SECRET_KEY" in shelf.desk.says("mail", "retry", number, code=78)


class TestDrop:
    def test_its_bytes_are_erased(self, shelf: Shelf) -> None:
        number = quarantined(shelf)
        assert "--yes" in shelf.desk.says("mail", "drop", number, code=64)
        shelf.desk.run("mail", "drop", number, "--yes", "--why", "sent again")
        row = shelf.world.query(lambda s: s.mails.find(int(number)))
        assert row
        assert (row.status, row.sealed) == ("dropped", None)
        assert shelf.desk.event() == (f"mail {number}: drop", "sent again")

    @pytest.mark.parametrize("verb", ["drop", "retry"])
    def test_what_is_not_there(self, shelf: Shelf, verb: str) -> None:
        yes = ["--yes"] if verb == "drop" else []
        assert "There is no mail 99." in shelf.desk.says("mail", verb, "99", *yes, code=66)
        assert "is not on the shelf: it is done" in shelf.desk.says("mail", verb, "1", *yes, code=65)


@pytest.mark.both
def test_lists_have_filters(desk: Desk) -> None:
    desk.world.mail("bob", "games")
    desk.world.mail("bob", "nonsense")
    assert len(desk.json("mail", "list")) == 3
    assert [m["calls"] for m in desk.json("mail", "list", "--from", "BOB@example.org", "--status", "done")] == ["games"]
    assert desk.json("mail", "list", "--since", "today") == []
    assert len(desk.json("mail", "list", "--since", "2026-02-28", "--limit", "2")) == 2
