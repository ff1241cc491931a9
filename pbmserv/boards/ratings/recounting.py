"""Counts ratings again, from what is stored of boards that count. No log is replayed, so no mail waits for long."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import combinations, groupby
from operator import attrgetter
from typing import TypeAlias

from pbmserv import games
from pbmserv.boards.ratings import rating_formula
from pbmserv.model import Rating
from pbmserv.model.rows import CountedSeat
from pbmserv.store import Store

#: When boards of two players of a game have ended that count, in order: (game, player, player) -> times.
_Met: TypeAlias = dict[tuple[str, int, int], list[datetime]]


def recount(store: Store, keys: Collection[str]) -> int:
    """Compute the ratings of these games again, in the order in which boards ended. Returns how many boards counted."""
    store.boards.lock_endings()
    ratings = defaultdict[tuple[str, int], Rating](lambda: rating_formula.UNRATED)
    met: _Met = defaultdict(list)
    changes, count = list[tuple[int, int, float, float]](), 0
    for seats in _boards(store.ratings.counted(keys)):
        count += 1
        places = [(seat.game, seat.player_id) for seat in seats]
        old = [ratings[place] for place in places]
        teams = games.find(seats[0].game, seats[0].rules).teams(len(seats))
        new = rating_formula.rate(old, teams, [seat.rank for seat in seats], _weight(seats, met))
        ratings.update(zip(places, new, strict=True))
        for seat, before, after in zip(seats, old, new, strict=True):
            if (seat.mu_before, seat.mu_after) != (before.mu, after.mu):
                changes.append((seat.board, seat.seat, before.mu, after.mu))
    store.ratings.replace(keys, ratings, changes)
    return count


def _boards(seats: Sequence[CountedSeat]) -> Iterator[list[CountedSeat]]:
    return (list(of_one) for _, of_one in groupby(seats, key=attrgetter("board")))


def _weight(seats: Sequence[CountedSeat], met: _Met) -> float:
    """Return how much a board counts, and note that its players have met. See `entries.weight`."""
    over = seats[0].over
    players = sorted(seat.player_id for seat in seats)
    times = [met[seats[0].game, one, other] for one, other in combinations(players, 2)]
    before = min(len(t) - bisect_left(t, over - rating_formula.REPEATED_WITHIN) for t in times)
    for pair in times:
        insort(pair, over)
    is_old = (seats[0].counting or 0) < rating_formula.COUNTING
    return 1.0 if is_old else rating_formula.weight(min(before, rating_formula.MOST_BEFORE))
