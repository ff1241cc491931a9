"""The time limits of a turn: reminders, forfeits, total time and bank. Pure functions over seconds since 1970.

`end_turn` takes the time of a turn from the bank of its own seat: no other seat pays. A seat loses at the first of its
limits (`limit_of`), for example when its bank is empty; `boards.entries.forfeit` writes the loss.

The limits of a board are in its `Settings`. Time counts from `SeatClock.since` on, but not on the days off of the seat.
"""

from collections.abc import Collection
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from pbmserv.boards.clocks import days_off
from pbmserv.games.base import Seat
from pbmserv.model import BoardRow, SeatClock, Settings
from pbmserv.model.boards import NO_DAYS_OFF, DaysOff

DAY = 86400.0
MOST_REMINDERS = 5
LONGEST_PAUSE = 14 * DAY
FULLEST_BANK = 7300 * DAY  #: where there is no cap: the end of a turn must be a date, and soon found by days off
AWAY = 600.0  #: seconds without a run of the clock after which the server itself was away: nobody pays for them


class Alarm(Enum):
    """What the clock has to do for a seat."""

    NONE = "none"
    REMINDER = "nag"
    FORFEIT = "forfeit"
    VACATION = "vacation"  #: a day of vacation is taken in place of a forfeit


class LimitKind(Enum):
    """Which limit ends a turn."""

    MOVE = "move"  #: the time for one move
    TOTAL = "total"  #: the time for all moves together
    BANK = "bank"


class Limit(NamedTuple):
    """The limit that ends first: when the seat loses on time, and which limit it is."""

    at: float
    kind: LimitKind


def first_clock(settings: Settings, rest: DaysOff = NO_DAYS_OFF) -> SeatClock:
    """Return the time of a seat when its board begins. `rest`: the days off of its player."""
    return SeatClock(bank=settings.bank and settings.bank * DAY, rest=rest)


def begin_turn(clock: SeatClock, settings: Settings, now: float, away_until: float | None = None) -> SeatClock:
    """Begin the turn of a seat. During a vacation the turn begins after it."""
    return _timed(replace(_idle(clock), since=max(now, away_until or now)), settings)


def end_turn(clock: SeatClock, now: float) -> SeatClock:
    """End the turn of a seat, because it has moved or does not have to."""
    if clock.since is None:
        return clock
    turn = max(counted(clock, now), 0.0)
    bank = None if clock.bank is None else max(clock.bank - turn, 0.0)
    return replace(_idle(clock), used=clock.used + turn, bank=bank)


def earn(clock: SeatClock, settings: Settings, ply: int) -> SeatClock:
    """Add the increment for a move to the bank, up to the cap. `ply`: of the board after the move.

    A move that is played in the place of one that was taken back brings nothing, because that one has.
    """
    if clock.bank is None or ply <= clock.earned:
        return clock
    grown = clock.bank + (settings.increment or 0.0) * DAY
    most = FULLEST_BANK if settings.cap is None else settings.cap * DAY
    return replace(clock, bank=max(min(grown, most), clock.bank), earned=ply)


def refill(clock: SeatClock, settings: Settings) -> SeatClock:
    """Return the time of a seat that has lost on time and plays on: what is used up is as at the beginning."""
    if settings.bank and not clock.bank:
        clock = replace(clock, bank=settings.bank * DAY)
    if settings.total and clock.used >= settings.total * DAY:
        clock = replace(clock, used=0.0)
    return clock


def extend(clock: SeatClock, settings: Settings, seconds: float) -> SeatClock:
    """Let each limit of a turn and its next reminder be so much later. What is left of it is gone after the move."""
    return _timed(replace(clock, spent=clock.spent - seconds), settings)


def counted(clock: SeatClock, now: float) -> float:
    """Return the seconds of the current turn that have counted; negative while more were given."""
    return clock.spent + (0.0 if clock.since is None else days_off.worked(clock.rest, clock.since, now))


def used(clock: SeatClock, now: float) -> float:
    """Return the seconds that the seat has used, including its current turn."""
    return clock.used + counted(clock, now)


def next_alarm(clock: SeatClock, settings: Settings) -> float | None:
    """Return the next time at which a reminder or a forfeit is due; None: never."""
    moments = [m for m in (_reminder_at(clock, settings), forfeit_at(clock, settings)) if m is not None]
    return min(moments, default=None)


def alarm(clock: SeatClock, settings: Settings, now: float) -> Alarm:
    """Return what is due now. While the time of the seat stands still, nothing is, even if it has run out before."""
    if clock.since is None or clock.since > now:
        return Alarm.NONE
    lost, reminder = forfeit_at(clock, settings), _reminder_at(clock, settings)
    if lost is not None and lost <= now:
        return Alarm.FORFEIT
    return Alarm.REMINDER if reminder is not None and reminder <= now else Alarm.NONE


