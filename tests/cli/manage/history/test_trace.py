"""`trace`: one command shows an admin what happened to a mail."""

import json

import pytest

from pbmserv.mail.envelope import LetterStatus
from pbmserv.server.clock import Clock
from pbmserv.server.outbox import StoredOutbox
from tests.cli.conftest import Desk, move
from tests.world import World

SINCE = ("--since", "2026-02-01")


@pytest.fixture
def sent(desk: Desk) -> Desk:
    """Mail 2 is a move of alice at 12:00:01; the relay has taken its letters. Mail 3 is a move out of turn."""
    desk.world.once(_play)
    return desk


def _play(world: World) -> None:
    move(world, "alice", "c1-c2")
    outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
    outbox.sent_many([(x.id, f"250 2.0.0 Taken as {x.id}") for x in outbox.claim(50, 60)])
    move(world, "alice", "c2-c3")


def test_the_story_from_the_socket_to_the_relay(sent: Desk) -> None:
    story = sent.run("trace", "--mail", "2").output
    assert story.splitlines() == [
        "2026-03-01 12:00:01 UTC  mail 2 from alice@example.org through 192.0.2.1",
        "  Message-ID <2@client.example>",
        "  received: stored on disk and accepted with 250",
        "  call: tumble move 101 alice PASSWORD c1-c2",
        "  done",
        "  board 101, entry 1: alice move c1-c2, ply 1",
        "  letter 3 (board) to alice@example.org:",
        "    accepted by the relay 2026-03-01 12:00:02",
        "    250 2.0.0 Taken as 3",
        "  letter 4 (board) to bob@example.org:",
        "    accepted by the relay 2026-03-01 12:00:02",
        "    250 2.0.0 Taken as 4",
    ]


def test_my_move_did_not_arrive(sent: Desk) -> None:
    story = sent.says("trace", "--player", "alice", *SINCE)
    assert "mail 3 from alice@example.org" in story
    assert "not done: It is not your turn on this board." in story
    assert "letter 5 (error) to alice@example.org: waits, next attempt 2026-03-01 12:00:02" in story


def test_in_the_time_that_is_named(sent: Desk) -> None:
    assert [s["mail"]["id"] for s in sent.json("trace", "--player", "alice", *SINCE)] == [1, 2, 3]
    moment = ("--since", "2026-03-01 12:00:02Z")
    assert [s["mail"]["id"] for s in sent.json("trace", "--player", "alice", *moment)] == [3]
    assert "Nothing was found" in sent.says("trace", "--player", "alice", "--since", "today", code=66)


@pytest.mark.parametrize(
    ("words", "mails"),
    [
        (("--player", "bob"), [1, 2, 4]),
        (("--board", "101"), [1, 2, 3, 4]),
        (("--letter", "4"), [2]),
        (("--message-id", "<3@client.example>"), [3]),
        (("--message-id", "3@client.example"), [3]),
    ],
)
def test_by_what_a_mail_is_found(sent: Desk, words: tuple[str, ...], mails: list[int]) -> None:
    sent.world.mail("stranger", "tumble showas bob bob-secret 101")
    assert [s["mail"]["id"] for s in sent.json("trace", *words, *SINCE)] == mails


@pytest.mark.slow
@pytest.mark.both
def test_a_letter_is_found_by_its_message_id(sent: Desk) -> None:
    sent.world.mail("alice", "tumble chat 101 alice alice-secret", '"message_id": "<4@example.org>"')
    shown = sent.run("letters", "show", "4", "--json").stdout
    message_id = json.loads(shown)["headers"]["Message-ID"]
    assert [s["mail"]["id"] for s in sent.json("trace", "--message-id", message_id)] == [2]
    assert [s["mail"]["id"] for s in sent.json("trace", "--message-id", message_id.strip("<>"))] == [2]
    for other in ("4@example.org", message_id[:-5], message_id[5:], "<>", "é@example.org"):
        sent.run("trace", "--message-id", other, code=66)


@pytest.mark.both
def test_a_letter_that_another_one_replaced_was_dropped_by_nobody(sent: Desk) -> None:
    why = "the next letter tells it, too"
    sent.world.act(lambda store: store.letters.set_aside(2, LetterStatus.DROPPED, why, sent.world.now))
    told = sent.says("trace", "--letter", "2")
    assert why in told
    assert "admin" not in told


@pytest.mark.slow
@pytest.mark.both
def test_letters_of_the_clock_are_told_too(sent: Desk) -> None:
    clock = Clock(sent.world.engine, sent.world.site, lambda: sent.world.now, gap=1e9)
    sent.world.now = sent.world.now.replace(day=9)
    clock.sweep()
    told = sent.says("trace", "--board", "101")
    assert (
        "2026-03-09 12:00:03 UTC by the server itself: its clock or its sender letter 6 (board) to bob@example.org"
        in told
    )
    assert sent.json("trace", "--letter", "6")[0]["letters"][0]["id"] == 6
    message_id = json.loads(sent.run("letters", "show", "6", "--json").stdout)["headers"]["Message-ID"]
    assert sent.json("trace", "--message-id", message_id)[0]["letters"][0]["id"] == 6


@pytest.mark.slow
def test_what_admins_did_is_part_of_the_story(sent: Desk) -> None:
    sent.run("letters", "hold", "5", "--why", "to be read first")
    sent.run("boards", "undo", "101", "--yes", "--why", "a mistake")
    sent.run("players", "lock", "alice", "--why", "a complaint")
    told = sent.says("trace", "--player", "alice", *SINCE)
    for what, why in (
        ("letter 5: hold", "to be read first"),
        ("board 101: undo to ply 0, 1 entries", "a mistake"),
        ("player alice: lock", "a complaint"),
    ):
        assert f"(admin): {what} why: {why}" in told
    assert "letter 5: hold" in sent.says("trace", "--mail", "3")
    assert "held back held by " in sent.says("trace", "--letter", "5")
    assert "board 101: undo" in sent.says("trace", "--board", "101")
    assert "player alice: lock" not in sent.says("trace", "--board", "101")


def test_a_reader_of_a_digest_has_no_letter_yet(sent: Desk) -> None:
    sent.world.mail("alice", "set alice alice-secret digest=daily")
    move(sent.world, "bob", "f6-f5")
    assert "board 101: kept for the next digest of alice" in sent.says("trace", "--mail", "5")


def test_no_password_is_told(sent: Desk) -> None:
    assert "-secret" not in sent.says("trace", "--player", "alice", *SINCE)


@pytest.mark.parametrize(("words", "code"), [((), 64), (("--mail", "1", "--board", "101"), 64), (("--mail", "99"), 66)])
def test_one_thing_is_named(sent: Desk, words: tuple[str, ...], code: int) -> None:
    sent.run("trace", *words, code=code)


def test_what_is_not_there(sent: Desk) -> None:
    assert "There is no player zoe." in sent.says("trace", "--player", "zoe", code=66)
    assert "'soon' is not a time" in sent.says("trace", "--player", "alice", "--since", "soon", code=64)
    sent.run("trace", "--letter", "99", code=66)
