"""A server on which something has happened."""

import pytest

from tests.cli.conftest import Desk, move
from tests.world import World


@pytest.fixture
def busy(desk: Desk) -> Desk:
    """Board 101: alice waits for bob. 102: over, with option -c. 103: carol plays threes. One seek, one event."""
    desk.world.once(_play)
    return desk


def _play(world: World) -> None:
    move(world, "alice", "c1-c2")
    world.board("alice", "bob", options="-c")
    world.mail("bob", "tumble resign 102 bob bob-secret")
    world.board("carol", game="threes")
    world.mail("carol", "tumble seek carol carol-secret --private")
    Desk(world).run("players", "lock", "carol", "--why", "a test")
