"""After a jump the time must have been steady for an hour."""

from pbmserv.boards.absences import steady_time
from pbmserv.boards.absences.steady_time import STEADY, Jump
from pbmserv.boards.clocks.deadlines import AWAY
from tests.world import World


def test_a_jump_is_forgotten_after_an_hour(world: World) -> None:
    def watch(now: float, steady: float, drift: float = 0.0) -> bool:
        return world.act(lambda s: steady_time.watch(s, now, steady, drift))

    assert watch(0, 60)
    world.act(lambda s: steady_time.note_jump(s, Jump(5000, 100)))
    assert not watch(200, STEADY - 1)
    assert not watch(300, -5)
    assert world.query(steady_time.jump) == Jump(5000, 100, STEADY - 1)
    assert watch(400, 1)
    assert world.query(steady_time.jump) is None
    assert watch(500, 60, AWAY)
    assert not watch(600, STEADY, -AWAY - 1)
    assert world.query(steady_time.jump) == Jump(-AWAY - 1, 600)
