"""When seasons begin: on the same day as the first one, where the organiser lives."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbmserv.boards.seasons.calendar_of_seasons import next_start
from pbmserv.model import Phase, Settings, TournamentPlan, TournamentRow


def starts(first: str, every: str, zone: str, count: int) -> list[str]:
    """Return the local beginnings of the seasons after the first one, each over a day after it began."""
    there = ZoneInfo(zone)
    now = start = datetime.fromisoformat(first).replace(tzinfo=there).astimezone(UTC)
    found = []
    for season in range(1, count + 1):
        plan = TournamentPlan("hex", "The cup", "league", {}, Settings(), now, 9, every=every, zone=zone)
        row = TournamentRow(1, plan, None, start, start, Phase.ENDING, True, season, 1, now, 0)
        over = now + timedelta(days=1)
        now = next_start(row, over, over) or over
        found.append(f"{now.astimezone(there):%Y-%m-%d %H:%M}")
    return found


def test_the_first_of_each_month_stays_the_first_where_the_organiser_lives() -> None:
    assert starts("2030-03-01", "month", "Europe/Berlin", 3) == [
        "2030-04-01 00:00",
        "2030-05-01 00:00",
        "2030-06-01 00:00",
    ]
    assert starts("2030-10-01", "month", "Europe/Berlin", 2) == ["2030-11-01 00:00", "2030-12-01 00:00"]


def test_a_short_month_does_not_move_the_day_of_later_ones() -> None:
    assert starts("2030-01-31", "month", "UTC", 3) == ["2030-02-28 00:00", "2030-03-31 00:00", "2030-04-30 00:00"]
    assert starts("2030-01-31", "quarter", "Asia/Tokyo", 2) == ["2030-04-30 00:00", "2030-07-31 00:00"]


@pytest.mark.parametrize("zone", ["UTC", "America/New_York", "Australia/Sydney"])
def test_a_week_begins_at_the_same_hour_in_summer_and_in_winter(zone: str) -> None:
    assert {text[-5:] for text in starts("2030-01-07", "week", zone, 52)} == {"00:00"}
    assert starts("2030-01-07", "year", zone, 1) == ["2031-01-07 00:00"]


def test_a_zone_that_this_system_does_not_know_is_utc() -> None:
    plan = TournamentPlan(
        "hex", "The cup", "league", {}, Settings(), datetime(2030, 1, 1, tzinfo=UTC), 9, zone="Mars/X"
    )
    row = TournamentRow(1, plan, None, plan.start, plan.start, Phase.ENDING, True, 1, 1, None, 0)
    assert next_start(row, plan.start, plan.start) == datetime(2030, 1, 8, tzinfo=UTC)
