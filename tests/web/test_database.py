"""The pages beside running servers: they wait for no lock, and they have no way to write."""

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from pbmserv.db import engines, tables
from pbmserv.store import Store
from tests.web.browser import browse, words
from tests.web.filled import begin, play_on
from tests.web.touching import HOME, own_page
from tests.world import World

pytestmark = pytest.mark.both


def test_the_database_refuses_to_be_written_to(world: World) -> None:
    world.signup("alice")
    engine = engines.connect_to_read(world.url)
    with engine.connect() as connection, pytest.raises(DBAPIError):
        connection.execute(sa.delete(tables.address))
    with engine.connect() as connection:
        assert Store(connection).players.find("alice")
    engine.dispose()


def test_a_page_waits_for_no_move(world: World) -> None:
    """During the transaction of a move, the page shows the board as it was last committed."""
    world.allow(web_url=HOME)
    world.signup("alice", "bob")
    number = begin(world, "alice", "bob")
    play_on(world, number, 1)
    own = own_page(world, number, "bob")
    paths = ["/", "/players/alice", "/games/tumble/standings", f"/boards/{number}", f"/boards/{number}/1", own]
    paths += ["/players/alice/feed.atom", f"/boards/{number}/feed.atom", f"/boards/{number}/picture.svg", f"{own}/0"]
    with browse(world) as pages, world.engine.begin() as connection:
        assert Store(connection).boards.find(number)  # locked
        connection.execute(sa.update(tables.board).values(ply=7))
        connection.execute(sa.delete(tables.entry))
        for path in paths:
            assert pages.get(path).status_code == 200
        assert "Ply 1 of 1" in words(pages.get(f"/boards/{number}"))
        connection.rollback()


def test_a_page_is_as_new_as_the_last_commit(world: World) -> None:
    world.signup("alice", "bob")
    number = begin(world, "alice", "bob")
    with browse(world) as pages:
        for ply in range(3):
            assert f"Ply {ply} of {ply}" in words(pages.get(f"/boards/{number}"))
            play_on(world, number, 1)


def test_a_player_on_vacation_and_one_who_left(world: World) -> None:
    world.signup("alice", "bob")
    begin(world, "alice", "bob")
    world.mail("alice", "vacation alice alice-secret 5")
    world.mail("bob", "signoff bob bob-secret")
    with browse(world) as pages:
        assert "is on vacation until 6 March 2026." in words(pages.get("/players/alice"))
        assert "has closed the account." in words(pages.get("/players/bob"))


def test_lists_go_on_where_the_page_before_ended(world: World) -> None:
    world.signup("alice")
    numbers = [begin(world, "alice", game="threes") for _ in range(5)]
    found = world.query(lambda s: s.board_lists.search(before=numbers[3], limit=2, public=True))
    assert [b.number for b in found] == [numbers[2], numbers[1]]


def test_tables_and_lists_can_be_cut(world: World) -> None:
    world.signup("alice", "bob")
    for userid in ("alice", "bob"):
        play_on(world, begin(world, userid, game="threes"), 2000)
        world.mail(userid, f"tumble seek {userid} {userid}-secret")
    everybody = world.query(lambda s: s.ratings.scores("threes", "", 10))
    assert len(everybody) == 2
    assert world.query(lambda s: s.ratings.scores("threes", "", 1)) == everybody[:1]
    assert [s.number for s in world.query(lambda s: s.challenges.open_seeks(limit=1))] == [1]
