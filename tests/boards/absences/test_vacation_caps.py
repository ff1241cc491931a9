"""On a board of a tournament only some days of vacation stop the time: after these it runs, on this board alone."""

from datetime import timedelta

import pytest

from pbmserv.boards.absences import vacation_caps
from pbmserv.model import Settings, Vacation
from pbmserv.server.clock import Clock
from tests.boards.seasons.events import begun
from tests.world import World

DAY = 86400.0


@pytest.fixture
def cup(world: World) -> World:
    """Board 101 of a tournament, where alice is to move within ten days and five days of vacation count; and 102."""
    begun(world, "alice", "bob", form="swiss", settings=Settings(nag=None, forfeit=10.0, vacation=5.0))
    world.mail("alice", "tumble challenge alice bob --nagtime=none --forfeittime=10")
    return world


def _left(world: World, number: int) -> float:
    """Return in how many days the first seat of a board loses on time."""
    due = world.row(number).clocks[0].due
    assert due is not None
    return (due - world.now.timestamp()) / DAY


def _sweep(world: World, days: float) -> None:
    world.now += timedelta(days=days)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()


def test_a_short_vacation_stops_the_time_as_everywhere(cup: World) -> None:
    cup.mail("alice", "vacation alice alice-secret 4")
    assert (_left(cup, 101), _left(cup, 102)) == pytest.approx((14, 14), abs=0.01)


@pytest.mark.slow
def test_after_these_days_the_time_runs(cup: World) -> None:
    cup.mail("alice", "vacation alice alice-secret 20")
    assert (_left(cup, 101), _left(cup, 102)) == pytest.approx((15, 30), abs=0.01)
    _sweep(cup, 16)
    assert (cup.row(101).over is not None, cup.row(102).over) == (True, None)


def test_earlier_vacations_count_too(cup: World) -> None:
    cup.mail("alice", "vacation alice alice-secret 3")
    cup.now += timedelta(days=4)
    assert _left(cup, 101) == pytest.approx(9, abs=0.01)
    cup.mail("alice", "vacation alice alice-secret 10")
    assert (_left(cup, 101), _left(cup, 102)) == pytest.approx((11, 19), abs=0.01)


def test_days_that_come_back_count_again(cup: World) -> None:
    cup.mail("alice", "vacation alice alice-secret 20")
    cup.now += timedelta(days=1)
    cup.mail("alice", "vacation alice alice-secret off")
    assert _left(cup, 101) == pytest.approx(10, abs=0.01)
    cup.now += timedelta(days=1)
    cup.mail("alice", "vacation alice alice-secret 20")
    assert _left(cup, 101) == pytest.approx(9 + 4, abs=0.01)


@pytest.mark.both
def test_a_turn_that_begins_in_a_vacation_waits_only_for_these_days(cup: World) -> None:
    cup.mail("bob", "vacation bob bob-secret 20")
    cup.now += timedelta(days=2)
    cup.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    due = cup.row(101).clocks[1].due
    assert due is not None
    assert (due - cup.now.timestamp()) / DAY == pytest.approx(3 + 10, abs=0.01)


def test_a_vacation_before_the_board_began_does_not_count(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "vacation alice alice-secret 15")
    world.now += timedelta(days=7)
    begun(world, "alice", "bob", form="swiss", settings=Settings(nag=None, forfeit=10.0, vacation=5.0))
    assert _left(world, 101) == pytest.approx(15, abs=0.01)


def test_an_absence_of_the_server_costs_nobody_time(cup: World) -> None:
    cup.mail("alice", "vacation alice alice-secret 4")
    clock = Clock(cup.engine, cup.site, lambda: cup.now)
    clock.sweep()
    before = cup.row(101).clocks[0].due or 0.0
    cup.now += timedelta(days=2)
    clock.sweep()
    assert (cup.row(101).clocks[0].due or 0.0) == pytest.approx(before, abs=120)  # it was on vacation in any case
    cup.now += timedelta(days=3)
    clock.sweep()
    assert (cup.row(101).clocks[0].due or 0.0) == pytest.approx(before + 3 * DAY - 2 * DAY, abs=120)


