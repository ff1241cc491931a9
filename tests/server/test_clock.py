"""Reminders, forfeits, total time and absences of the server, with a clock that the test sets."""

import re
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.log import Kind
from pbmserv.server import clock
from pbmserv.server.clock import Clock, Swept
from tests.world import Received, World


class Days:
    """The clock of a server that always runs. Days go by in steps of half a day, which do not count as an absence."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clock = Clock(world.engine, world.site, lambda: world.now, gap=13 * 3600)
        self.clock.sweep()

    def go_by(self, days: float) -> list[Received]:
        """Let so many days go by and return their letters."""
        end = self.world.now + timedelta(days=days)
        while self.world.now < end:
            self.world.now = min(end, self.world.now + timedelta(hours=12))
            self.clock.sweep()
        return self.world.letters()

    def later(self, days: float) -> Swept:
        """Run the clock once, after so many days in which the server ran."""
        self.world.now += timedelta(days=days)
        return Clock(self.world.engine, self.world.site, lambda: self.world.now, gap=float("inf")).sweep()


@pytest.fixture
def days(world: World) -> Days:
    return Days(world)


@pytest.mark.slow
def test_a_seat_is_reminded_daily_and_at_most_five_times(world: World, days: Days) -> None:
    world.board("alice", "bob")
    world.letters()
    assert days.go_by(6.9) == []
    nags = days.go_by(10)
    assert [n.to for n in nags] == ["alice@example.org"] * 5
    assert nags[0].first_line == "Your move, alice."
    assert "Reminder: it has been your turn for 7 days. If you do not move within 14 days, you lose the board." in (
        nags[0].text.replace("\n", " ")
    )


@pytest.mark.slow
def test_a_seat_forfeits_after_its_time_and_the_board_is_not_rated_if_it_never_moved(world: World, days: Days) -> None:
    number = world.board("alice", "bob")
    world.letters()
    letters = days.go_by(21.1)
    last = [x for x in letters if "is over" in x.first_line]
    assert {x.to for x in last} == {"alice@example.org", "bob@example.org"}
    assert last[0].first_line == f"Board {number} is over: bob wins (on time)."
    assert "rating" not in last[0].text.split("used")[1]
    world.verify()


@pytest.mark.slow
def test_a_forfeit_after_moves_is_rated(world: World, days: Days) -> None:
    number = world.board("alice", "bob", options="--forfeittime=1 --nagtime=none -c")
    world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    world.mail("bob", f"tumble move {number} bob bob-secret a5-b4t")
    world.play(number)
    world.letters()
    (alice, bob) = days.go_by(1.1)
    assert "bob wins (on time)" in alice.text
    assert re.search(r"alice used 1 day.*, rating 1500 -> 1\d\d\d \(-", alice.text)
    assert "bob used less than a minute, rating 1500 -> 1" in bob.text


@pytest.mark.slow
def test_total_time_adds_up_over_the_turns(world: World, days: Days) -> None:
    number = world.board("alice", "bob", options="--totaltime=2 --nagtime=none --forfeittime=none")
    for _ in range(2):
        days.go_by(0.75)
        world.mail("alice", f"tumble move {number} alice alice-secret b3-c3")
        world.mail("bob", f"tumble move {number} bob bob-secret g6-f6")
    world.letters()
    assert days.go_by(0.4) == []
    assert "bob wins (on time)" in days.go_by(0.2)[0].text


@pytest.mark.slow
def test_no_limits_no_alarm(world: World, days: Days) -> None:
    world.board("alice", "bob", options="--nagtime=none --forfeittime=none")
    world.letters()
    assert days.go_by(30) == []


@pytest.mark.slow
def test_when_the_server_was_away_every_deadline_moves(world: World, days: Days) -> None:
    world.board("alice", "bob")
    world.letters()
    days.go_by(6)
    world.now += timedelta(days=30)
    assert days.clock.sweep().shifted == pytest.approx(30 * 86400, abs=1)
    assert world.letters() == []
    assert len(days.go_by(1.1)) == 1


@pytest.mark.slow
def test_a_clock_that_is_set_back_neither_forfeits_nor_nags_twice(world: World, days: Days) -> None:
    world.board("alice", "bob")
    world.letters()
    assert len(days.go_by(7.1)) == 1
    world.now -= timedelta(hours=5)
    days.clock.sweep()
    assert days.go_by(0.3) == []
    assert len(days.go_by(1.1)) == 1


def test_a_move_makes_the_alarm_void(world: World, days: Days) -> None:
    number = world.board("alice", "bob", options="--nagtime=1")
    days.go_by(0.9)
    world.mail("alice", f"tumble move {number} alice alice-secret b3-c3")
    world.letters()
    assert days.go_by(0.5) == []
    assert [x.to for x in days.go_by(0.6)] == ["bob@example.org"]


def test_each_seat_is_due_at_a_stored_moment(world: World, days: Days) -> None:
    number = world.board("alice", "bob", options="--nagtime=2 --forfeittime=3")
    alice, bob = world.row(number).clocks
    assert alice.due
    assert alice.since
    assert alice.due - alice.since == pytest.approx(2 * 86400)
    assert bob.due is None


def test_records_of_mails_are_forgotten_but_not_that_they_came(world: World, days: Days) -> None:
    world.signup("alice")
    assert world.mail("alice", "help")
    days.go_by(0.1)
    assert days.later(401).forgotten == 1
    assert [m.sender for m in world.query(lambda s: s.mails.newest())] == [""]
    world.count = 0
    assert world.mail("alice", "help") == []


def test_a_mail_of_nobody_is_forgotten_too(world: World, days: Days) -> None:
    world.bytes(b"Subject: help\r\n\r\n", mail_from="")
    days.go_by(0.1)
    assert [(m.sender, m.peer) for m in world.query(lambda s: s.mails.newest())] == [("", "192.0.2.1")]
    assert days.later(401).forgotten == 1
    assert [m.peer for m in world.query(lambda s: s.mails.newest())] == [""]
    assert days.clock.sweep().forgotten == 0


def test_a_bug_on_one_board_stops_the_time_of_no_other(
    world: World, days: Days, monkeypatch: pytest.MonkeyPatch
) -> None:
    resign = play.resign

    def stumble(board: Board, seat: int, kind: Kind, *, together: bool = False) -> Change:
        if board.start.seats == 3:
            raise ZeroDivisionError
        return resign(board, seat, kind, together=together)

    monkeypatch.setattr(play, "resign", stumble)
    monkeypatch.setattr(clock, "_BATCH", 1)
    world.board("alice", "bob", "carol", game="3io", options="--forfeittime=1 --nagtime=none")
    world.board("alice", "bob", options="--forfeittime=1 --nagtime=none")
    world.letters()
    with capture_logs() as logs:
        letters = days.go_by(1.1)
    assert {x.first_line for x in letters} == {"Board 102 is over: bob wins (on time)."}
    assert {x.get("board") for x in logs if x["log_level"] == "error"} == {101}
    monkeypatch.undo()
    assert "Tumble" not in str([x.subject for x in days.go_by(0.1)])
    assert world.row(101).board.out == (0,)
