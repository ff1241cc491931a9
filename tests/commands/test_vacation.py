"""`vacation`: how long it lasts, how it stops the clocks, and how many days are left."""

from datetime import UTC, datetime, timedelta

import pytest

from pbmserv.model import SeatClock
from tests.world import World

DAY = 86400.0


def _clock(world: World, number: int, seat: int = 0) -> SeatClock:
    return world.row(number).clocks[seat]


def _away(world: World, userid: str) -> dict[int, float]:
    """When the vacation of a player ends, by the player's id; empty if there is none."""
    id_ = world.player(userid).id
    return world.query(lambda s: s.players.away_until([id_], world.now.timestamp()))


def test_a_vacation_stops_the_clock_of_a_turn_that_runs(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    before = _clock(world, number)
    [letter] = world.mail("alice", "vacation alice alice-secret 10")
    assert "you are on vacation until Wednesday 11 March 2026" in letter.flat
    assert "You have 20 days of vacation left in 2026" in letter.flat
    after = _clock(world, number)
    assert before.since is not None
    assert before.due is not None
    assert after.since == world.now.timestamp() - 1 + 10 * DAY
    assert after.spent == after.since - 10 * DAY - before.since
    assert after.due == before.due + 10 * DAY


def test_a_turn_that_begins_during_a_vacation_counts_from_its_end(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.mail("bob", "vacation bob bob-secret 5")
    end = _away(world, "bob").popitem()[1]
    world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    assert _clock(world, number, 1).since == end


def test_the_clocks_of_others_run_on(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    before = _clock(world, number)
    world.mail("bob", "vacation bob bob-secret 5")
    assert _clock(world, number) == before


def test_off_gives_back_what_is_left(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    before = _clock(world, number)
    begun = world.now
    world.mail("alice", "vacation alice alice-secret 10")
    world.now += timedelta(days=4)
    away = (world.now - begun).total_seconds()
    [letter] = world.mail("alice", "vacation alice alice-secret off")
    assert "you are not on vacation" in letter.flat
    assert "You have 26 days of vacation left in 2026." in letter.flat
    after = _clock(world, number)
    assert before.since is not None
    assert after.since == pytest.approx(before.since + away)


def test_a_new_time_replaces_the_one_that_runs(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    before = _clock(world, number)
    world.mail("alice", "vacation alice alice-secret 10")
    [longer] = world.mail("alice", "vacation alice alice-secret 20")
    assert "until Saturday 21 March 2026" in longer.text
    assert "You have 10 days" in longer.text
    after = _clock(world, number)
    assert before.since is not None
    assert after.since == pytest.approx(before.since + 20 * DAY, abs=2)


def test_until_a_day_includes_it_in_the_players_zone(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "set alice alice-secret timezone=Asia/Tokyo")
    [letter] = world.mail("alice", "vacation alice alice-secret until 2026-03-10")
    assert "until Wednesday 11 March 2026, 00:00 JST" in letter.flat
    [end] = _away(world, "alice").values()
    assert end == datetime(2026, 3, 10, 15, tzinfo=UTC).timestamp()


def test_without_a_time_it_says_how_things_stand(world: World) -> None:
    world.signup("alice")
    before = world.dump()
    [letter] = world.mail("alice", "vacation alice alice-secret")
    assert "you are not on vacation" in letter.flat
    assert "You have 30 days of vacation left in 2026." in letter.flat
    assert "vacation alice PASSWORD 10" in letter.flat
    world.mail("alice", "vacation alice alice-secret off")
    assert world.dump() == before


def test_thirty_days_are_the_limit_of_a_year(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "vacation alice alice-secret 20")
    world.now += timedelta(days=40)
    [letter] = world.mail("alice", "vacation alice alice-secret 11")
    assert "you have 10 days left in 2026" in letter.flat
    assert "vacation alice PASSWORD 10" in letter.flat
    [allowed] = world.mail("alice", "vacation alice alice-secret 10")
    assert "You have 0 days" in allowed.text
    world.now += timedelta(days=30)
    [none] = world.mail("alice", "vacation alice alice-secret 1")
    assert "vacation alice PASSWORD off" in none.text


def test_days_are_counted_in_the_year_in_which_they_lie(world: World) -> None:
    world.signup("alice")
    world.now = datetime(2026, 12, 12, 0, 0, tzinfo=UTC)
    [letter] = world.mail("alice", "vacation alice alice-secret 49")
    assert "until Saturday 30 January 2027" in letter.flat
    assert "You have 10 days of vacation left in 2026" in letter.flat
    world.now = datetime(2027, 2, 1, 0, 0, tzinfo=UTC)
    [letter] = world.mail("alice", "vacation alice alice-secret")
    assert "You have 1 day of vacation left in 2027" in letter.flat


def test_the_next_years_days_are_limited_too(world: World) -> None:
    world.signup("alice")
    world.now = datetime(2026, 12, 12, 0, 0, tzinfo=UTC)
    [letter] = world.mail("alice", "vacation alice alice-secret 51")
    assert "you have 30 days left in 2027" in letter.flat


@pytest.mark.parametrize(
    "words",
    ["never", "-3", "0", "nan", "1e9", "until", "until 2026-02-30", "until 2020-01-01", "until 9999-12-31", "3 4"],
)
def test_what_is_no_time_is_answered_with_the_three_forms(world: World, words: str) -> None:
    world.signup("alice")
    before = world.dump()
    [letter] = world.mail("alice", f"vacation alice alice-secret {words}")
    assert letter.subject == "Error"
    assert "vacation alice PASSWORD 10" in letter.flat
    assert world.dump() == before


def test_a_vacation_needs_the_password(world: World) -> None:
    world.signup("alice")
    [letter] = world.mail("mallory", "vacation alice wrong-secret 10")
    assert "The password is not that of alice." in letter.flat


@pytest.mark.parametrize("day", ["2026-03-10", "10.3.2026", "10.03.2026", "10. 3. 2026"])
def test_a_date_may_have_dots(world: World, day: str) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", f"vacation alice alice-secret until {day}")
    assert "until Wednesday 11 March 2026, 00:00 UTC" in letter.flat


@pytest.mark.parametrize("day", ["31.2.2026", "10.3.26", "10.3.", "3/10/2026", "10.13.2026"])
def test_a_date_that_is_none_or_could_be_two_is_refused(world: World, day: str) -> None:
    world.signup("alice")
    [letter] = world.mail("alice", f"vacation alice alice-secret until {day}")
    assert letter.subject == "Error"


def test_the_days_that_are_said_to_be_left_can_be_taken(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "vacation alice alice-secret 10")
    world.now += timedelta(minutes=20)
    [back] = world.mail("alice", "vacation alice alice-secret off")
    assert "You have 30 days of vacation left in 2026." in back.flat
    [letter] = world.mail("alice", "vacation alice alice-secret 40")
    assert "you have 30 days left in 2026" in letter.flat
    assert "vacation alice PASSWORD 30" in letter.flat
    [allowed] = world.mail("alice", "vacation alice alice-secret 30")
    assert "You have 0 days of vacation left" in allowed.flat
    [more] = world.mail("alice", "vacation alice alice-secret 31")
    assert more.subject == "Error"
