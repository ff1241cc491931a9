"""Admins and the outbox: letters that are held are not sent, letters that are sent again are."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.letters.text.times import utc_now
from pbmserv.model.letters import WholeLetter
from pbmserv.server.outbox import StoredOutbox
from tests.cli.conftest import Desk

RECEIPT = "250 2.0.0 Taken"


def outbox(desk: Desk) -> StoredOutbox:
    """The outbox as the sender uses it. It has the real clock, so that letters of the command line are due."""
    return StoredOutbox(desk.world.engine, desk.world.site)


def send_all(desk: Desk) -> list[int]:
    """Send all letters that are due; returns their numbers."""
    there = outbox(desk)
    taken = [letter.id for letter in there.claim(50, 60)]
    there.sent_many([(number, RECEIPT) for number in taken])
    return taken


def letter(desk: Desk, number: int) -> WholeLetter:
    found = desk.world.query(lambda s: s.letters.find(number))
    assert found is not None
    return found


def status(desk: Desk, number: int) -> str:
    return letter(desk, number).status


@pytest.mark.both
def test_a_held_letter_waits_until_it_is_released(desk: Desk) -> None:
    desk.run("letters", "hold", "1", "--why", "to be read first")
    assert desk.event() == ("letter 1: hold", "to be read first")
    assert send_all(desk) == [2]
    assert [x["id"] for x in desk.json("letters", "list", "--status", "held")] == [1]
    before = letter(desk, 1).data
    desk.run("letters", "release", "1")
    assert send_all(desk) == [1]
    assert letter(desk, 1).data == before
    assert "Letter 1 is not held back: it is sent." in desk.says("letters", "release", "1", code=65)


def test_a_held_letter_is_not_forgotten(desk: Desk) -> None:
    desk.run("letters", "hold", "1")
    desk.world.act(lambda s: s.letters.forget(desk.world.now + timedelta(days=999)))
    assert status(desk, 1) == "held"


def test_a_dropped_letter_never_goes_out(desk: Desk) -> None:
    desk.run("letters", "drop", "1", code=64)
    desk.run("letters", "drop", "1", "--yes", "--why", "a wrong address")
    assert send_all(desk) == [2]
    assert status(desk, 1) == "dropped"
    assert "it is dropped" in desk.says("letters", "hold", "1", code=65)


def test_a_sent_letter_goes_out_once_more(desk: Desk) -> None:
    send_all(desk)
    assert "it is sent" in desk.says("letters", "drop", "1", "--yes", code=65)
    desk.run("letters", "resend", "1", "--why", "her mailbox was full")
    assert send_all(desk) == [1]


@pytest.mark.parametrize("verb", ["hold", "drop", "resend"])
def test_a_letter_in_a_senders_hand_is_left_alone(desk: Desk, verb: str) -> None:
    outbox(desk).claim(50, 60)
    yes = ["--yes"] if verb == "drop" else []
    assert "Try again in a minute." in desk.says("letters", verb, "1", *yes, code=75)
    assert "There is no letter 99." in desk.says("letters", verb, "99", *yes, code=66)


def test_a_letter_is_shown_as_its_reader_gets_it(desk: Desk) -> None:
    send_all(desk)
    shown = desk.says("letters", "show", "1")
    assert "Subject: Tumble Board 101 alice" in shown
    assert "Your move, alice." in shown
    assert RECEIPT in shown
    assert desk.json("letters", "show", "1")["headers"]["To"] == "alice@example.org"
    assert "There is no letter 99." in desk.says("letters", "show", "99", code=66)


@pytest.mark.both
def test_lists_have_filters(desk: Desk) -> None:
    desk.world.mail("bob", "games")
    assert len(desk.json("letters", "list")) == 3
    assert [x["id"] for x in desk.json("letters", "list", "--board", "101", "--to", "Bob@example.org")] == [2]
    several = ("--to", "Bob@example.org", "--to", "alice@example.org")
    assert [x["id"] for x in desk.json("letters", "list", *several)] == [3, 2, 1]
    assert desk.json("letters", "list", "--since", "today") == []
    assert "data" not in desk.json("letters", "list", "--limit", "1")[0]


def test_what_there_is_of_a_letter_that_cannot_be_made_is_shown(desk: Desk) -> None:
    """The sender lets it wait and writes the reason in its receipt. `show` and `export` still work."""
    broken = b'{"letter": {"text": "words that are left"}}'
    with desk.world.engine.begin() as connection:
        connection.execute(sa.update(tables.outbox).where(tables.outbox.c.id == 1).values(data=broken))
    assert send_all(desk) == [2]
    shown = desk.says("letters", "show", "1")
    assert "it cannot be written: KeyError" in shown
    assert "words that are left" in shown
    assert "words that are left" in desk.json("letters", "show", "1")["text"]
    assert "words that are left" in desk.run("players", "export", "alice").stdout


@pytest.mark.slow
def test_several_letters_are_sent_again(desk: Desk) -> None:
    send_all(desk)
    assert "Letters 1, 2 wait" in desk.says("letters", "resend", "1", "2")
    assert send_all(desk) == [1, 2]
    outbox(desk).refuse(1, "550 5.7.1 Not from you")
    with desk.world.engine.begin() as connection:
        connection.execute(sa.update(tables.outbox).values(status="refused"))
    assert "No letter fits." in desk.says(
        "letters", "resend", "--status", "refused", "--domain", "other.example", "--yes", code=66
    )
    assert "Send 2 letters again?" in desk.says("letters", "resend", "--status", "refused", code=64)
    chosen = ("--status", "refused", "--since", "36500d", "--domain", "EXAMPLE.org")
    assert "2 letters wait for the sender." in desk.says("letters", "resend", *chosen, "--yes")
    assert send_all(desk) == [1, 2]
    assert "Name letters by their numbers" in desk.says("letters", "resend", code=64)
    assert "There is no letter 99." in desk.says("letters", "resend", "1", "99", code=66)
    assert status(desk, 1) == "sent"


@pytest.mark.both
def test_letters_to_a_domain_are_held_and_released(desk: Desk) -> None:
    desk.run("players", "add", "carol", "carol@Sub.example.org", "--confirmed", "--generate")
    outbox(desk).claim(1, 60)
    assert "Letters held back: 1." in desk.says("letters", "hold", "--domain", "@EXAMPLE.org", "--why", "full")
    assert desk.event() == ("letters to example.org: hold 1", "full")
    assert [status(desk, n) for n in (1, 2, 3)] == ["queued", "held", "queued"]
    assert [(row["domain"], row["total"]) for row in desk.json("letters", "queue", "--status", "held")] == [
        ("example.org", 1)
    ]
    assert "again: 1" in desk.says("letters", "release", "--domain", "example.org")
    assert [status(desk, n) for n in (1, 2, 3)] == ["queued"] * 3
    desk.run("letters", "hold", code=64)


@pytest.mark.both
def test_the_queue_is_counted_by_domain_and_age(desk: Desk) -> None:
    now = utc_now()
    ages = {1: 3, 2: 12, 3: 12, 4: 5000}
    for userid in ("carol", "dave"):
        desk.run("players", "add", userid, f"{userid}@example.net", "--confirmed", "--generate")
    with desk.world.engine.begin() as connection:
        for number, minutes in ages.items():
            old = sa.update(tables.outbox).where(tables.outbox.c.id == number)
            connection.execute(old.values(created=now - timedelta(minutes=minutes)))
    rows = desk.json("letters", "queue")
    assert [{key: n for key, n in row.items() if n} for row in rows] == [
        {"domain": "example.org", "total": 2, "5": 1, "20": 1},
        {"domain": "example.net", "total": 2, "20": 1, "1280+": 1},
    ]
    assert " TOTAL 4 1 0 2 " in desk.says("letters", "queue")
