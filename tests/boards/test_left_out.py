"""Time that counts for nobody, for all boards at once: also those that one statement moves get what the rule says."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmserv.boards.absences.absent_games import leave_out
from pbmserv.boards.clocks import deadlines
from pbmserv.model import SeatClock, Settings, Vacation
from pbmserv.model.boards import DaysOff
from tests.examples import examples
from tests.world import World

DAY = 86400.0
NOW = 1_790_000_000.0
SETTINGS = Settings(nag=2.0, forfeit=5.0)
moments = st.floats(-20, 20).map(lambda days: NOW + days * DAY)
REST = DaysOff(("sat", "sun"), "Europe/Berlin")


@pytest.mark.slow
@settings(examples(20, 20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_all_seats_at_once_or_one_by_one(world: World, data: st.DataObject) -> None:
    """Alice has two boards: on 102 she has days off, on 101 she has none. Bob, who is not to move, keeps his time."""
    if not world.query(lambda s: s.board_lists.numbers()):
        world.board("alice", "bob", options="--nagtime=2 --forfeittime=5")
        world.board("alice", "bob", options="--nagtime=2 --forfeittime=5")
    alice, seconds = world.player("alice").id, data.draw(st.floats(-15, 15)) * DAY
    begin = data.draw(moments)
    vacation = data.draw(st.one_of(st.none(), moments))
    paused = data.draw(st.one_of(st.none(), moments))
    # A turn never counts on before a pause or a vacation of its time has ended.
    since = max(data.draw(st.sampled_from([begin - DAY, begin + 40])), vacation or 0, paused or 0)
    plain = SeatClock(since=since, paused=paused, spent=data.draw(st.floats(0, 3)) * DAY)
    clocks = {101: plain, 102: replace(plain, rest=REST)}
    before = {n: replace(c, due=deadlines.next_alarm(c, SETTINGS)) for n, c in clocks.items()}
    bob = world.row(101).clocks[1]
    with world.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM vacation")
    for number, clock in before.items():
        world.act(lambda s, number=number, clock=clock: s.boards.set_clock(number, 0, clock))  # type: ignore[misc]
    if vacation:
        world.act(lambda s: s.players.set_vacation(alice, Vacation(min(vacation, begin + seconds) - DAY, vacation)))
    world.act(lambda s: leave_out(s, begin, seconds))
    for number, clock in before.items():
        after, expected = world.row(number).clocks[0], deadlines.left_out(clock, SETTINGS, begin, seconds, vacation)
        for moment in (begin + seconds, begin + max(seconds, 0) + 3 * DAY):
            counted = deadlines.counted(expected, max(moment, after.since or 0))
            assert deadlines.counted(after, max(moment, after.since or 0)) == pytest.approx(counted, abs=0.01)
        assert after.due == pytest.approx(expected.due, rel=0, abs=0.01)
        assert after.paused == expected.paused
    assert world.row(101).clocks[1] == bob
