"""Who takes part in a season of a tournament, and who meets whom. Points are half points: 2 for a win, 1 for a draw."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

WIN, DRAW, LOSS = 2, 1, 0  #: half points


@dataclass(frozen=True)
class Entrant:
    """Somebody in a season.

    `entered`: a lower number was earlier; `division`: the league's division or the group, from 1, the highest; 0: none
    yet; `rating`: when the season began; `out`: left the season, so gets no more boards.
    """

    player: int
    entered: int
    division: int = 0
    team: str = ""
    rating: float = 0.0
    out: bool = False


@dataclass(frozen=True)
class Pairing:
    """Two players who meet; `first` makes the first move. `second` is None: a bye, which has the points of a win.

    `points`: the half points of `first`, None while it is undecided; `forfeiter`: who lost it by forfeit; `void`: it
    counts for nobody, and has no points. With a forfeiter both have forfeited it: then it counts, and is lost for both.
    """

    round: int
    division: int
    first: int
    second: int | None
    points: int | None = None
    forfeiter: int | None = None
    void: bool = False

    @property
    def is_of_nobody(self) -> bool:
        """Whether it counts for nobody."""
        return self.void and self.forfeiter is None

    def forfeited_by(self, player: int) -> bool:
        """Return whether one of its players has forfeited it."""
        return self.forfeiter is not None and (self.void or self.forfeiter == player)

    @property
    def is_decided(self) -> bool:
        """Whether nothing is to come of it any more."""
        return self.void or self.points is not None

    def points_of(self, player: int) -> int:
        """Return the half points that it brought to one of its players; 0 if it is void or undecided."""
        if self.void or self.points is None:
            return 0
        return self.points if player == self.first else WIN - self.points

    def other(self, player: int) -> int | None:
        """Return the opponent of one of its players; None: a bye."""
        return self.second if player == self.first else self.first


@dataclass(frozen=True)
class Season:
    """All that is known of a season. `size`: of a division or group, or how many boards a match has.

    `rounds`: how many a Swiss tournament has; None: as many as its number of players asks for.
    """

    entrants: Sequence[Entrant]
    pairings: Sequence[Pairing] = ()
    size: int = 0
    rounds: int | None = None

    @property
    def round(self) -> int:
        """The last round that has pairings; 0: none has."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @property
    def here(self) -> list[Entrant]:
        """Who has not left."""
        return [entrant for entrant in self.entrants if not entrant.out]

    def of_round(self, number: int) -> list[Pairing]:
        """Return the pairings of a round."""
        return [pairing for pairing in self.pairings if pairing.round == number]

    def among(self, players: Collection[int]) -> list[Entrant]:
        """Return the entrants who are these players."""
        return [entrant for entrant in self.entrants if entrant.player in players]


def seeded(entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return entrants with the strongest first; of equally strong ones the one who entered earlier."""
    return sorted(entrants, key=lambda entrant: (-entrant.rating, entrant.entered))


def by_division(entrants: Sequence[Entrant]) -> dict[int, list[Entrant]]:
    """Return the entrants of each division in their order, the highest division first."""
    ordered = sorted(entrants, key=lambda entrant: entrant.division)
    return {division: list(there) for division, there in groupby(ordered, key=lambda entrant: entrant.division)}
