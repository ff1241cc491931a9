"""Ratings: OpenSkill's Plackett-Luce model, shown as 1500 + 60 x (mu - 25). ADR 58 says what counts."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from pbmserv.model import Rating

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

#: The version of the rule for ratings (`entries.counts`, `weight`) of boards that begin now. Older boards keep theirs,
#: so that ratings can be made again at any time.
COUNTING = 1
UNRATED = Rating(mu=25.0, sigma=25.0 / 3)
ESTABLISHED = 10  #: boards until the `?` goes away
#: So many boards of the same players within REPEATED_WITHIN count in full, one with each colour; each further one half
#: as much as the one before.
IN_FULL, REPEATED_WITHIN = 2, timedelta(days=30)
#: As many boards before as can make a difference.
MOST_BEFORE = IN_FULL + 20


def points(mu: float) -> int:
    """Return the rating as players see it."""
    return round(1500 + 60 * (mu - 25))


def shown(rating: Rating) -> str:
    """Return the rating as text, such as `1534?`: with a question mark before the tenth rated board."""
    return f"{points(rating.mu)}{'?' if rating.boards < ESTABLISHED else ''}"


def weight(before: int) -> float:
    """Return how much a board counts, from 0 to 1. `before`: the boards of the same players shortly before it."""
    return 0.5 ** max(before - IN_FULL + 1, 0)


def rate(ratings: Sequence[Rating], teams: Sequence[int], ranks: Sequence[int], weight: float = 1.0) -> list[Rating]:
    """Return the ratings after a board, one for each seat, in seat order. `ranks`: 1 is best, equal means tied.

    A single winner never loses points, and a single loser never gains any. `weight`: which part of the change counts.
    """
    groups = sorted(set(teams))
    members = {t: [s for s, team in enumerate(teams) if team == t] for t in groups}
    before = [[_model().rating(mu=ratings[s].mu, sigma=ratings[s].sigma) for s in members[t]] for t in groups]
    after = _model().rate(before, ranks=[float(ranks[members[t][0]]) for t in groups])
    rated = {s: r for t, team in zip(groups, after, strict=True) for s, r in zip(members[t], team, strict=True)}
    part = (_between(old, rated[s].mu, rated[s].sigma, weight) for s, old in enumerate(ratings))
    return [
        _counted(old, *changed, ranks[s], ranks) for s, (old, changed) in enumerate(zip(ratings, part, strict=True))
    ]


def _between(old: Rating, mu: float, sigma: float, weight: float) -> tuple[float, float]:
    """Return mu and sigma after a part of a change."""
    if weight == 1:
        return mu, sigma
    return old.mu + weight * (mu - old.mu), old.sigma + weight * (sigma - old.sigma)


@cache
def _model() -> "PlackettLuce":
    """The model. Its library is imported only when the first rated board ends."""
    from openskill.models import PlackettLuce

    return PlackettLuce(limit_sigma=True)


def _counted(old: Rating, mu: float, sigma: float, rank: int, ranks: Sequence[int]) -> Rating:
    best, worst = min(ranks), max(ranks)
    if best == worst:
        return replace(old, mu=mu, sigma=sigma, boards=old.boards + 1, drawn=old.drawn + 1)
    won = rank == best
    if won and list(ranks).count(best) == 1:
        mu = max(mu, old.mu)
    if rank == worst and list(ranks).count(worst) == 1:
        mu = min(mu, old.mu)
    counted = replace(old, mu=mu, sigma=sigma, boards=old.boards + 1)
    return replace(counted, won=old.won + 1) if won else replace(counted, lost=old.lost + 1)
