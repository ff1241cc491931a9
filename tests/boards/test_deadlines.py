"""How long a turn may take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.boards.clocks import deadlines
from pbmserv.boards.clocks.deadlines import DAY, LONGEST_PAUSE
from pbmserv.model import SeatClock, Settings


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
    ],
)
def test_lost_time_is_left_out_of_a_turn(
    clock: SeatClock, seconds: float, away_until: float | None, since: float, spent: float
) -> None:
    """What is left out begins at 200."""
    left = deadlines.left_out(clock, Settings(nag=None), 200.0, seconds, away_until)
    assert (left.since, left.spent) == (since, spent)
