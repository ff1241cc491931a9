"""When seasons begin: at the beginning of a day where the organiser lives."""

from calendar import monthrange
from datetime import UTC, datetime, timedelta

from pbmserv.boards.clocks.days_off import zone_of
from pbmserv.model import TournamentRow
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
        return _after(tournament, now)
    return max(over + WEEK, now) if plan.form == LEAGUE else None


def put_off(tournament: TournamentRow, now: datetime) -> datetime | None:
    """Return when to try again if too few have entered; None: never."""
    plan = tournament.plan
    if plan.every:
        return _after(tournament, now)
    return now + WEEK if plan.form == LEAGUE and tournament.season else None


def _after(tournament: TournamentRow, now: datetime) -> datetime:
    """Return the first of the regular beginnings that is later than now."""
    plan, count = tournament.plan, 0
    first = tournament.first.astimezone(zone_of(plan.zone))
    begin = first
    while begin.astimezone(UTC) <= now:  # in UTC, because local times of one zone are compared without their offsets
        count += 1
        begin = first + count * WEEK if plan.every == "week" else _months_after(first, count * _MONTHS[plan.every])
    return begin.astimezone(UTC)


def _months_after(first: datetime, months: int) -> datetime:
    """Return the same day of a later month, or its last day if it is too short, at the same local time."""
    years, month = divmod(first.month - 1 + months, 12)
    year = first.year + years
    return first.replace(year=year, month=month + 1, day=min(first.day, monthrange(year, month + 1)[1]))
