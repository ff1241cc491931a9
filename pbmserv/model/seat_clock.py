"""The time of a seat."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SeatClock:
    """The time of one seat. Durations are in seconds, times in seconds since 1970."""

    since: float | None = None  #: from when its turn counts on, perhaps later than now; None: it is not its turn
    due: float | None = None  #: when the clock has to handle the seat
    used: float = 0.0  #: in the turns before
    nags: int = 0  #: in this turn
    nagged: float | None = None  #: how many seconds of the turn had counted at the last of them
    paused: float | None = None  #: the time until which the turn does not count; at most once in a turn
    spent: float = 0.0  #: of this turn, before `since`
    bank: float | None = None  #: the seconds that its bank had when the turn began; None: the board has no banks
    earned: int = 0  #: up to this ply its moves have added to the bank
    rest: str = ""  #: days off of its player and the time zone, see boards/clocks/days_off.py; "": there are none
