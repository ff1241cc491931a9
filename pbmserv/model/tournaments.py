"""Tournaments, who takes part in their seasons, and who meets whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from pbmserv.model.boards import Settings
from pbmserv.model.players import Player


class Phase(StrEnum):
    """What happens in a tournament now, or what happens next."""

    WAITING = "waiting"  #: for the start of the first season, or of the next one
    DRAWING = "drawing"  #: the pairings of a round are written, a part in each transaction
    PLAYING = "playing"
    ENDING = "ending"  #: the places of a season are written, a part in each transaction
    OVER = "over"
    CANCELLED = "cancelled"


class Out(StrEnum):
    """How somebody left a season before its end."""

    LEFT = "left"  #: with a command
    REMOVED = "removed"  #: after two forfeits
    CLOSED = "closed"  #: the account was closed


#: The phases of a season that has begun and is not over.
RUNNING = (Phase.DRAWING, Phase.PLAYING, Phase.ENDING)
#: The phases after which nothing happens any more.
LAST = (Phase.OVER, Phase.CANCELLED)
#: The clock looks at a running tournament more often than that.
SOON = timedelta(hours=1)


@dataclass(frozen=True)
class TournamentPlan:
    """What an organiser decides about a tournament. `size`: of a division or group, or how many boards a match has."""

    game: str
    name: str
    form: str
    options: Mapping[str, str]
    settings: Settings
    start: datetime
    size: int
    rounds: int | None = None
    every: str = ""  #: month, week, quarter, year: when the next season begins; "": there is none, or as the form says
    robots: bool = False
    teams: tuple[str, str] | None = None
    zone: str = "UTC"  #: the organiser's time zone, in which the days of `every` are counted


@dataclass(frozen=True)
class TournamentRow:
    """A tournament. `plan.start`: of its next season, or of the present one if there is no next.

    `first`: when its first season was to begin.
    """

    number: int
    plan: TournamentPlan
    organiser: int | None  #: the id of the player; None: an admin
    created: datetime
    first: datetime
    phase: Phase
    entries: bool  #: players can enter, as far as the phase allows it
    season: int  #: 0 before the first one
    round: int
    due: datetime | None  #: when the clock has to look at it
    steps: int  #: how often somebody has entered, left or changed places; whoever enters has the next number

    @property
    def state(self) -> str:
        """The state as players see it: open, closed, running, over or cancelled."""
        if self.phase in RUNNING:
            return "running"
        if self.phase in LAST:
            return self.phase.value
        return "open" if self.entries else "closed"

    @property
    def has_begun(self) -> bool:
        """Whether a season is running."""
        return self.phase in RUNNING

    def is_due(self, now: datetime) -> bool:
        """Return whether the clock has to look at it. A running one is looked at often, so a later time was wrong."""
        return self.due is not None and (self.due <= now or (self.has_begun and self.due > now + SOON))

    @property
    def shown_season(self) -> int:
        """The season that people want to see: the one that runs or was last; before the first: the first."""
        return max(self.season, 1)


@dataclass(frozen=True)
class EntrantRow:
    """Somebody in a season. `division`: or group; 0 before it is given. `place`: at the end, in the division."""

    id: int
    tournament: int
    season: int
    player: Player
    entered: int  #: the step of the tournament at which it was: a lower number was earlier
    division: int
    rung: int
    team: str
    rating: float
    renews: bool
    warned: datetime | None
    out: str  #: an `Out`; "": still takes part
    gone: int | None  #: the step at which it left
    told: int  #: the last round whose letter was written
    place: int | None


@dataclass(frozen=True)
class PairingRow:
    """Two players who meet. `second` is None: a bye. `points`: half points of `first`. See `tables.pairing`.

    `void` with a forfeiter: both have forfeited it.
    """

    id: int
    tournament: int
    season: int
    division: int
    round: int
    first: int
    second: int | None
    board: int | None
    points: int | None
    forfeiter: int | None
    void: bool
    decided: datetime | None
    step: int | None

    @property
    def is_of_nobody(self) -> bool:
        """Whether it counts for nobody."""
        return self.void and self.forfeiter is None

    @property
    def forfeiters(self) -> tuple[int, ...]:
        """Who has forfeited it."""
        both = (self.first, self.second) if self.void and self.forfeiter else (self.forfeiter,)
        return tuple(id_ for id_ in both if id_ is not None)

    def other(self, player_id: int) -> int | None:
        """Return the opponent of somebody; None: there is none."""
        return self.second if player_id == self.first else self.first


class NewPairing(NamedTuple):
    """A pairing to be stored. A bye is decided at once: it has points."""

    division: int
    round: int
    first: int
    second: int | None
    points: int | None = None
