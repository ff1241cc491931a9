"""Days of the week on which the time of a player stands still, in the player's own time zone. Pure functions."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pbmserv.model.boards import DaysOff

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


def words(days: Iterable[str]) -> str:
    """Return days as a sentence says them: `Saturday and Sunday`."""
    return " and ".join(NAMES[DAYS.index(day)] for day in days)


def worked(rest: DaysOff, begin: float, end: float) -> float:
    """Return how many seconds from `begin` to `end` count: all but those of days off. Zero if the end is earlier."""
    if end <= begin:
        return 0.0
    return end - begin - sum(max(min(b, end) - max(a, begin), 0.0) for a, b in _pauses(rest, begin, end))


def after(rest: DaysOff, begin: float, seconds: float) -> float:
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


def _next_counting(rest: DaysOff, begin: float) -> float:
    """Return the first moment from `begin` on that is not on a day off."""
    moment = begin
    for start, end in _pauses(rest, begin, None):
        if moment < start:
            break
        moment = end
    return moment


def _pauses(rest: DaysOff, begin: float, end: float | None) -> Iterator[tuple[float, float]]:
    """Yield the days off that end after `begin` and start before `end`, each from midnight to midnight."""
    if not rest.days:
        return
    where = zone_of(rest.zone)
    day = datetime.fromtimestamp(begin, UTC).astimezone(where).date() - _DAY
    while day < _LAST:
        if DAYS[day.weekday()] in rest.days:
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


def zone_of(name: str) -> tzinfo:
    """Return a time zone; UTC if this system does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
