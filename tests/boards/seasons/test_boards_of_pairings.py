"""The boards of pairings have the terms of their tournament."""

from pbmserv.model import Settings
from tests.boards.seasons.events import begun
from tests.commands.answers import run
from tests.world import World


def test_boards_of_a_tournament_can_have_shared_dice(world: World) -> None:
    begun(world, "alice", "bob", game="backgammon", settings=Settings(dice="shared"))
    assert world.row().board.waits
    for userid in ("alice", "bob"):
        run(world, userid, f"backgammon move 101 {userid} {userid}-secret go")
    assert not world.row().board.waits
    world.verify()
