"""Which dates a board or a tournament can have: at the ends of the calendar, times in other zones are no dates."""

from datetime import UTC, datetime

FIRST, LAST = datetime(1000, 1, 1, tzinfo=UTC), datetime(2999, 12, 31, tzinfo=UTC)


def is_within(moment: datetime) -> bool:
    """Return whether a date is far enough from the ends of the calendar. It must have a time zone."""
    return FIRST <= moment <= LAST
