"""Swiss tournaments: in each round players with equal points meet, nobody meets anybody twice.

The pairings are those of the FIDE Dutch system (FIDE Handbook C.04.3), which the package caissify-pairings computes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from math import ceil, log2
from typing import TypedDict

from pbmserv.errors import PlayerError
from pbmserv.tournaments.entrants import WIN, Entrant, Pairing, Season, seeded
from pbmserv.tournaments.forms.form import TournamentForm

_ENGINE = "caissify_pairings"
_LEVEL = "none"  #: the float of a round in which somebody met a player with equal points, or did not play


@dataclass
class _History:
    """A player's rounds so far. `colours`: of the boards that were played; `floats`: of all rounds."""

    points: int = 0  #: half points
    colours: list[str] = field(default_factory=list)
    floats: list[str] = field(default_factory=list)
    byes: int = 0
    forfeit_wins: int = 0


class Swiss(TournamentForm):
    """Rounds; the next one begins when all boards of the last one are over. It takes time to draw a large one."""

    key = "swiss"
    fewest = 4

    def begin(self, entrants: Sequence[Entrant], size: int) -> list[Entrant]:
        """Return the entrants, all in one division. Raises PlayerError if the package is not installed."""
        demand_engine()
        return [replace(entrant, division=1) for entrant in seeded(entrants)]

    def draw(self, season: Season) -> list[Pairing]:
        """Return the pairings of the next round, of those who have not left; none if too few are there for one."""
        if season.round >= rounds_of(season) or len(season.here) < 2:
            return []
        drawn = _drawn(season, season.round + 1)
        # If all who could meet have met, the package leaves several players without an opponent.
        return drawn if sum(pairing.second is None for pairing in drawn) < 2 else []


def rounds_of(season: Season) -> int:
    """Return how many rounds there are: so many that one player has won all boards, and never a pair too many.

    Six players have three: after these they may be two threes who have all met.
    """
    count = len(season.entrants)
    rounds = season.rounds or (ceil(log2(count)) + (count != 6) if count > 1 else 0)
    return min(rounds, max(count - 1, 0))


def can_draw() -> bool:
    """Return whether the package that draws Swiss rounds is installed."""
    return find_spec(_ENGINE) is not None


def demand_engine() -> None:
    """Raises PlayerError if the package that draws Swiss rounds is not installed."""
    if not can_draw():
        raise PlayerError(
            "This server cannot draw Swiss tournaments.",
            "Choose another form, such as --form=groups. The admin can install it: pip install 'pbmserv[swiss]'",
        )


def _drawn(season: Season, number: int) -> list[Pairing]:
    from caissify_pairings import generate_pairings  # an extra

    histories = _histories(season)
    numbers = {entrant.player: n for n, entrant in enumerate(seeded(season.entrants), start=1)}
    players = [_described(entrant, numbers[entrant.player], histories[entrant.player]) for entrant in season.here]
    met = {(p.first, p.second) for p in season.pairings if p.second is not None}
    rows: list[_Meeting] = generate_pairings("dutch", players, met, number, rounds_of(season))
    return [_pairing(number, row["white_id"], row["black_id"]) for row in rows]


class _Meeting(TypedDict):
    white_id: int
    black_id: int | None  #: None: a bye


def _pairing(number: int, first: int, second: int | None) -> Pairing:
    return Pairing(number, 1, first, second, points=None if second is not None else WIN)


def _described(entrant: Entrant, number: int, history: _History) -> dict[str, object]:
    return {
        "id": entrant.player,
        "name": str(entrant.player),
        "score": history.points / 2,
        "rating": round(entrant.rating),
        "starting_number": number,
        "color_hist": history.colours,
        "float_history": history.floats,
        "bye_count": history.byes,
        "forfeit_win_count": history.forfeit_wins,
    }


def _histories(season: Season) -> dict[int, _History]:
    histories = {entrant.player: _History() for entrant in season.entrants}
    for number in range(1, season.round + 1):
        before = {player: history.points for player, history in histories.items()}
        round_ = {player: p for p in season.of_round(number) for player in (p.first, p.second) if player is not None}
        for player, history in histories.items():
            _add(history, player, round_.get(player), before)
    return histories


def _add(history: _History, player: int, pairing: Pairing | None, before: Mapping[int, int]) -> None:
    """Add a round to the history of a player. A bye counts as a float downwards, as the system says."""
    other = pairing.other(player) if pairing else None
    if pairing is None or pairing.void or other is None or pairing.forfeiter is not None:
        got_points = pairing is not None and pairing.points_of(player) == WIN
        history.floats.append("down" if got_points else _LEVEL)
        history.byes += pairing is not None and not pairing.void and other is None
        history.forfeit_wins += got_points and other is not None
    else:
        history.colours.append("white" if player == pairing.first else "black")
        own, theirs = before[player], before[other]
        history.floats.append("down" if own > theirs else "up" if own < theirs else _LEVEL)
    history.points += pairing.points_of(player) if pairing else 0
