"""Ratings: winners never lose points, losers never gain points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.boards.ratings import rating_formula
from pbmserv.model import Rating

pytestmark = pytest.mark.both

any_rating = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 25 / 3), st.integers(0, 50))


@given(st.lists(any_rating, min_size=2, max_size=4), st.data())
def test_a_win_never_lowers_and_a_loss_never_raises(old: list[Rating], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(1, 4), min_size=len(old), max_size=len(old)))
    new = rating_formula.rate(old, range(len(old)), ranks)
    if len(set(ranks)) == 1:
        return
    for before, after, rank in zip(old, new, ranks, strict=True):
        if rank == min(ranks) and ranks.count(rank) == 1:
            assert after.mu >= before.mu
        if rank == max(ranks) and ranks.count(rank) == 1:
            assert after.mu <= before.mu
        assert after.sigma <= before.sigma
        assert after.boards == before.boards + 1


def test_partners_win_and_lose_together() -> None:
    new = rating_formula.rate([rating_formula.UNRATED] * 4, (0, 1, 0, 1), (1, 2, 1, 2))
    assert new[0] == new[2]
    assert new[1] == new[3]
    assert new[0].mu > 25 > new[1].mu


def test_the_number_that_players_see() -> None:
    assert rating_formula.shown(rating_formula.UNRATED) == "1500?"
    assert rating_formula.shown(Rating(mu=26.0, sigma=2.0, boards=10)) == "1560"