def overdue_seats(row: BoardRow, now: float) -> list[Seat]:
    """Return the seats whose time has run out: all of them lose it in the same moment, whatever their order."""
    return [s for s in sorted(row.board.to_move) if alarm(row.clocks[s], row.settings, now) is Alarm.FORFEIT]


def is_idle(row: BoardRow, overdue: Collection[Seat]) -> bool:
    """Return whether these seats are all who still play of several teams.

    Whichever of them lost first would let another win who has done as little.
    """
    teams = row.game.teams(len(row.players))
    stay = {teams[s] for s in range(len(teams)) if s not in overdue and s not in row.board.out}
    return not stay and len({teams[s] for s in overdue}) > 1


def reminded(clock: SeatClock, settings: Settings, now: float) -> SeatClock:
    """Count one more reminder for the seat."""
    return _timed(replace(clock, nags=clock.nags + 1, nagged=counted(clock, now)), settings)


def hold(clock: SeatClock, settings: Settings, now: float, until: float | None) -> SeatClock:
    """Let the time of a turn stand still from now on, because its player is on vacation until then; None: not any more.

    This replaces an earlier end of a vacation. A pause because of letters that come back goes on beside it.
    """
    if clock.since is None:
        return clock
    begins = max(now, until or now, clock.paused or now)
    return _timed(replace(clock, spent=counted(clock, now), since=begins), settings)


def pause(clock: SeatClock, settings: Settings, now: float) -> SeatClock:
    """Stop the time of a player whom no letter reaches, until `resume`. At most 14 days, and once in a turn."""
    if clock.since is None or clock.paused is not None:
        return clock
    return hold(replace(clock, paused=now + LONGEST_PAUSE), settings, now, clock.since)


def resume(clock: SeatClock, settings: Settings, now: float, away_until: float | None = None) -> SeatClock:
    """Let the time of a seat run again, after the player's vacation if any. The rest of its pause is dropped."""
    if clock.paused is None or clock.paused <= now:
        return clock
    return hold(replace(clock, paused=now), settings, now, away_until)


def left_out(
    clock: SeatClock, settings: Settings, begin: float, seconds: float, away_until: float | None = None
) -> SeatClock:
    """Leave out so many seconds after `begin`; if they are negative, it is so much earlier than everybody thought.

    `away_until`: the end of the player's last vacation, which is a date of the calendar and does not move.
    """
    if clock.since is None:
        return clock
    paused, since, end = clock.paused and clock.paused + seconds, clock.since, begin + seconds
    is_held = since > begin and since in (clock.paused, away_until)
    moved = end if since <= begin or (is_held and seconds > 0) else since + seconds
    floor = max(moved, paused or moved, away_until or moved)
    return _timed(replace(clock, spent=counted(clock, begin), since=floor, paused=paused), settings)


def limit_of(clock: SeatClock, settings: Settings) -> Limit | None:
    """Return the limit of the current turn that ends first; None if there is none."""
    if clock.since is None:
        return None
    left = {
        LimitKind.MOVE: settings.forfeit and settings.forfeit * DAY,
        LimitKind.TOTAL: settings.total and settings.total * DAY - clock.used,
        LimitKind.BANK: clock.bank,
    }
    limits = [(seconds, kind) for kind, seconds in left.items() if seconds is not None]
    if not limits:
        return None
    seconds, kind = min(limits, key=lambda limit: limit[0])
    return Limit(_at(clock, seconds), kind)


def forfeit_at(clock: SeatClock, settings: Settings) -> float | None:
    """Return when the seat loses on time: at the first of its limits."""
    limit = limit_of(clock, settings)
    return limit and limit.at


def _at(clock: SeatClock, seconds: float) -> float:
    """Return when so many seconds of the current turn have counted."""
    return days_off.after(clock.rest, clock.since or 0.0, seconds - clock.spent)


def _idle(clock: SeatClock) -> SeatClock:
    """Return the time of a seat that is not to move."""
    return SeatClock(used=clock.used, bank=clock.bank, earned=clock.earned, rest=clock.rest)


def _timed(clock: SeatClock, settings: Settings) -> SeatClock:
    """Return the same with `due`: when the server's clock has to handle the seat."""
    return replace(clock, due=next_alarm(clock, settings))


def _reminder_at(clock: SeatClock, settings: Settings) -> float | None:
    if clock.since is None or not settings.nag or clock.nags >= MOST_REMINDERS:
        return None
    return _at(clock, settings.nag * DAY if clock.nagged is None else clock.nagged + DAY)
