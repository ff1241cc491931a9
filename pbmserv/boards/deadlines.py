"""The time limits of a turn: reminders, forfeits and total time. Pure functions over seconds since 1970.

The limits of a board are in its `Settings`.
"""

from dataclasses import replace
from enum import Enum

from pbmserv.store.boards import SeatClock, Settings

DAY = 86400.0
MOST_NAGS = 5
LONGEST_PAUSE = 14 * DAY
AWAY = 600.0  #: seconds without a run of the clock after which the server itself was away: nobody pays for them


class Alarm(Enum):
    """What the clock has to do for a seat."""

    NONE = "none"
    NAG = "nag"
    FORFEIT = "forfeit"


def begin_turn(clock: SeatClock, settings: Settings, now: float, away_until: float | None = None) -> SeatClock:
    """Begin the turn of a seat. During a vacation the turn begins after it."""
    started = SeatClock(since=max(now, away_until or now), used=clock.used)
    return replace(started, due=next_alarm(started, settings))


def end_turn(clock: SeatClock, now: float) -> SeatClock:
    """End the turn of a seat, because it has moved or does not have to."""
    if clock.since is None:
        return clock
    return SeatClock(used=clock.used + max(now - clock.since + _pause_left(clock, now), 0.0))


def used(clock: SeatClock, now: float) -> float:
    """Return the seconds that the seat has used, including its current turn."""
    return end_turn(clock, now).used


def next_alarm(clock: SeatClock, settings: Settings) -> float | None:
    """Return the next time at which a reminder or a forfeit is due; None: never."""
    moments = [m for m in (_nag_at(clock, settings), forfeit_at(clock, settings)) if m is not None]
    return min(moments, default=None)


def alarm(clock: SeatClock, settings: Settings, now: float) -> Alarm:
    """Return what is due now."""
    lost, nag = forfeit_at(clock, settings), _nag_at(clock, settings)
    if lost is not None and lost <= now:
        return Alarm.FORFEIT
    return Alarm.NAG if nag is not None and nag <= now else Alarm.NONE


def nagged(clock: SeatClock, settings: Settings, now: float) -> SeatClock:
    """Count one more reminder for the seat."""
    after = replace(clock, nags=clock.nags + 1, nagged=now)
    return replace(after, due=next_alarm(after, settings))


def shifted(clock: SeatClock, settings: Settings, seconds: float) -> SeatClock:
    """Leave out some time, as if the seat's turn had begun that much later."""
    if clock.since is None:
        return clock
    nagged_at = None if clock.nagged is None else clock.nagged + seconds
    after = replace(clock, since=clock.since + seconds, nagged=nagged_at)
    return replace(after, due=next_alarm(after, settings))


def pause(clock: SeatClock, settings: Settings, now: float) -> SeatClock:
    """Stop the time of a player whom no letter reaches, until `resume`. At most 14 days, and once in a turn."""
    if clock.since is None or clock.paused is not None:
        return clock
    return replace(shifted(clock, settings, LONGEST_PAUSE), paused=now + LONGEST_PAUSE)


def resume(clock: SeatClock, settings: Settings, now: float) -> SeatClock:
    """Let the time of a seat run again. The rest of its pause is dropped."""
    left = _pause_left(clock, now)
    return replace(shifted(clock, settings, -left), paused=now) if left else clock


def forfeit_at(clock: SeatClock, settings: Settings) -> float | None:
    """Return when the seat loses on time: at the limit of its turn, or of all its turns together."""
    if clock.since is None:
        return None
    limits = [settings.forfeit * DAY] if settings.forfeit else []
    if settings.total:
        limits.append(max(settings.total * DAY - clock.used, 0.0))
    return clock.since + min(limits) if limits else None


def _pause_left(clock: SeatClock, now: float) -> float:
    """Return how many seconds of the pause are left."""
    return 0.0 if clock.paused is None else max(clock.paused - now, 0.0)


def _nag_at(clock: SeatClock, settings: Settings) -> float | None:
    if clock.since is None or not settings.nag or clock.nags >= MOST_NAGS:
        return None
    return clock.since + settings.nag * DAY if clock.nagged is None else clock.nagged + DAY
