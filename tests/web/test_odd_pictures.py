"""A game of others whose picture is not as it should be is shown as text, and harms nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from pbmserv.games.base import Cell, Picture, Tray
from pbmserv.games.base.board import Start
from pbmserv.games.base.board import begin as begin_board
from pbmserv.games.capture.tumbling_down import TumblingDown
from pbmserv.letters.text.templates import Renderer
from tests.examples import spread
from tests.games.toy import TEMPLATES, Toy
from tests.web.browser import browse, diagram
from tests.web.filled import begin
from tests.web.touching import HOME, own_page, touchable
from tests.world import World


def _fails(*_: Any) -> Any:
    raise RuntimeError("odd")


ODD: dict[str, Callable[..., Any]] = {
    "it fails": _fails,
    "a colour that nobody knows": lambda *_: Picture(((Cell("a1", "pink"),),)),
    "no cells": lambda *_: Picture(()),
    "rows without offsets": lambda *_: Picture(((Cell("a1"),), (Cell("a2"),)), offsets=(1,)),
    "a tray without cells": lambda *_: Picture(((Cell("a1"),),), beside=(Tray("An empty hand", ()),)),
    "something else": lambda *_: "a picture",
}


@pytest.fixture
def own(world: World) -> World:
    """A server with web pages and a board of alice and bob. The letters of alice are in words."""
    world.allow(web_url=HOME)
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret mail=spoken")
    begin(world, "alice", "bob")
    return world


@pytest.mark.parametrize("name", spread(list(ODD), 4))
def test_pages_and_letters_have_the_text(own: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(TumblingDown, "picture", ODD[name])
    move = own.row().game.example(own.row().board.position, 0)
    letters = own.mail("alice", f"tumble move 101 alice alice-secret {move}")
    assert {x.to for x in letters} == {"alice@example.org", "bob@example.org"}
    with browse(own) as pages:
        assert "8|" in diagram(pages.get("/boards/101"))
        bob = pages.get(own_page(own, 101, "bob"))
        assert "8|" in diagram(bob)
        assert touchable(bob).below
        assert pages.get("/boards/101?display=spoken").status_code == 200
        assert pages.get("/boards/101/picture.svg").status_code == 404
        assert pages.get("/boards/101/picture.png").status_code == 404


@pytest.mark.parametrize("name", ["cells_of", "caption"])
@pytest.mark.slow
def test_letters_have_the_text_if_links_fail(own: World, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(TumblingDown, name, _fails)
    move = own.row().game.example(own.row().board.position, 0)
    letters = own.mail("alice", f"tumble move 101 alice alice-secret {move}")
    assert len(letters) == 2
    with browse(own) as pages:
        assert pages.get("/boards/101").status_code == 200
        assert pages.get(own_page(own, 101, "bob")).status_code == 200


@pytest.mark.parametrize("text", ["\x01", "\ud800"])
def test_characters_that_no_file_can_have(own: World, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(TumblingDown, "picture", lambda *_: Picture(((Cell("a1", text=text),),)))
    with browse(own) as pages:
        assert pages.get("/boards/101").status_code == 200
        assert pages.get("/boards/101/picture.png").status_code in (200, 404)


def test_a_tower_is_not_painted(own: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TumblingDown, "picture", lambda *_: Picture(tuple((Cell(f"a{n}"),) for n in range(1, 3000))))
    with browse(own) as pages:
        assert pages.get("/boards/101/picture.png").status_code == 404


def test_words_are_those_of_the_diagram_if_a_game_has_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Toy, "picture", _fails)
    game = Toy()
    board = begin_board(Start(game, {}, 2, "seed"))
    renderer = Renderer(str(TEMPLATES))
    seen = game.view(board.position, None)
    assert renderer.facts(game, seen) == renderer.diagram(game, seen).split("\n")
