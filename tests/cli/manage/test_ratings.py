"""`pbmserv ratings`."""

import pytest

from tests.cli.conftest import Desk, move


@pytest.mark.slow
def test_ratings_are_made_anew(busy: Desk) -> None:
    move(busy.world, "bob", "f6-f5")
    busy.world.play()
    busy.world.mail("bob", "tumble resign 101 bob bob-secret")
    before = busy.json("ratings", "show", "tumble")
    assert "1 rated boards" in busy.says("ratings", "rebuild", "--why", "to see")
    assert busy.json("ratings", "show", "tumble") == before
    assert [r["player"] for r in before] == ["alice", "bob"]
    assert busy.event() == ("ratings: rebuild, 1 rated boards", "to see")


@pytest.mark.slow
@pytest.mark.both
def test_pairs_of_one_origin_are_shown(busy: Desk) -> None:
    world = busy.world
    world.peer = "198.51.100.7"
    world.play()
    world.mail("bob", "tumble resign 101 bob bob-secret")
    number = world.board("alice", "carol")
    world.peer = "203.0.113.9"
    world.signup("dave")
    number = world.board("dave", "alice")
    world.play(number)
    world.mail("dave", f"tumble resign {number} dave dave-secret")
    found = busy.json("ratings", "pairs", "--since", "2026-02-01")
    assert [(x["player"], x["opponent"], x["boards"], x["won"]) for x in found] == [
        ("alice", "bob", 1, 1),
        ("alice", "dave", 1, 1),
    ]
    assert "198.51.100.0/24" in found[0]["same_origin"]
    assert "203.0.113.0/24" in found[1]["same_origin"]
    assert busy.json("ratings", "pairs", "--game", "threes", "--since", "2026-02-01") == []
