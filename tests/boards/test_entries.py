"""Which boards change the ratings when they end. A rebuild gives the same ratings."""

from dataclasses import asdict, replace
from datetime import timedelta
from itertools import pairwise

import pytest
import sqlalchemy as sa

from pbmserv.boards import entries
from pbmserv.db import tables
from pbmserv.server.clock import Clock
from pbmserv.store import Store
from tests.world import World

pytestmark = pytest.mark.both


@pytest.mark.slow
def test_a_rebuild_gives_the_running_values(world: World) -> None:
    world.signup("alice", "bob", "carol")
    for first, second in (("alice", "bob"), ("bob", "carol"), ("carol", "alice"), ("alice", "bob")):
        number = world.board(first, second)
        world.mail(first, f"tumble move {number} {first} {first}-secret b3-c3")
        world.mail(second, f"tumble move {number} {second} {second}-secret g6-f6")
        world.play(number)
        world.mail(second, f"tumble resign {number} {second} {second}-secret")
    before = world.query(lambda s: s.ratings.standings("tumble", 0, 10))
    assert [(place, userid) for place, userid, _ in before] == [(1, "alice"), (2, "carol"), (3, "bob")]
    changes = world.query(lambda s: s.ratings.changes(101))
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.seat).values(mu_before=1.0))
        assert entries.rebuild_ratings(Store(connection)) == 4
    assert world.query(lambda s: s.ratings.standings("tumble", 0, 10)) == before
    assert world.query(lambda s: s.ratings.changes(101)) == changes


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


def test_a_move_is_played_though_its_game_cannot_write_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    number = world.board("alice", "bob")

    def broken(*_: object) -> str:
        raise KeyError("b3")

    monkeypatch.setattr(type(world.row(number).game), "written", broken)
    world.mail("alice", f"tumble move {number} alice alice-secret b3-c3")
    assert [(e.text, e.shown) for e in world.query(lambda s: s.boards.entries(number))] == [("b3-c3", "b3-c3")]


@pytest.mark.sqlite  # others ask PostgreSQL the same
@pytest.mark.parametrize("how", ["resign", "agree", "time", "undo"])
@pytest.mark.parametrize(("each", "counts"), [(1, False), (2, True)])
def test_a_board_counts_when_all_have_moved_twice(world: World, how: str, each: int, counts: bool) -> None:
    """Moves that were taken back are none."""
    number = world.board("alice", "bob", options="--forfeittime=2 --nagtime=none")
    world.play(number, each)
    if how == "undo":
        if each == 2:
            counts = False
            world.mail("bob", f"tumble undo {number} bob bob-secret")
            world.mail("alice", f"tumble accept {number} alice alice-secret")
        how = "resign"
    if how == "resign":
        world.mail("alice", f"tumble resign {number} alice alice-secret")
    elif how == "agree":
        world.mail("alice", f"tumble propose {number} alice alice-secret")
        world.mail("bob", f"tumble accept {number} bob bob-secret")
    else:
        world.now += timedelta(days=2.1)
        Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    assert world.row(number).board.result is not None
    assert bool(world.query(lambda s: s.ratings.standings("tumble", 0, 10))) == counts
    world.verify()


def test_a_board_that_began_under_the_old_rule_counts_as_it_did(world: World) -> None:
    number = world.board("alice", "bob")
    old = replace(world.row(number).settings, counting=0)
    with world.engine.begin() as connection:
        c = tables.board.c
        connection.execute(sa.update(tables.board).where(c.number == number).values(settings=asdict(old)))
    world.play(number, 1)
    world.mail("alice", f"tumble resign {number} alice alice-secret")
    before = world.query(lambda s: s.ratings.standings("tumble", 0, 10))
    assert [userid for _, userid, _ in before] == ["bob", "alice"]
    assert world.act(entries.rebuild_ratings) == 1
    assert world.query(lambda s: s.ratings.standings("tumble", 0, 10)) == before


@pytest.mark.slow
@pytest.mark.sqlite  # others ask PostgreSQL the same
def test_repeated_boards_of_a_pair_count_less_and_less(world: World) -> None:
    """Many are worth little more than three. A rebuild makes the same; after a month they count in full again."""
    points = []

    def lose(userid: str) -> None:
        number = world.board("alice", userid)
        world.play(number)
        world.mail(userid, f"tumble resign {number} {userid} {userid}-secret")
        points.append({u: r.mu for _, u, r in world.query(lambda s: s.ratings.standings("tumble", 0, 10))}["alice"])

    for _ in range(8):
        lose("bob")
    gains = [b - a for a, b in pairwise([25.0, *points])]
    assert sum(gains[3:]) < gains[2]
    assert all(gains[i + 1] < 0.7 * gains[i] for i in range(1, 7))
    lose("carol")
    assert points[-1] - points[-2] > 2 * gains[2]
    before = points[-1]
    assert world.act(entries.rebuild_ratings) == 9
    world.verify()
    lose("bob")
    assert points[-1] - before < gains[6]
    world.now += timedelta(days=31)
    lose("bob")
    assert points[-1] - points[-2] > gains[3]
    world.verify()
