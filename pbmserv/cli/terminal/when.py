"""Times in an admin's words: `tuesday`, `2 days`, `3 march`, `2026-03-01 12:00`.

A library would be longer to import than most commands run, and guesses: `may` or `sat` may be anything. What is not
understood here is refused with the forms that are.
"""

import re
from datetime import datetime, timedelta
from typing import Annotated, overload

import typer

from pbmserv.cli.terminal.console import fail
from pbmserv.cli.terminal.exits import Exit

FORMS = "2026-03-01, 2026-03-01 12:30, 3 march, today, yesterday, tuesday, 2 days, 90 minutes"
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_UNITS = {"minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_AGO = re.compile(r"(\d{1,6}) ?(minute|min|m|hour|h|day|d|week|w)s?( ago)?")
_DATE = re.compile(r"(\d{1,2})\.? ([a-z]{3,9})( \d{4})?")

Since = Annotated[str, typer.Option("--since", help=f"from then on: {FORMS}")]


@overload
def since(words: str) -> datetime | None: ...


@overload
def since(words: str, default: timedelta) -> datetime: ...


def since(words: str, default: timedelta | None = None) -> datetime | None:
    """The moment that an option names; without words, so long ago, or None. Exits with 64 if it is not understood."""
    now = datetime.now().astimezone()
    if not words:
        return now - default if default else None
    try:
        return read(words, now).astimezone()
    except (ValueError, OverflowError):
        raise fail(f"'{words}' is no time that is understood. Write for example: {FORMS}", Exit.USAGE) from None


def read(words: str, now: datetime) -> datetime:
    """The last moment before `now` that the words name; a day begins at its midnight.

    What a clock on the wall shows has no time zone: it may be summer then and winter now. Raises ValueError or
    OverflowError.
    """
    words = " ".join(words.lower().replace(",", " ").split()).removeprefix("last ").removeprefix("since ")
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    if words in ("now", "today", "yesterday"):
        return {"now": now, "today": midnight, "yesterday": midnight - timedelta(days=1)}[words]
    if days := [i for i, day in enumerate(_DAYS) if len(words) >= 3 and day.startswith(words)]:
        return midnight - timedelta(days=(now.weekday() - days[0]) % 7 or 7)
    if ago := _AGO.fullmatch(words):
        unit = next(seconds for name, seconds in _UNITS.items() if name.startswith(ago[2]))
        return now - timedelta(seconds=int(ago[1]) * unit)
    if date := _DATE.fullmatch(words):
        return _date(int(date[1]), date[2], date[3], midnight)
    return datetime.fromisoformat(words.upper())


def _date(day: int, name: str, year: str | None, midnight: datetime) -> datetime:
    """`3 march`: the last one there was."""
    month = next((i for i, m in enumerate(_MONTHS, start=1) if m.startswith(name)), 0)
    if year:
        return midnight.replace(int(year), month, day)
    this_year = midnight.replace(month=month, day=day)
    return this_year if this_year <= midnight else this_year.replace(year=midnight.year - 1)
