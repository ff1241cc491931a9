"""What can stand in the way of a new board, and two seats of one player."""

import pytest

from tests.commands.answers import only
from tests.world import World

pytestmark = pytest.mark.both


def test_a_failed_challenge_lists_everything(world: World) -> None:
    world.board("alice", "carol")
    world.signup("bob", "erin")
    world.mail("bob", "trippples limit bob bob-secret 0")
    with world.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE player SET password_hash = NULL, closed = created WHERE userid = 'erin'")
    text = only(world.mail("alice", "trippples challenge alice bob nobody erin caro")).flat
    assert "Trippples is for 2 players, not for 5." in text
    assert "bob takes no challenges in Trippples. Ask somebody else" in text
    assert "There is no such player. To open an account" in text
    assert "The account erin is closed. Name somebody else." in text
    assert "There is no player 'caro'. Perhaps: carol" in text


def test_one_person_twice_is_unrated_and_for_two_seats_only(world: World) -> None:
    world.signup("alice", "bob")
    letter = only(world.mail("alice", "tumble challenge alice alice"))
    assert "unrated" in letter.text
    error = only(world.mail("alice", "3io challenge alice bob alice")).text
    assert "One player cannot have two seats here." in error
