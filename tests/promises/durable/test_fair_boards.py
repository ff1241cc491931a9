"""Random sequences of mails, runs of the clock and wrong clocks: the time of a seat is what a model counts by the hour.

`tests/boards/clocks/test_fair_time.py` does the same with the functions alone, and with many more examples.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pbmserv.boards.clocks import deadlines
from pbmserv.model import BoardRow
from pbmserv.server.clock import Clock
from tests.boards.hours import HOUR, Hours
from tests.examples import examples
from tests.world import World

DAY = 24
BANK, INCREMENT, CAP = 10 * DAY, 36, 15 * DAY
OPTIONS = "--bank=10 --increment=1.5 --cap=15 --nagtime=2 --forfeittime=none"
ZONE = "Europe/Berlin"
BEGIN = int(datetime(2026, 10, 15, 6, tzinfo=UTC).timestamp() / HOUR)  # ten days before clocks are set back
NEAR = 900.0  #: seconds: a mail takes one, a jump up to two minutes

hours = st.integers(1, 5 * DAY)
long_waits = st.tuples(st.just("wait"), st.integers(20, 100))
moves = st.one_of(st.tuples(st.just("move"), st.integers(0, 10)), st.tuples(st.just("undo"), st.just(0)))
steps = st.one_of(
    st.tuples(st.just("wait"), hours),
    moves,
    st.tuples(st.just("vacation"), st.integers(0, 5)),
    st.tuples(st.just("jump"), st.one_of(hours, hours.map(lambda n: -n))),
)


@dataclass
class Server:
    """A board on which Alice has days off. What happens there also happens to the model of her seat."""

    world: World
    number: int
    model: Hours
    ply: int = 1  #: of the board after her next move
    takes_days: bool = False  #: she has automatic vacation
    is_close: bool = False  #: the model counts only hours and cannot know whether the clock saw that the time ran out

    @property
    def row(self) -> BoardRow:
        return self.world.row(self.number)

    def run(self, gap: float) -> None:
        Clock(self.world.engine, self.world.site, lambda: self.world.now, gap=gap).sweep()
        model = self.model
        on_a_day_off = model.stands_still(model.now) and model.away < model.now
        self.is_close |= model.turn == model.bank or (model.has_run_out and (on_a_day_off or model.away == model.now))
        model.spend()

    def wait(self, hours: int) -> None:
        """Let hours go by, in which the server runs."""
        self.model.wait(hours)
        self.world.now += timedelta(hours=hours)
        self.run(float("inf"))

    def jump(self, hours: int) -> None:
        """Let the wall clock jump by so much while the server is down or runs."""
        self.model.jump(hours)
        self.world.now += timedelta(hours=hours)
        self.run(600)

    def vacation(self, days: int) -> None:
        self.model.vacation(days * DAY)
        self.world.mail("alice", f"vacation alice alice-secret {days or 'off'}")
        self.run(600)  # her time may have run out long ago, and she has just ended the day that was taken for that

    def move(self, hours: int) -> None:
        """Alice moves, and Bob does so many hours later."""
        self._play("alice")
        self.model.end(self.ply)
        self.ply += 2
        self.wait(hours)
        self._play("bob")
        self.model.begin()

    def undo(self, _: int) -> None:
        """Alice moves and takes it back."""
        self._play("alice")
        self.model.end(self.ply)
        self.world.mail("alice", f"tumble undo {self.number} alice alice-secret")
        self.world.mail("bob", f"tumble accept {self.number} bob bob-secret")
        self.model.begin()

    def _play(self, userid: str) -> None:
        row = self.row
        if row.board.result:
            return
        word = row.game.example(row.board.position, row.seat_to_move(self.world.player(userid)))
        self.world.mail(userid, f"tumble move {self.number} {userid} {userid}-secret {word}")

    def check(self) -> bool:
        """Compare the seat with the model. Returns whether the board goes on."""
        row, model = self.row, self.model
        over = row.board.result
        if self.takes_days and (self.is_close or (over and over.reason != "forfeit")):
            return False
        assert model.turn is not None
        left = (model.bank - model.turn) * HOUR
        if over:
            assert left <= NEAR
            assert not model.automatic
            return False
        assert left > -NEAR or model.stands_still(model.now)
        clock, now = row.clocks[0], self.world.now.timestamp()
        assert clock.bank == pytest.approx(model.bank * HOUR, rel=0, abs=NEAR)
        assert deadlines.used(clock, now) == pytest.approx((model.used + model.turn) * HOUR, rel=0, abs=NEAR)
        assert clock.due == deadlines.next_alarm(clock, row.settings)
        return left > NEAR or self.takes_days


@pytest.mark.slow
@pytest.mark.both
@settings(examples(4, 5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(steps, max_size=9))
@example(script=[("vacation", 3), ("wait", 53), ("jump", 19), ("jump", -72), ("wait", 39)])  # back to its first minute
def test_what_counts_on_a_board_is_what_a_model_counts(world: World, script: list[tuple[str, int]]) -> None:
    check(world, script, 0)


@pytest.mark.slow
@pytest.mark.both
@settings(examples(4, 5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(st.one_of(long_waits, long_waits, steps), min_size=8, max_size=15))
def test_with_automatic_vacation(world: World, script: list[tuple[str, int]]) -> None:
    check(world, script, 366)


@pytest.mark.slow
@settings(examples(4, 5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(script=st.lists(st.one_of(long_waits, long_waits, moves), min_size=8, max_size=20))
@example(script=[("move", 0), ("move", 0), *[("wait", 27)] * 25])  # her bank, three days in one week, and a forfeit
def test_with_three_days_of_automatic_vacation(world: World, script: list[tuple[str, int]]) -> None:
    check(world, script, 3)


def check(world: World, script: list[tuple[str, int]], automatic: int) -> None:
    """Play a script. `automatic`: how many days of vacation may be taken automatically."""
    if not world.query(lambda s: s.players.find("alice")):
        world.signup("alice", "bob")
        world.allow(vacation_days=automatic or 366, challenges_a_day=1000, unanswered_boards=1000, board_limit=1000)
        world.mail(
            "alice", f"set alice alice-secret weekends=off timezone={ZONE} vacation={'auto' if automatic else 'off'}"
        )
    with world.engine.begin() as connection:
        for table in ("vacation", "fact"):
            connection.exec_driver_sql(f"DELETE FROM {table}")
    world.now = datetime.fromtimestamp(BEGIN * HOUR, UTC)
    world.mail("alice", f"tumble challenge alice bob {OPTIONS}")
    number = max(world.query(lambda s: s.board_lists.numbers()))
    assert world.row(number).board.length == 0
    server = Server(world, number, Hours(BEGIN, ZONE, frozenset({5, 6}), BANK, INCREMENT, CAP))
    server.model.automatic, server.takes_days = DAY * automatic, automatic > 0
    server.model.begin()
    server.run(600)
    for name, amount in script:
        getattr(server, name)(amount)
        if not server.check():
            break
    world.mail("alice", f"tumble resign {number} alice alice-secret")  # its time would take her days in the next script
