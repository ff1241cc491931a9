"""What every form of a tournament decides."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Protocol, TypeVar

from pbmserv.tournaments.entrants import Entrant, Pairing, Season, by_division
from pbmserv.tournaments.standings import TableLine, standings


class OfRound(Protocol):
    """A pairing, stored or pure."""

    @property
    def round(self) -> int:
        """The round to which it belongs."""


P = TypeVar("P", bound=OfRound)


class TournamentForm(ABC):
    """A form of tournaments, such as a league. All methods are pure functions of the season."""

    key: ClassVar[str]
    fewest: ClassVar[int] = 2  #: a season with fewer entrants does not begin
    sizes: ClassVar[range] = range(0)  #: the sizes that an organiser can choose; empty: it has none
    usual: ClassVar[int] = 0  #: the size if the organiser names none
    #: Everybody meets everybody, so the boards of an early leaver are void; elsewhere those that are left are lost.
    is_round_robin: ClassVar[bool] = False

    @abstractmethod
    def begin(self, entrants: Sequence[Entrant], size: int) -> list[Entrant]:
        """Return the entrants of a new season with their divisions."""

    @abstractmethod
    def draw(self, season: Season) -> list[Pairing]:
        """Return who meets whom in the next round, when all boards of the last one are over; none: it was the last."""

    def counted(self, pairings: Iterable[P], round_: int) -> list[P]:
        """Return the pairings that count together in a round: tables and the rule about leavers look at no others."""
        return list(pairings)

    def tables(self, season: Season) -> dict[int, list[TableLine]]:
        """Return the table of each division or group."""
        groups = by_division(season.entrants)
        return {number: standings(there, season.pairings) for number, there in groups.items()}

    def ranking(self, season: Season) -> list[int]:
        """Return all players in their order at the end, the winner first."""
        return [line.player for table in self.tables(season).values() for line in table]

    def renew(self, season: Season) -> list[Entrant]:
        """Return those who have not left, in their divisions of the next season; only leagues have any."""
        return season.here
