"""The log of a board: which moves have not been taken back, and whether anybody has moved since."""

import pytest

from pbmserv.games.base.log import Kind, moved_since, standing
from tests.games.base.logged import TOY, Logged


def test_standing_moves_are_numbered_without_gaps() -> None:
    logged = Logged()
    logged.moves("c4d5", "f5e4")
    logged.does(0, Kind.PROPOSE)
    logged.does(1, Kind.REJECT)
    logged.does(1, Kind.UNDO)
    logged.does(0, Kind.ACCEPT)
    logged.moves("f5f4", "d5c4")
    assert [(e.ply, e.text) for e in standing(logged.log)] == [(1, "c4-d5"), (2, "f5-f4"), (3, "d5-c4")]


def test_moved_since() -> None:
    logged = Logged()
    logged.moves("c4d5", "f5e4")
    logged.does(0, Kind.PROPOSE)
    logged.does(1, Kind.REJECT)
    logged.does(1, Kind.UNDO)
    assert [moved_since(logged.log, n) for n in range(6)] == [True, True, False, False, False, False]
    logged.does(0, Kind.ACCEPT)
    assert [moved_since(logged.log, n) for n in range(7)] == [True] * 6 + [False]


def test_moved_since_sees_the_same_move_played_again() -> None:
    """After an undo and another move the ply is the same as before, but the position may differ."""
    logged = Logged()
    logged.moves("c4d5")
    logged.does(0, Kind.UNDO)
    logged.does(1, Kind.ACCEPT)
    logged.moves("c4c5")
    assert moved_since(logged.log, 1)


@pytest.mark.parametrize("kind", [Kind.RESIGN, Kind.FORFEIT, Kind.DECLINE])
def test_moved_since_sees_somebody_leave(kind: Kind) -> None:
    logged = Logged(TOY, seats=3)
    logged.does(1, kind)
    assert moved_since(logged.log, 0)
    assert not moved_since(logged.log, 1)