def test_an_absence_of_the_server_gives_nobody_time_on_a_rematch(cup: World) -> None:
    """It belongs to no tournament, but has the same settings. The day without the server is no day of vacation."""
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    cup.mail("bob", "tumble rematch 101 bob bob-secret")
    clock = Clock(cup.engine, cup.site, lambda: cup.now)
    clock.sweep()
    cup.mail("bob", "vacation bob bob-secret 20")
    assert _left(cup, 103) == pytest.approx(15, abs=0.01)
    cup.now += timedelta(days=1)
    clock.sweep()
    assert _left(cup, 103) == pytest.approx(15, abs=0.01)


@pytest.mark.slow
def test_automatic_vacation_ends_with_these_days(cup: World) -> None:
    cup.mail("alice", "set alice alice-secret vacation=auto")
    for _ in range(14):
        _sweep(cup, 1.01)
    assert (cup.row(101).over, cup.row(102).over) == (None, None)
    for _ in range(4):
        _sweep(cup, 1.01)
    assert (cup.row(101).over is not None, cup.row(102).over) == (True, None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "On board 101 fewer days of vacation count. There your time runs again now."),
        ("de", "In Partie 101 zählen weniger Tage Urlaub. Dort läuft deine Zeit wieder, und zwar ab jetzt."),
    ],
)
def test_the_letter_about_a_day_that_was_taken_names_them_too(cup: World, language: str, said: str) -> None:
    cup.mail("alice", f"set alice alice-secret vacation=auto language={language}")
    cup.mail("alice", "vacation alice alice-secret 5")
    cup.now += timedelta(days=6)
    cup.mail("alice", "tumble challenge alice bob --nagtime=none --forfeittime=2")
    _sweep(cup, 2.01)
    letters = cup.letters()
    assert any(said in x.flat for x in letters if x.to.startswith("alice"))
    assert not any("fewer days" in x.flat for x in letters if x.to.startswith("bob"))
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    _sweep(cup, 3.02)
    assert "101" not in " ".join(x.flat for x in cup.letters() if x.to.startswith("alice"))


def test_the_conditions_name_these_days(cup: World) -> None:
    assert "at most 5 days of vacation" in cup.mail("alice", "tumble show 101")[0].flat


@pytest.mark.slow
def test_the_answer_names_the_boards_where_time_runs_again(cup: World) -> None:
    (answer,) = cup.mail("alice", "vacation alice alice-secret 4")
    assert "no time counts against you." in answer.flat
    assert "101" not in answer.text
    (answer,) = cup.mail("alice", "vacation alice alice-secret 20")
    assert "no time counts against you, but not on the boards below." in answer.flat
    assert "There your time runs again: 101 from Friday 6 March 2026, 12:00 UTC on You have" in answer.flat
    cup.now += timedelta(days=6)
    (answer,) = cup.mail("alice", "vacation alice alice-secret")
    assert "There your time runs again: 101 now You have" in answer.flat
    cup.mail("alice", "set alice alice-secret language=de")
    (answer,) = cup.mail("alice", "vacation alice alice-secret")
    assert "deine Zeit läuft nicht, außer in den Partien unten." in answer.flat
    assert "Dort läuft deine Zeit wieder: 101 jetzt" in answer.flat
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    assert "101" not in cup.mail("alice", "vacation alice alice-secret")[0].text


@pytest.mark.parametrize(
    ("allowed", "earlier", "last", "ends"),
    [
        (None, [], (1, 9), 9),
        (5, [], (1, 4), 4),
        (5, [], (1, 9), 6),
        (5, [(1, 3)], (6, 20), 9),
        (5, [(-9, -2)], (1, 9), 6),  # before the board began
        (5, [(-9, 2)], (6, 20), 9),
        (5, [(0, 7)], (8, 20), 8),
        (5, [], (-2, 9), 5),
    ],
)
def test_the_end_of_a_vacation_on_a_board(
    allowed: float | None, earlier: list[tuple[int, int]], last: tuple[int, int], ends: int
) -> None:
    """In days since the board began, which is day 0."""
    taken = [Vacation(begin * DAY, end * DAY) for begin, end in (last, *earlier)]
    assert vacation_caps.end(Settings(vacation=allowed), 0.0, taken) == ends * DAY
