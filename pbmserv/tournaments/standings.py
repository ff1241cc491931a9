"""Who stands where among players who meet each other.

Equal points are decided by, in this order: the points of the boards between those who are equal, the points of the
opponents that somebody has beaten and half of those of a draw (Sonneborn-Berger), fewer forfeits, the earlier entry.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pbmserv.tournaments.entrants import DRAW, WIN, Entrant, Pairing


@dataclass(frozen=True)
class TableLine:
    """The line of a player in the table. A bye counts as a win, but not as a board.

    `points`: half points; `sonneborn_berger`: in quarters of a point; `between`: half points on boards against those
    with equal points, or None where they are the same for all of these and so decide nothing. `rank`: the place, which
    those share whom only the order of their entries tells apart.
    """

    place: int
    player: int
    points: int
    won: int
    drawn: int
    lost: int
    forfeits: int
    sonneborn_berger: int
    out: bool = False
    between: int | None = None
    rank: int = 0

    @property
    def played(self) -> int:
        """How many decided boards count for it."""
        return self.won + self.drawn + self.lost


def standings(entrants: Sequence[Entrant], pairings: Iterable[Pairing]) -> list[TableLine]:
    """Return the lines of a table in their order. Pairings of others are not looked at."""
    players = {entrant.player for entrant in entrants}
    theirs = (p for p in pairings if p.first in players and (p.second is None or p.second in players))
    counted = [p for p in theirs if not p.is_of_nobody]
    points = {player: _points(player, counted) for player in players}
    lines = [_line(entrant, counted, points) for entrant in entrants]
    lines = _compared(lines, counted)
    entered = {entrant.player: entrant.entered for entrant in entrants}
    lines.sort(key=lambda line: (*_worth(line), entered[line.player]))
    worths = [*map(_worth, lines)]
    return [replace(x, place=n, rank=worths.index(worths[n - 1]) + 1) for n, x in enumerate(lines, start=1)]


def _worth(line: TableLine) -> tuple[int, ...]:
    """Return what decides on the rank of a player, the best first."""
    return (-line.points, -(line.between or 0), -line.sonneborn_berger, line.forfeits)


def _points(player: int, pairings: Iterable[Pairing]) -> int:
    return sum(pairing.points_of(player) for pairing in pairings if player in (pairing.first, pairing.second))


def _compared(lines: Sequence[TableLine], pairings: Sequence[Pairing]) -> list[TableLine]:
    """Return the lines with `between` where it tells players with equal points apart."""
    between = {line.player: _between(line, lines, pairings) for line in lines}
    different = Counter(points for points, _ in {(line.points, between[line.player]) for line in lines})
    return [replace(x, between=between[x.player]) if different[x.points] > 1 else x for x in lines]


def _between(line: TableLine, lines: Iterable[TableLine], pairings: Iterable[Pairing]) -> int:
    """Return the points of a player on boards against players with equal points."""
    equal = {other.player for other in lines if other.points == line.points}
    return _points(line.player, (p for p in pairings if p.second is not None and {p.first, p.second} <= equal))


def _line(entrant: Entrant, pairings: Iterable[Pairing], points: dict[int, int]) -> TableLine:
    me = entrant.player
    own = [pairing for pairing in pairings if me in (pairing.first, pairing.second)]
    boards = [(p, other) for p in own if p.is_decided and (other := p.other(me)) is not None]
    won, drawn = (sum(p.points_of(me) == worth for p, _ in boards) for worth in (WIN, DRAW))
    return TableLine(
        place=0,
        player=me,
        points=points[me],
        won=won,
        drawn=drawn,
        lost=len(boards) - won - drawn,
        forfeits=sum(p.forfeited_by(me) for p in own),
        sonneborn_berger=sum(p.points_of(me) * points[other] for p, other in boards),
        out=entrant.out,
    )
