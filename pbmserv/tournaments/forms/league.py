"""Leagues: divisions in which everybody meets everybody. The first two rise, the last three fall.

Divisions that leavers made too small are filled from the top of the one below. Only the lowest ones are cut anew.
"""

from collections.abc import Sequence
from dataclasses import replace

from pbmserv.tournaments.circle import circle
from pbmserv.tournaments.entrants import Entrant, Pairing, Season, by_division, seeded
from pbmserv.tournaments.forms.form import TournamentForm
from pbmserv.tournaments.standings import standings

SMALLEST, USUAL, LARGEST = 5, 9, 11  #: players of a division
RISING, FALLING = 2, 3


class League(TournamentForm):
    """Divisions; all boards of a season begin together."""

    key = "league"
    fewest = SMALLEST
    sizes = range(SMALLEST, LARGEST + 1)
    usual = USUAL
    is_round_robin = True

    def begin(self, entrants: Sequence[Entrant], size: int) -> list[Entrant]:
        """Return the entrants with their divisions. Whoever has none yet enters at the bottom, the strongest first."""
        old = [list(there) for division, there in by_division(entrants).items() if division]
        new = seeded([entrant for entrant in entrants if not entrant.division])
        filled = _filled(old, size) if old else []
        # the lowest division is cut together with the newcomers
        lowest = filled.pop() if filled else []
        divisions = [*filled, *_cut([*lowest, *new], size)]
        if len(divisions) > 1 and len(divisions[-1]) < SMALLEST:
            divisions[-2:] = _cut([*divisions[-2], *divisions[-1]], size)
        return [replace(e, division=n) for n, there in enumerate(divisions, start=1) for e in there]

    def draw(self, season: Season) -> list[Pairing]:
        """Return all boards of the season."""
        if season.pairings:
            return []
        return [
            Pairing(1, division, first, second)
            for division, there in by_division(season.here).items()
            for first, second in circle([entrant.player for entrant in there])
        ]

    def renew(self, season: Season) -> list[Entrant]:
        """Return those who have not left in the order of their new divisions: who stayed, who fell, who rose."""
        order = {division: _places(there, season) for division, there in by_division(season.entrants).items()}
        lowest = max(order, default=0)
        moved = list[tuple[int, int, Entrant]]()
        for division, there in order.items():
            falls_from = max(len(there) - FALLING, RISING)
            for place, entrant in enumerate(there):
                rises = place < RISING and division > 1
                falls = place >= falls_from and division < lowest
                moved.append((division - rises + falls, 2 if rises else 1 if falls else 0, entrant))
        moved.sort(key=lambda rank: rank[:2])
        return [replace(entrant, division=division) for division, _, entrant in moved if not entrant.out]


def _places(there: Sequence[Entrant], season: Season) -> list[Entrant]:
    """Return the entrants of a division in their places; who left comes last, and so falls first."""
    by_player = {entrant.player: entrant for entrant in there}
    lines = standings(there, season.pairings)
    return [by_player[line.player] for line in sorted(lines, key=lambda line: line.out)]


def _filled(divisions: Sequence[Sequence[Entrant]], size: int) -> list[list[Entrant]]:
    """Return divisions in which those above the lowest have `size` players at least, if there are enough."""
    left, filled = [list(there) for there in divisions], list[list[Entrant]]()
    while left:
        division = left.pop(0)
        while left and len(division) < size:
            division.append(left[0].pop(0))
            left = [there for there in left if there]
        filled.append(division[:LARGEST])
        if division[LARGEST:]:
            left.insert(0, [*division[LARGEST:], *(left.pop(0) if left else [])])
    return filled


def _cut(entrants: Sequence[Entrant], size: int) -> list[list[Entrant]]:
    """Cut entrants into divisions of nearly equal sizes, the larger ones first: as near to `size` as bounds allow."""
    count = len(entrants)
    number = min(max(round(count / size), -(-count // LARGEST), 1), max(count // SMALLEST, 1))
    small, larger = divmod(count, number)
    parts, start = list[list[Entrant]](), 0
    for n in range(number):
        end = start + small + (n < larger)
        parts.append(list(entrants[start:end]))
        start = end
    return [there for there in parts if there]
