"""The process of OpenSpiel answers, refuses, and can die without harming the tests."""

import sys

import pytest

from tests.games.oracle.engine import Oracle, OracleDied, OracleRefused, with_oracle


@with_oracle
def test_it_plays() -> None:
    with Oracle() as oracle:
        state = oracle.new("tic_tac_toe", {})
        assert (state.player, state.over) == (0, False)
        assert oracle.legal()[4] == ("x(1,1)",)
        state = oracle.apply(("x(1,1)", "o(0,0)", "x(0,1)", "o(0,2)", "x(2,1)"))
        assert (state.player, state.over, state.returns) == (None, True, (1, -1))
        assert state.drawing.startswith("oxo")
        assert oracle.legal() == []


@with_oracle
def test_moves_of_several_actions_are_listed_whole() -> None:
    with Oracle() as oracle:
        oracle.new("amazons", {"board_size": 6})
        moves = oracle.legal(deep=3)
        assert {len(move) for move in moves} == {3}
        assert moves[0][0].startswith("X From")
        assert moves[0][2].startswith("X Shoot")


@with_oracle
def test_what_it_does_not_know_is_refused_and_the_game_goes_on() -> None:
    with Oracle() as oracle:
        oracle.new("tic_tac_toe", {})
        with pytest.raises(OracleRefused, match=r"x\(9,9\)"):
            oracle.apply(("x(9,9)",))
        assert oracle.apply(("x(0,0)",)).player == 1
        with pytest.raises(OracleRefused, match="no_such_game"):
            oracle.new("no_such_game", {})


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by SIGSEGV"),
        ("sys.exit(3)", "ended with status 3"),
    ],
)
def test_a_crash_is_told_as_what_it_is(deed: str, said: str) -> None:
    program = f"import os, signal, sys; sys.stdin.readline(); {deed}"
    with Oracle((sys.executable, "-c", program)) as oracle, pytest.raises(OracleDied, match=said):
        oracle.new("tic_tac_toe", {})
