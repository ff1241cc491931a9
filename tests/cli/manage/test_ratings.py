"""`pbmserv ratings`."""

from tests.cli.conftest import Desk, move


def test_ratings_are_made_anew(busy: Desk) -> None:
    move(busy.world, "bob", "f6-f5")
    busy.world.mail("bob", "tumble resign 101 bob bob-secret")
    before = busy.json("ratings", "show", "tumble")
    assert "1 rated boards" in busy.says("ratings", "rebuild", "--why", "to see")
    assert busy.json("ratings", "show", "tumble") == before
    assert [r["player"] for r in before] == ["alice", "bob"]
    assert busy.event() == ("ratings: rebuild, 1 rated boards", "to see")
