"""Robots give words for shared dice: each mail of a robot gives one."""

from datetime import timedelta

import pytest

from pbmserv.server.robot_player import REST
from tests.commands.answers import run
from tests.server.test_robot_player import add, role
from tests.web.browser import browse
from tests.world import World

pytestmark = pytest.mark.both


@pytest.mark.parametrize(("game", "options"), [("backgammon", ""), ("battleship", ""), ("chess", "-960")])
def test_a_robot_gives_a_word_and_plays_on(world: World, game: str, options: str) -> None:
    world.signup("alice")
    add(world, "robert", game)
    run(world, "alice", f"{game} challenge alice robert {options} --dice=shared")
    world.now += timedelta(seconds=REST + 1)
    assert role(world).play()
    board = world.row().board
    (word,) = filter(None, board.words)
    assert len(word) == 64
    assert board.waits
    run(world, "alice", f"{game} move 101 alice alice-secret go")
    world.now += timedelta(seconds=REST + 1)
    while role(world).play():
        world.now += timedelta(seconds=REST + 1)
    board = world.row().board
    assert not board.waits
    assert board.to_move == {next(s for s, p in enumerate(world.row().players) if p.userid == "alice")}
    world.verify()


def test_a_players_own_page_has_a_button_for_the_word(world: World) -> None:
    world.allow(web_url="https://games.example")
    world.signup("alice")
    letters = run(world, "alice", "threes challenge alice --dice=shared")
    (link,) = [line for line in letters[0].text.splitlines() if "/mine/" in line or "/my/" in line or "/b/" in line]
    with browse(world) as pages:
        page = pages.get(link.strip().removeprefix("https://games.example")).text
    assert "This board is set up as soon as" in page
    assert ">go<" in page
    assert world.row().board.start.seed not in page
