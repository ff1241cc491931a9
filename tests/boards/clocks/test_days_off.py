"""Days of the week without time: compared minute by minute with a calendar, and on the days when clocks are changed."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.boards.clocks import days_off
from pbmserv.model.boards import NO_DAYS_OFF, DaysOff

ZONES = ("UTC", "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Asia/Tehran", "Pacific/Apia", "Africa/Cairo")
HOUR = 3600.0
WEEKENDS = DaysOff(("sat", "sun"))


def at(text: str, zone: str = "UTC") -> float:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp()


@given(
    st.sampled_from(ZONES),
    st.sets(st.sampled_from(days_off.DAYS), min_size=1, max_size=2),
    st.integers(int(at("2011-12-20 00:00") / HOUR), int(at("2026-12-01 00:00") / HOUR)),
    st.integers(0, 16 * 24 * 4),
)
def test_counted_quarter_by_quarter(zone: str, days: set[str], hour: int, quarters: int) -> None:
    """No zone changes its clocks within a quarter of an hour, so each quarter counts wholly or not at all."""
    rest, start = DaysOff(tuple(days), zone), datetime.fromtimestamp(hour * HOUR, UTC)
    moments = [start + timedelta(minutes=15 * n) for n in range(quarters)]
    there = [m.astimezone(ZoneInfo(zone)) for m in moments]
    expected = sum(900 for m in there if days_off.DAYS[m.weekday()] not in days)
    first = start.timestamp()
    assert days_off.worked(rest, first, first + quarters * 900) == pytest.approx(expected)


@given(
    st.sampled_from(ZONES),
    st.sampled_from([("sat", "sun"), ("fri",), ("mon", "thu")]),
    st.floats(1.3e9, 1.9e9),
    st.floats(1, 9e6),
)
def test_after_so_many_seconds_so_many_have_counted(
    zone: str, days: tuple[str, ...], begin: float, seconds: float
) -> None:
    rest = DaysOff(days, zone)
    moment = days_off.after(rest, begin, seconds)
    assert days_off.worked(rest, begin, moment) == pytest.approx(seconds, abs=0.01)
    assert days_off.worked(rest, begin, moment - 1) < seconds


@pytest.mark.parametrize(
    ("zone", "friday", "monday", "hours"),
    [
        ("Europe/Berlin", "2026-03-27 12:00", "2026-03-30 12:00", 24),  # 47 hours of weekend
        ("Europe/Berlin", "2026-10-23 12:00", "2026-10-26 12:00", 24),  # 49 hours
        ("America/Sao_Paulo", "2018-11-02 12:00", "2018-11-05 12:00", 24),  # Sunday began at one o'clock
        ("Pacific/Apia", "2011-12-29 12:00", "2012-01-02 12:00", 24),  # there was no Friday
    ],
)
def test_a_weekend_is_left_out_exactly_when_clocks_change(zone: str, friday: str, monday: str, hours: int) -> None:
    rest = DaysOff(("sat", "sun"), zone)
    begin, end = at(friday, zone), at(monday, zone)
    assert days_off.worked(rest, begin, end) == hours * HOUR
    assert days_off.after(rest, begin, hours * HOUR) == end


def test_time_that_ends_with_friday_ends_then_and_not_on_monday() -> None:
    assert days_off.after(WEEKENDS, at("2026-03-06 12:00"), 12 * HOUR) == at("2026-03-07 00:00")


@pytest.mark.parametrize("seconds", [0.0, -HOUR])
@pytest.mark.parametrize(
    ("begin", "ends"),
    [
        ("2026-03-06 12:00", None),
        ("2026-03-07 00:00", "2026-03-09 00:00"),
        ("2026-03-07 12:00", "2026-03-09 00:00"),
        ("2026-03-08 23:00", "2026-03-09 00:00"),
        ("2026-03-09 00:00", None),
    ],
)
def test_where_no_time_is_left_it_does_not_run_out_on_a_day_off(seconds: float, begin: str, ends: str | None) -> None:
    assert days_off.after(WEEKENDS, at(begin), seconds) == (at(ends) if ends else at(begin) + seconds)


def test_who_has_no_days_off_has_all_the_time() -> None:
    assert days_off.worked(NO_DAYS_OFF, 5.0, 9.5) == 4.5
    assert days_off.worked(WEEKENDS, 9.5, 5.0) == 0
    assert days_off.after(NO_DAYS_OFF, 5.0, 4.5) == 9.5


def test_a_zone_that_this_system_does_not_know_is_utc() -> None:
    assert (
        days_off.worked(DaysOff.of("sat,sun Mars/Olympus"), at("2026-03-06 12:00"), at("2026-03-09 12:00")) == 24 * HOUR
    )


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("off", "off"),
        ("on", "on"),
        ("sat,sun", "off"),
        ("sun,sat", "off"),
        ("sunday,Saturday", "off"),
        ("sat,fri", "fri,sat"),
        ("wed", "wed"),
        ("", None),
        ("sat,sat", None),
        ("fri,sat,sun", None),
        ("off,on", None),
        ("weekend", None),
        ("satur", None),
    ],
)
def test_values_of_the_setting(value: str, read: str | None) -> None:
    assert days_off.read(value) == read
