"""A match of two teams: the strongest meets the strongest, and so on."""

from collections.abc import Sequence
from dataclasses import replace

from pbmserv.tournaments.entrants import WIN, Entrant, Pairing, Season, seeded
from pbmserv.tournaments.forms.form import TournamentForm

MOST = 50  #: boards of a match


class Match(TournamentForm):
    """Two teams; all boards begin together. The teams have the first move in turn."""

    key = "match"
    sizes = range(1, MOST + 1)
    usual = MOST

    def begin(self, entrants: Sequence[Entrant], size: int) -> list[Entrant]:
        """Return the entrants, all in one division."""
        return [replace(entrant, division=1) for entrant in seeded(entrants)]

    def draw(self, season: Season) -> list[Pairing]:
        """Return the boards: as many as both teams have players for, and not more than the size of the match."""
        if season.pairings:
            return []
        teams = list(dict.fromkeys(sorted(entrant.team for entrant in season.here)))
        if len(teams) != 2:
            return []
        ours, theirs = ([e.player for e in seeded(season.here) if e.team == team] for team in teams)
        pairs = list(zip(ours, theirs, strict=False))[: season.size or None]
        return [Pairing(1, 1, *(pair if n % 2 == 0 else pair[::-1])) for n, pair in enumerate(pairs)]


def team_points(season: Season) -> dict[str, int]:
    """Return the half points of each team."""
    teams = {entrant.player: entrant.team for entrant in season.entrants}
    points = dict.fromkeys(sorted(set(teams.values())), 0)
    for pairing in season.pairings:
        if pairing.points is not None and not pairing.void and pairing.second is not None:
            points[teams[pairing.first]] += pairing.points
            points[teams[pairing.second]] += WIN - pairing.points
    return points
