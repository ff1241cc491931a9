"""The Atom feeds keep the rules of RFC 4287, and tell nothing that the pages do not tell."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from xml.etree import ElementTree

import feedparser
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from pbmserv.db import tables
from pbmserv.web.for_programs import atom, feeds
from tests.web.browser import browse, links
from tests.web.filled import PRIVATE, play_on
from tests.world import ADDRESS, World

ATOM = "{http://www.w3.org/2005/Atom}"
BOARDS = [f"/boards/{number}" for number in range(101, 110) if number != PRIVATE]
PLAYERS = [f"/players/{userid}" for userid in ("alice", "bob", "carol", "eve", "nobody1")]


def read(pages: TestClient, path: str) -> ElementTree.Element:
    """Return the feed of a page."""
    answer = pages.get(f"{path}/feed.atom")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/atom+xml"
    return ElementTree.fromstring(answer.content)


def titles(feed: ElementTree.Element) -> list[str]:
    return [str(entry.findtext(f"{ATOM}title")) for entry in feed.iter(f"{ATOM}entry")]


def check(element: ElementTree.Element, path: str = "") -> None:
    """Check what section 4.1 of the RFC demands of feeds and entries."""
    for name in ("id", "title", "updated"):
        (only,) = element.findall(f"{ATOM}{name}")
        assert only.text, name
    assert str(element.findtext(f"{ATOM}id")).startswith(f"tag:{ADDRESS},2026-")
    assert datetime.fromisoformat(str(element.findtext(f"{ATOM}updated"))).tzinfo
    found = [(link.get("rel"), link.get("type")) for link in element.findall(f"{ATOM}link")]
    assert len(set(found)) == len(found)
    assert ("alternate", "text/html") in found
    (author,) = element.findall(f"{ATOM}author")
    assert author.findtext(f"{ATOM}name")
    if path:
        assert [link.get("href") for link in element.findall(f"{ATOM}link[@rel='self']")] == [f"{path}/feed.atom"]


GAMES = [f"/games/{key}" for key in ("tumble", "town", "hex", "trippples")]


@pytest.mark.parametrize("path", [*BOARDS, *PLAYERS, *GAMES])
def test_a_feed_keeps_the_rules(pages: TestClient, path: str) -> None:
    feed = read(pages, path)
    assert feed.tag == f"{ATOM}feed"
    check(feed, path)
    entries = feed.findall(f"{ATOM}entry")
    for entry in entries:
        check(entry)
        (content,) = entry.findall(f"{ATOM}content")
        assert content.get("type") == "text"
    times = [str(entry.findtext(f"{ATOM}updated")) for entry in entries]
    assert times == sorted(times, reverse=True)
    assert not times or feed.findtext(f"{ATOM}updated") == times[0]
    ids = [entry.findtext(f"{ATOM}id") for entry in (feed, *entries)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("path", [*BOARDS, *PLAYERS])
def test_a_feed_reader_understands_it_and_its_links_lead_somewhere(pages: TestClient, path: str) -> None:
    found = feedparser.parse(pages.get(f"{path}/feed.atom").content)
    assert not found.bozo, found.bozo_exception
    assert found.version == "atom10"
    assert found.feed.link == path
    assert len(found.entries) <= atom.MOST
    for entry in found.entries[:5]:
        assert pages.get(entry.link).status_code == 200
        assert entry.updated_parsed


def test_pages_name_their_feeds(pages: TestClient) -> None:
    for path in ("/boards/101", "/boards/101/2", "/players/alice"):
        page = pages.get(path)
        assert '<link rel="alternate" type="application/atom+xml" title="News of' in page.text
        owner = "/boards/101" if path.startswith("/boards") else path
        assert f"{owner}/feed.atom" in links(page)


def test_each_move_and_the_end_are_news(pages: TestClient) -> None:
    assert titles(read(pages, "/boards/101"))[:2] == [
        "Tumbling Down 101: ply 5, alice h3-h7t",
        "Tumbling Down 101: ply 4, bob b8-f8t",
    ]
    last = titles(read(pages, "/boards/102"))[0]
    assert last == "Tumbling Down 102: bob resigns. The board is over: alice wins (by resignation)"
    declined = titles(read(pages, "/boards/108"))
    assert declined == ["Trippples 108: eve declines the board. The board is over: no result (the board was declined)"]


def test_the_ids_stay_when_there_is_more_news_and_when_a_move_is_taken_back(world: World) -> None:
    number = world.board("alice", "bob")
    play_on(world, number, 2)
    with browse(world) as pages:
        before = [entry.findtext(f"{ATOM}id") for entry in read(pages, f"/boards/{number}").iter(f"{ATOM}entry")]
        world.mail("alice", f"tumble undo {number} alice alice-secret")
        world.mail("bob", f"tumble accept {number} bob bob-secret")
        feed = read(pages, f"/boards/{number}")
    after = [entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")]
    assert after[1:] == before
    assert titles(feed)[0] == f"Tumbling Down {number}: bob agrees: back to ply 0"


def test_the_ids_stay_when_a_player_gets_another_name(world: World) -> None:
    play_on(world, world.board("alice", "bob"), 2)
    with browse(world) as pages:
        before = [
            e.findtext(f"{ATOM}id") for e in read(pages, "/players/alice").iter() if e.find(f"{ATOM}id") is not None
        ]
        with world.engine.begin() as connection:
            connection.execute(
                sa.update(tables.player).where(tables.player.c.userid == "alice").values(userid="alicia")
            )
        after = [
            e.findtext(f"{ATOM}id") for e in read(pages, "/players/alicia").iter() if e.find(f"{ATOM}id") is not None
        ]
        assert pages.get("/players/alice/feed.atom").status_code == 404
    assert len(before) == 3
    assert after == before


def test_private_boards_are_no_news(pages: TestClient) -> None:
    answer = pages.get(f"/boards/{PRIVATE}/feed.atom")
    assert answer.status_code == 403
    for path in PLAYERS:
        assert f"board/{PRIVATE}" not in pages.get(f"{path}/feed.atom").text
    assert pages.get("/players/mallory/feed.atom").status_code == 404


def test_notes_for_one_seat_are_no_news(world: World) -> None:
    number = world.board("alice", "bob")
    play_on(world, number, 1)
    with world.engine.begin() as connection:
        notes = [["For alice alone.", [0]], ["For everybody.", None]]
        connection.execute(sa.update(tables.entry).values(notes=notes))
    with browse(world) as pages:
        text = pages.get(f"/boards/{number}/feed.atom").text
    assert "For everybody." in text
    assert "alone" not in text


def test_a_feed_has_an_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (feeds, atom):
        monkeypatch.setattr(module, "MOST", 3)
    monkeypatch.setattr(feeds, "BOARDS", 2)
    for _ in range(3):
        play_on(world, world.board("alice", "bob"), 4)
        world.now += timedelta(minutes=1)
    with browse(world) as pages:
        assert [t.partition(",")[0] for t in titles(read(pages, "/boards/101"))] == [
            f"Tumbling Down 101: ply {ply}" for ply in (4, 3, 2)
        ]
        theirs = titles(read(pages, "/players/alice"))
    assert len(theirs) == 3
    assert theirs[0].startswith("Tumbling Down 103: ply 4")


def test_words_of_the_database_are_text_and_never_break_the_feed(world: World) -> None:
    number = world.board("alice", "bob")
    play_on(world, number, 1)
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.entry).values(text="<b>&\x1b\ufffe]]>"))
        connection.execute(sa.update(tables.player).where(tables.player.c.userid == "bob").values(userid='"><x>&'))
    with browse(world) as pages:
        assert titles(read(pages, f"/boards/{number}")) == [f"Tumbling Down {number}: ply 1, alice <b>&]]>"]
        (theirs,) = {x for x in links(pages.get("/boards")) if x.startswith("/players/") and "alice" not in x}
        assert "<x>" not in pages.get(f"{theirs}/feed.atom").text


@pytest.fixture(scope="module")
def at_home(filled: World) -> Iterator[TestClient]:
    """The pages of a server that knows where browsers reach it."""
    with browse(filled, web_url="https://pbm.example.org") as client:
        yield client


def test_links_of_feeds_are_whole_where_the_place_is_known(at_home: TestClient) -> None:
    feed = read(at_home, "/boards/101")
    hrefs = [str(link.get("href")) for link in feed.iter(f"{ATOM}link")]
    assert hrefs[:3] == [
        "https://pbm.example.org/boards/101",
        "https://pbm.example.org/boards/101/feed.atom",
        "https://pbm.example.org/boards/101/5",
    ]


def test_a_game_tells_which_boards_have_begun_and_ended(pages: TestClient) -> None:
    said = titles(read(pages, "/games/tumble"))
    assert "Tumbling Down 101 has begun: alice, bob" in said
    assert any(title.startswith("Tumbling Down 102: The board is over: ") for title in said)
    assert not any(str(PRIVATE) in title for title in said)
    assert titles(read(pages, "/games/hex")) == []
