"""The digest: it comes in the reader's morning, and is answered with one line for each board."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from pbmserv.inbox.replies.to_digest import lines_of
from pbmserv.server.clock import Clock
from pbmserv.store import Store
from tests.world import Received, World


def sweep(world: World) -> None:
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()


def of_tomorrow(world: World) -> Received:
    """Return the digest of the next day."""
    world.letters()
    world.now += timedelta(days=1)
    sweep(world)
    (digest,) = [x for x in world.letters() if x.subject == "Digest"]
    return digest


@pytest.fixture
def two_boards(world: World) -> World:
    """Bob gets a daily digest. Alice begins two boards with Bob and moves on both."""
    world.signup("alice", "bob")
    world.now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    with world.engine.begin() as connection:
        store = Store(connection)
        bob = store.players.find("bob")
        assert bob is not None
        store.players.set_preference(bob.id, "", "digest", "daily")
        store.players.set_preference(bob.id, "", "timezone", "America/New_York")
    sweep(world)
    for number in (101, 102):
        assert {x.to for x in world.mail("alice", "tumble challenge alice bob -c")} == {"alice@example.org"}
        world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t", f"Hello from {number}!")
    return world


@pytest.mark.slow
def test_letters_wait_until_the_readers_morning(two_boards: World) -> None:
    world = two_boards
    world.now = datetime(2026, 3, 2, 11, 59, tzinfo=UTC)  # a minute to seven in New York
    sweep(world)
    assert world.letters() == []
    world.now += timedelta(minutes=2)
    sweep(world)
    (digest,) = world.letters()
    assert digest.to == "bob@example.org"
    assert digest.subject == "Digest"
    assert digest.first_line == "2 boards have news for you, bob."
    assert "==== Tumbling Down board 101 (-c, rated" in digest.text
    assert "<h2" in digest.html
    assert "====" not in digest.html
    assert "alice writes:\n    Hello from 102!" in digest.text
    assert max(map(len, digest.text.splitlines())) <= 79
    sweep(world)
    assert world.letters() == []


@pytest.mark.slow
def test_an_answer_moves_on_all_boards_each_line_by_itself(two_boards: World) -> None:
    world = two_boards
    world.letters()
    world.now += timedelta(days=1)
    sweep(world)
    (digest,) = world.letters()
    letters = world.reply(digest, "101: a5-b4t\n102: a1-a2\n103: a1-a2\n102: a8-e8t\nThat was fun.")
    answer = next(x for x in letters if x.to == "bob@example.org")
    assert answer.subject == "Digest"
    assert "> tumble move 101 bob a5-b4t\nPlayed: a5-c3t" in answer.text
    assert "a1 is empty" in answer.text
    assert "Board 103 was not in that letter." in answer.text
    assert "> tumble move 102 bob a8-e8t\nPlayed: a8-e8t" in answer.text
    assert [x.subject for x in letters if x.to == "alice@example.org"] == [
        "Tumble Board 101 alice",
        "Tumble Board 102 alice",
    ]
    world.verify()


@pytest.mark.parametrize("mark", [": ", ":", " : ", ". ", " "])
def test_a_line_names_its_board_with_or_without_a_colon(mark: str) -> None:
    assert lines_of(f"101{mark}a5-b4t\n#102{mark}a1-a2\n\nThat was fun.") == [(101, "a5-b4t"), (102, "a1-a2")]


@pytest.mark.slow
def test_talk_waits_for_the_digest_too(two_boards: World) -> None:
    letters = two_boards.mail("alice", "tumble chat 101 alice alice-secret", "Lovely weather.")
    assert {x.to for x in letters} == {"alice@example.org"}
    two_boards.now = datetime(2026, 3, 2, 12, 1, tzinfo=UTC)
    sweep(two_boards)
    (digest,) = two_boards.letters()
    assert "Lovely weather." in digest.text


def test_an_old_digest_does_nothing_on_a_board_that_has_moved_on(two_boards: World) -> None:
    world = two_boards
    world.letters()
    world.now += timedelta(days=1)
    sweep(world)
    (digest,) = world.letters()
    world.reply(digest, "101: a5-b4t")
    before = world.dump()
    (answer,) = world.reply(digest, "101: a8-e8t")
    assert "a newer letter about this board" in answer.text
    assert world.dump() == before


def test_an_answer_without_a_board_says_how(two_boards: World) -> None:
    world = two_boards
    world.letters()
    world.now += timedelta(days=1)
    sweep(world)
    (digest,) = world.letters()
    (answer,) = world.reply(digest, "a5-b4t")
    assert re.search(r"for example: 101: [a-h]\d-[a-h]\d", answer.flat)


def test_an_answer_from_elsewhere_is_answered_where_the_reader_is_known(strict_world: World) -> None:
    world = strict_world
    world.signup("alice", "bob")
    bob = world.player("bob").id
    world.act(lambda s: s.players.set_preference(bob, "", "digest", "daily"))
    sweep(world)
    world.mail("alice", "tumble challenge alice bob --as=alice:alice-secret")
    world.now += timedelta(days=1)
    sweep(world)
    digest = world.letters()[-1]
    assert digest.subject == "Digest"
    for body in ("Hello", "101: nonsense"):
        (answer,) = world.reply(digest, body, sender="bob@work.example")
        assert answer.to == "bob@example.org"


def test_what_is_urgent_does_not_wait(two_boards: World) -> None:
    letters = two_boards.mail("alice", "tumble challenge bob alice --forfeittime=1")
    assert "bob@example.org" in {x.to for x in letters}


def test_a_time_zone_that_this_machine_does_not_know_is_utc(two_boards: World) -> None:
    world, bob = two_boards, two_boards.player("bob")
    world.act(lambda s: s.players.set_preference(bob.id, "", "timezone", "Atlantis/Poseidonis"))
    world.now = datetime(2026, 3, 2, 7, 1, tzinfo=UTC)
    sweep(world)
    (digest,) = world.letters()
    assert digest.to == "bob@example.org"


def test_only_a_board_that_runs_is_an_example(two_boards: World) -> None:
    """Board 101 is over; on 102 it is alice's turn."""
    world = two_boards
    world.mail("alice", "tumble resign 101 alice alice-secret")
    world.mail("bob", "tumble move 102 bob bob-secret a5-b4t")
    digest = of_tomorrow(world)
    assert "To resign one, answer this letter with one line for each board, for example:\n102: resign" in digest.text
    assert "101: resign" not in digest.text


