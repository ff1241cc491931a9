"""Time that counts for nobody: the server was away, its machine slept, or its clock was wrong.

The database holds the time of the server's last run. If the time now is too far from it, `notice` moves all running
times by the difference, forwards or backwards. Limits that count from a time that is not moved leave out the absences.
Which limits do, says ADR 24.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import structlog

from pbmserv.boards.absences import absent_games
from pbmserv.boards.absences.absent_games import leave_out
from pbmserv.boards.absences.steady_time import Jump, note_jump
from pbmserv.boards.clocks.deadlines import AWAY
from pbmserv.model.operations import LAST_RUN
from pbmserv.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_USUAL = 60.0  #: seconds between two runs: the server may have run for so long before a jump
_ABSENCES = "absences"  #: the fact that lists them
_MOST = 200  #: absences that are remembered: the longest ones


class ClockJumped(Exception):
    """The time is far from that of the last run. Call `notice` first."""


@dataclass(frozen=True)
class Absence:
    """A time that does not count, in seconds since 1970."""

    begin: float
    end: float


def notice(store: Store, now: float, least: float = AWAY) -> float:
    """Compare the time with that of the last run. Returns how many seconds do not count: negative if it is earlier now.

    Running times (turns, invitations) leave out these seconds. A clock that is set ahead looks the same as an
    absence. If it is set back, everything is moved back, and rows that were written in between count from now. If the
    difference is small, nothing is moved. A time that is only a little earlier is not stored, because the last run may
    have been on another machine.
    """
    last = float(store.operations.fact(LAST_RUN) or now)
    gap = now - last
    if not -least <= gap < 0:
        store.operations.set_fact(LAST_RUN, repr(now))
    if abs(gap) <= least:
        return 0.0
    note_jump(store, Jump(gap, now))
    lost = gap if gap > 0 else gap - 2 * _USUAL  # so that ahead and back again together change nothing
    known = absences(store)
    if lost < 0:  # a vacation that seems to begin in the future began while the clock was wrong
        store.players.move_vacations(now, lost)
    leave_out(store, last, lost, now=now)
    absent_games.shift(store, lost)
    store.challenges.shift_tokens(timedelta(seconds=lost))
    _remember(store, [*known, Absence(now - lost, now)] if lost > 0 else _taken_back(store, known, now, lost))
    log.warning("time does not count", seconds=round(lost))
    return lost


def demand_steady(last: float | None, now: float, least: float = AWAY) -> None:
    """Raise ClockJumped if there is something to `notice`. `last`: when the server's clock ran last, if it ever did."""
    if is_unsteady(last, now, least):
        raise ClockJumped


def is_unsteady(last: float | None, now: float, least: float = AWAY) -> bool:
    """Return whether there is something to `notice`. `last`: when the server's clock ran last, if it ever did."""
    return last is not None and abs(now - last) > least


def absences(store: Store) -> list[Absence]:
    """Return the stored absences."""
    return [Absence(*times) for times in json.loads(store.operations.fact(_ABSENCES) or "[]")]


def ago(now: datetime, lasts: timedelta, away: Iterable[Absence]) -> datetime:
    """Return the time from which the server has been running for `lasts`, without the absences."""
    moment, left = now.timestamp(), lasts.total_seconds()
    for absence in sorted(away, key=lambda a: a.end, reverse=True):
        present = max(moment - absence.end, 0.0)
        if present >= left:
            break
        left -= present
        moment = min(moment, absence.begin)
    return datetime.fromtimestamp(moment - left, UTC)


def ran(begin: float, end: float, away: Iterable[Absence]) -> float:
    """Return for how many seconds of this time the server ran; zero if it ends before it begins."""
    moment, seconds = begin, 0.0
    for absence in sorted(away, key=lambda a: a.begin):
        seconds += max(min(absence.begin, end) - moment, 0.0)
        moment = max(moment, absence.end)
    return seconds + max(end - moment, 0.0)


def _taken_back(store: Store, known: Iterable[Absence], now: float, lost: float) -> list[Absence]:
    """Return the absences that remain after the clock was set back to `now`. `lost`: by how many seconds, negative.

    An absence that ends after `now` never happened: the clock was wrong. Rows written since its end get the time `now`.
    """
    kept = []
    for absence in known:
        if absence.end <= now:
            kept.append(absence)
            continue
        store.operations.date_back(datetime.fromtimestamp(absence.end, UTC), datetime.fromtimestamp(now, UTC))
        if (end := absence.end + lost) > absence.begin:
            kept.append(Absence(absence.begin, end))
    return kept


def _remember(store: Store, known: Iterable[Absence]) -> None:
    longest = sorted(known, key=lambda a: a.begin - a.end)[:_MOST]
    store.operations.set_fact(_ABSENCES, json.dumps([(a.begin, a.end) for a in longest]))
