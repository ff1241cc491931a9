"""Chess as PGN: python-chess reads what we write, and finds the same positions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import pytest

from pbmserv.games.base.log import Kind
from pbmserv.games.base.sheet import Sheet
from pbmserv.games.capture.chess.fen import fen
from pbmserv.games.families.chesslike import chesslike_files
from tests.examples import spread
from tests.games.records.reader import SITE, form, needs_reader, played, read_by_others, several, sheet_of

PGN = form("chess", "pgn")
MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def positions(sheet: Sheet) -> list[str]:
    """Our positions at each ply, without the number of the move, which a position does not know."""
    rules = getattr(sheet.game, "rules", None)
    write: Callable[[Any], str] = partial(chesslike_files.fen, rules) if rules else fen
    return [write(position)[:-2] for position in (*(ply.position for ply in sheet.plies), sheet.board.position)]


@pytest.mark.slow
@needs_reader("pgn")
@pytest.mark.parametrize("options", spread([{}, {"960": ""}], 2), ids=["standard", "960"])
def test_another_program_finds_the_same_positions(options: Mapping[str, str]) -> None:
    sheets = list(several("chess", options, games=6, plies=120))
    for sheet, found in zip(sheets, read_by_others("pgn", [PGN.write(s) for s in sheets]), strict=True):
        assert found["errors"] == []
        assert [there.rsplit(" ", 1)[0] for there in found["positions"]] == positions(sheet)
        assert (found["tags"]["Result"] == "*") == (sheet.result is None)


@pytest.mark.slow
@needs_reader("pgn")
@pytest.mark.parametrize(
    ("keys", "plies"),
    [
        (("crazyhouse", "horde"), 24),
        pytest.param(
            ("hill", "threecheck", "antichess", "giveaway", "atomic", "crazyhouse", "horde", "racingkings"),
            150,
            marks=pytest.mark.slow,
        ),
    ],
    ids=["two", "all"],
)
def test_another_program_reads_the_variants_that_it_knows(keys: Sequence[str], plies: int) -> None:
    sheets = [sheet for key in keys for sheet in several(key, {}, games=2, plies=plies)]
    told = read_by_others("pgn", [form(sheet.game.info.key, "pgn").write(sheet) for sheet in sheets])
    for sheet, found in zip(sheets, told, strict=True):
        assert found["errors"] == []
        for text, position in zip(found["positions"], positions(sheet), strict=True):
            theirs, ours = text.split(), position.split()
            assert (theirs[0].partition("[")[0], theirs[1:3]) == (ours[0].partition("[")[0], ours[1:3])


def test_xiangqi_has_the_tags_of_its_own_programs() -> None:
    text = form("xiangqi", "pgn").write(sheet_of(played("xiangqi", {}, "h3e3", "h10g8")))
    assert '[Red "alice"]\n' in text
    assert '[FEN "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1"]' in text
    assert text.endswith("\n1. C2=5 H8+7 *\n")


def test_a_record_of_janggi_begins_when_all_men_stand() -> None:
    text = form("janggi", "pgn").write(sheet_of(played("janggi", {}, "hehe", "heeh", "c4d4", "pass")))
    assert '[FEN "reha1aehr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RHEA1AEHR w - - 0 1"]' in text
    assert text.endswith("\n1. Pcd4 pass *\n")


def test_shogi_as_csa() -> None:
    board = played("shogi", {}, "7g7f", "3c3d", "8h2b+", "3a2b", "b*5e")
    board.does(1, Kind.RESIGN)
    text = form("shogi", "csa").write(sheet_of(board))
    assert text.startswith("V2.2\nN+alice\nN-bob\n$EVENT:Shogi, board 101\n")
    assert "P8 * +KA *  *  *  *  * +HI * \n" in text
    assert text.endswith("\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n+0055KA\n%TORYO\n")


@pytest.mark.parametrize(
    ("seat", "kind", "end"),
    [
        (0, Kind.RESIGN, "%TORYO"),
        (1, Kind.RESIGN, "'Black wins: by resignation\n%-ILLEGAL_ACTION"),  # TORYO would let Black lose
        (0, Kind.FORFEIT, "%TIME_UP"),
        (1, Kind.FORFEIT, "'Black wins: on time\n%-ILLEGAL_ACTION"),
    ],
)
def test_who_has_lost_a_game_of_shogi(seat: int, kind: Kind, end: str) -> None:
    board = played("shogi", {}, "7g7f", "3c3d")
    board.does(seat, kind)
    assert form("shogi", "csa").write(sheet_of(board)).endswith(f"\n-3334FU\n{end}\n")


def test_draws_of_shogi() -> None:
    moves = ("2h3h", "8b7b", "3h2h", "7b8b") * 3
    repeated, agreed = played("shogi", {}, *moves), played("shogi", {}, "7g7f")
    agreed.does(0, Kind.PROPOSE)
    agreed.does(1, Kind.ACCEPT)
    told = [form("shogi", "csa").write(sheet_of(board)).splitlines()[-1] for board in (repeated, agreed)]
    assert told == ["%SENNICHITE", "%JISHOGI"]


def test_a_whole_game() -> None:
    text = PGN.write(sheet_of(played("chess", {}, *MATE)))
    assert text == (
        '[Event "Chess, board 101"]\n'
        f'[Site "{SITE}"]\n'
        '[Date "2026.03.01"]\n'
        '[Round "-"]\n'
        '[White "alice"]\n'
        '[Black "bob"]\n'
        '[Result "0-1"]\n'
        '[Mode "EM"]\n'
        '[Termination "normal"]\n'
        '[EndDate "2026.04.02"]\n'
        '[PlyCount "4"]\n'
        "\n"
        "1. f3 e5 2. g4 Qh4# {Black wins: checkmate} 0-1\n"
    )


@pytest.mark.parametrize(
    ("ends", "tag", "termination", "last"),
    [
        ([], "*", "unterminated", "1. e4 *"),
        ([(0, Kind.RESIGN)], "0-1", "normal", "{Black wins: by resignation} 0-1"),
        ([(1, Kind.FORFEIT)], "1-0", "time forfeit", "{White wins: on time} 1-0"),
        ([(1, Kind.PROPOSE), (0, Kind.ACCEPT)], "1/2-1/2", "normal", "{Draw: by agreement} 1/2-1/2"),
        ([(1, Kind.DECLINE)], "*", "abandoned", "1. e4 {The board was declined} *"),
    ],
)
def test_how_a_board_ended(ends: list[tuple[int, Kind]], tag: str, termination: str, last: str) -> None:
    board = played("chess", {}, "e2e4")
    for seat, kind in ends:
        board.does(seat, kind)
    text = PGN.write(sheet_of(board))
    assert f'[Result "{tag}"]' in text
    assert f'[Termination "{termination}"]' in text
    assert text.endswith(f"{last}\n")


def test_moves_that_were_taken_back_are_left_out() -> None:
    board = played("chess", {}, "e2e4", "e7e5")
    board.does(1, Kind.UNDO)
    board.does(0, Kind.ACCEPT)
    board.moves("c7c5")
    assert PGN.write(sheet_of(board)).endswith("\n1. e4 c5 *\n")


def test_lines_are_as_long_as_the_standard_allows() -> None:
    (sheet,) = several("chess", {}, games=1, plies=120)
    assert max(map(len, PGN.write(sheet).splitlines())) < 80


def test_all_moves_of_castling_promotion_and_passing() -> None:
    passing = ("e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "a6a5", "d6c7", "a5a4")
    promoting = ("c7b8q", "a4a3", "g1f3", "a3b2", "f1e2", "b2a1n", "e1g1")
    text = PGN.write(sheet_of(played("chess", {}, *passing, *promoting)))
    assert "3. exd6 a5 4. dxc7 a4 5. cxb8=Q a3 6. Nf3 axb2 7. Be2 bxa1=N 8. O-O *" in text.replace("\n", " ")
