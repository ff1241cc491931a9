"""How long a turn may take."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.boards.clocks import deadlines
from pbmserv.boards.clocks.deadlines import DAY, LONGEST_PAUSE, Alarm, Limit, LimitKind
from pbmserv.model import SeatClock, Settings
from tests.world import World


@given(st.floats(0, 30), st.floats(0, 30), st.floats(0, 30))
def test_a_pause_moves_every_deadline_by_its_length(before: float, pause: float, after: float) -> None:
    settings = Settings(nag=2, forfeit=5, total=40)
    clock = deadlines.begin_turn(SeatClock(used=3 * DAY), settings, now := 1e9)
    paused = deadlines.pause(clock, settings, now := now + before * DAY)
    assert deadlines.pause(paused, settings, now + DAY) == paused
    resumed = deadlines.resume(paused, settings, now := now + pause * DAY)
    length = min(pause * DAY, LONGEST_PAUSE)
    for moment in (deadlines.forfeit_at, deadlines.next_alarm):
        was, is_ = moment(clock, settings), moment(resumed, settings)
        assert was is not None
        assert is_ == pytest.approx(was + length)
    now += after * DAY
    assert deadlines.used(resumed, now) == pytest.approx(max(deadlines.used(clock, now) - length, 3 * DAY), abs=1)


@pytest.mark.parametrize(
    ("settings", "clock", "refilled"),
    [
        (Settings(bank=3), SeatClock(bank=0.0, used=9.0), SeatClock(bank=3 * DAY, used=9.0)),
        (Settings(bank=3), SeatClock(bank=1.0, used=9.0), SeatClock(bank=1.0, used=9.0)),
        (Settings(total=2), SeatClock(used=2 * DAY), SeatClock(used=0.0)),
        (Settings(total=2), SeatClock(used=2 * DAY - 1), SeatClock(used=2 * DAY - 1)),
        (Settings(), SeatClock(used=2 * DAY), SeatClock(used=2 * DAY)),
    ],
)
def test_who_plays_on_after_a_loss_on_time_has_what_is_used_up_again(
    settings: Settings, clock: SeatClock, refilled: SeatClock
) -> None:
    assert deadlines.refill(clock, settings) == refilled


@pytest.mark.parametrize(
    ("clock", "seconds", "away_until", "since", "spent"),
    [
        (SeatClock(since=100.0), 50, None, 250, 100),  # the turn ran before: it goes on after what is left out
        (SeatClock(since=300.0), 50, None, 350, 0),  # it began within
        (SeatClock(since=300.0), -50, None, 250, 0),
        (SeatClock(since=300.0), 50, 300.0, 300, 0),  # a vacation holds it, and dates of the calendar stay
        (SeatClock(since=300.0), 150, 300.0, 350, 0),
        (SeatClock(since=300.0, paused=300.0), 50, None, 350, 0),  # a pause becomes longer
        (SeatClock(since=300.0, paused=250.0), -50, None, 250, 0),
        (SeatClock(since=300.0), 50, 900.0, 900, 0),  # no turn runs before the end of a vacation
    ],
)
def test_lost_time_is_left_out_of_a_turn(
    clock: SeatClock, seconds: float, away_until: float | None, since: float, spent: float
) -> None:
    """What is left out begins at 200."""
    left = deadlines.left_out(clock, Settings(nag=None), 200.0, seconds, away_until)
    assert (left.since, left.spent) == (since, spent)


@pytest.mark.parametrize(
    ("settings", "clock", "limit"),
    [
        (Settings(forfeit=5), SeatClock(since=100.0), Limit(100 + 5 * DAY, LimitKind.MOVE)),
        (Settings(forfeit=5), SeatClock(since=100.0, spent=DAY), Limit(100 + 4 * DAY, LimitKind.MOVE)),
        (Settings(forfeit=5, total=7), SeatClock(since=100.0, used=3 * DAY), Limit(100 + 4 * DAY, LimitKind.TOTAL)),
        (Settings(forfeit=5), SeatClock(since=100.0, bank=DAY), Limit(100 + DAY, LimitKind.BANK)),
        (Settings(forfeit=None), SeatClock(since=100.0), None),
        (Settings(forfeit=5), SeatClock(), None),
    ],
)
def test_the_limit_that_ends_first(settings: Settings, clock: SeatClock, limit: Limit | None) -> None:
    assert deadlines.limit_of(clock, settings) == limit
    assert deadlines.forfeit_at(clock, settings) == (limit and limit.at)


def test_a_reminder_is_counted_with_what_the_turn_has_taken() -> None:
    settings = Settings(nag=2, forfeit=9)
    clock = deadlines.begin_turn(SeatClock(), settings, 100.0)
    assert (clock.due, deadlines.alarm(clock, settings, 99 + 2 * DAY)) == (100 + 2 * DAY, Alarm.NONE)
    assert deadlines.alarm(clock, settings, 100 + 2 * DAY) is Alarm.REMINDER
    once = deadlines.reminded(clock, settings, 100 + 3 * DAY)
    assert (once.nags, once.nagged, once.due) == (1, 3 * DAY, 100 + 4 * DAY)
    assert deadlines.alarm(once, settings, 100 + 9 * DAY) is Alarm.FORFEIT
    held = deadlines.hold(once, settings, 100 + 9 * DAY, 100 + 12 * DAY)
    assert deadlines.alarm(held, settings, 100 + 11 * DAY) is Alarm.NONE


@pytest.mark.parametrize(
    ("overdue", "out", "idle"), [([], (), False), ([0], (), False), ([0, 1], (), True), ([0], (1,), False)]
)
def test_a_board_is_idle_if_the_time_of_all_teams_runs_out_at_once(
    world: World, overdue: list[int], out: tuple[int, ...], idle: bool
) -> None:
    row = world.row(world.board("alice", "bob"))
    row = replace(row, board=replace(row.board, out=out))
    assert deadlines.is_idle(row, overdue) is idle


def test_whose_time_has_run_out(world: World) -> None:
    row = world.row(world.board("alice", "bob", options="--nagtime=none --forfeittime=10"))
    due = row.clocks[0].due or 0.0
    assert (deadlines.overdue_seats(row, due - 1), deadlines.overdue_seats(row, due)) == ([], [0])
