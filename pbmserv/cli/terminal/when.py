"""Times as admins write them: `tuesday`, `2 days`, `3 march`, `2026-03-01 12:00`.

We use no library for this: importing it would take longer than most commands run, and it would guess what `may` or
`sat` means. Unknown forms are refused with an error that lists the known ones.
"""

import re
from datetime import datetime, timedelta
from typing import Annotated, overload

import typer

from pbmserv.cli.terminal.console import fail
from pbmserv.cli.terminal.exits import Exit

FORMS = "2026-03-01, 2026-03-01 12:30, 3 march, today, yesterday, tuesday, 2 days, 90 minutes"
SPANS = "3d, 12h, 2 weeks"
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_UNITS = {"minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_AGO = re.compile(r"(\d{1,6}) ?(minute|min|m|hour|h|day|d|week|w)s?( ago)?")
_DATE = re.compile(r"(\d{1,2})\.? ([a-z]{3,9})( \d{4})?")

Since = Annotated[str, typer.Option("--since", help=f"since this time: {FORMS}")]


@overload
def since(words: str) -> datetime | None: ...


@overload
def since(words: str, default: timedelta) -> datetime: ...


def since(words: str, default: timedelta | None = None) -> datetime | None:
    """Return the time of an option; the default, or None, if it is empty. Exits with 64 if the form is unknown."""
    now = datetime.now().astimezone()
    if not words:
        return now - default if default else None
    try:
        return read(words, now).astimezone()
    except (ValueError, OverflowError):
        raise fail(f"'{words}' is not a time in a known form. Write for example: {FORMS}", Exit.USAGE) from None


def span(words: str) -> timedelta:
    """Return a time such as `3d`. Exits with 64 if it is none, or more than a year."""
    match = _AGO.fullmatch(words.strip().lower())
    time = timedelta(seconds=int(match[1]) * _seconds_of(match[2])) if match and not match[3] else timedelta()
    if not timedelta() < time <= timedelta(days=366):
        raise fail(f"'{words}' is not a time up to a year. Write for example: {SPANS}", Exit.USAGE)
    return time


def _seconds_of(unit: str) -> int:
    return next(seconds for name, seconds in _UNITS.items() if name.startswith(unit))


def read(words: str, now: datetime) -> datetime:
    """Return the latest time before `now` that the words name. A day means its midnight.

    The words are local time. The offset can differ from today's, because it may be summer then and winter now. Raises
    ValueError or OverflowError.
    """
    words = " ".join(words.lower().replace(",", " ").split()).removeprefix("last ").removeprefix("since ")
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    if words in ("now", "today", "yesterday"):
        return {"now": now, "today": midnight, "yesterday": midnight - timedelta(days=1)}[words]
    if days := [i for i, day in enumerate(_DAYS) if len(words) >= 3 and day.startswith(words)]:
        return midnight - timedelta(days=(now.weekday() - days[0]) % 7 or 7)
    if ago := _AGO.fullmatch(words):
        return now - timedelta(seconds=int(ago[1]) * _seconds_of(ago[2]))
    if date := _DATE.fullmatch(words):
        return _date(int(date[1]), date[2], date[3], midnight)
    return datetime.fromisoformat(words.upper())


def _date(day: int, name: str, year: str | None, midnight: datetime) -> datetime:
    """Return the latest `3 march` in the past."""
    month = next((i for i, m in enumerate(_MONTHS, start=1) if m.startswith(name)), 0)
    if year:
        return midnight.replace(int(year), month, day)
    this_year = midnight.replace(month=month, day=day)
    return this_year if this_year <= midnight else this_year.replace(year=midnight.year - 1)
