"""Days of the week on which the time of a player stands still, in the player's own time zone. Pure functions.

They are stored with a seat as one word for the days and one for the zone: `sat,sun Europe/Berlin`.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
OFF, ON = "off", "on"  #: the values of the setting for Saturday and Sunday, and for no day
MOST = 2  #: days in a week
_WEEKEND = "sat,sun"
_DAY = timedelta(days=1)
_LAST = date(9998, 12, 31)


def read(value: str) -> str | None:
    """Return a value of the setting `weekends` in its usual form; None if it is none.

    `off` and `on`; or one or two days, in the order of the week: `sun,Sat` becomes `off`, and `saturday` is `sat`.
    """
    words = [word.strip()[:3] if word.strip().capitalize() in NAMES else word for word in value.lower().split(",")]
    if words in ([OFF], [ON]):
        return words[0]
    if not 0 < len(words) <= MOST or len(set(words)) < len(words) or not set(words) <= set(DAYS):
        return None
    days = ",".join(sorted(words, key=DAYS.index))
    return OFF if days == _WEEKEND else days


def stored(weekends: str, timezone: str) -> str:
    """Return the days off of a player for a new board, from these preferences; "" if there are none."""
    days = days_set(weekends)
    return f"{days} {timezone}" if days else ""


def days_set(value: str) -> str:
    """Return the days that a value of the setting means: `sat,sun` for `off`, and "" for `on`."""
    return {OFF: _WEEKEND, ON: ""}.get(value, value)


def days_of(rest: str) -> str:
    """Return the days of what is stored, without the zone: `sat,sun`."""
    return rest.partition(" ")[0]


def words(days: str) -> str:
    """Return days as a sentence says them: `Saturday and Sunday`."""
    return " and ".join(NAMES[DAYS.index(day)] for day in days.split(","))


def worked(rest: str, begin: float, end: float) -> float:
    """Return how many seconds from `begin` to `end` count: all but those of days off. Zero if the end is earlier."""
    if end <= begin:
        return 0.0
    return end - begin - sum(max(min(b, end) - max(a, begin), 0.0) for a, b in _pauses(rest, begin, end))


def after(rest: str, begin: float, seconds: float) -> float:
    """Return the first moment at which so many seconds have counted since `begin`; if negative, so long before it.

    If they are not positive and `begin` is on a day off, it is the end of the days off: until then no time runs out.
    """
    moment = begin + seconds
    if seconds <= 0:
        goes_on = _next_counting(rest, begin)
        return moment if goes_on == begin else goes_on
    for start, end in _pauses(rest, begin, None):
        if moment <= start:
            break
        moment += end - max(start, begin)
    return moment


def _next_counting(rest: str, begin: float) -> float:
    """Return the first moment from `begin` on that is not on a day off."""
    moment = begin
    for start, end in _pauses(rest, begin, None):
        if moment < start:
            break
        moment = end
    return moment


def _pauses(rest: str, begin: float, end: float | None) -> Iterator[tuple[float, float]]:
    """Yield the days off that end after `begin` and start before `end`, each from midnight to midnight."""
    if not rest:
        return
    days, where = _read(rest)
    day = datetime.fromtimestamp(begin, UTC).astimezone(where).date() - _DAY
    while day < _LAST:
        if day.weekday() in days:
            start, stop = _midnight(day, where), _midnight(day + _DAY, where)
            if end is not None and start >= end:
                return
            if stop > begin:
                yield start, stop
        elif end is not None and (day - datetime.fromtimestamp(end, UTC).date()) > _DAY:
            return
        day += _DAY


def _midnight(day: date, where: tzinfo) -> float:
    """Return when a day begins there. Where clocks are set ahead at midnight, this is the moment at which they are."""
    return datetime.combine(day, time(), where).timestamp()


@lru_cache(maxsize=1024)
def _read(rest: str) -> tuple[frozenset[int], tzinfo]:
    days, _, name = rest.partition(" ")
    return frozenset(DAYS.index(day) for day in days.split(",")), zone_of(name)


def zone_of(name: str) -> tzinfo:
    """Return a time zone; UTC if this system does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
