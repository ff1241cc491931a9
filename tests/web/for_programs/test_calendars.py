"""A player's calendar: who gets it, what is in it, and how it ends."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from icalendar import Calendar, Event
from starlette.testclient import TestClient

from pbmserv.mail.signed_addresses import CALENDAR, PAGE
from tests.web.browser import browse
from tests.web.touching import HOME
from tests.world import World


@pytest.fixture
def busy(world: World) -> World:
    """A server with web pages on which it is alice's turn on two boards, of which one has a time limit."""
    world.allow(web_url=HOME)
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "four challenge alice bob --forfeittime=10 --as=alice:alice-secret")
    world.mail("alice", "tumble challenge alice bob --forfeittime=0 --nagtime=0 --as=alice:alice-secret")


@pytest.fixture
def pages(busy: World) -> Iterator[TestClient]:
    with browse(busy) as client:
        yield client


def link(world: World, value: str = "on") -> str:
    """Ask for a calendar, and return the path of its link."""
    (letter,) = world.mail("alice", f"set alice alice-secret calendar={value}")
    found = re.search(rf"^{HOME}(/my/k\S+/calendar.ics)$", letter.text, re.MULTILINE)
    assert found, letter.text
    return found[1]


def events(pages: TestClient, path: str) -> list[Event]:
    answer = pages.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    assert answer.headers["cache-control"] == "private, no-store"
    return [part for part in Calendar.from_ical(answer.text).walk() if isinstance(part, Event)]


def moment(event: Event) -> datetime:
    found = event.decoded("DTEND")
    assert isinstance(found, datetime)
    return found


@pytest.mark.parametrize(("days", "before"), [("10", timedelta(days=1)), ("1.5", timedelta(hours=1))])
def test_it_lasts_an_hour_and_tells_before(world: World, days: str, before: timedelta) -> None:
    world.allow(web_url=HOME)
    world.signup("alice", "bob")
    world.mail("alice", f"four challenge alice bob --nagtime=none --forfeittime={days} --as=alice:alice-secret")
    with browse(world) as pages:
        (event,) = events(pages, link(world))
    assert event["TRANSP"] == "TRANSPARENT"
    assert moment(event) - event.decoded("DTSTART") == timedelta(hours=1)
    (alarm,) = event.walk("VALARM")
    assert alarm["ACTION"] == "DISPLAY"
    assert event.decoded("DTSTART") + alarm.decoded("TRIGGER") == moment(event) - before


def test_it_has_the_moment_when_the_time_ends(busy: World, pages: TestClient) -> None:
    (event,) = events(pages, link(busy))
    assert event["SUMMARY"] == "Your move: Four in a Row, board 101"
    assert event["DESCRIPTION"] == "The time for this move ends."
    assert moment(event) == busy.row().changed + timedelta(days=10)
    page = str(event["URL"])
    assert page.startswith(f"{HOME}/my/p101.0.")
    assert pages.get(page.removeprefix(HOME)).status_code == 200
    (letter,) = busy.mail("alice", "set alice alice-secret calendar=new")
    assert "who sees it can move for you" in letter.flat
    assert pages.get(page.removeprefix(HOME)).status_code == 200, "only another password ends it"


def test_it_is_gone_when_the_player_has_moved_and_comes_back_under_the_same_name(
    busy: World, pages: TestClient
) -> None:
    path = link(busy)
    (before,) = events(pages, path)
    busy.mail("alice", "four move 101 alice alice-secret d")
    assert events(pages, path) == []
    busy.mail("bob", "four move 101 bob bob-secret d")
    (after,) = events(pages, path)
    assert after["UID"] == before["UID"]


@pytest.mark.slow
@pytest.mark.both
def test_it_is_the_same_bytes_as_long_as_nothing_happens(busy: World, pages: TestClient) -> None:
    path = link(busy)
    first = pages.get(path).content
    busy.now += timedelta(hours=3)
    assert pages.get(path).content == first


def test_a_vacation_moves_it(busy: World, pages: TestClient) -> None:
    path = link(busy)
    (before,) = events(pages, path)
    busy.mail("alice", "vacation alice alice-secret 5")
    (after,) = events(pages, path)
    assert moment(after) - moment(before) == timedelta(days=5)


def test_it_is_in_the_language_of_the_player(busy: World, pages: TestClient) -> None:
    busy.mail("alice", "set alice alice-secret language=de")
    (event,) = events(pages, link(busy))
    assert event["SUMMARY"] == "Du bist am Zug: Vier gewinnt, Partie 101"


def test_a_new_link_ends_the_old_one(busy: World, pages: TestClient) -> None:
    old = link(busy)
    assert link(busy) == old, "to ask again shows the same"
    new = link(busy, "new")
    assert new != old
    assert pages.get(old).status_code == 410
    assert pages.get(new).status_code == 200


@pytest.mark.parametrize(
    "line",
    [
        "set alice alice-secret calendar=off",
        "change password alice alice-secret another-secret1",
        "signoff alice alice-secret",
    ],
)
def test_how_a_link_ends(busy: World, pages: TestClient, line: str) -> None:
    path = link(busy)
    busy.mail("alice", line)
    answer = pages.get(path)
    assert answer.status_code == 410, answer.text
    assert "calendar=new" in answer.text


def test_nobody_gets_one_with_a_link_that_we_did_not_sign(busy: World, pages: TestClient) -> None:
    path, sign = link(busy), busy.site.signer.signed
    alice = busy.player("alice").id
    right = path.split("/")[2]
    assert pages.get(path.replace(right[-4:], "aaaa")).status_code == 404
    for words in (sign(CALENDAR, alice), sign(CALENDAR, 9999, 1), sign(PAGE, 101, 0, 1), "k" + "1" * 80):
        assert pages.get(f"/my/{words}/calendar.ics").status_code == 404, words
    assert pages.get(f"/my/{sign(CALENDAR, alice, 12345)}/calendar.ics").status_code == 410
    assert pages.get(f"/my/{right}").status_code == 404, "it is not the page of a board"


def test_the_operator_can_turn_them_off(busy: World) -> None:
    path = link(busy)
    busy.allow(calendars=False)
    (letter,) = busy.mail("alice", "set alice alice-secret calendar=on")
    assert "This server has no calendars." in letter.text
    assert "calendar" not in busy.mail("alice", "set alice alice-secret")[0].text
    with browse(busy) as pages:
        assert pages.get(path).status_code == 404


def test_another_value_is_an_error(busy: World) -> None:
    (letter,) = busy.mail("alice", "set alice alice-secret calendar=perhaps")
    assert "Write: calendar=off or calendar=on or calendar=new" in letter.text
