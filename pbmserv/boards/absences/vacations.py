"""Vacations: how many days of a year are used, and days that are taken automatically."""

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta

from pbmserv.boards.absences import lost_time, vacation_caps
from pbmserv.boards.absences.lost_time import Absence
from pbmserv.boards.clocks import deadlines
from pbmserv.model import Player, SeatClock, Settings, Vacation
from pbmserv.store import Store

SHORTEST = timedelta(hours=1)
_DAY = timedelta(days=1).total_seconds()


def days_in(year: int, vacations: Iterable[Vacation], away: Sequence[Absence] = ()) -> float:
    """How many days of a calendar year (in UTC) the vacations take. Absences of the server are nobody's vacation."""
    first, after = (datetime(y, 1, 1, tzinfo=UTC).timestamp() for y in (year, year + 1))
    return sum(lost_time.ran(max(v.begins, first), min(v.ends, after), away) for v in vacations) / _DAY


def begin(store: Store, player_id: int, vacation: Vacation, now: float) -> None:
    """Begin a vacation, or write a new end of the one that begins at the same time; all running turns stand still.

    Lock the player's running boards first.
    """

    taken = [v for v in store.players.vacations(player_id) if v.begins != vacation.begins]

    def change(clock: SeatClock, settings: Settings, _: float | None, created: float) -> SeatClock:
        return deadlines.hold(clock, settings, now, vacation_caps.end(settings, created, [*taken, vacation]))

    store.boards.change_clocks(change, now, player_id)
    store.players.set_vacation(player_id, vacation)


def wants_auto(store: Store, players: Iterable[Player]) -> frozenset[int]:
    """Return the ids of those of these players whose days of vacation are used automatically. No robot has any."""
    return auto_of(store, [p.id for p in players if not p.robot])


def auto_of(store: Store, player_ids: Collection[int]) -> frozenset[int]:
    """Return those of these players, of whom none is a robot, whose days of vacation are used automatically."""
    preferences = store.players.preferences(player_ids)
    return frozenset(id_ for id_, wants in preferences.items() if wants.wants_auto_vacation)


def next_day(store: Store, player: Player, most: float, now: datetime) -> Vacation | None:
    """Return a vacation of one day, or of the rest of the year's days, that could begin now; None if no days are left.

    `most`: how many days of a calendar year are allowed.
    """
    past, away, moment = store.players.vacations(player.id), lost_time.absences(store), now.timestamp()
    left = min(most - days_in(year, past, away) for year in (now.year, (now + timedelta(days=1)).year))
    ends = moment + min(left, 1.0) * _DAY
    if any(v.ends > moment for v in past) or ends - moment < SHORTEST.total_seconds():
        return None
    return Vacation(moment, ends)
