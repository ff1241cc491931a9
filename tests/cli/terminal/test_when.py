"""Times as admins write them."""

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest

from pbmserv.cli.terminal.when import FORMS, read, since

HERE = timezone(timedelta(hours=2))


def here(year: int, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
    """A moment in the admin's time zone."""
    return datetime(year, month, day, hour, minute, tzinfo=HERE)


def with_zone(moment: datetime) -> datetime:
    """The moment with a time zone: its own, or else the admin's."""
    return moment if moment.tzinfo else moment.replace(tzinfo=HERE)


NOW = here(2026, 3, 5, 14, 30)  # a Thursday


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("2026-03-01", here(2026, 3, 1)),
        ("2026-03-01 12:30", here(2026, 3, 1, 12, 30)),
        ("2026-03-01t12:30", here(2026, 3, 1, 12, 30)),
        ("today", here(2026, 3, 5)),
        ("Yesterday", here(2026, 3, 4)),
        ("now", here(2026, 3, 5, 14, 30)),
        ("tuesday", here(2026, 3, 3)),
        ("last  Tuesday", here(2026, 3, 3)),
        ("tue", here(2026, 3, 3)),
        ("thursday", here(2026, 2, 26)),  # the last Thursday before today
        ("friday", here(2026, 2, 27)),
        ("2 days", here(2026, 3, 3, 14, 30)),
        ("1 day ago", here(2026, 3, 4, 14, 30)),
        ("90 minutes", here(2026, 3, 5, 13, 0)),
        ("3h", here(2026, 3, 5, 11, 30)),
        ("1 week", here(2026, 2, 26, 14, 30)),
        ("3 march", here(2026, 3, 3)),
        ("3. Mar 2025", here(2025, 3, 3)),
        ("24 december", here(2025, 12, 24)),
    ],
)
def test_what_is_understood(words: str, moment: datetime) -> None:
    assert with_zone(read(words, NOW)) == moment


@pytest.mark.parametrize(("words", "hour"), [("15 january", 23), ("2026-01-15", 23), ("15 july 2025", 22)])
def test_a_day_begins_at_the_midnight_of_its_season(monkeypatch: pytest.MonkeyPatch, words: str, hour: int) -> None:
    """00:00 in Berlin is 23:00 UTC in winter and 22:00 UTC in summer, in whatever season the test runs."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        assert since(words, timedelta()).astimezone(UTC).hour == hour
    finally:
        monkeypatch.undo()
        time.tzset()


def test_a_zone_may_be_named() -> None:
    assert read("2026-03-01 12:30Z", NOW) == datetime(2026, 3, 1, 14, 30, tzinfo=HERE)


@pytest.mark.parametrize("words", ["soon", "t", "31 february", "3 smarch", "2026-13-01", "999999 weeks", "-1 day", "2"])
def test_what_is_not(words: str) -> None:
    with pytest.raises((ValueError, OverflowError)):
        read(words, NOW)


@pytest.mark.parametrize("words", FORMS.split(", "))
def test_the_forms_that_are_named(words: str) -> None:
    assert with_zone(read(words, NOW)) <= NOW
