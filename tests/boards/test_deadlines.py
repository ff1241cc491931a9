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
