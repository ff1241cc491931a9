"""Days of vacation that are taken automatically."""

from datetime import UTC, datetime, timedelta

import pytest

from pbmserv.boards.absences import vacations
from pbmserv.boards.absences.lost_time import Absence
from pbmserv.model import Vacation
from tests.world import World

DAY = 86400.0
HOUR = 3600.0


@pytest.mark.parametrize(
    ("taken", "away", "days"),
    [
        ([("2026-02-01", "2026-02-04"), ("2026-03-01", "2026-03-02")], None, 4),
        ([("2025-12-30", "2026-01-03"), ("2026-12-31", "2027-01-05")], None, 3),
        ([("2025-03-01", "2025-03-02"), ("2027-03-01", "2027-03-02")], None, 0),
        ([("2026-02-01", "2026-02-04")], ("2026-02-02", "2026-02-03"), 2),
    ],
)
def test_days_of_a_year(taken: list[tuple[str, str]], away: tuple[str, str] | None, days: float) -> None:
    def times(pair: tuple[str, str]) -> tuple[float, float]:
        begin, end = (datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp() for day in pair)
        return begin, end

    absences = [Absence(*times(away))] if away else []
    assert vacations.days_in(2026, [Vacation(*times(pair)) for pair in taken], absences) == days


@pytest.mark.parametrize(
    ("most", "seconds"),
    [(40.0, DAY), (30.0, HOUR), (30.0 - 1 / DAY, None), (29.0, None)],
    ids=["a day", "the last hour", "less than an hour", "none"],
)
def test_the_next_day_is_what_is_left_but_not_less_than_an_hour(
    world: World, most: float, seconds: float | None
) -> None:
    """Thirty days but for an hour are taken; a vacation that ends now is over."""
    world.signup("alice")
    alice, now = world.player("alice"), world.now.timestamp()
    world.act(lambda s: s.players.set_vacation(alice.id, Vacation(now - 30 * DAY + HOUR, now)))
    expected = seconds and Vacation(now, now + seconds)
    assert world.query(lambda s: vacations.next_day(s, alice, most, world.now)) == expected


def test_no_day_begins_within_a_vacation_or_before_a_year_whose_days_are_taken(world: World) -> None:
    world.signup("alice", "bob")
    (alice, bob), now = map(world.player, ("alice", "bob")), datetime(2026, 12, 31, 12, tzinfo=UTC)
    world.act(lambda s: s.players.set_vacation(alice.id, Vacation(now.timestamp() - DAY, now.timestamp() + 1)))
    next_year = (now + timedelta(days=30)).timestamp()
    world.act(lambda s: s.players.set_vacation(bob.id, Vacation(next_year - 10 * DAY, next_year)))
    assert world.query(lambda s: vacations.next_day(s, alice, 30, now)) is None
    assert world.query(lambda s: vacations.next_day(s, bob, 10, now)) is None


def test_only_who_wants_it_takes_days_automatically(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret vacation=auto")
    players = [world.player("alice"), world.player("bob")]
    assert world.query(lambda s: vacations.wants_auto(s, players)) == {players[0].id}


def test_the_absences_of_the_server_are_no_days_of_vacation(world: World) -> None:
    world.signup("alice")
    alice, now = world.player("alice"), world.now.timestamp()
    world.act(lambda s: s.players.set_vacation(alice.id, Vacation(now - 9 * DAY, now - 5 * DAY)))
    assert world.query(lambda s: vacations.next_day(s, alice, 4.0, world.now)) is None
    world.act(lambda s: s.operations.set_fact("absences", f"[[{now - 8 * DAY}, {now - 7 * DAY}]]"))
    assert world.query(lambda s: vacations.next_day(s, alice, 4.0, world.now)) == Vacation(now, now + DAY)
