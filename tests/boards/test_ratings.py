"""Ratings: who wins never loses points, who loses never gains any; a rebuild gives the same numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.boards import entries, ratings
from pbmserv.store import Rating, Store
from tests.world import World

pytestmark = pytest.mark.both

any_rating = st.builds(Rating, st.floats(0, 50), st.floats(0.5, 25 / 3), st.integers(0, 50))


@given(st.lists(any_rating, min_size=2, max_size=4), st.data())
def test_a_win_never_lowers_and_a_loss_never_raises(old: list[Rating], data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(1, 4), min_size=len(old), max_size=len(old)))
    new = ratings.rate(old, range(len(old)), ranks)
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
    new = ratings.rate([ratings.UNRATED] * 4, (0, 1, 0, 1), (1, 2, 1, 2))
    assert new[0] == new[2]
    assert new[1] == new[3]
    assert new[0].mu > 25 > new[1].mu


def test_the_number_that_players_see() -> None:
    assert ratings.shown(ratings.UNRATED) == "1500?"
    assert ratings.shown(Rating(mu=26.0, sigma=2.0, boards=10)) == "1560"


def test_the_standings_show_who_asks_his_own_place(world: World) -> None:
    names = [f"player{n:02}" for n in range(30)]
    world.signup(*names)
    for n, name in enumerate(names):
        player = world.player(name)
        world.act(lambda s, p=player, n=n: s.ratings.set("tumble", p.id, Rating(40.0 - n, 3.0, 12)))  # type: ignore[misc]
    for asks, shown in (("player26", names[:20] + names[23:]), ("player21", names[:25]), ("player05", names[:20])):
        (answer,) = world.mail(asks, "tumble standings")
        assert [name for name in names if name in answer.text] == shown


def test_a_rebuild_gives_the_running_values(world: World) -> None:
    world.signup("alice", "bob", "carol")
    for first, second in (("alice", "bob"), ("bob", "carol"), ("carol", "alice"), ("alice", "bob")):
        number = world.board(first, second)
        world.mail(first, f"tumble move {number} {first} {first}-secret b3-c3")
        world.mail(second, f"tumble move {number} {second} {second}-secret g6-f6")
        world.mail(second, f"tumble resign {number} {second} {second}-secret")
    before = world.query(lambda s: s.ratings.standings("tumble", 0, 10))
    assert [(place, userid) for place, userid, _ in before] == [(1, "alice"), (2, "carol"), (3, "bob")]
    with world.engine.begin() as connection:
        assert entries.rebuild_ratings(Store(connection)) == 4
    assert world.query(lambda s: s.ratings.standings("tumble", 0, 10)) == before


def test_a_declined_board_and_one_against_oneself_do_not_count(world: World) -> None:
    number = world.board("alice", "bob")
    world.mail("bob", f"tumble decline {number} bob bob-secret")
    number = world.board("alice", "alice")
    world.mail("alice", f"tumble move {number} alice alice-secret b3-c3 g6-f6")
    world.mail("alice", f"tumble resign {number} alice alice-secret")
    assert world.query(lambda s: s.ratings.standings("tumble", 0, 10)) == []


def test_a_draw_that_is_agreed_before_everybody_moved_does_not_count(world: World) -> None:
    number = world.board("alice", "bob")
    world.mail("alice", f"tumble move {number} alice alice-secret b3-c3")
    world.mail("alice", f"tumble propose {number} alice alice-secret")
    world.mail("bob", f"tumble accept {number} bob bob-secret")
    assert world.row(number).board.result is not None
    assert world.query(lambda s: s.ratings.standings("tumble", 0, 10)) == []
    world.verify()
