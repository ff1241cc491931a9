"""Random sequences of what happens to the time of a seat: nobody loses time that they did not have, and none gains any.

The program's clock is compared with a model that counts hour by hour (hours.py).
"""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.boards.clocks import days_off, deadlines
from pbmserv.boards.clocks.deadlines import Alarm
from pbmserv.model import SeatClock, Settings
from pbmserv.model.boards import DaysOff
from tests.boards.hours import HOUR, Hours
from tests.examples import examples, spread

DAY = 24
BANK, INCREMENT, CAP, FORFEIT, TOTAL = 10 * DAY, 36, 15 * DAY, 12 * DAY, 60 * DAY
SETTINGS = Settings(nag=None, forfeit=FORFEIT / DAY, total=TOTAL / DAY, bank=BANK / DAY, increment=1.5, cap=CAP / DAY)
BEGIN = 1_790_000_000 // 3600  # in September 2026, weeks before clocks are set back


def about(seconds: float) -> object:
    """The same number of seconds, except for the last digits."""
    return pytest.approx(seconds, rel=0, abs=0.01)


hours = st.integers(1, 15 * DAY)
steps = st.one_of(
    st.tuples(st.just("wait"), hours),
    st.tuples(st.just("move"), hours),
    st.tuples(st.just("undo"), hours),
    st.tuples(st.just("vacation"), st.integers(0, 20 * DAY)),
    st.tuples(st.just("pause"), st.just(0)),
    st.tuples(st.just("resume"), st.just(0)),
    st.tuples(st.just("jump"), st.one_of(hours, hours.map(lambda n: -n))),
)


@dataclass
class Both:
    """The clock of the program and the model, to which the same happens."""

    model: Hours
    clock: SeatClock
    ply: int = 1

    @property
    def now(self) -> float:
        return self.model.now * HOUR

    @property
    def away(self) -> float | None:
        """The end of the last vacation."""
        return max(ends for _, ends in self.model.vacations) * HOUR if self.model.vacations else None

    def move(self, hours: int) -> None:
        """Move, and be to move again after so many hours of the other player."""
        self.clock = deadlines.earn(deadlines.end_turn(self.clock, self.now), SETTINGS, self.ply)
        self.model.end(self.ply)
        self.ply += 2
        self._wait_for_the_other(hours)

    def undo(self, hours: int) -> None:
        """Take the last move back: the other is to move, plays something else, and the same ply comes again."""
        self.clock = deadlines.end_turn(self.clock, self.now)
        self.model.end(None)
        self.ply = max(self.ply - 2, 1)
        self._wait_for_the_other(hours)

    def _wait_for_the_other(self, hours: int) -> None:
        self.model.wait(hours)
        self.model.begin()
        self.clock = deadlines.begin_turn(self.clock, SETTINGS, self.now, self.model.away * HOUR or None)

    def vacation(self, hours: int) -> None:
        running = self.model.away > self.model.now
        self.model.vacation(hours)
        if hours or running:
            self.clock = deadlines.hold(self.clock, SETTINGS, self.now, self.model.away * HOUR)

    def pause(self, _: int) -> None:
        self.model.pause()
        self.clock = deadlines.pause(self.clock, SETTINGS, self.now)

    def resume(self, _: int) -> None:
        self.model.resume()
        away = self.model.away * HOUR if self.model.away > self.model.now else None
        self.clock = deadlines.resume(self.clock, SETTINGS, self.now, away)

    def jump(self, hours: int) -> None:
        before = self.now
        self.model.jump(hours)
        self.clock = deadlines.left_out(self.clock, SETTINGS, before, hours * HOUR, self.away)

    def wait(self, hours: int) -> None:
        self.model.wait(hours)

    def check(self) -> None:
        """Compare what has counted, and when the time runs out if nothing happens any more."""
        model, now = self.model, self.now
        assert model.turn is not None
        assert deadlines.counted(self.clock, now) == about(model.turn * HOUR)
        assert deadlines.used(self.clock, now) == about((model.used + model.turn) * HOUR)
        assert self.clock.bank == about(model.bank * HOUR)
        least = min(FORFEIT, TOTAL - model.used, model.bank)
        limit = deadlines.limit_of(self.clock, SETTINGS)
        assert limit
        assert self.clock.due == limit.at
        if model.turn < least:
            assert limit.at == about(list(model.ends(least))[-1] * HOUR)
            assert deadlines.alarm(self.clock, SETTINGS, now) is Alarm.NONE
        elif not model.stands_still(model.now):
            assert deadlines.alarm(self.clock, SETTINGS, now) is Alarm.FORFEIT


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/New_York"])
@pytest.mark.parametrize("days", spread(["sat,sun", "", "fri"], 3))
@examples(20, 40)
@given(script=st.lists(steps, max_size=25))
def test_what_counts_is_what_a_model_counts(zone: str, days: str, script: list[tuple[str, int]]) -> None:
    off = frozenset(days_off.DAYS.index(day) for day in days.split(",") if day)
    clock = deadlines.first_clock(SETTINGS, DaysOff.of(f"{days} {zone}" if days else ""))
    both = Both(Hours(BEGIN, zone, off, BANK, INCREMENT, CAP), clock)
    both.model.begin()
    both.clock = deadlines.begin_turn(clock, SETTINGS, both.now)
    for name, number in script:
        getattr(both, name)(number)
        both.check()
