"""The move that words name which are no move: it is what a person would read in them, or nothing."""

from dataclasses import replace

import pytest

from pbmserv import games
from pbmserv.commands import command_language
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Start
from pbmserv.inbox.lines.first_line import read_first_line
from pbmserv.inbox.lines.offers import move_in, words_in
from pbmserv.inbox.lines.spellings import foreign, legal_move

_LANGUAGE = command_language()


def on(game: str, *moves: str, options: dict[str, str] | None = None) -> Board:
    played = games.find(game)
    board = play.begin(Start(played, options or {}, played.info.seats[0], "0" * 32))
    for move in moves:
        board = play.play(board, min(board.to_move), move).board
    return board


def offered(board: Board, text: str) -> str:
    """Return the offered move in canonical form; "" if there is none. The first line must be no move as it stands."""
    seat = min(board.to_move)
    read = read_first_line(text.partition("\n")[0], _LANGUAGE, board, seat)
    assert read is None, read
    move = move_in(text, _LANGUAGE, board, seat)
    legal = legal_move(move, board, seat) if move else ""
    assert bool(legal) == bool(move), f"an offer of {move} could not be taken"
    return legal


_CHESS = on("chess")
_BLACK = on("chess", "e2e4")
_OPEN = on("chess", "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5")
_TUMBLE = on("tumble")
_DRAUGHTS = on("draughts")
_FRESH = on("yacht")
_DICE = replace(_FRESH, position=replace(_FRESH.position, dice=(2, 2, 5, 5, 6)))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("My knight goes to f3", "g1f3"),
        ("I play my horse to f3 :-)", "g1f3"),
        ("Ich ziehe den Springer auf f3", "g1f3"),
        ("Caballo a f3", "g1f3"),
        ("Cf3, suerte", "g1f3"),
        ("I play e4", "e2e4"),
        ("1. Springer f3 bitte", "g1f3"),
        ("knight takes f3", "g1f3"),  # it takes nothing there
        ("Hello Bob, e4", "e2e4"),
        ("Ok lets go with e4", "e2e4"),
        ("How about e4?", "e2e4"),
        ("Jeg spiller e4", "e2e4"),
        ("I was in hospital. Nf3", "g1f3"),
        ("My week was busy, e4", "e2e4"),
        ("ok then I play g1-f3 hope that is fine", "g1f3"),
    ],
)
def test_a_man_that_is_named_is_the_one_that_moves(line: str, move: str) -> None:
    assert offered(_CHESS, line) == move


@pytest.mark.parametrize(
    ("board", "line"),
    [
        (_CHESS, "Bishop to f3"),  # none can go there, but a pawn can
        (_CHESS, "Läufer f3"),
        (_CHESS, "Hippo f3"),  # whatever that is, it is no pawn
        (_CHESS, "at f3"),  # a knight in Turkish
        (_CHESS, "\u30ca\u30a4\u30c8f3"),  # and in Japanese
        (_CHESS, "Lŵp f3"),
        (_CHESS, "f3 with the knight"),
        (_CHESS, "bishop g1f3"),
        (_CHESS, "king takes knight on e4"),
        (_CHESS, "knight f3, then e4"),
        (_CHESS, "Stein e4"),
        (_OPEN, "Castling long would be nice"),
        (_OPEN, "Yesterday in the club I played b4"),
        (_TUMBLE, "I tumble c1-c2"),
        (on("trippples"), "d2 and freeze"),
        (_BLACK, "Knight to f3"),
        (_OPEN, "knight g5 or h4"),
        (_DRAUGHTS, "king 11-15"),  # a man stands there
        (_DRAUGHTS, "Dame 11-15"),
        (_TUMBLE, "knight c1-c5t"),
        (on("3io", options={"twostep": ""}), "1a3 with a meeple"),
    ],
)
def test_no_other_man_is_offered(board: Board, line: str) -> None:
    assert offered(board, line) == ""


