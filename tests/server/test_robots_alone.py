"""Robots of solitaires: they begin boards of their own, and are in the high scores without a place."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.boards.with_robots import ALONE_EVERY
from pbmserv.db import tables
from pbmserv.mail import signed_addresses
from pbmserv.mail.outbound import NOWHERE
from pbmserv.server.robot_player import ALONE_LOOK, REST
from pbmserv.store import Store
from pbmserv.store.ratings import score_level
from tests.server.test_robot_player import add, role
from tests.web.browser import browse
from tests.world import World

pytestmark = pytest.mark.both


@pytest.mark.slow
def test_a_robot_begins_one_board_a_day_and_plays_it(world: World) -> None:
    add(world, "robert", "threes")
    add(world, "rita", "four")
    robots = role(world)
    assert robots.play()
    assert world.row().players[0].userid == "robert"
    assert world.row().settings.forfeit is None
    for _ in range(3):
        world.now += timedelta(seconds=REST + 1)
        assert robots.play()
    assert world.row().board.ply == 3
    _resign(world, 101)
    world.now += timedelta(seconds=ALONE_LOOK + 1)
    assert not robots.play()
    world.now += ALONE_EVERY
    assert robots.play()
    assert world.query(lambda s: s.board_lists.numbers()) == [101, 102]
    assert world.letters() == []
    world.verify()


def test_two_processes_begin_one_board(world: World) -> None:
    add(world, "robert", "threes")
    assert role(world).play()
    assert not role(world).play()


def _resign(world: World, number: int) -> None:
    """End a board with the score that it has."""
    row = world.row(number)
    (player,) = row.players
    sender = f"robert@{NOWHERE}" if player.robot else player.userid
    to = world.site.signer.sign(signed_addresses.BOARD, number, 0, row.board.length)
    world.mail(sender, "Re: board", "resign", to=to)
    assert world.row(number).board.result


def test_robots_take_no_place_in_the_high_scores(world: World) -> None:
    world.signup("alice", "bob", "carol")
    add(world, "robert", "threes")
    add(world, "rita", "threes")
    for userid, best in (("bob", 600), ("robert", 501), ("carol", 500), ("rita", 500), ("alice", 30)):
        _score(world, userid, best)
    lines = world.query(lambda s: s.ratings.scores("threes", "", 20))
    assert [(line.place, line.userid) for line in lines if line.userid != "rita"] == [
        (1, "bob"),
        (0, "robert"),
        (2, "carol"),
        (3, "alice"),
    ]
    assert {line.place for line in lines if line.userid == "rita"} == {0}
    assert world.query(lambda s: s.ratings.variants("threes")) == {"": 3}
    assert world.query(lambda s: s.ratings.scores("threes", "", 3)) == lines  # they push nobody off the list
    assert [line.userid for line in world.query(lambda s: s.ratings.scores("threes", "", 1))] == ["bob"]
    alice = world.player("alice")
    mine = world.query(lambda s: s.ratings.score("threes", "", alice.id))
    assert mine
    assert mine.place == 3
    (answer,) = world.mail("alice", "threes standings")
    (line,) = (line.split() for line in answer.text.splitlines() if "robert (ROBOT)" in line)
    assert line[0] == "-"
    with browse(world) as client:
        assert "(ROBOT)" in client.get("/games/threes/standings").text


def _score(world: World, userid: str, best: int) -> None:
    player = world.player(userid)
    values = {"game": "threes", "variant": "", "player_id": player.id, "boards": 1, "level": score_level(best)}
    with world.engine.begin() as connection:
        connection.execute(sa.insert(tables.score).values(values | {"best": best, "total": best}))
        Store(connection).ratings.count_levels()
