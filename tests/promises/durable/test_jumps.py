"""A wall clock that jumps, and a machine that sleeps: nobody loses on time or is reminded twice because of it."""

from datetime import timedelta
from typing import Any

import pytest

from pbmserv.boards.absences import lost_time
from pbmserv.server.clock import LEASE, Clock
from pbmserv.store.board_lists import BoardListQueries
from tests.world import World

HOUR, DAYS = timedelta(hours=1), timedelta(days=3)
LIMITS = "--nagtime=1 --forfeittime=2 -c"


class Running:
    """A server whose clock runs every fifty minutes. A longer pause would count as an absence."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clock = Clock(world.engine, world.site, lambda: world.now, gap=55 * 60)
        self.clock.sweep()
        self.reminders = 0
        self.forfeits = 0

    def go_by(self, hours: float) -> None:
        """Let time go by in the normal way."""
        end = self.world.now + timedelta(hours=hours)
        while self.world.now < end:
            self.jump(min(timedelta(minutes=50), end - self.world.now))

    def jump(self, by: timedelta) -> None:
        """Let the clock jump: it shows another time at its next run."""
        self.world.now += by
        swept = self.clock.sweep()
        self.reminders += swept.reminders
        self.forfeits += swept.forfeits


@pytest.fixture
def running(world: World) -> Running:
    """A server with one board. Alice has to move; she is reminded after one day and loses after two."""
    running = Running(world)
    world.board("alice", "bob", options=LIMITS)
    return running


@pytest.mark.slow  # days in steps of minutes
@pytest.mark.parametrize("step", [HOUR, -HOUR, DAYS, -DAYS], ids=str)
def test_one_step(running: Running, step: timedelta) -> None:
    """Nothing happens because of the jump. The reminder comes once, then the end, and neither comes much too early."""
    running.go_by(23)
    running.jump(step)
    assert (running.reminders, running.forfeits) == (0, 0)
    running.go_by(24 + 0.9)
    assert (running.reminders, running.forfeits) == (1, 0)
    running.go_by(26)
    assert running.forfeits == 1


@pytest.mark.slow  # days in steps of minutes
@pytest.mark.parametrize("step", [HOUR, -HOUR, DAYS, -DAYS], ids=str)
def test_there_and_back_again(running: Running, step: timedelta) -> None:
    """After a reminder, the clock jumps and comes back: there is no second reminder, and no time is lost."""
    running.go_by(24.5)
    assert running.reminders == 1
    running.jump(step)
    running.go_by(0.5)
    running.jump(-step)
    running.go_by(20)
    assert (running.reminders, running.forfeits) == (1, 0)


@pytest.mark.slow
@pytest.mark.parametrize("step", [HOUR, DAYS, timedelta(days=30)], ids=str)
def test_a_turn_that_began_while_the_clock_was_behind(running: Running, step: timedelta) -> None:
    """When the clock is corrected, the turn seems to have lasted for all that time."""
    running.jump(-step)
    running.world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    running.go_by(2)
    running.jump(step)
    running.go_by(20)
    assert (running.reminders, running.forfeits) == (0, 0)


@pytest.mark.slow
def test_a_step_in_the_middle_of_a_run(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run has read the time already, but not yet the seats."""
    seats = BoardListQueries.due_seats

    def asleep(lists: BoardListQueries, now: float, *more: Any) -> list[tuple[int, int]]:
        running.world.now += DAYS
        return seats(lists, now, *more)

    monkeypatch.setattr(BoardListQueries, "due_seats", asleep)
    running.jump(timedelta(minutes=1))
    monkeypatch.undo()
    running.jump(timedelta(minutes=1))
    assert (running.reminders, running.forfeits) == (0, 0)


def test_a_lease_from_before_a_step_back(running: Running) -> None:
    """A process that died in its run blocks the others for less than a minute, whatever the clock says."""
    world = running.world
    assert world.act(lambda store: store.operations.lease("sweeper", world.now.timestamp(), LEASE))
    world.now -= HOUR
    assert world.act(lambda store: store.operations.lease("sweeper", world.now.timestamp(), LEASE))
    assert not world.act(lambda store: store.operations.lease("sweeper", world.now.timestamp() + 1, LEASE))


def test_absence_is_noticed_before_the_first_mail(world: World) -> None:
    """The mails that waited during the absence come at once. Their senders did not use that time."""
    Clock(world.engine, world.site, lambda: world.now).sweep()
    world.board("alice", "bob", options="--totaltime=1 --forfeittime=none -c")
    world.now += DAYS
    gap = world.act(lambda store: lost_time.notice(store, world.now.timestamp()))
    assert gap == pytest.approx(DAYS.total_seconds(), abs=9)
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    assert world.row().clocks[0].used < 60