@pytest.mark.parametrize(
    ("board", "line", "move"),
    [
        (_DRAUGHTS, "man 11-15 please", "11-15"),
        (_TUMBLE, "my stack c1 to c5t", legal_move("c1-c5t", _TUMBLE, 0)),
        (_TUMBLE, "c1..c2", "c1-c2"),
        (_TUMBLE, "c1:c2", "c1-c2"),
        (on("amazons"), "amazon d1 to d7, arrow to g7 please", "d1-d7/g7"),
        (on("go", options={"size": "9"}), "ee", "e5"),  # two letters that may be a word
        (on("chess", "e2e4", "d7d5"), "Ed", "e4d5"),
        (_OPEN, "I castle", "e1g1"),
        (_OPEN, "Kurze Rochade bitte", "e1g1"),
        (on("go"), "Ich passe", "pass"),
        (on("go"), "ik pas", "pass"),
        (on("hex"), "je prends f6", "f6"),
        (on("oware"), "I sow c", "c"),
        (on("oware"), "sow from c", "c"),
        (on("oware", "c"), "Ich nehme k", "k"),
        (on("draughts", "11-15", "22-18"), "15 takes 18", "15x22"),
        (on("draughts", "11-15", "22-18"), "15 schlägt 18, landet auf 22", "15x22"),
        (on("draughts", "11-15", "22-18"), "I have to jump, 15 to 22", "15x22"),
        (on("gomoku", "H8", "H9"), "9i", "i9"),
        (on("chess", "e4", "c5", "Nf3", "d6", "d4"), "Bicie na d4", "c5d4"),
        (on("chess", "e4", "c5", "Nf3", "d6", "d4"), "I take on d4", "c5d4"),
        (on("chess", "e4", "c5", "Nf3", "d6", "d4"), "he takes on d4", ""),
        (on("go"), "Zagrywam R14", "r14"),
        (on("go"), "Jag lägger på F3", "f3"),
        (on("chess", "e4"), "the g8 knight to f6", "g8f6"),
        (_DICE, "hold both 5s, reroll the rest", "55"),
        (_DICE, "ich behalte die zwei Fünfen", "55"),
        (on("go"), "パス", "pass"),
        (on("go"), "skip", "pass"),
        (on("go"), "ich passe auch", "pass"),
        (on("havannah", "h8"), "I swap sides", "swap"),
        (on("hex", "f6"), "I think I will take over your stone", "swap"),
        (on("hex", "f6"), "Ich tausche", "swap"),
        (on("chess", "e4", "d5", "e5", "f5"), "en passant", "e5f6"),
        *((_DICE, line, "55") for line in ("keep the fives", "I keep both fives and roll again", "hold the 5s")),
        *((_DICE, line, "55") for line in ("two fives please", "zwei Fünfen", "2 fives", "2 x 5", "a pair of fives")),
        *((_DICE, line, "55") for line in ("fives and roll again", "the fives", "my fives", "all fives", "die Fünfen")),
        (_DICE, "die beiden Fünfen behalten", "55"),
        *((_DICE, line, "55") for line in ("reroll everything except the fives", "keep the fives, roll the rest")),
        *((_DICE, line, "55") for line in ("reroll 2 2 6", "reroll 226", "die Fünfen behalten, den Rest neu würfeln")),
        *((_DICE, line, "556") for line in ("throw the two twos again, keep the rest", "keep the fives and the six")),
        *(
            (_DICE, line, "2255")
            for line in ("keep all but the six", "keep the fives and the twos", "alles außer der 6 behalten")
        ),
        (_CHESS, "我走e4", "e2e4"),
        (_CHESS, "私はe4です", "e2e4"),
        (_OPEN, "B takes f7", "c4f7"),
        (on("four"), "four please", "d1"),
        (on("oware"), "3", "c"),  # houses have letters
        *(
            (on("go"), line, "d4")
            for line in ("hoshi in the lower left corner", "left-hand bottom 4-4", "4,4 links unten")
        ),
        *((on("go"), line, "k10") for line in ("tengen", "Centre!", "I take the center please")),
        (on("go"), "star point on the right side", "q10"),
        (on("go", options={"size": "9"}), "star point upper right", "g7"),
        (on("go"), "3-3 invasion in the upper right", "r17"),
        (on("go", "d4", "q16", "d16"), "4-4 in the opposite corner", "q4"),  # it is the only one
    ],
)
def test_in_other_games(board: Board, line: str, move: str) -> None:
    assert offered(board, line) == move