def test_boards_that_are_over_ask_for_nothing(two_boards: World) -> None:
    world = two_boards
    for number in (101, 102):
        world.mail("alice", f"tumble resign {number} alice alice-secret")
    digest = of_tomorrow(world)
    assert "2 boards have news for you, bob." in digest.text
    assert "To move" not in digest.text
    assert "resign\n" not in digest.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "subject"), [("en", "101, 102 your turn (Digest)"), ("de", "101, 102 du bist am Zug (Sammelbrief)")]
)
def test_its_subject_can_say_where_it_is_your_turn(two_boards: World, language: str, subject: str) -> None:
    world = two_boards
    world.mail("bob", f"set bob bob-secret subject=turn language={language}")
    world.letters()
    world.now += timedelta(days=1)
    sweep(world)
    (digest,) = world.letters()
    assert digest.subject == subject
    world.reply(digest, "101: a5-b4t")
    assert world.row(101).board.ply == 2


@pytest.mark.slow
def test_a_board_that_is_over_can_be_played_again(two_boards: World) -> None:
    world = two_boards
    world.mail("alice", "tumble resign 101 alice alice-secret")
    digest = of_tomorrow(world)
    assert "To play again, answer with the line 101: rematch" in digest.flat
    assert "102: rematch" not in digest.text
    world.mail("bob", "Re: Digest", "101: rematch", to=digest.reply_to)
    assert [p.userid for p in world.row(103).players] == ["bob", "alice"]


@pytest.mark.slow
def test_a_digest_offers_the_seat_of_who_has_left(two_boards: World) -> None:
    world = two_boards
    world.mail("alice", "tumble resign 101 alice alice-secret")
    digest = of_tomorrow(world)
    assert "To seek a substitute for alice, answer with the line 101: substitute" in digest.flat
    assert "102: substitute" not in digest.text
    (answer,) = world.mail("bob", "Re: Digest", "101: substitute", to=digest.reply_to)
    assert "Others join with: tumble join 1 USERID PASSWORD" in answer.flat
