"""Which boards change the ratings when they end. A rebuild gives the same ratings."""

import pytest

from pbmserv.boards import entries
from pbmserv.store import Store
from tests.world import World

pytestmark = pytest.mark.both


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
