"""Groups, then a final: everybody meets everybody in a group, and the winners meet until one group is left."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbmserv.tournaments.circle import circle
from pbmserv.tournaments.entrants import Entrant, Pairing, Season, by_division, seeded
from pbmserv.tournaments.forms.form import P, TournamentForm
from pbmserv.tournaments.standings import TableLine, standings

SMALLEST, USUAL, LARGEST = 4, 5, 6  #: players of a group; a final can have fewer


class Groups(TournamentForm):
    """Groups whose winners go on to the next round."""

    key = "groups"
    fewest = SMALLEST
    sizes = range(SMALLEST, LARGEST + 1)
    usual = USUAL
    is_round_robin = True

    def begin(self, entrants: Sequence[Entrant], size: int) -> list[Entrant]:
        """Return the entrants with the groups of the first round, which are equally strong."""
        return _dealt(seeded(entrants), size)

    def draw(self, season: Season) -> list[Pairing]:
        """Return the boards of the next round: of the first one, or of the winners of the last one."""
        if not season.pairings:
            return _boards(1, season.here)
        tables = self.stage(season, season.round).values()
        winners = [line.player for table in tables for line in [line for line in table if not line.out][:1]]
        if len(tables) < 2 or len(winners) < 2:
            return []
        return _boards(season.round + 1, _dealt(seeded(season.among(winners)), season.size))

    def counted(self, pairings: Iterable[P], round_: int) -> list[P]:
        """Return the pairings of the round: a group has its own table, and the final is a group of another round."""
        return [pairing for pairing in pairings if pairing.round == round_]

    def stage(self, season: Season, round_: int) -> dict[int, list[TableLine]]:
        """Return the table of each group of a round."""
        tables = dict[int, list[TableLine]]()
        pairings = self.counted(season.pairings, round_)
        for number in sorted({pairing.division for pairing in pairings}):
            there = [pairing for pairing in pairings if pairing.division == number]
            players = {player for p in there for player in (p.first, p.second) if player is not None}
            tables[number] = standings(season.among(players), there)
        return tables

    def tables(self, season: Season) -> dict[int, list[TableLine]]:
        """Return the tables of the last round."""
        return self.stage(season, season.round) if season.pairings else super().tables(season)

    def ranking(self, season: Season) -> list[int]:
        """Return all players: those of the final first, then those of the round before it, and so on."""
        lines = [
            line
            for round_ in range(season.round, 0, -1)
            for line in sorted(
                (line for table in self.stage(season, round_).values() for line in table),
                key=lambda line: (line.place, -line.points, -line.sonneborn_berger, line.forfeits),
            )
        ]
        alone = [entrant.player for entrant in season.entrants]
        return list(dict.fromkeys([*(line.player for line in lines), *alone]))


def _dealt(entrants: Sequence[Entrant], size: int) -> list[Entrant]:
    """Deal entrants, the strongest first, to groups: in one direction and back, so that groups are equally strong."""
    number = _number(len(entrants), size)
    dealt = list[Entrant]()
    for n, entrant in enumerate(entrants):
        row, column = divmod(n, number)
        dealt.append(replace(entrant, division=1 + (number - 1 - column if row % 2 else column)))
    return sorted(dealt, key=lambda entrant: entrant.division)


def _number(count: int, size: int) -> int:
    """Return how many groups there are. All who are left meet in one group as soon as it is small enough."""
    if count <= LARGEST:
        return 1
    return min(max(round(count / (size or USUAL)), -(-count // LARGEST)), max(count // SMALLEST, 1))


def _boards(round_: int, entrants: Sequence[Entrant]) -> list[Pairing]:
    pairings = list[Pairing]()
    for number, there in by_division(entrants).items():
        players = [entrant.player for entrant in there]
        pairs = list(circle(players))
        if len(players) == 2:  # a final of two: each moves first once
            pairs.append((players[1], players[0]))
        pairings += [Pairing(round_, number, first, second) for first, second in pairs]
    return pairings
