"""A model of the time of one seat, which counts hour by hour and knows nothing of the program's arithmetic."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

HOUR = 3600.0
_PAUSE = 14 * 24


@dataclass
class Hours:
    """The time of a seat in whole hours. `now`: hours since 1970, as the wall clock of the server shows them."""

    now: int
    zone: str
    days_off: frozenset[int]  #: 0 is Monday
    bank: int
    increment: int
    cap: int
    turn: int | None = None  #: how much of the current turn has counted; None: it is not its turn
    used: int = 0
    vacations: list[tuple[int, int]] = field(default_factory=list)
    away: int = 0  #: until then its player is on vacation
    paused: int = 0  #: until then its letters do not arrive
    was_paused: bool = False  #: in this turn
    rewarded: set[int] = field(default_factory=set)
    automatic: int = 0  #: hours of vacation that may still be taken automatically

    def stands_still(self, hour: int) -> bool:
        """Return whether the hour that begins then does not count."""
        there = datetime.fromtimestamp(hour * HOUR, UTC).astimezone(ZoneInfo(self.zone))
        return hour < self.away or hour < self.paused or there.weekday() in self.days_off

    def wait(self, hours: int) -> None:
        """Let hours go by."""
        for _ in range(hours):
            if self.turn is not None and not self.stands_still(self.now):
                self.turn += 1
            self.now += 1

    def begin(self) -> None:
        """Begin a turn."""
        self.turn, self.paused, self.was_paused = 0, 0, False

    def end(self, ply: int | None) -> None:
        """End the turn, with a move after which the board has this ply, or because a move is taken back."""
        assert self.turn is not None
        self.used += self.turn
        self.bank = max(self.bank - self.turn, 0)
        self.turn, self.paused = None, 0
        if ply is not None and ply not in self.rewarded:
            self.rewarded.add(ply)
            self.bank = max(min(self.bank + self.increment, self.cap), self.bank)

    def vacation(self, hours: int) -> None:
        """Begin a vacation, or give the one that runs another end; no hours: end it."""
        begins, ends = self.now, self.now + hours
        if self.away > self.now:
            begins = self.vacations.pop()[0]
        elif not hours:
            return
        self.vacations.append((begins, ends))
        self.away = ends

    def spend(self) -> None:
        """Look at the seat, and take a day of vacation, or what is left of it, if its time has run out."""
        hours = min(self.automatic, 24)
        if hours and self.has_run_out and not self.stands_still(self.now):
            self.automatic -= hours
            self.vacation(hours)

    @property
    def has_run_out(self) -> bool:
        """Whether the seat is to move and has used all of its bank."""
        return self.turn is not None and self.turn >= self.bank

    def pause(self) -> None:
        """Let a letter come back, the first in this turn."""
        if not self.was_paused:
            self.paused, self.was_paused = self.now + _PAUSE, True

    def resume(self) -> None:
        """Hear from the player."""
        self.paused = min(self.paused, self.now)

    def jump(self, hours: int) -> None:
        """Let the wall clock jump. Vacations are dates and stay, but those that now would begin later move along."""
        self.now += hours
        self.paused += hours
        self.vacations = [(b + hours, e + hours) if b > self.now else (b, e) for b, e in self.vacations]
        self.away = max((ends for _, ends in self.vacations), default=0)

    def ends(self, limits: int) -> Iterator[int]:
        """Yield the moments, hour by hour, until so many hours of this turn have counted."""
        hour, left = self.now, limits - (self.turn or 0)
        while left > 0:
            left -= not self.stands_still(hour)
            hour += 1
            yield hour
