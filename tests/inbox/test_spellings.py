"""A line that is one move, as books print it, in two parts, in letters of the account's language, or as it is said."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbmserv.commands import command_language
from pbmserv.errors import IllegalMove
from pbmserv.games import find
from pbmserv.games.base import board as play
from pbmserv.games.base import moves_of
from pbmserv.games.base.board import Board, Start
from pbmserv.inbox.lines.first_line import FirstLine, read_first_line
from pbmserv.letters.board_page import shown_move
from pbmserv.letters.site import Site
from pbmserv.letters.text import aloud
from pbmserv.letters.text.men import letters_of_men
from tests.games.race.test_backgammon import at, opening
from tests.inbox.test_offers import on
from tests.world import RENDERER, World

_LANGUAGE = command_language()
_GERMAN = dict(zip("BSLTDKH", ["", "N", "B", "R", "Q", "K", "S"], strict=True))

_CHESS, _BLACK = on("chess"), on("chess", "e2e4")
_OPEN = on("chess", "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
_SCORE = on("chess", "e2e4", "e7e5", "g1f3", "b8c6")
_PAWNS = on("chess", "e2e4", "d7d5")
_PASSING = on("chess", "e2e4", "a7a6", "e4e5", "d7d5")
_QUEEN = on("chess", "d2d4", "e7e5", "e2e3", "e5d4", "a2a3", "a7a6")  # queen and pawn can take on d4
_LAST_RANK = on("chess", "a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "h7h6", "a6a7", "h6h5")
_GO, _SMALL = on("go", "d7", "q16"), on("go", options={"size": "9"})
_TUMBLE, _DRAUGHTS, _OTHELLO = on("tumble"), on("draughts"), on("othello")
_TAKING = on("draughts", "11-15", "22-18")
_FOUR, _OWARE, _AMAZONS = on("four"), on("oware"), on("amazons")
_BACKGAMMON = on("backgammon")  # the dice are 5 and 1
_DOUBLE = replace(_BACKGAMMON, position=opening(3, 3))
_ENTERING = replace(_BACKGAMMON, position=at({25: 1, 6: 1}, {5: 1, 24: 14}, 5, 1))  # Black's 5 is White's 20
_BEARING = replace(_BACKGAMMON, position=at({6: 1, 4: 1}, {1: 15}, 6, 4))


def read(board: Board, line: str, letters: dict[str, str] | None = None) -> FirstLine | None:
    return read_first_line(line, _LANGUAGE, board, min(board.to_move), lambda: letters or {"P": ""})


def named(board: Board, line: str, letters: dict[str, str] | None = None) -> set[str]:
    """Return the moves that are read in a line, in canonical form; nothing if it asks."""
    first = read(board, line, letters)
    if first is None or first.asks:
        return set()
    assert first.either == (len(first.moves) > 1)
    game, seat = board.game, min(board.to_move)
    return {game.format(game.parse(board.position, seat, move)) for move in first.moves}


@pytest.mark.parametrize(
    ("board", "lines", "move"),
    [
        (_CHESS, "1.e4 | 1. e4 | 1 . e4! | White: e4 | 1) e4 | My move: 1. e4", "e2e4"),
        (on("chess", "e2e4", "e7e5"), "1. e4 e5 2. Nf3 | 1.e4 e5 2.Nf3!", "g1f3"),
        (on("chess", "e2e4", "e7e5", "g1f3"), "1. e4 e5 2. Nf3 Nc6 | 1.e4 e5 2.Nf3 Nc6", "b8c6"),
        (on("shogi"), "7六歩 | ☗７六歩 | 7776FU | pawn 7f | P-76", "7g7f"),
        (on("shogi", "7g7f", "3c3d"), "2二角成 | ▲2二角成", "8h2b+"),
        (on("shogi", "7g7f", "3c3d"), "Bishop takes 2b and promotes | bishop takes 2b promoted", "8h2b+"),
        (on("shogi", "7g7f", "3c3d"), "8h2b and promote | Läufer schlägt 2b befördert", "8h2b+"),
        (on("xiangqi"), "炮二平五 | 砲二平五 | C2=5 | 炮2平5", "h3e3"),
        (on("xiangqi"), "马八进七 | 馬八進七 | horse c3", "b1c3"),
        (on("atomic"), "knight f3 | Springer nach f3", "g1f3"),
        (on("crazyhouse"), "pawn e4 | pawn to e4", "e2e4"),
        (on("knightmate"), "knight d3 | Springer d3 | Springer nach d3", "e1d3"),  # there it is royal
        (on("aiwok"), "ai-wok e2", "e1e2"),
        (on("liarsdice"), "two fours | two fours! | I bid two fours | two 4s | bid 2 fours", "2x4"),
        (on("pig"), "to 20 | until 20 | till 20 | bis 20", "to20"),
        (_BLACK, "1...e5 | 1... e5 | 1. ... e5 | 1\N{HORIZONTAL ELLIPSIS}e5 | 1... e7-e5", "e7e5"),
        (_BLACK, "1. e4 e5 | 1.e4 e5 | \u04355", "e7e5"),  # in Cyrillic letters
        (_BLACK, "1... Nc6 | 1...Nc6! | 1) Nc6", "b8c6"),
        (on("chess", "e2e4", "e7e5"), "2. Nf3 | 1. Nf3 | 2... Nf3", "g1f3"),
        (on("chess", "e2e4", "e7e5", "g1f3", "b8c6"), "5. d4 | 3. d4 | 2.d4", "d2d4"),  # also in plies,
        (_GO, "1. B d5 | B d5 | b: d5 | Black d5 | Schwarz D5 | noir: d5 | 1. D5", "d5"),
        (_TUMBLE, "1. c1-c5t | 1.c1-c5t", "c1-c5t"),
        (_DRAUGHTS, "1. 9-13 | 1.9-13 | 1) 9 13", "9-13"),
        (_BACKGAMMON, "1. 24/23 13/8 | 51: 24/23 13/8 | 1) 51: 13/8, 24/23.", "24/23+13/8"),
        (_BACKGAMMON, "13/8, and the one: 6/5. | five: 13/8, one: 6/5", "13/8+6/5"),
        (_FOUR, "1.d | 1. d1 | 1. 4 | column number four", "d1"),
        (_DRAUGHTS, "nine dash thirteen | nine to thirteen full stop | nine to thirteen over", "9-13"),
        (_CHESS, "see four", "c2c4"),
    ],
)
def test_the_number_of_a_move_is_no_part_of_it(board: Board, lines: str, move: str) -> None:
    for line in lines.split(" | "):
        assert named(board, line) == {move}, line


@pytest.mark.parametrize(
    ("board", "lines", "move"),
    [
        (_CHESS, "e2 e4 | e2/e4 | e2--e4 | e2_e4 | e2 -- e4", "e2e4"),
        (_DRAUGHTS, "9 13 | 9/13 | 9->13", "9-13"),
        (_CHESS, "Pe4 | P-e4", "e2e4"),
        (_OPEN, "Bxf7 check | Bxf7 +", "c4f7"),
        (_TAKING, "15:22 | 15 22 | 15/22 | 15 x 22 | 15\N{MULTIPLICATION SIGN}22", "15x22"),
        (_BACKGAMMON, "24 23 13 8 | 24/23,13/8", "24/23+13/8"),
        (_DOUBLE, "8/5(2) 6/3(2) | 8/5(2), 6/3(2). | 1. 8/5(2) 6/3(2)", "8/5(2)+6/3(2)"),
        (_ENTERING, "bar/20* 6/5 | bar/20 6/5 | 1) bar/20* 6/5", "bar/20*+6/5"),
        (_BEARING, "6/off 4/off | 6/off, 4/off | 64: 6/off 4/off", "6/off+4/off"),
        (_TUMBLE, "c1->c5t | c1--c5t | c1_c5t | c1\N{KATAKANA-HIRAGANA PROLONGED SOUND MARK}c5t", "c1-c5t"),
        (_PAWNS, "e4:d5 | e:d5 | exd5 | e4 x d5", "e4d5"),
        (_PASSING, "e5:d6 | exd6 e.p. | exd6 (e.p.) | exd6ep | e5xd6 e.p. | e5 d6", "e5d6"),
        (_CHESS, "P-K4 | 1. P-K4! | p-k4 | 5254", "e2e4"),
        (_CHESS, "Kt-KB3 | N-KB3", "g1f3"),
        (_BLACK, "P-QB4", "c7c5"),
        (_PAWNS, "exd | PxP", "e4d5"),
        (_LAST_RANK, "axb8 queen | axb8=Q | axb8Q | a7b8q | a7:b8=Q | axb8 = Q", "a7b8q"),
        (_AMAZONS, "d1 d7 g7 | d1-d7 (g7) | d1--d7/g7", "d1-d7/g7"),
        (_GO, "D-5 | d-5 | d 5 | 1.D-5", "d5"),
        (_GO, "dd | B[dd] | ;B[dd]", "d16"),
        (_GO, "tt", "pass"),
        (_SMALL, "dd | D-6", "d6"),
    ],
)
def test_two_parts_and_other_signs(board: Board, lines: str, move: str) -> None:
    for line in lines.split(" | "):
        assert named(board, line) == {move}, line


@pytest.mark.parametrize(
    ("board", "line", "moves"),
    [
        (_CHESS, "Sf3", {"g1f3"}),
        (_CHESS, "1. Sf3!", {"g1f3"}),
        (_CHESS, "sc3", {"b1c3"}),
        (_CHESS, "Nf3", {"g1f3"}),
        (_OPEN, "Lb5", {"c4b5"}),
        (_OPEN, "Lxf7+", {"c4f7"}),
        (_OPEN, "L:f7", {"c4f7"}),
        (_OPEN, "Tf1", {"h1f1"}),
        (_OPEN, "De2", {"d1e2"}),
        (_OPEN, "Kf1", {"e1f1"}),
        (_OPEN, "Bb3", {"c4b3", "b2b3"}),  # Bauer, or a bishop in English
        (_QUEEN, "Dxd4", {"d1d4"}),
        (_QUEEN, "dxd4", set()),
        (_LAST_RANK, "axb8D", {"a7b8q"}),
        (_LAST_RANK, "axb8=S", {"a7b8n"}),
        (_LAST_RANK, "axb8=D+", {"a7b8q"}),
        (_SCORE, "1. e4 e5 2. Sf3 Sc6 3. Lb5", {"f1b5"}),
    ],
)
def test_men_have_the_letters_of_the_account(board: Board, line: str, moves: set[str]) -> None:
    if not moves:
        assert line == "dxd4"
        assert read(board, line, _GERMAN) is not None  # told why not
        return
    assert named(board, line, _GERMAN) == moves


def test_a_letter_of_two_men_may_be_either() -> None:
    assert named(_CHESS, "Pf3") == {"f2f3", "g1f3"}  # paard, in Dutch


@pytest.mark.parametrize(
    ("key", "hand", "line", "letters", "move"),
    [
        ("crazyhouse", "pn", "P@e4", None, "p*e4"),  # no knight in Dutch
        ("shogi", "sn", "S*5e", _GERMAN, "s*5e"),  # a silver, and no Springer
        ("shogi", "sn", "N*5e", _GERMAN, "n*5e"),
    ],
)
def test_what_letters_write_is_this_move(
    key: str, hand: str, line: str, letters: dict[str, str] | None, move: str
) -> None:
    board = on(key)
    board = replace(board, position=replace(board.position, hands=(hand, "")))
    assert board.game.written(board.position, 0, move) == line
    assert named(board, line, letters) == {move}


@pytest.mark.parametrize("line", ["S-7g", "S7g", "S-77", "L-4d", "S*5e"])
def test_a_silver_that_cannot_go_there_is_no_springer(line: str) -> None:
    """Letters in German write silver, lance and knight of shogi as those in English."""
    board = on("shogi", "7g7f", "3c3d")
    board = replace(board, position=replace(board.position, hands=("n", "")))
    with pytest.raises(IllegalMove):
        named(board, line, _GERMAN)


def test_a_rook_of_shogi_may_be_a_turm() -> None:
    assert named(on("shogi", "7g7f", "3c3d"), "T-7h", _GERMAN) == {"2h7h"}


def test_a_star_that_says_more_than_the_move_is_not_left_out() -> None:
    read_as = read(_BACKGAMMON, "24/18*")  # there is nobody to hit
    assert read_as is not None
    assert read_as.moves == ("24/18*",)  # so the answer says why not
    assert named(_BACKGAMMON, "*24/18*") == {"24/18"}


def test_the_letters_are_those_of_the_names_in_a_language(world: World) -> None:
    site: Site = world.site
    assert letters_of_men(site.renderer.to("de").say) == _GERMAN
    assert letters_of_men(site.renderer.to("en").say) == {"P": ""}


def test_a_move_of_another_colour_is_told_as_such(world: World) -> None:
    world.board("alice", "bob", game="go")
    letter = world.mail("alice", "go propose 101 alice alice-secret")[0]
    answer = world.reply(letter, "W d5")[0]
    assert "Your line names a move of White, and that is not your colour, so nothing was done." in answer.flat
    assert "To play D5, answer this letter with the word yes." in answer.flat


def test_a_command_in_the_subject_has_the_letters_of_the_account(world: World) -> None:
    world.board("alice", "bob", game="chess")
    world.mail("alice", "set alice alice-secret language=de")
    world.mail("alice", "chess move 101 alice alice-secret Sc3")
    assert world.row().board.ply == 1


@pytest.mark.parametrize(
    ("board", "line", "moves"),
    [
        (_OTHELLO, "34", {"c4", "d3"}),
        (_CHESS, "e4 d4", {"e2e4", "d2d4"}),
        (_CHESS, "N-B3", {"b1c3", "g1f3"}),
        (_CHESS, "P-B4", {"b2b4", "c2c4", "f2f4"}),
        (on("chess", "g1f3", "a7a6"), "knight to d4", {"f3d4"}),
        (on("chess", "d2d3", "a7a6", "g1f3", "a6a5"), "knight d2", {"b1d2", "f3d2"}),
        (_LAST_RANK, "pawn takes b8", {f"a7b8{x}" for x in "qrbn"}),
    ],
)
def test_where_two_moves_fit_both_are_meant(board: Board, line: str, moves: set[str]) -> None:
    assert named(board, line) == moves


@pytest.mark.parametrize(
    ("board", "line"),
    [
        (_CHESS, "knight takes f3"),  # it takes nothing there
        (_CHESS, "bishop f3"),
        (_CHESS, "hippo f3"),
        (on("crazyhouse"), "pawn b1 to a3"),  # a knight stands there
        (on("shogi"), "pawn 2h to 3h"),
        (_CHESS, "knight f3 or c3"),
        (_CHESS, "knight f3 please"),
        (_CHESS, "du e4"),  # in German, that is you
        (_CHESS, "f3 knight"),
        (_GO, "W d5"),  # it is Black's turn
        (_GO, "gg"),
        (_GO, "ok"),
        (_GO, "no"),
        (_GO, "ja"),
        (_GO, "ee"),
        (_OWARE, "Charlie"),  # a name
        (_OWARE, "in c"),
        (_FOUR, "Delta"),
        (_DRAUGHTS, "king 11 to 15"),
        (_TUMBLE, "c1 c2 m!"),
        (_CHESS, "e2__________e4"),
        (on("chess", "e2e4", "e7e5"), "1. d4 d5 2. Nf3"),  # of another board
        (on("battleship", "a1-e1", "f1-i1"), "1. a1-e1 f1-i1 2. j1-j3"),  # what is hidden may be guessed
        (on("chess", "e2e4", "e7e5"), "2. d4 2. Nf3"),
        (on("chess", "e2e4", "e7e5"), "2. Nf3 Nc6 2. d4"),
        (on("chess", "f2f3", "e7e5", "a2a3", "a7a6", "b2b3", "b7b6"), "1. f3 e5 2. g4 Qh4 3. a3 a6 4. Nh3"),  # mate
    ],
)
def test_what_a_reader_could_doubt_is_no_move(board: Board, line: str) -> None:
    assert read(board, line) is None


#: Said by people and by telephones, and what is meant; lines of a game have a bar between them.
SAID: list[tuple[Board, str, str]] = [
    (_CHESS, "knight f3 | Knight to f3. | knight g1 to f3 | knight from g1 to f3 | night f3 | Knight-f3", "g1f3"),
    (_CHESS, "Springer f3 | Springer von g1 nach f3 | cavalier f3", "g1f3"),
    (_CHESS, "конь на f3 | конём f3 | Koń f3 | ratsulla f3", "g1f3"),
    (_CHESS, "knight golf one to foxtrot three | knight foxtrot 3 | Springer Friedrich drei", "g1f3"),
    (_CHESS, "echo 4 | echo four | pawn echo four | e 4 | pawn to e4 | e2 to e4 | e two e four | Bauer e4", "e2e4"),
    (_CHESS, "Emil zwei nach Emil vier | echo 2 to echo 4 | Pawn E 2 to E 4 | Bauer e2 nach e4", "e2e4"),
    (_BLACK, "knight g8 to f6 | knight foxtrot six | 1... knight f6", "g8f6"),
    (_PAWNS, "pawn takes d5 | echo 4 takes delta 5 | e takes d5 | pawn takes pawn | takes d5", "e4d5"),
    (_PAWNS, "e takes d | e4 takes d5 | Bauer schlägt d5 | e takes delta five | pawn e4 takes pawn d5", "e4d5"),
    (_PASSING, "e takes d6 | e5 takes d6 en passant | pawn takes d6", "e5d6"),
    (_OPEN, "castle | castles | castle kingside", "e1g1"),
    (_OPEN, "castles short | king side castle | kleine Rochade | castling", "e1g1"),
    (_OPEN, "kort rochad | Lyhyt linnoitus | kort rokade | krátká rošáda | Roszada krótka | rövid sánc", "e1g1"),
    (_OPEN, "Rokada krótka | kratka rokada | rokada", "e1g1"),
    (_OPEN, "bishop takes f7 check | bishop takes pawn f7", "c4f7"),
    (_OPEN, "bishop c4 takes on f7 | bishop takes foxtrot seven", "c4f7"),
    (_OPEN, "queen e2 | queen delta one echo two | Dame e2 | queen to e 2", "d1e2"),
    (_OPEN, "king f1 | king to foxtrot one | König f1", "e1f1"),
    (_OPEN, "rook f1 | rook h1 f1 | Turm nach f1 | rook hotel one to foxtrot one", "h1f1"),
    (_LAST_RANK, "pawn takes b8 becomes a queen | a takes b8 queen", "a7b8q"),
    (_LAST_RANK, "a7 b8 equals queen | a takes bravo 8 queen", "a7b8q"),
    (_LAST_RANK, "a takes b8 knight | a7 takes b8 promotes to knight", "a7b8n"),
    (on("chess", "g1f3", "a7a6", "d2d3", "a6a5"), "knight b d2 | knight b to d2 | knight bravo delta 2", "b1d2"),
    (_GO, "delta five | d five | Delta 5 | D 5 | Dora fünf | black delta 5 | stone on d5", "d5"),
    (_GO, "quebec four | q four | Quebec 4 | cue four | Quelle vier", "q4"),
    (_GO, "kilo ten | k ten | kilo 10", "k10"),
    (_GO, "romeo sixteen | r sixteen | Richard sechzehn", "r16"),
    (_GO, "pass | Pass.", "pass"),
    (_DRAUGHTS, "nine thirteen | nine to thirteen | 9 to 13", "9-13"),
    (_DRAUGHTS, "man 9 to 13 | neun nach dreizehn | from 9 to 13", "9-13"),
    (_DRAUGHTS, "eleven to fifteen | eleven fifteen | Stein 11 nach 15", "11-15"),
    (_DRAUGHTS, "twelve sixteen | twelve - sixteen | twelve to 16", "12-16"),
    (_TAKING, "fifteen takes twenty two | 15 takes 22", "15x22"),
    (_TAKING, "fifteen x twenty-two | fünfzehn schlägt zweiundzwanzig", "15x22"),
    (_OTHELLO, "delta three | d three | D 3 | Dora drei | disc on d3 | delta 3", "d3"),
    (_OTHELLO, "charlie four | c four | Cäsar vier | on charlie 4", "c4"),
    (_OTHELLO, "echo six | e six | Emil sechs | 1. echo six | black echo six", "e6"),
    (_DRAUGHTS, "ten fourteen | ten to fourteen | zehn nach vierzehn | 10 to fourteen", "10-14"),
    (_DRAUGHTS, "eleven to sixteen | elf nach sechzehn | man eleven to sixteen", "11-16"),
    (_GO, "charlie three | c three | Cäsar drei | 3. charlie three", "c3"),
    (_GO, "hotel nine | h nine | Heinrich neun", "h9"),
    (_TUMBLE, "alpha one to alpha two | a one a two | Anton eins nach Anton zwei", "a1-a2"),
    (_OTHELLO, "foxtrot five | f 5 | eff five", "f5"),
    (_TUMBLE, "charlie one to charlie two | c one c two", "c1-c2"),
    (_TUMBLE, "c1 to c2 | stack c1 to c2 | Cäsar eins nach Cäsar zwei", "c1-c2"),
    (_TUMBLE, "c1 to c5 tumble | charlie 1 charlie 5 tumbles | c1 to c5 and tumble | c one to c five tumble", "c1-c5t"),
    (_BACKGAMMON, "24 to 23, 13 to 8", "24/23+13/8"),
    (_BACKGAMMON, "twenty four to twenty three and thirteen to eight | 24 23 then 13 8", "24/23+13/8"),
    (_BACKGAMMON, "thirteen to eight, six to five | 13 to 8 6 to 5", "13/8+6/5"),
    (_BACKGAMMON, "13 8 6 5 | dreizehn nach acht und sechs nach fünf", "13/8+6/5"),
    (_DOUBLE, "8 to 5 twice, 6 to 3 twice | eight to five twice and six to three twice", "8/5(2)+6/3(2)"),
    (_ENTERING, "bar to 20 hits, 6 to 5 | bar to twenty, six to five | bar 20 6 5", "bar/20*+6/5"),
    (_BEARING, "6 off 4 off | six off and four off | 6 to off, 4 to off", "6/off+4/off"),
    (_BACKGAMMON, "24 to 18 | twenty-four to eighteen | 24 18", "24/18"),
    (_FOUR, "four | column four | column delta | Spalte vier | vier | delta one", "d1"),
    (_OWARE, "house charlie | house c | Haus Cäsar", "c"),
    (_AMAZONS, "delta one to delta seven arrow golf seven | d1 to d7, arrow g7 | d1 d7 shoots g7", "d1-d7/g7"),
    (on("dots"), "alpha 1 to bravo 1 | alfa one bravo one | a1 to b1", "a1-b1"),
    (on("breakthrough"), "alpha two to alpha three | pawn a2 to a3 | a2 a3", "a2-a3"),
    (on("gomoku"), "hotel eight | h eight | stone on h8", "h8"),
    (on("morris"), "delta two | man on d2 | man to d2", "d2"),
]  # fmt: skip


@pytest.mark.parametrize(("board", "lines", "move"), SAID, ids=[f"{b.start.game.info.key}-{m}" for b, _, m in SAID])
def test_a_move_that_is_said(board: Board, lines: str, move: str) -> None:
    for line in lines.split(" | "):
        assert named(board, line) == {move}, line


def _walk(key: str) -> Iterator[Board]:
    """Yield the positions of a random game."""
    chance = random.Random(7)
    board = play.begin(Start(find(key), {}, 2, "0" * 32))
    while board.result is None and board.ply < 60:
        yield board
        seat = min(board.to_move)
        moves = [board.game.format(move) for move in moves_of(board.game, board.position, seat)]
        board = play.play(board, seat, chance.choice(moves)).board


@pytest.mark.parametrize("key", ["chess", "draughts", "amazons", "backgammon", "loa", "morris"])
def test_what_spoken_letters_say_is_the_move_that_is_played(key: str) -> None:
    told = 0
    for board in list(_walk(key))[::7]:
        game, seat = board.game, min(board.to_move)
        for move in moves_of(game, board.position, seat)[:25]:
            text = game.format(move)
            if spoken := game.spoken(game.written(board.position, seat, text)):
                assert named(board, spoken) == {text}, spoken
                told += 1
    assert told > 25


@pytest.mark.parametrize(
    "key",
    [
        "3io",
        "backgammon",
        "chess",
        "draughts",
        "go",
        "threes",
        "town",
        "tumble",
        "xiangqi",
        "shogi",
        "crazyhouse",
        "makruk",
    ],
)
def test_what_a_letter_says_or_writes_of_a_move_is_read_when_it_comes_back(key: str) -> None:
    """In English and German, with and without words for the letters of squares."""
    chance, game = random.Random(key), find(key)
    board = play.begin(Start(game, game.usual_options({}), min(game.info.seats), "5eed"))
    while board.ply < 16 and not board.result:
        seat = min(board.to_move)
        legal = [game.format(move) for move in moves_of(game, board.position, seat)]
        move = chance.choice(legal)
        written = game.written(board.position, seat, move)
        for say in (RENDERER.say, RENDERER.to("de").say):
            said = aloud.heard(game, written, say)
            for line in (said, aloud.spelt(said), shown_move(board, seat, move, say)):
                assert named(board, line, dict(letters_of_men(say))) == {move}, line
        board = play.play(board, seat, move).board


def test_a_move_that_would_be_another_one_in_english_is_shown_by_its_squares() -> None:
    board = on("chess", "e2e4", "e7e5", "d2d4", "a7a6", "d1h5", "a6a5")
    german = RENDERER.to("de").say
    assert [shown_move(board, 0, move, german) for move in ("h5e5", "h5f7", "d4e5")] == ["h5e5", "Dxf7+", "dxe5"]
