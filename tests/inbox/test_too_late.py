"""A mail that comes after its time has run out is told so: when that was, and how the board has ended."""

from datetime import timedelta

import pytest

from pbmserv.server.clock import Clock
from tests.world import Received, World

TIMES = "--forfeittime=2 --nagtime=none"


def run_out(world: World) -> None:
    """Let the time of whoever is to move run out, and an hour go by."""
    world.now += timedelta(days=2, minutes=1)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    world.letters()
    world.now += timedelta(hours=1)


@pytest.fixture
def turn(world: World) -> Received:
    """The letter that asked bob for a move on board 101, until his time has run out."""
    world.board("alice", "bob", options=TIMES)
    letters = world.mail("alice", "tumble move 101 alice alice-secret b3-c3")
    run_out(world)
    return next(x for x in letters if x.to.startswith("bob"))


def test_an_answer_to_the_letter(world: World, turn: Received) -> None:
    (answer,) = world.reply(turn, "g6-f6")
    assert (
        "Your time ran out on Tuesday 3 March 2026, 12:01 UTC, before this mail came, so it did nothing." in answer.flat
    )
    assert "Board 101 is over: alice wins (on time)." in answer.flat
    world.mail("bob", "set bob bob-secret language=de")
    (answer,) = world.reply(turn, "g6-f6")
    assert "Deine Zeit war am Dienstag, 3. März 2026, 12:01 UTC abgelaufen" in answer.flat
    assert "Die Partie 101 ist zu Ende: alice gewinnt" in answer.flat


@pytest.mark.parametrize(
    "line", ["move 101 bob bob-secret g6-f6", "resign 101 bob bob-secret", "propose 101 bob bob-secret"]
)
def test_a_command(world: World, turn: Received, line: str) -> None:
    (answer,) = world.mail("bob", f"tumble {line}")
    assert (
        "Your time ran out on Tuesday 3 March 2026, 12:01 UTC, before this mail came, so it did nothing." in answer.flat
    )
    assert "Board 101 is over: alice wins (on time)." in answer.flat


def test_the_opponent_and_others_read_nothing_of_it(world: World, turn: Received) -> None:
    (answer,) = world.mail("alice", "tumble move 101 alice alice-secret b3-c3")
    assert "ran out" not in answer.flat
    (answer,) = world.mail("bob", "tumble move 101 alice wrong-secret b3-c3")
    assert "ran out" not in answer.flat


def test_where_the_others_play_on(world: World) -> None:
    world.board("alice", "bob", "carol", game="3io", options=TIMES)
    run_out(world)
    (answer,) = world.mail("alice", "3io resign 101 alice alice-secret")
    assert "Your time ran out on Tuesday 3 March 2026, 12:01 UTC, before this mail came" in answer.flat
    assert "Board 101 is over" not in answer.flat


@pytest.mark.slow
def test_where_the_time_of_all_ran_out(world: World) -> None:
    world.board("alice", "bob", game="battleship", options=TIMES)
    run_out(world)
    (answer,) = world.mail("alice", "battleship resign 101 alice alice-secret")
    assert "Your time ran out on Tuesday 3 March 2026" in answer.flat
    assert "Board 101 is over: no result" in answer.flat
