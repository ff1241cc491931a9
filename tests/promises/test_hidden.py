"""What is hidden from a stranger is on no page before the end of the game, in no display, at no ply."""

import re

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv.db import tables
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as play
from pbmserv.letters.text.templates import SPOKEN
from pbmserv.web.displays import TEXT
from tests.web.browser import browse, diagram
from tests.web.filled import begin, play_on
from tests.world import World

BOARDS = (("3io", ""), ("trippples", "h"), ("town", ""), ("threes", ""), ("trippples", ""))


def displays(game: AnyGame) -> dict[str, str]:
    """The displays in words and text: their names on web pages, and those of the rules."""
    return {SPOKEN: SPOKEN, **({d.name: d.name for d in game.info.displays} or {TEXT: ""})}


def picture(pages: TestClient, number: int) -> str:
    """The picture on the page of a board, with the words that are read out for it."""
    found = re.search(r"<svg.*?</svg>", pages.get(f"/boards/{number}").text, re.DOTALL)
    assert found
    return found[0].replace(str(number), "")


@pytest.mark.parametrize(("game", "options"), BOARDS)
def test_every_ply_is_drawn_for_nobody(world: World, game: str, options: str) -> None:
    players = ("alice",) if game in ("town", "threes") else ("alice", "bob")
    world.signup(*players)
    number = begin(world, *players, game=game, options=options)
    play_on(world, number, 3)
    row = world.row(number)
    assert row.board.result is None
    log = [line.entry for line in world.query(lambda s: s.boards.log(number))]
    with browse(world) as pages:
        for ply in range(row.board.ply + 1):
            then = play.at(row.board.start, log, ply)
            public = then.game.view(then.position, None)
            assert row.board.start.seed not in pages.get(f"/boards/{number}/{ply}").text
            for name, display in displays(then.game).items():
                page = pages.get(f"/boards/{number}/{ply}?display={name}")
                assert diagram(page) == world.site.renderer.diagram(then.game, public, display)
                assert row.board.start.seed not in page.text


def test_two_games_that_differ_in_hidden_things_only_have_the_same_pages(world: World) -> None:
    """Two boards look the same to a spectator, but not to all players. Their pages differ only in the names."""
    world.signup("alice", "bob")
    numbers = [begin(world, "alice", "bob", game="trippples", options="h") for _ in range(2)]
    rows = [world.row(n) for n in numbers]
    assert rows[0].board.position != rows[1].board.position
    with browse(world) as pages:
        shown = [diagram(pages.get(f"/boards/{n}?display=m")) for n in numbers]
        assert shown[0] == shown[1]
        assert picture(pages, numbers[0]) == picture(pages, numbers[1])
        for row in rows:
            assert records_nothing_hidden(pages, row.number)


def records_nothing_hidden(pages: TestClient, number: int) -> bool:
    record = pages.get(f"/boards/{number}/record.json").json()
    return record["seed"] is None and record["origin"] is None


def test_a_note_for_one_seat_is_told_to_nobody_else(world: World) -> None:
    number = world.board("alice", "bob")
    play_on(world, number, 2)
    notes = [["Alice knows.", [0]], ["All know.", None]]
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.entry).values(notes=notes))
    with browse(world) as pages:
        for path in (f"/boards/{number}", f"/boards/{number}/1", f"/boards/{number}/record.json"):
            page = pages.get(path).text
            assert "Alice knows." not in page
            assert "All know." in page


def test_comments_and_addresses_are_on_no_page(world: World) -> None:
    world.board("alice", "bob")
    world.mail("alice", "tumble move 101 alice alice-secret c1-c2", "Between you and me: a trap!")
    world.mail("bob", "tumble chat 101 bob bob-secret", "I have seen it.")
    with browse(world) as pages:
        for path in ("/", "/boards/101", "/boards/101/1", "/players/alice", "/boards/101/record.json"):
            page = pages.get(path).text
            assert "trap" not in page
            assert "seen it" not in page
            assert "example.org" not in page
