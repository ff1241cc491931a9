"""When seasons begin."""

from calendar import monthrange
from datetime import UTC, datetime, timedelta

from pbmserv.store import TournamentRow
from pbmserv.tournaments.forms import LEAGUE

WEEK = timedelta(weeks=1)
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
#: The words for `every`: after which time the next season begins.
EVERY = ("week", *_MONTHS)


def next_start(tournament: TournamentRow, over: datetime, now: datetime) -> datetime | None:
    """Return when the season after one that is `over` begins; None: there is none.

    With `every` it is on the same day of a week, month, quarter or year as the first one, as soon as that is possible.
    A league without it begins again a week after the last board.
    """
    plan = tournament.plan
    if plan.every:
        return _after(plan.start, plan.every, now)
    return max(over + WEEK, now) if plan.form == LEAGUE else None


def put_off(tournament: TournamentRow, now: datetime) -> datetime | None:
    """Return when to try again if too few have entered; None: never."""
    plan = tournament.plan
    if plan.every:
        return _after(plan.start, plan.every, now)
    return now + WEEK if plan.form == LEAGUE and tournament.season else None


def _after(start: datetime, every: str, now: datetime) -> datetime:
    """Return the first of the regular beginnings that is later than now."""
    count, found = 0, start
    while found <= now:
        count += 1
        found = start + count * WEEK if every == "week" else _months_after(start, count * _MONTHS[every])
    return found


def _months_after(start: datetime, months: int) -> datetime:
    """Return the same day of a later month, or its last day if it is too short."""
    local = start.astimezone(UTC)
    years, month = divmod(local.month - 1 + months, 12)
    year = local.year + years
    return local.replace(year=year, month=month + 1, day=min(local.day, monthrange(year, month + 1)[1]))
