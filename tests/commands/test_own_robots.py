"""`set … robot=yes`: an account whose owner lets a program play."""

import pytest

from tests.commands.answers import only
from tests.world import World


def declare(world: World, userid: str, value: str = "yes") -> str:
    [letter] = world.mail(userid, f"set {userid} {userid}-secret robot={value}")
    return letter.text


def test_everybody_sees_it(world: World) -> None:
    number = world.board("alice", "bob", options="--unrated -c")
    assert "* robot=yes" in declare(world, "bob")
    assert world.player("bob").robot
    letters = world.mail("alice", f"tumble move {number} alice alice-secret h4-g5t")
    assert all("ROBOT" in letter.text for letter in letters)
    assert "bob (ROBOT)" in only(world.mail("alice", "who bob")).text
    assert "* robot=no" in declare(world, "bob", "no")
    assert not world.player("bob").robot


def test_who_is_invited_sees_it(world: World) -> None:
    """The board that begins is rated."""
    world.signup("bob")
    declare(world, "bob")
    letters = world.mail("bob", "tumble challenge bob friend@example.net")
    (invitation,) = (letter for letter in letters if letter.to == "friend@example.net")
    assert invitation.first_line == "bob (ROBOT) invites you to a game of Tumbling Down by mail."


@pytest.mark.parametrize("both", [True, False])
def test_two_robots_are_never_rated_against_each_other(world: World, both: bool) -> None:
    world.signup("alice", "bob")
    for userid in ("alice", "bob")[: 1 + both]:
        declare(world, userid)
    settings = world.row(world.board("alice", "bob")).settings
    assert settings.rated is not both
    assert settings.repetition == 5


def test_it_is_not_taken_back_while_a_rated_board_runs(world: World) -> None:
    world.signup("alice", "bob")
    declare(world, "bob")
    number = world.board("alice", "bob")
    assert f"On the rated board {number} others know that you are a robot." in declare(world, "bob", "no")
    assert world.player("bob").robot
    world.mail("alice", f"tumble resign {number} alice alice-secret")
    assert "* robot=no" in declare(world, "bob", "no")


def test_it_is_not_taken_back_either_if_it_was_said_while_the_board_ran(world: World) -> None:
    number = world.board("alice", "bob")
    declare(world, "bob")
    assert f"On the rated board {number} others know that you are a robot." in declare(world, "bob", "no")


def test_it_does_not_begin_on_a_rated_board_with_a_robot(world: World) -> None:
    world.signup("alice", "bob", "carol")
    declare(world, "bob")
    world.board("alice", "carol")
    number = world.board("alice", "bob")
    assert f"On the rated board {number} you play against a robot" in declare(world, "alice")
    assert not world.player("alice").robot
    assert "* robot=yes" in declare(world, "carol")


def test_another_word_is_refused(world: World) -> None:
    world.signup("alice")
    assert "Write: robot=no or robot=yes" in declare(world, "alice", "perhaps")


def test_the_word_robot_finds_only_robots_of_the_server(world: World) -> None:
    world.signup("alice", "bob")
    declare(world, "bob")
    [letter] = world.mail("alice", "tumble challenge alice robot")
    assert "No robot plays Tumbling Down here." in letter.text


@pytest.mark.both
def test_high_scores_of_a_program_stay_out_of_competition(world: World) -> None:
    world.signup("bob")
    declare(world, "bob")
    world.board("bob", game="threes")
    world.mail("bob", "threes resign 101 bob bob-secret")
    assert "High scores of this account are marked as those of a robot" in declare(world, "bob", "no")
    assert world.player("bob").robot
