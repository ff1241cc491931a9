"""`game limit userid password [n | none]`, and what it does to challenges."""

import pytest

from tests.commands.answers import only
from tests.world import World


@pytest.mark.both
def test_a_limit_is_told_set_and_lifted(world: World) -> None:
    world.signup("alice")
    assert "while you play 20 boards" in only(world.mail("alice", "tumble limit alice alice-secret")).text
    assert "while you play 3 boards" in only(world.mail("alice", "tumble limit alice alice-secret 3")).text
    assert "while you play 3 boards" in only(world.mail("alice", "tumble limit alice alice-secret")).text
    assert "nobody can challenge you" in only(world.mail("alice", "tumble limit alice alice-secret 0")).text
    assert "others can begin any number" in only(world.mail("alice", "tumble limit alice alice-secret none")).text


@pytest.mark.both
def test_a_limit_holds_for_others_and_for_its_game_only(world: World) -> None:
    world.board("alice", "bob")
    world.mail("bob", "tumble limit bob bob-secret 1")
    error = only(world.mail("alice", "tumble challenge alice bob")).text
    assert "bob plays 1 board of Tumbling Down and wants no more than 1 at a time." in error
    assert len(world.mail("bob", "tumble challenge bob alice")) == 2
    assert len(world.mail("alice", "3io challenge alice bob")) == 2
