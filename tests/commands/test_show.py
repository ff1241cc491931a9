"""`who` and `all show`."""

import pytest

from pbmserv.commands.show import MOST_DIAGRAMS
from tests.world import World


def test_who_says_what_everybody_may_know(world: World) -> None:
    number = world.board("alice", "bob", options="-c")
    world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    world.mail("bob", f"tumble move {number} bob bob-secret a5-b4t")
    world.play(number)
    world.mail("bob", f"tumble resign {number} bob bob-secret")
    world.board("alice", "bob", game="3io")
    [letter] = world.mail("bob", "who alice")
    assert "alice has been a member since 1 March 2026." in letter.text
    rows = {line.split()[0]: line.split()[1:] for line in letter.text.splitlines() if line.startswith("  ")}
    assert rows["3io"] == ["-", "1", "0"]
    assert rows["tumble"][0].endswith("?")
    assert int(rows["tumble"][0].rstrip("?")) > 1500
    assert rows["tumble"][1:] == ["0", "1"]
    assert "@" not in letter.text


def test_who_tells_of_a_vacation(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "vacation alice alice-secret 2")
    [letter] = world.mail("bob", "who alice")
    assert "on vacation until Tuesday 3 March 2026, 12:00 UTC" in letter.flat
    assert "alice has not played yet." in letter.text


def test_who_knows_those_who_left(world: World) -> None:
    world.board("alice", "bob")
    world.mail("alice", "signoff alice alice-secret")
    [letter] = world.mail("bob", "who alice")
    assert "alice was a member from 1 March 2026 and has closed the account." in letter.flat
    assert "tumble" in letter.text


def test_who_names_the_nearest_userids(world: World) -> None:
    world.signup("alice", "bob")
    [letter] = world.mail("bob", "who alcie")
    assert "There is no player 'alcie'." in letter.text
    assert "Did you mean: alice" in letter.text


def test_all_show_has_every_board_in_every_game(world: World) -> None:
    first = world.board("alice", "bob")
    second = world.board("alice", game="threes")
    world.board("bob", game="threes")
    world.mail("alice", f"tumble decline {first} alice alice-secret")
    [everything] = world.mail("bob", "all show alice")
    assert f"Tumble Board {first}" in everything.text
    assert f"Threes Board {second}" in everything.text
    assert "Board 103" not in everything.text
    [active] = world.mail("bob", "all show alice active")
    assert f"Tumble Board {first}" not in active.text
    assert f"Threes Board {second}" in active.text


def test_all_show_next_has_the_boards_that_wait_for_him(world: World) -> None:
    number = world.board("alice", "bob")
    [alices] = world.mail("bob", "all show alice next")
    assert f"Tumble Board {number}" in alices.text
    [bobs] = world.mail("bob", "all show bob next")
    assert bobs.text == "bob is not to move on any board.\n"


def test_hidden_things_stay_hidden(world: World) -> None:
    world.board("alice", "bob", game="3io")
    [his] = world.mail("alice", "all show alice")
    [everybodys] = world.mail("bob", "3io show 101")
    assert his.text == everybodys.text


@pytest.mark.slow
def test_many_boards_are_listed_when_there_are_too_many_to_draw(world: World) -> None:
    numbers = [world.board("alice", game="threes") for _ in range(22)]
    [letter] = world.mail("alice", "all show alice")
    assert letter.text.count("Threes Board") == MOST_DIAGRAMS
    assert "Further boards" in letter.text
    rest = letter.text.partition("Further boards")[2]
    assert all(str(n) in rest for n in numbers[:2])


def test_what_is_no_state_or_no_player_is_answered_with_a_line_that_works(world: World) -> None:
    world.signup("alice")
    [state] = world.mail("alice", "all show alice soon")
    assert "'soon' cannot be used here." in state.text
    assert "Send: all show alice next" in state.text
    [player] = world.mail("alice", "all show alcie")
    assert "Did you mean: alice" in player.text
    [nobody] = world.mail("alice", "all show alice")
    assert nobody.text == "alice has no board.\n"
