"""Who stands where among players who meet each other.

Equal points are decided by, in this order: the points of the boards between those who are equal, the points of the
opponents that somebody has beaten and half of those of a draw (Sonneborn-Berger), fewer forfeits, the earlier entry.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pbmserv.tournaments.entrants import DRAW, WIN, Entrant, Pairing


@dataclass(frozen=True)
class TableLine:
    """The line of a player in the table. A bye counts as a win, but not as a board.

    `points`: half points; `sonneborn_berger`: in quarters of a point; `undecided`: boards that run.
    """

    place: int
    player: int
    points: int
    won: int
    drawn: int
    lost: int
    forfeits: int
    sonneborn_berger: int
    undecided: int = 0
    out: bool = False

    @property
    def played(self) -> int:
        """How many decided boards count for it."""
        return self.won + self.drawn + self.lost


def standings(entrants: Sequence[Entrant], pairings: Iterable[Pairing]) -> list[TableLine]:
    """Return the lines of a table in their order. Pairings of others are not looked at.

    Whoever has left and whose boards are all void stands behind everybody with equal points.
    """
    boards = _boards_of(entrants, pairings)
    points = {player: sum(p.points_of(player) for p in mine) for player, mine in boards.items()}
    lines = [_line(entrant, boards[entrant.player], points) for entrant in entrants]
    between = {player: _between(player, mine, points) for player, mine in boards.items()}
    entered = {entrant.player: entrant.entered for entrant in entrants}

    def order(x: TableLine) -> tuple[int, ...]:
        is_gone = x.out and not boards[x.player]
        return (-x.points, is_gone, -between[x.player], -x.sonneborn_berger, x.forfeits, entered[x.player])

    return [replace(line, place=place) for place, line in enumerate(sorted(lines, key=order), start=1)]


def _boards_of(entrants: Iterable[Entrant], pairings: Iterable[Pairing]) -> dict[int, list[Pairing]]:
    """Return the pairings between these players that count, also byes, for each of the players."""
    found: dict[int, list[Pairing]] = {entrant.player: [] for entrant in entrants}
    for pairing in pairings:
        players = [player for player in (pairing.first, pairing.second) if player is not None]
        if not pairing.void and all(player in found for player in players):
            for player in players:
                found[player].append(pairing)
    return found


def _between(me: int, mine: Iterable[Pairing], points: Mapping[int, int]) -> int:
    """Return the points of a player on boards against players with equal points."""
    return sum(p.points_of(me) for p in mine if (other := p.other(me)) is not None and points[other] == points[me])


def _line(entrant: Entrant, mine: Sequence[Pairing], points: Mapping[int, int]) -> TableLine:
    me = entrant.player
    boards = [(p, other) for p in mine if p.is_decided and (other := p.other(me)) is not None]
    won, drawn = (sum(p.points_of(me) == worth for p, _ in boards) for worth in (WIN, DRAW))
    return TableLine(
        place=0,
        player=me,
        points=points[me],
        won=won,
        drawn=drawn,
        lost=len(boards) - won - drawn,
        forfeits=sum(p.forfeiter == me for p in mine),
        sonneborn_berger=sum(p.points_of(me) * points[other] for p, other in boards),
        undecided=sum(not p.is_decided for p in mine),
        out=entrant.out,
    )
