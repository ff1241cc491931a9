"""The table of moves in a board letter."""

from pbmserv.games.base.log import Entry, Kind
from pbmserv.letters.text import move_list
from tests.world import World


def test_its_columns_line_up_from_the_hundredth_round_on(world: World) -> None:
    world.board("alice", "bob")
    played = [Entry(n % 2, Kind.MOVE, f"m{n}", n + 1) for n in range(204)]
    rounds = move_list.table(world.row(), played, rounds=None).splitlines()[2:]
    assert (rounds[8], rounds[99]) == (" 9  m16              m17", "100 m198             m199")
    assert {(line.index("m"), line.rindex("m")) for line in rounds} == {(4, 21)}