@pytest.mark.parametrize(
    ("board", "line"),
    [
        (on("go"), "I have to pass an exam"),
        (on("go"), "pass me the salt"),
        (on("hex", "a10"), "let's swap phone numbers"),
        (on("go"), "pass it on"),
        (on("go"), "that's a pass"),
        (on("go"), "ko?"),
        (on("go"), "co"),
        (on("hex", "a10"), "it was a swap"),
        (_DICE, "keep the ones"),
        *((_DICE, line) for line in ("three sixes please", "three fives", "I take the fives", "fives: eight")),
        (_DICE, "the fives keep coming"),
        (on("hex", "a10"), "swap? h8?"),
        (on("hex", "a10"), "on board 102 I play h8"),
        (on("threes"), "all right"),
        (on("threes"), "OK, right then"),
        (on("threes"), "right on!"),
        (_DRAUGHTS, "9-13 is my favourite shop"),
        (on("go"), "vitamin B6"),
        (_CHESS, "the E4 summit"),
        (_CHESS, "c3po"),
        (_CHESS, "my flat is 4 e3"),
        (_CHESS, "your e4 is nice"),
        (_CHESS, "E4 quality play by you"),
        (_DRAUGHTS, "I play tennis 9 to 13"),
        (_DRAUGHTS, "move the dentist to 9-13 please"),
        (on("go"), "I move to D6 in the summer"),
        (_CHESS, "see three of us there"),
        (_CHESS, "I like e4"),
        (on("go"), "the game of Q16"),
        (on("four"), "go 4 it"),
        (_CHESS, "My sister lives in e4, and is fine"),
        (_CHESS, "my friend would play e4"),
        (_CHESS, "Bobby Fischer would play e4"),
        (_CHESS, "you should've played e4"),
        (_CHESS, "On the other board, I play e4"),
        (_CHESS, "On board 7 I play e4"),
    ],
)
def test_a_word_or_a_number_is_not_offered_out_of_a_sentence_about_something_else(board: Board, line: str) -> None:
    assert offered(board, line) == ""


@pytest.mark.parametrize(
    "line",
    [
        "not d4",
        "d4 not",
        "anything but e4",
        "I will never play e4",
        "I won't play e4",
        "I don\N{RIGHT SINGLE QUOTATION MARK}t like e4",
        "no e4",
        "e4 nope",
        "e4 or d4",
        "either e4",
        "if I play e4 you win",
        "why not e4",
        "I was going to play e4",
        "Was meinst du. e4",
        "instead of e4",
        "nicht d4",
        "kein e4",
        "keinesfalls e4",
        "alles außer e4",
        "nie e4",
        "ich spiele nie wieder e4",
        "statt e4",
        "pas e4",
        "nunca e4",
        "не e4",
        "我不走e4",
        "resign rather e4",
        "draw and e4",
        "e4 becomes",
        "e4 5",
        "e4 d4 c4 please",
    ],
)
def test_what_is_denied_or_doubted_is_not_offered(line: str) -> None:
    assert offered(_CHESS, line) == ""


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Hi bob,\n\nc1-c2\n\nBye", "c1-c2"),
        ("CAUTION: This came from outside. Do not click links.\n\nc1-c2\n\nGood game so far", "c1-c2"),
        ("This notice has very many words. " * 20 + "\n\nc1-c2\n", "c1-c2"),
        ("Hi bob,\nMy move: c1 - c2.", "c1-c2"),
        ("Hi bob,\n\nc1-c2\nc1-d2", ""),
        ("Hi bob,\n\nI will never play\nc1-c2", ""),
        ("I will never play:\n\nc1-c2", ""),
        ("Hi bob,\n\nc1-c2?", ""),
        ("Hi bob,\n\nyour c1-c2 was good", ""),
        ("Hi bob,\n\nI'll play c1-c2.\n\nBest", "c1-c2"),
        ("Hi bob,\n\nI saw that you like c1-c2", ""),
        ("[EXTERNAL]\nDo not click links or open files that you do not expect.\nc1-c2", "c1-c2"),
        ("Hi bob,\nanything but\nc1-c2", ""),
        ("Hi bob,\n\nknight c1-c2", ""),
        ("h1 c1-c2 and c1-d2\n\nc1-c2", ""),
        ("Hi bob,\n\nresign", ""),
        ("Hi bob,\n\nI move c1 to c2.", "c1-c2"),
    ],
)
def test_below_a_greeting_or_a_banner_stands_a_move(text: str, move: str) -> None:
    assert offered(_TUMBLE, text) == move


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "banner",
    [
        "Caution! This mail was sent from outside of our company. Open no attachment, and do not click if in doubt.",
        "You do not often get mail from bob@example.org, and why this matters is here: https://mail.example/learn",
        "The sender could not be verified. I would think before you open links, and not play with attachments.",
        "Vorsicht: Absender extern. Bitte keine Anhänge öffnen, und nicht auf Links klicken, wenn du zweifelst!",
        "Attention, courriel externe. Ne cliquez pas sur les liens si vous ne connaissez pas son expéditeur.",
        "[EXTERNAL]",
    ],
)
def test_the_banner_of_a_gateway_forbids_no_move(banner: str, gap: str) -> None:
    assert offered(_TUMBLE, f"{banner}{gap}c1-c2\n\nHave fun!") == "c1-c2"


