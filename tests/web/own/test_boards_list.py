"""The page with all boards of a player: who gets its link, what is on it, and how it ends."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape

import pytest
from starlette.testclient import TestClient

from pbmserv.letters.digest import write_digest
from pbmserv.letters.letters import Cause, Letters
from pbmserv.mail.signed_addresses import BOARDS, CALENDAR
from pbmserv.model import Player
from pbmserv.store import Store
from tests.commands.answers import to
from tests.web.browser import browse, links, words
from tests.web.touching import HOME, own_page
from tests.world import Received, World


@pytest.fixture
def busy(world: World) -> World:
    """Alice is to move on a board of chess and on a private one of Hex, and bob on a third one."""
    world.allow(web_url=HOME)
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.signup("alice", "bob")
    for line in ("chess challenge alice bob", "hex challenge --private alice bob", "four challenge bob alice"):
        world.mail("alice", f"{line} --as=alice:alice-secret")
    world.letters()


@pytest.fixture
def pages(busy: World) -> Iterator[TestClient]:
    with browse(busy) as client:
        yield client


def link(letter: Received) -> str:
    """Return the path of the link in a letter."""
    (found,) = re.findall(rf"^{HOME}(/my/g\S+/boards)$", letter.text, re.MULTILINE)
    return str(found)


def asked(world: World, value: str = "on") -> str:
    (letter,) = world.mail("alice", f"set alice alice-secret page={value}")
    return link(letter)


@pytest.mark.slow
def test_it_shows_what_waits_for_the_player_first_with_small_pictures(busy: World, pages: TestClient) -> None:
    path = asked(busy)
    page = pages.get(path)
    assert page.headers["Cache-Control"] == "private, no-store"
    assert "ETag" not in page.headers
    mine, others = words(page).split("Boards that wait for others")
    assert "Chess 101" in mine
    assert "Hex 102" in mine
    assert "Move by Sunday, 22 March, 12:00 UTC." in mine
    assert "Four in a Row 103" in others
    own = [own_page(busy, number, "alice") for number in (101, 102, 103)]
    assert {*own, *(f"{path}/picture.svg" for path in own[:2])} <= set(links(page))
    picture = pages.get(f"{own[1]}/picture.svg")
    assert (picture.headers["Content-Type"], picture.headers["Cache-Control"]) == ("image/svg+xml", "private, no-store")
    assert picture.text.startswith("<svg")
    assert pages.get(f"{own[1]}x/picture.svg").status_code == 404


def test_it_asks_a_few_bytes_whether_something_has_happened(busy: World, pages: TestClient) -> None:
    path = asked(busy)
    first = pages.get(f"{path}/news")
    assert (first.text, first.headers["Cache-Control"]) == ("2", "private, no-store")
    assert f'data-news="{first.headers["ETag"]}"' in unescape(pages.get(path).text)
    asks = {"If-None-Match": first.headers["ETag"]}
    assert pages.get(f"{path}/news", headers=asks).status_code == 304
    busy.mail("bob", "four move 103 bob bob-secret d")
    assert pages.get(f"{path}/news", headers=asks).text == "3"


def test_who_asks_again_gets_the_same_link_and_the_daily_letter_has_it(busy: World, pages: TestClient) -> None:
    path = asked(busy)
    assert asked(busy) == path
    busy.mail("alice", "set alice alice-secret digest=daily language=de")
    busy.mail("bob", "four move 103 bob bob-secret d")
    busy.now += timedelta(days=1)
    alice = busy.player("alice")
    busy.act(lambda store: _write_digest(busy, alice, store))
    assert link(to(busy.letters(), "alice")) == path
    page = pages.get(path)
    assert "Keine Partie wartet auf dich." not in words(page)
    assert "Wer ihren Link hat, kann in all diesen Partien in deinem Namen ziehen." in words(page)


def _write_digest(world: World, player: Player, store: Store) -> None:
    written = Letters(world.site, store, Cause(None), world.now)
    assert write_digest(written, player)
    store.letters.queue(written.rows)


@pytest.mark.parametrize(
    "line",
    [
        "set alice alice-secret page=off",
        "set alice alice-secret page=new",
        "change password alice alice-secret another-secret1",
        "signoff alice alice-secret",
    ],
)
def test_how_its_link_ends(busy: World, pages: TestClient, line: str) -> None:
    path = asked(busy)
    busy.mail("alice", line)
    assert pages.get(path).status_code == 410


def test_other_links_do_not_lead_there(busy: World, pages: TestClient) -> None:
    path, sign = asked(busy), busy.site.signer.signed
    number, code = busy.site.signer.verify(path.split("/")[2]).numbers  # type: ignore[union-attr]  # it is ours
    for words_ in (f"{path.split('/')[2]}x", sign(CALENDAR, number, code), sign(BOARDS, 999, code), sign(BOARDS, 1)):
        assert pages.get(f"/my/{words_}/boards").status_code == 404
    busy.allow(web_url="")
    assert "This server has no web pages." in busy.mail("alice", "set alice alice-secret page=on")[0].text
