"""Times as people read them: in their own time zone, by its IANA name."""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

DAY = timedelta(days=1)


def utc_now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


@lru_cache(maxsize=1)
def zone_names() -> dict[str, str]:
    """The names of all time zones, by their lower-case form: nobody need know where the capitals stand."""
    return {name.lower(): name for name in sorted(available_timezones())}


def zone(name: str | None) -> tzinfo:
    """The time zone of this name; UTC if there is no name, or if this system does not know it."""
    known = zone_names().get((name or "").lower())
    return ZoneInfo(known) if known else UTC


def shown(moment: datetime, where: tzinfo) -> str:
    """`Sunday 1 March 2026, 13:05 CET`."""
    there = moment.astimezone(where)
    return f"{there:%A} {there.day} {there:%B %Y, %H:%M} {there:%Z}"


def planned(moment: float, where: tzinfo, at: datetime) -> str:
    """`Sunday, 13 December, 14:05 CET`, for a moment in seconds since 1970; with the year, if `at` has another one."""
    there = from_seconds(moment).astimezone(where)
    if there.year == at.astimezone(where).year:
        return f"{there:%A}, {there.day} {there:%B, %H:%M} {there:%Z}"
    return f"{there:%A}, {there.day} {there:%B %Y, %H:%M} {there:%Z}"


def from_seconds(seconds: float) -> datetime:
    """The moment so many seconds after the beginning of 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def end_of_day(day: date, where: tzinfo) -> datetime:
    """The midnight that ends this day there. Raises OverflowError after the last day of the calendar."""
    return datetime.combine(day + DAY, time(), where)
