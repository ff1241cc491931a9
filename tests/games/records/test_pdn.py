"""Draughts as PDN: pydraughts reads what we write, and finds the same positions."""

import re
from collections.abc import Mapping

import pytest

from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import Kind
from pbmserv.games.base.sheet import Facts, Sheet
from tests.games.base.logged import SEED
from tests.games.records.reader import form, needs_reader, played, read_by_others, several, sheet_of

PDN = form("draughts", "pdn")
LARGE = {"international": ""}


def men(fen: str) -> list[str]:
    """Return who is to move, then the men of both sides with their squares, from a FEN of any spelling."""
    turn, *sides = fen.split(":")
    found = [f"{side[0]}{man}" for side in sides for man in re.findall(r"K?\d+", side)]
    return [turn, *sorted(found)]


def ours(sheet: Sheet) -> list[list[str]]:
    found = []
    for position in (*(ply.position for ply in sheet.plies), sheet.board.position):
        turn = ("WB" if len(position.board) == 50 else "BW")[position.turn]
        squares = [
            f"{man.upper()}{'K' * man.isupper()}{n}" for n, man in enumerate(position.board, start=1) if man != "."
        ]
        found.append([turn, *sorted(squares)])
    return found


@pytest.mark.slow
@needs_reader("pdn")
@pytest.mark.parametrize(
    ("options", "variant"),
    [({}, "english"), pytest.param(LARGE, "standard", marks=pytest.mark.slow)],
    ids=["english", "international"],
)
def test_another_program_finds_the_same_positions(options: Mapping[str, str], variant: str) -> None:
    sheets = list(several("draughts", options, games=4, plies=70))
    for sheet, found in zip(sheets, read_by_others("pdn", [PDN.write(s) for s in sheets]), strict=True):
        assert found["variant"] == variant
        assert list(map(men, found["positions"])) == ours(sheet)
        assert found["result"] == found["tags"]["Result"]


def test_black_begins_on_the_small_board() -> None:
    board = played("draughts", {}, "11-15", "23-19")
    board.does(0, Kind.RESIGN)
    text = PDN.write(sheet_of(board))
    assert '[White "bob"]\n[Black "alice"]\n[Result "1-0"]\n' in text
    assert '[GameType "21,B,8,8,N1,0"]\n' in text
    assert text.endswith("\n\n1. 11-15 23-19 {White wins: by resignation} 1-0\n")


def test_a_win_counts_two_on_the_large_board() -> None:
    board = played("draughts", LARGE, "33-29", "19-23")
    board.does(1, Kind.RESIGN)
    text = PDN.write(sheet_of(board))
    assert '[White "alice"]\n[Black "bob"]\n[Result "2-0"]\n' in text
    assert '[GameType "20,W,10,10,N2,0"]\n' in text


def test_a_fork_names_its_first_position() -> None:
    before = played("draughts", {}, "11-15").board
    start = Start(before.game, {}, 2, SEED, before.position)
    board = play.begin(start)
    text = PDN.write(Sheet(Facts(102, ("alice", "bob"), "games.example", "2026-03-01"), board, ()))
    assert '[FEN "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,12,15"]\n' in text
