"""Games of stones as SGF: sgfmill reads what we write."""

from collections.abc import Mapping

import pytest

from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import Kind
from pbmserv.games.base.sheet import Facts, Sheet
from tests.games.base.logged import SEED
from tests.games.records.reader import SITE, form, needs_reader, played, read_by_others, several, sheet_of

#: Games, their options, their numbers in SGF, and whether the first seat has White.
GAMES = [
    ("gomoku", {}, "4", False),
    ("gomoku", {"size": "19"}, "4", False),
    ("othello", {}, "2", False),
    ("amazons", {}, "18", True),
    ("amazons", {"size": "6"}, "18", True),
]


@needs_reader("sgf")
@pytest.mark.parametrize(("key", "options", "number", "white_first"), GAMES)
def test_another_program_reads_it(key: str, options: Mapping[str, str], number: str, white_first: bool) -> None:
    sheets = list(several(key, options, games=4, plies=60))
    sgf = form(key, "sgf")
    for sheet, found in zip(sheets, read_by_others("sgf", [sgf.write(s) for s in sheets]), strict=True):
        root, *nodes = found["nodes"]
        colours = "WB" if white_first else "BW"
        assert (root["FF"], root["GM"], root["PC"]) == (["4"], [number], [SITE])
        assert found["players"] == [("alice", "bob")[colours.index(colour)] for colour in "BW"]
        assert [name for node in nodes for name in node] == [colours[ply.seat] for ply in sheet.plies]
        winners = sheet.result.winners if sheet.result else ()
        assert found["winner"] == (colours[winners[0]].lower() if winners else None)


@needs_reader("sgf")
def test_points_are_where_another_program_sees_them() -> None:
    (gomoku,) = read_by_others("sgf", [form("gomoku", "sgf").write(sheet_of(played("gomoku", {}, "a1", "c15")))])
    assert gomoku["moves"] == [["b", [0, 0]], ["w", [14, 2]]]  # rows from below, and columns
    (othello,) = read_by_others("sgf", [form("othello", "sgf").write(sheet_of(played("othello", {}, "d3", "c3")))])
    assert othello["moves"] == [["b", [5, 3]], ["w", [5, 2]]]  # row 3 from the top


def test_a_whole_file() -> None:
    board = played("amazons", {"size": "6"}, "b1-b5/e5")
    board.does(1, Kind.RESIGN)
    assert form("amazons", "sgf").write(sheet_of(board)).replace("\n", "") == (
        "(;FF[4]GM[18]CA[UTF-8]AP[pbmserv:1.0.0]SZ[6]AB[ab][ba][ea][fb]AW[ae][bf][ef][fe]PB[bob]PW[alice]"
        f"GN[Amazons, board 101]PC[{SITE}]DT[2026-03-01,2026-04-02]RE[W+R];W[bfbbeb])"
    )


def test_a_fork_sets_up_its_first_position() -> None:
    before = played("othello", {}, "d3").board
    board = play.begin(Start(before.game, {}, 2, SEED, before.position))
    text = form("othello", "sgf").write(Sheet(Facts(102, ("alice", "bob"), "games.example", "2026-03-01"), board, ()))
    assert "AB[dc][dd][de][ed]AW[ee]PL[W]" in text.replace("\n", "")


@pytest.mark.parametrize(("key", "options"), [(key, options) for key, options, *_ in GAMES])
def test_lines_fit_the_screens_of_all_programs(key: str, options: Mapping[str, str]) -> None:
    (sheet,) = several(key, options, games=1, plies=60)
    assert max(map(len, form(key, "sgf").write(sheet).splitlines())) <= 80
