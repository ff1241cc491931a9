"""What a turn letter says of times to come: until when to move, and who is on vacation."""

from datetime import UTC, datetime, timedelta

import pytest

from pbmserv.boards.clocks import deadlines
from pbmserv.server.clock import Clock
from tests.commands.answers import to
from tests.world import Received, World


def played(world: World, options: str = "", **settings: str) -> list[Received]:
    """Begin a board at noon, with settings of alice, and let her move; returns the letters about the move."""
    world.signup("alice", "bob")
    for name, value in settings.items():
        world.mail("alice", f"set alice alice-secret {name}={value}")
    world.mail("alice", f"tumble challenge alice bob {options}")
    world.now = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
    return world.mail("alice", "tumble move 101 alice alice-secret c1-c2")


def below(letter: Received) -> str:
    """The block below the first line."""
    return " ".join(letter.text.split("\n\n")[1].split())


def test_both_players_read_until_when_to_move_each_in_the_own_zone(world: World) -> None:
    letters = played(world, timezone="America/New_York")
    assert below(to(letters, "bob")) == "Move by Sunday, 22 March, 12:00 UTC."
    assert below(to(letters, "alice")) == "bob has to move by Sunday, 22 March, 08:00 EDT."


def test_a_reader_of_german_reads_it_in_german(world: World) -> None:
    letters = played(world, language="de", timezone="Europe/Berlin")
    assert below(to(letters, "alice")) == "bob muss ziehen bis Sonntag, 22. März, 13:00 CET."


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--forfeittime=3", "Move by Wednesday, 4 March, 12:00 UTC."),
        ("--totaltime=2", "Move by Tuesday, 3 March, 12:00 UTC."),
        ("--forfeittime=none --totaltime=5", "Move by Friday, 6 March, 12:00 UTC."),
        ("--forfeittime=365", "Move by Monday, 1 March 2027, 12:00 UTC."),
    ],
)
def test_the_limit_that_ends_first_counts(world: World, options: str, says: str) -> None:
    assert below(to(played(world, options), "bob")) == says


def test_a_board_without_a_limit_has_no_such_line(world: World) -> None:
    letters = played(world, "--forfeittime=none")
    assert not any(" by " in letter.text for letter in letters)


def test_a_year_begins_at_midnight_of_the_reader(world: World) -> None:
    world.signup("alice")
    world.mail("alice", "set alice alice-secret timezone=Pacific/Auckland")
    world.now = datetime(2026, 12, 31, 12, 0, tzinfo=UTC)  # it is 2027 there
    (letter,) = world.mail("alice", "threes challenge alice --forfeittime=1")
    assert below(letter) == "Move by Saturday, 2 January, 01:00 NZDT."


@pytest.mark.slow
def test_a_reminder_says_it_again_and_a_last_letter_does_not(world: World) -> None:
    played(world)
    clock = Clock(world.engine, world.site, lambda: world.now, gap=float("inf"))
    clock.sweep()
    world.now += timedelta(days=8)
    clock.sweep()
    (reminder,) = world.letters()
    assert below(reminder) == "Move by Sunday, 22 March, 12:00 UTC."
    world.now += timedelta(days=14)
    clock.sweep()
    assert all("move by" not in x.text.lower() for x in world.letters())


def test_an_opponents_vacation_is_told_and_moves_the_limit(world: World) -> None:
    played(world)
    world.mail("bob", "vacation bob bob-secret until 2026-03-10")
    letters = world.mail("alice", "tumble propose 101 alice alice-secret")
    assert below(to(letters, "alice")) == (
        "bob has to move by Tuesday, 31 March, 23:59 UTC. bob is on vacation until Wednesday, 11 March, 00:00 UTC."
    )
    assert below(to(letters, "bob")) == "Move by Tuesday, 31 March, 23:59 UTC."


def test_all_who_are_away_are_named_once_and_to_subscribers_too(world: World) -> None:
    world.signup("alice", "bob", "carol", "dave")
    for userid in ("bob", "carol"):
        world.mail(userid, f"vacation {userid} {userid}-secret until 2026-03-10")
    letters = world.mail("alice", "3io challenge alice bob carol")
    away = "{} is on vacation until Wednesday, 11 March, 00:00 UTC."
    limit = "Move by Sunday, 22 March, 12:00 UTC."
    assert below(to(letters, "alice")) == " ".join((limit, away.format("bob"), away.format("carol")))
    assert below(to(letters, "bob")) == f"alice has to m{limit[1:]} {away.format('carol')}"
    world.mail("dave", "3io subscribe 101 dave dave-secret")
    copy = to(world.mail("alice", "3io move 101 alice alice-secret 1a1+"), "dave")
    assert away.format("bob") in copy.text
    world.mail("bob", "tumble challenge bob bob")
    assert "vacation" not in "".join(x.text for x in world.mail("bob", "tumble propose 102 bob bob-secret"))


def test_who_is_back_is_not_away(world: World) -> None:
    played(world)
    world.mail("bob", "vacation bob bob-secret 3")
    world.mail("bob", "vacation bob bob-secret off")
    assert "vacation" not in to(world.mail("alice", "tumble propose 101 alice alice-secret"), "alice").text


def test_while_letters_come_back_no_time_ends(world: World) -> None:
    """The time runs again as soon as an address works, so nobody knows yet when it ends."""
    played(world)
    row = world.row(101)
    paused = deadlines.pause(row.clocks[1], row.settings, world.now.timestamp())
    world.act(lambda s: s.boards.set_clock(101, 1, paused))
    letters = world.mail("alice", "tumble propose 101 alice alice-secret")
    assert below(to(letters, "alice")).startswith("Letters to bob come back.")


def test_a_digest_says_it_for_each_board(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret digest=daily")
    for _ in range(2):
        world.mail("bob", "tumble challenge bob alice")
    world.mail("bob", "tumble move 101 bob bob-secret c1-c2")
    world.now += timedelta(days=1)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    (digest,) = [x for x in world.letters() if x.subject == "Digest"]
    assert "\nMove by Sunday, 22 March, 12:00 UTC.\n" in digest.text
    assert "\nbob has to move by Sunday, 22 March, 12:00 UTC.\n" in digest.text
