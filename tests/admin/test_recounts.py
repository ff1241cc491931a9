"""`boards verify` recounts tournaments from their boards, and names each row that says something else."""

import pytest

from tests.admin.test_audit import spoil
from tests.boards.seasons import events
from tests.world import World

MOMENT = "'2026-03-01 00:00:00.000000'"
LOST = "2 half points by a forfeit of bea"
FIVE = ("ann", "bea", "cid", "dan", "eva")


@pytest.fixture
def cup(world: World) -> World:
    """A league of five, paired by hand. Board 101 is ann against bea, who has declined; 102 is ann against cid."""
    world.once(_begin)
    return world


def _begin(world: World) -> None:
    events.everybody_meets(world, *FIVE)
    world.mail("bea", "tumble decline 101 bea bea-secret")


@pytest.fixture
def stairs(world: World) -> World:
    """A ladder of five."""
    events.begun(world, *FIVE, form="ladder")
    return world


def test_nothing_is_wrong_with_a_league_that_runs(cup: World) -> None:
    cup.verify()


@pytest.mark.parametrize(
    ("change", "board", "said"),
    [
        (
            "points = 1",
            101,
            f"the pairing says 1 half points by a forfeit of bea, the board {LOST}",
        ),
        ("forfeiter = NULL", 101, f"the pairing says 2 half points, the board {LOST}"),
        (
            "void = TRUE, points = NULL, forfeiter = NULL",
            101,
            f"the pairing says that it counts for nobody, the board {LOST}",
        ),
        ("decided = NULL", 101, f"the pairing says not decided, the board {LOST}"),
        (f"decided = {MOMENT}", 101, "the pairing was decided at another time than the board ended"),
        (f"points = 2, decided = {MOMENT}", 102, "the pairing says 2 half points, the board not decided"),
    ],
)
def test_each_result_that_is_not_that_of_the_board_is_found(cup: World, change: str, board: int, said: str) -> None:
    spoil(cup, f"UPDATE pairing SET {change} WHERE board = {board}")
    names = {101: "ann and bea", 102: "ann and cid"}
    assert cup.differences() == [f"tournament 1, season 1: {names[board]} on board {board}: {said}"]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        (
            "UPDATE pairing SET first = 5 WHERE board = 101",
            "eva and bea are paired on board 101, which has other players",
        ),
        ("DELETE FROM pairing WHERE board = 102", "ann and cid are of one division, but not paired"),
        ("UPDATE pairing SET first = 2, second = 1 WHERE board = 102", "ann and bea are paired 2 times"),
        ("DELETE FROM entrant WHERE player_id = 5", "player 5 is paired, but did not enter"),
        (
            "UPDATE board SET tournament = 2 WHERE number = 101",
            "ann and bea are paired on board 101, which is not one of this tournament",
        ),
        (
            "UPDATE pairing SET board = NULL, forfeiter = NULL WHERE board = 101",
            "ann and bea have a result, but no board",
        ),
        ("UPDATE entrant SET place = 3", "ann has place 3, the boards say 1"),
    ],
)
def test_each_spoilt_row_is_found(cup: World, statement: str, found: str) -> None:
    spoil(cup, statement)
    assert f"tournament 1, season 1: {found}" in cup.differences()


def test_a_board_without_a_pairing_is_found(cup: World) -> None:
    spoil(cup, "DELETE FROM pairing WHERE board = 102")
    assert "board 102: it is of a tournament, but is no pairing there" in cup.differences()


def test_a_rung_that_does_not_follow_from_the_boards_is_found(stairs: World) -> None:
    stairs.verify()
    spoil(stairs, "UPDATE entrant SET rung = 7 WHERE rung = 5")
    assert stairs.differences() == ["tournament 1, season 1: eva stands on rung 7, the boards say 5"]


def test_a_player_who_was_put_out_may_have_void_boards_only_if_they_are_over(cup: World) -> None:
    cup.mail("ann", "signoff ann ann-secret")
    cup.verify()
    spoil(cup, "UPDATE pairing SET void = TRUE, decided = '2026-03-01 00:00:00.000000' WHERE board = 105")
    assert len(cup.differences()) == 1
