"""Games of stones as SGF: sgfmill reads what we write."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from pbmserv import __version__
from pbmserv.games import find
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.games.base.log import Kind
from pbmserv.games.base.sheet import Facts, Sheet
from pbmserv.games.families.tables.tables_rows import ROWS
from tests.examples import spread
from tests.games.base.logged import SEED
from tests.games.race.test_backgammon import at
from tests.games.records.reader import SITE, at_random, form, needs_reader, played, read_by_others, several, sheet_of

NO_MOVE = re.compile("dead|alive|count|resume")

#: Games, their options, their numbers in SGF, and whether the first seat has White.
GAMES = [
    ("gomoku", {}, "4", False),
    ("gomoku", {"size": "19"}, "4", False),
    ("othello", {}, "2", False),
    ("amazons", {}, "18", True),
    ("amazons", {"size": "6"}, "18", True),
    ("go", {}, "1", False),
    ("go", {"size": "13", "handicap": "5"}, "1", False),
    ("hex", {}, "11", False),
    ("havannah", {"size": "5"}, "havannah", True),
]

FORK = Facts(102, ("alice", "bob"), "games.example", "2026-03-01")


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
        assert [name for node in nodes for name in node] == [
            colours[ply.seat] for ply in sheet.plies if key != "go" or not NO_MOVE.match(ply.text)
        ]
        winners = sheet.result.winners if sheet.result else ()
        assert found["winner"] == (colours[winners[0]].lower() if winners else None)


@pytest.mark.slow
@needs_reader("sgf")
@pytest.mark.parametrize("options", spread([{"size": "9"}, {"size": "13", "handicap": "5"}, {}], 3), ids=str)
def test_another_program_finds_the_same_stones(options: Mapping[str, str]) -> None:
    sheets = list(several("go", options, games=3, plies=250))
    sgf = form("go", "sgf")
    for sheet, found in zip(sheets, read_by_others("sgf", [sgf.write(s) for s in sheets]), strict=True):
        points, size = sheet.board.position.points, int(options.get("size", "19"))
        ours = [["b" if stone == "X" else "w", *divmod(p, size)] for p, stone in enumerate(points) if stone != "."]
        assert found["stones"] == sorted(ours)
        root = found["nodes"][0]
        assert root["KM"] == ["0.5" if "handicap" in options else "7.5"]
        assert root.get("HA", [""])[0] == options.get("handicap", "")


def test_the_count_of_go_is_no_move() -> None:
    board = played("go", {"size": "9"}, "e5", "pass", "pass", "count", "count")
    text = form("go", "sgf").write(sheet_of(board))
    assert "RE[B+73.5]" in text
    assert text.endswith(";B[ee];W[];B[])\n")


def test_a_swap_in_hex_and_havannah() -> None:
    hexes, havannah = (  # lines end before a node where they would be too long
        form(key, "sgf").write(sheet_of(played(key, {}, "c2", "swap", "f6"))).replace("\n;", ";")
        for key in ("hex", "havannah")
    )
    assert hexes.endswith(";B[c2];W[swap-pieces];B[f6])\n")
    assert havannah.endswith(";W[c2];B[swap];W[f6])\n")


def after_turns(nodes: list[dict[str, list[str]]]) -> dict[str, Counter[str]]:
    """Play the turns of a game of backgammon as the format describes them, and return where the men are."""
    men = {"W": Counter(x=2, m=5, h=3, f=5), "B": Counter(a=2, l=5, q=3, s=5)}
    men |= {colour: Counter(nodes[0][f"A{colour}"]) for colour in men if f"A{colour}" in nodes[0]}
    for node in nodes[1:]:
        ((colour, (turn,)),) = node.items()
        steps = turn[2:] if turn[0].isdigit() else ""
        for source, target in zip(steps[::2], steps[1::2], strict=True):
            other = men["B" if colour == "W" else "W"]
            men[colour].subtract(source)
            men[colour][target] += 1
            if target != "z" and other[target]:
                assert other[target] == 1
                other.subtract(target)
                other["y"] += 1
    return {colour: +where for colour, where in men.items()}


@needs_reader("sgf")
@pytest.mark.parametrize(("key", "luck"), [("backgammon", 0), ("backgammon", 2), ("hypergammon", 4)])
def test_the_men_of_backgammon_are_where_the_letters_lead(key: str, luck: int) -> None:
    sheet = at_random(key, (), luck, 400)
    (found,) = read_by_others("sgf", [form(key, "sgf").write(sheet)])
    assert found["nodes"][0].get("RU") == (["Hypergammon3"] if key == "hypergammon" else None)
    men = after_turns(found["nodes"])
    position = sheet.board.position
    for colour, seat in (("W", 0), ("B", 1)):
        places = Counter({n: count for n, count in enumerate(position.of(seat)) if count})
        letters = {
            ("z" if n == 0 else "y" if n == 25 else chr(96 + (n if seat == 0 else 25 - n))): count
            for n, count in places.items()
        }
        assert men[colour] == letters
    assert found["winner"] == ("w" if position.winner == 0 else "b")


@pytest.mark.slow
@needs_reader("sgf")
def test_each_game_of_tables_has_its_points_for_white_and_for_black() -> None:
    keys = [row.key for row in ROWS if not row.cube]
    sheets = [at_random(key, (), 1, 12) for key in keys]
    told = read_by_others("sgf", [form(sheet.game.info.key, "sgf").write(sheet) for sheet in sheets])
    for sheet, found in zip(sheets, told, strict=True):
        root, *nodes = found["nodes"]
        assert (root["GM"], root["RU"]) == (["6"], [sheet.game.info.name])
        assert [[*node] for node in nodes] == [["WB"[ply.seat]] for ply in sheet.plies]
        assert found["winner"] == "wb"[sheet.result.winners[0]] if sheet.result else True
    fevga = form("fevga", "sgf").write(at_random("fevga", (), 1, 12))
    assert "AB" + "[l]" * 15 in fevga.replace("\n", "")


@needs_reader("sgf")
def test_each_game_of_a_match_is_a_tree() -> None:
    sheet = at_random("backgammon", (("match", "5"),), 0, 1500)
    text = form("backgammon", "sgf").write(sheet)
    found = read_by_others("sgf", [text], games=text.count("(;"))
    assert [game["nodes"][0]["MI"][1] for game in found] == [f"game:{n}" for n in range(len(found))]
    score = {"w": 0, "b": 0}
    for game in found:
        root = game["nodes"][0]
        assert root["MI"] == ["length:5", root["MI"][1], f"ws:{score['w']}", f"bs:{score['b']}"]
        score[game["winner"]] += int(root["RE"][0][2:])
    assert (score["w"], score["b"]) == sheet.board.position.score


@pytest.mark.slow
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
        f"(;FF[4]GM[18]CA[UTF-8]AP[pbmserv:{__version__}]SZ[6]AB[ab][ba][ea][fb]AW[ae][bf][ef][fe]PB[bob]PW[alice]"
        f"GN[Amazons, board 101]PC[{SITE}]DT[2026-03-01,2026-04-02]RE[W+R];W[bfbbeb])"
    )


@pytest.mark.parametrize(("key", "move"), [("othello", "d3"), ("go", "e5"), ("backgammon", "24/18 13/11")])
def test_a_ruling_has_no_number(key: str, move: str) -> None:
    board = played(key, {})
    board.add(play.adjudicate(board.board, (2, 1)))
    winner = "B" if key == "backgammon" else "W"
    assert f"RE[{winner}+]" in form(key, "sgf").write(sheet_of(board))


def test_a_fork_sets_up_its_first_position() -> None:
    before = played("othello", {}, "d3").board
    board = play.begin(Start(before.game, {}, 2, SEED, before.position))
    text = form("othello", "sgf").write(Sheet(FORK, board, ()))
    assert "AB[dc][dd][de][ed]AW[ee]PL[W]" in text.replace("\n", "")


@pytest.mark.parametrize(("key", "options"), [(key, options) for key, options, *_ in GAMES])
def test_lines_fit_the_screens_of_all_programs(key: str, options: Mapping[str, str]) -> None:
    (sheet,) = several(key, options, games=1, plies=60)
    assert max(map(len, form(key, "sgf").write(sheet).splitlines())) <= 80


def test_a_fork_of_backgammon_sets_up_the_men_and_the_cube() -> None:
    """The owner of the cube is told in a small letter; a man on the bar is y, one that is off is z."""
    first = replace(at({24: 1, 6: 13, 25: 1}, {1: 14}, 6, 5), goal=7, cube=4, owner=1)
    board = play.begin(Start(find("backgammon"), {"match": "7"}, 2, SEED, first))
    text = form("backgammon", "sgf").write(Sheet(FORK, board, ()))
    flat = text.replace("\n", "")
    assert f"AE[a:y]AW{'[f]' * 13}[x][y]AB[z]{'[x]' * 14}CV[4]CP[b]" in flat
    assert "MI[length:7][game:0][ws:0][bs:0]" in flat