@pytest.mark.parametrize(
    ("board", "line", "moves"),
    [
        (_CHESS, "e2 e4", ("e2e4",)),
        (_CHESS, "e2->e4", ("e2e4",)),
        (_TUMBLE, "c1->c2", ("c1-c2",)),
        (_TUMBLE, "c1 => c2", ("c1-c2",)),
        (_TUMBLE, "c1\N{RIGHTWARDS ARROW}c2", ("c1-c2",)),
        (_TUMBLE, "c1~c2", ("c1-c2",)),
        (_TUMBLE, "\uff43\uff11\u30fc\uff43\uff12", ("c1-c2",)),
        (_TUMBLE, "c1\u2500c2", ("c1-c2",)),
    ],
)
def test_two_squares_with_a_sign_or_a_blank_between_them_are_a_move(
    board: Board, line: str, moves: tuple[str, ...]
) -> None:
    read = read_first_line(line, _LANGUAGE, board, 0)
    assert read is not None
    assert not read.asks
    assert [legal_move(move, board, 0) for move in read.moves] == [legal_move(move, board, 0) for move in moves]


def test_a_letter_is_no_noise() -> None:
    """The m of Tumbling Down says that the top man goes alone. Here it may also be the beginning of a word."""
    assert read_first_line("c1c2m", _LANGUAGE, _TUMBLE, 0) is not None
    for line in ("c1c2 m!", "c1-c2 m.", "My move: c1-c2 x"):
        assert offered(_TUMBLE, line) == "c1-c2"


def test_below_a_greeting_a_man_is_named_too() -> None:
    assert offered(_CHESS, "Hi bob,\n\nKnight to f3\n\nBye") == "g1f3"
    assert offered(_CHESS, "Hi bob,\n\nHippo f3\n\nBye") == ""


@pytest.mark.parametrize(
    ("lines", "verb"),
    [
        ("投了 | 我认输 | poddaję się | Ich gebe mich geschlagen! | me rindo | ik geef op | сдаюсь", "resign"),
        ("待った | 悔棋 | Je voudrais reprendre mon coup | quiero deshacer mi jugada", "undo"),
        ("J'accepte la nulle | Согласен на ничью | Patta accettata | akkoord", "accept"),
        ("Je refuse | не согласен | rifiuto", "reject"),
        ("tablas | Je propose nulle | 和棋", "propose"),
    ],
)
def test_sentences_of_other_languages_name_a_word_of_the_server(lines: str, verb: str) -> None:
    for line in lines.split(" | "):
        assert [command.verb for command in words_in(line, _LANGUAGE)] == [verb], line


@pytest.mark.parametrize(
    ("game", "moves"),
    [("oware", ["i", "j"]), ("kalah", ["i", "j"])],
)
def test_north_may_count_houses_from_either_end(game: str, moves: list[str]) -> None:
    assert foreign("3", on(game, "a"), 1) == moves
    assert foreign("3", on(game), 0) == ["c"]


@pytest.mark.parametrize(
    "line",
    ["keep the 5", "not the fives", "keep fives not twos", "keep the fives, reroll a 2", "nice fives", "keep two"],
)
def test_dice_that_words_leave_in_doubt_are_not_offered(line: str) -> None:
    assert offered(_DICE, line) == ""


def test_everything_but_some_dice_may_be_kept_or_thrown() -> None:
    assert foreign("everything but the 6", _DICE, 0) == ["2255", "6"]


@pytest.mark.parametrize(
    ("line", "asks"), [("choice!", True), ("choice please", True), ("score choice", False), ("put it in choice", False)]
)
def test_the_box_of_any_sum_is_asked_back_after_the_first_throw(line: str, asks: bool) -> None:
    asked = _DICE.game.asks_back(_DICE.position, 0, "choice", line)
    assert asked == asks * "These dice are worth 20 points in choice, and you have throws left, so nothing was done."
    last = replace(_DICE.position, left=1)
    assert _DICE.game.asks_back(last, 0, "choice", line) == ""


@pytest.mark.parametrize(
    "text",
    [
        "exd3?? wrong game... Qh4 check\n\nAm 1. März schrieb ich: Nf3",
        "hello\nas I wrote: e4",
        "hello\nLe 1 mars j'ai écrit : e4",
        "falsches Brett: e4",
    ],
)
def test_what_somebody_wrote_before_and_for_another_board_is_not_offered(text: str) -> None:
    assert offered(_CHESS, text) == ""
