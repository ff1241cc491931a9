"""Time that counts for nobody, and what is asked about it."""

import json
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta

import pytest

from pbmserv.boards.absences import lost_time
from pbmserv.boards.absences.lost_time import Absence
from pbmserv.model.operations import LAST_RUN
from tests.world import World

TWO, TWO_IN_ONE = [(50, 60), (10, 20)], [(20, 30), (10, 40)]


@pytest.mark.parametrize(
    ("begin", "end", "away", "seconds"),
    [
        (0, 100, [], 100),
        (0, 100, TWO, 80),
        (15, 55, TWO, 30),
        (0, 100, TWO_IN_ONE, 70),
        (12, 18, TWO, 0),
        (7, 7, [], 0),
        (8, 7, [], 0),
    ],
)
def test_the_server_ran_but_for_its_absences(
    begin: float, end: float, away: list[tuple[int, int]], seconds: int
) -> None:
    assert lost_time.ran(begin, end, [Absence(*times) for times in away]) == seconds


@pytest.mark.parametrize(
    ("lasts", "away", "begin"),
    [(30, [], 70), (40, TWO, 60), (41, TWO, 49), (75, TWO, 5), (60, TWO_IN_ONE, 40), (61, TWO_IN_ONE, 9)],
)
def test_a_time_ago_leaves_absences_out(lasts: int, away: list[tuple[int, int]], begin: int) -> None:
    now = datetime.fromtimestamp(100, UTC)
    found = lost_time.ago(now, timedelta(seconds=lasts), [Absence(*times) for times in away])
    assert found.timestamp() == begin


def test_a_gap_moves_running_times_and_is_remembered_until_it_turns_out_that_there_was_none(world: World) -> None:
    number, now = world.board("alice", "bob"), world.now.timestamp()

    def due() -> float:
        return world.row(number).clocks[0].due or 0.0

    earlier = Absence(now - 9000, now - 8000)
    world.act(lambda s: s.operations.set_fact("absences", json.dumps([(earlier.begin, earlier.end)])))
    before = due()
    world.act(lambda s: s.operations.set_fact(LAST_RUN, repr(now)))
    assert world.act(lambda s: lost_time.notice(s, now + 600)) == 0
    assert world.act(lambda s: lost_time.notice(s, now + 4600)) == 4000
    assert due() == before + 4000
    assert world.query(lost_time.absences) == [Absence(now + 600, now + 4600), earlier]  # the longest first
    assert world.act(lambda s: lost_time.notice(s, now + 600)) == -4000 - 120  # up to a minute passed before each jump
    assert due() == before - 120
    assert world.query(lost_time.absences) == [earlier]


@pytest.mark.parametrize(
    ("last", "least", "jumped"), [(None, 60, False), (0, 60, True), (100, 60, False), (220, 60, False), (0, 600, False)]
)
def test_a_time_far_from_the_last_run_is_told(last: float | None, least: float, jumped: bool) -> None:
    """It is 160."""
    assert lost_time.is_unsteady(last, 160.0, least) is jumped
    with pytest.raises(lost_time.ClockJumped) if jumped else nullcontext():
        lost_time.demand_steady(last, 160.0, least)
