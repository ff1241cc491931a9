"""`pbmserv games`."""

from tests.cli.conftest import Desk


def test_rules_are_what_players_get(desk: Desk) -> None:
    (letter,) = desk.world.mail("alice", "tumble help")
    shown = desk.says("games", "rules", "tumble")
    assert "Two armies of men stand in stacks" in letter.flat
    assert "Two armies of men stand in stacks" in shown
