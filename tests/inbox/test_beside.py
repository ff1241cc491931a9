"""A move with a comment beside it: it is played if the comment leaves no doubt, and offered otherwise."""

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.games.base.board import Board
from pbmserv.inbox.lines.beside import (
    Beside,
    LineReading,
    before_comment,
    below_comment,
    closing_move,
    in_subject,
    leading_move,
    taken_back,
    words_besides,
)
from pbmserv.inbox.lines.spellings import no_letters
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer, offered_move
from tests.commands.answers import to
from tests.inbox.test_cases import comment_in
from tests.inbox.test_offers import _LANGUAGE, on
from tests.letters.test_digest import of_tomorrow
from tests.world import ADDRESS, KEY, Received, World

_CHESS, _DRAUGHTS, _OWARE, _TUMBLE = on("chess"), on("draughts"), on("oware"), on("tumble", options={"c": ""})
_GO, _BACKGAMMON, _3IO = on("go"), on("backgammon"), on("3io", options={"twostep": ""})


def _on(board: Board) -> LineReading:
    return LineReading(_LANGUAGE, board, min(board.to_move), no_letters, frozenset({"alice", "bob"}))


@pytest.mark.parametrize(
    ("board", "line", "move", "comment"),
    [
        (_TUMBLE, "h4-g5t. Good luck!", "h4-g5t", "Good luck!"),
        (_TUMBLE, "h4-g5t - thanks", "h4-g5t", "thanks"),
        (_TUMBLE, "h4-g5t Good luck!", "h4-g5t", "Good luck!"),
        (_TUMBLE, "h4-g5t nice to meet you", "h4-g5t", "nice to meet you"),
        (_TUMBLE, "h4-g5t Freut mich, dich kennenzulernen!", "h4-g5t", "Freut mich, dich kennenzulernen!"),
        (_TUMBLE, "h4 - g5t, and greetings from Rome", "h4-g5t", "and greetings from Rome"),
        (_TUMBLE, "h4-g5t (sorry for the delay)", "h4-g5t", "(sorry for the delay)"),
        (_TUMBLE, "h4-g5t Sent from my iPhone", "h4-g5t", ""),
        (_TUMBLE, "h4-g5t. Gesendet von meinem iPhone", "h4-g5t", ""),
        (_TUMBLE, "h4-g5t :-)", "h4-g5t", ":-)"),
        (_TUMBLE, "h4-g5t, no hurry", "h4-g5t", "no hurry"),
        (_CHESS, "e2\N{EN DASH}e4 \N{EN DASH} and good luck!", "e2e4", "and good luck!"),
        (_CHESS, "1. e4! Viel Glück euch", "e2e4", "Viel Glück euch"),
        (_CHESS, "knight f3, this is my favourite", "g1f3", "this is my favourite"),
        (_CHESS, "Nf3. Good night!", "g1f3", "Good night!"),
        (_CHESS, "Nf3. ありがとう", "g1f3", "ありがとう"),
        (_CHESS, "Nf3，谢谢", "g1f3", "谢谢"),
        (_DRAUGHTS, "9 13. What a game", "9-13", "What a game"),
        (_BACKGAMMON, "24/23 13/8. Nice hit!", "24/23+13/8.", "Nice hit!"),
        (_GO, "B d5, gl hf", "d5", "gl hf"),
        (_OWARE, "c, good luck", "c", "good luck"),
        (_CHESS, "Nf3 thanks Bob", "g1f3", "thanks Bob"),
        (_CHESS, "Nf3 lol", "g1f3", "lol"),
        (_CHESS, "Nf3 :D", "g1f3", ":D"),
        (_CHESS, "Nf3. A domani", "g1f3", "A domani"),
        (_CHESS, "Nf3, lovely weather in Riga today", "g1f3", "lovely weather in Riga today"),
        (_CHESS, "Nf3. I am back next week", "g1f3", "I am back next week"),
    ],
)
def test_a_comment_behind_a_move(board: Board, line: str, move: str, comment: str) -> None:
    assert before_comment(line, _on(board)) == Beside(move, comment)


@pytest.mark.parametrize(
    ("board", "line"),
    [
        (_TUMBLE, "h4-g5t or maybe not"),
        (_TUMBLE, "c1-c2 (the t, I forgot the t!)"),
        *((_TUMBLE, f"h4-g5t, {word}") for word in ("credo", "je crois", "luulisin", "tror jag", "думаю", "sanırım")),
        *((_TUMBLE, f"h4-g5t, {word}") for word in ("I reckon", "I'd say", "me parece", "mi pare", "lijkt me")),
        *((_TUMBLE, f"h4-g5t, {word}") for word in ("laikam", "uste dut", "nadhani hivyo")),  # in no table
        (_TUMBLE, "h4-g5t , laikam"),
        (_TUMBLE, "h4-g5t (uste dut)"),
        (_TUMBLE, "h4-g5t. Or c1-c2"),
        (_TUMBLE, "h4-g5t, if you like"),
        (_TUMBLE, "h4-g5t. Is that fine?"),
        (_TUMBLE, "h4-g5t. Wait, I have to think"),
        (_TUMBLE, "h4-g5t - vielleicht"),
        (_TUMBLE, "h4-g5t, peut-être"),
        (_TUMBLE, "h4-g5t. I resign"),
        (_TUMBLE, "h4-g5t, draw"),
        (_TUMBLE, "h4-g5t \N{THINKING FACE}"),
        (_TUMBLE, "h4-g5t looks strange"),
        (_TUMBLE, "h4-g5t thank you but wait"),
        (_TUMBLE, "c1-c2, tumble!"),
        (_TUMBLE, "h4-g5t, c1"),
        (_TUMBLE, "h4-g5, t"),
        (_CHESS, "e4, echo four I mean"),
        (_CHESS, "e4, castle next"),
        (_CHESS, "e4 (=)"),
        (_DRAUGHTS, "9-13, 17"),
        (_OWARE, "c. Smith wrote this"),
        (_OWARE, "c, d"),
        (_OWARE, "A nice game"),
        (_OWARE, "c good luck"),
        (on("four"), "2 good games"),
        (on("backgammon", options={"match": "3"}), "double thanks"),
        (_TUMBLE, "h4-g5t. What do you think"),
        (_TUMBLE, "h4-g5t, is that ok"),
        (_BACKGAMMON, "24/23. Good luck"),  # half a turn
        (_3IO, "draw, good luck?"),
        (_TUMBLE, "Good luck h4-g5t"),
        (_TUMBLE, "h4-g5tGood luck"),
        (_CHESS, "e4, as far as I can tell"),
        (_CHESS, "e4, soweit ich das beurteilen kann"),
        (_CHESS, "e4. Just kidding"),
        (_CHESS, "e4. Nur ein Scherz"),
        (_CHESS, "e4. Scrap that"),
        (_CHESS, "e4. Mutta ehkäpä palaan asiaan huomisaamuna"),  # most words are in no table
        (_CHESS, "e4 - am să mai reflectez peste noapte"),
        (_CHESS, "e4. Shelve it for now"),
        (_CHESS, "e4 - please park that until I ring you"),
        (_CHESS, "e4, nah"),
        (_CHESS, "e4. Je plaisante"),
        (_CHESS, "e4, možda"),
        (_CHESS, "e4, 等一下"),
        (_CHESS, "e4, 잠깐만요"),
        (_CHESS, "e4, tomorrow"),
        (_CHESS, "e4. Demain"),
        (_CHESS, "e4, завтра"),
        (_CHESS, "e4. he wrote"),
        (_CHESS, "e4, sagte mein Bruder"),
        (_CHESS, "e4, imagine"),
        (_CHESS, "e4, right"),
        (_CHESS, "e4: bad"),
        (_CHESS, "e4 (doubtful)"),
        (_CHESS, "e4 (zweifelhaft)"),
        (_CHESS, "Nf3 thanks Carol"),
    ],
)
def test_what_leaves_a_doubt_is_no_comment(board: Board, line: str) -> None:
    assert before_comment(line, _on(board)) is None


@pytest.mark.parametrize(
    ("board", "text", "found"),
    [
        (_CHESS, "Nice opening, Bob!\nb1c3", Beside("b1c3", "Nice opening, Bob!")),
        (_CHESS, "Hi Hugo, nice to meet you!\n\nknight f3", Beside("g1f3", "Hi Hugo, nice to meet you!")),
        (_CHESS, "One\n\nTwo lines.\ne2e4\n", Beside("e2e4", "One\n\nTwo lines.")),
        (_CHESS, "Shall I?\ne2e4", None),
        (_CHESS, "I will not play\ne2e4", None),
        (_CHESS, "I saw e7e5\ne2e4", None),
        (_CHESS, "My options:\nd2d4\ne2e4", None),
        (_CHESS, "I resign if you play\ne2e4", None),
        (_CHESS, "Nice\ne2e4?", None),
        (_CHESS, "What do you say about\ne2e4", None),
        (_CHESS, "You could have played\ne2e4", None),
        (_CHESS, "In the book they moved\ne2e4", None),
        (_CHESS, "Soll ich\ne2e4", None),
        (_CHESS, "Thanks for the game\ne2e4", Beside("e2e4", "Thanks for the game")),
        (_CHESS, "What a game!\ne2e4", Beside("e2e4", "What a game!")),
        (_CHESS, "Nice\ne2e4\nBob", None),
        (_CHESS, "[EXTERNAL]\ne2e4", None),
        (_OWARE, "Regards\nC", None),
        (_CHESS, "e2e4", None),
    ],
)
def test_a_move_below_a_comment(board: Board, text: str, found: Beside | None) -> None:
    assert below_comment(text, _on(board)) == found


@pytest.mark.parametrize(
    ("subject", "body", "found"),
    [
        ("h4-g5t", "", Beside("h4-g5t", "")),
        ("1. h4-g5t!", "Good game", Beside("h4-f6t", "Good game")),
        ("h4-g5t?", "", None),
        ("h4-g5t", "Should I?", None),
        ("h4-g5t", "not sure", None),
        ("h4-g5t", "h4-h5 please", None),
        ("Tumble Board 101 alice", "", None),
    ],
)
def test_a_move_in_the_subject(subject: str, body: str, found: Beside | None) -> None:
    assert in_subject(subject, body, _on(_TUMBLE)) == found


#: What people write below e4, and mean another move, or none.
_TAKING_BACK = (
    "no, d4 | Oops, I mean d4 | Sorry, please ignore that move | wait | no wait | d4 | d4! | No! | nope | Oops | "
    "Scrap that | Please forget that move | Correction: d4 | Sorry, wrong move | That was a typo | I meant d4 | "
    "I meant the queen's pawn | d4 instead | rather d4 | actually d4 | make that d4 | or d4 | maybe d4 is better | "
    "undo | resign | no, knight f3 | Sorry, Nf3 of course | hold on, let me think | Stop! | don't play that | "
    "I changed my mind | not e4 | *d4 | just kidding | nein, d4 | Nein, warte | Ups, ich meinte d4 | "
    "Halt, doch lieber d4 | Bitte ignorieren | vergiss das | Quatsch, d4 | Moment | Sorry, falscher Zug | non, d4 | "
    "attends | Je voulais dire d4 | Pardon, d4 | oubliez ce coup | no, mejor d4 | espera | quise decir d4 | "
    "perdón, me equivoqué | anzi d4 | aspetta | scusa, volevo dire d4 | ho sbagliato mossa | nee, d4 | wacht even | "
    "ik bedoel d4 | of d4 | sorry, verkeerde zet | nie, d4 | czekaj | miałem na myśli d4 | przepraszam, pomyłka | "
    "não, d4 | espera aí | quis dizer d4 | desculpa, engano | нет, d4 | подожди | я имел в виду d4 | извини, ошибся | "
    "nej, d4 | vänta | jag menade d4 | ne, d4 | počkej | hayır, d4 | 等一下 | いや、d4 | 待って | 아니 d4 | "
    "Hmm, d4 looks better | Sorry, d4 | Thinking again: d4 | My move is d4 | I play d4 | Better: d4 | "
    "e4 was wrong, d4 is right | This should read d4 | Please cancel | On second thought, d4 | I take it back | "
    "Please do not play e4 | Oh no, that hangs a pawn. d4 | never mind | I want to change it to d4 | "
    "Replace e4 by d4 | instead of e4 play d4 | Let me change that | please wait | not yet | Don't send this yet | "
    "Mist, d4 | Blödsinn | Nicht e4 sondern d4 | lieber d4 | e4 ist falsch | please undo that | Ignore the above | "
    "wrong board | Belay that | Delete this please | Void | sorry, that was for another game | d4 would be better | "
    "d2d4 | no, d4, thank you | unsure, but ok | Not sure | Hmm, not sure about this one | Maybe. | "
    "or maybe not | Or not | scratch that | Kommando zurück | rewind | borra eso | I don't know | "
    "ich überleg's mir noch | I'll think about it | let me sleep on it | je réfléchis encore | "
    "please hold that | Ach nein, d4 | Oh no, rather d4 | Oder soll ich warten? | Or is it too slow? | "
    "oder doch nicht | ou pas | Nicht sicher, ob das gut ist | Bin mir unsicher | peut-être | No estoy seguro | "
    "forse | не уверен | niet zeker | Nice game so far. Perhaps | ditch that one | "
    "My cat typed that | upps | hang about | das war mein Bruder, wasn't me | "
    "ahem nej tack | 还是d4 | Jag kanske ångrar mig | please park this | else d4 | "
    "Let me have another look first | or am I missing something | Just trying out if this works | come non detto | "
    "Sorry, fat fingers | wait for my next mail please | my thumb slipped | not convinced myself | "
    "meant d4 | quiero cambiarlo por d4 | 我再想想 | "
    "My husband read this and says no | Ich schlaf nochmal drüber | "
    "Not | if that is legal | unless you object | I need to ask my coach | 算了 | まずいかも"
)
_KEEPING = (
    "No hurry, I am away until Monday | Sorry for the delay | Oops, I nearly forgot our game | Good luck! | "
    "How are you? | No, I am fine | I can't wait for your answer | Not sure about this one, but let's see | "
    "Nf6 was a surprise | I did not expect Nf6 | What a game | Sorry about your knight! | "
    "Don't forget to move your clock | I will be away next week. Wait for me! | Thanks for waiting | "
    "I think e5 is your best answer | Keine Eile | Entschuldige die Verspätung | Désolé pour le retard | "
    "Perdón por el retraso | No problem, take your time | We could play another game instead of chess club | "
    "Now I am better | I should sleep more | Have you been to Rome? I want to go | Moment of truth! | "
    "Not bad, eh? | Nice weather here, not like yesterday | Nein, ich war noch nie in Rom | Sorry, I was busy | "
    "I made a mistake last game | You are wrong about the weather | e4 again, as always | -- \\nAlice | "
    "Best by test | Or so they say | I never play anything else | Max | Greetings from Rome, no rain here | "
    "My e4 is not new to you | Sorry it took so long | Ja, gerne | No way out now | That is not easy for you | "
    "No pasa nada, tranquilo | Nie ma sprawy | Geen probleem | Let's see what you do | I'd rather be at the beach | "
    "Back in an hour | Your turn, no pressure | Yes and no. | I can not believe it is Friday | "
    "I am fond of d4, too | Maybe we meet in Rome | Not sure when I am back | Perhaps it rains | "
    "Vielleicht bis Sonntag | If you answer Nf6, I will smile | propose | My brother says e4 e5 is boring | "
    "Next time I play d4"
)


def test_words_below_a_move_take_it_back() -> None:
    """No more is tested of the other moves than that d4 is among them if it is named and legal."""
    for below in _TAKING_BACK.split(" | "):
        others = taken_back(below, "e4", _on(_CHESS))
        assert others is not None, below
        assert ("d2d4" in others) == ("d4" in below or "d2d4" in below), below


def test_a_comment_below_a_move_takes_nothing_back() -> None:
    for below in _KEEPING.split(" | "):
        assert taken_back(below, "e4", _on(_CHESS)) is None, below


@pytest.mark.parametrize(
    ("board", "move", "below", "others"),
    [
        (_TUMBLE, "h4-g5t", "no, h4-h5", ["h4-h5"]),
        (_DRAUGHTS, "9-13", "Sorry, 11-15", ["11-15"]),
        (_DRAUGHTS, "9-13", "Score so far: 3-2", None),
        (_BACKGAMMON, "24/23 13/8", "no: 13/8 6/5", ["13/8+6/5"]),
        (_GO, "d5", "D4 rather", ["d4"]),
        (_GO, "d5", "no, pass", ["pass"]),
        (_GO, "d5", "You can pass now", None),
        (_OWARE, "c", "no, d", ["d"]),
        (_OWARE, "c", "Regards\nD", None),
        (_CHESS, "e4", "e4\nGood luck", None),
        (_CHESS, "e4", "Ach nein, Sf3", ["g1f3"]),
        (_OWARE, "c", "D!", ["d"]),
        (on("shogi"), "P-7f", "やっぱり2六歩", ["2g2f"]),
        (on("shogi"), "P-7f", "今日は暑いですね", None),
        (_CHESS, "e4", "Please disregard this message, and delete it, if you have received it in error.", None),
    ],
)
def test_the_other_move_is_named(board: Board, move: str, below: str, others: list[str] | None) -> None:
    assert taken_back(below, move, _on(board)) == others


#: Lines that begin with a move which is offered, by board.
_BEGUN = (
    (_CHESS, "Nf3, don't laugh ;) | Nf3 to keep the knight busy | Nf3, nur um Dg4 zu verhindern | nf3 slow and steady"),
    (
        _CHESS,
        "Nf3 looks tempting, what the heck | Sf3 uit Utrecht | Nf3 und wie geht's der Familie? | Nf3 (don't laugh)",
    ),
    (
        _CHESS,
        "Nf3 (or is that too boring?) | Nf3 must be best I think, no? | Nf3 and love to Jean | 1. Nf3 e buona notte",
    ),
    (_GO, "Pass too. Thanks for the game | pass as well | Pass, my dear | K16 hoshi at the top | C3 三々 | d3 안녕"),
    (
        _GO,
        "D5 - no ko for you! | d5 next to yours | R4 blocks you | R4 czy ja wiem | D5 hmm, does that stop your three?",
    ),
    (_DRAUGHTS, "9-13 I want to run | 9-13? not sure what it does | 9-14 from rainy Glasgow"),
    (_TUMBLE, "h4-g5t, tumble tumble! | h4-g5t topple to the right | h4-g5t for balance"),
    (on("yacht"), "roll all again | roll again!"),
    (_CHESS, "a3, den Drachen hatten wir lange nicht | a3, it has been a long time | a3. Long live the king's pawn"),
    (on("havannah", "e5"), "Ich tausche. Gute Wahl | swap please, good first move | swap, please - hi from Ghent"),
    (on("hex", "f6"), "g5 - no swap | g5 (no swap for me) | g5, ohne swap"),
    (_OWARE, "d, seeds flying | d - grab! | F, buona giornata a tutti"),
)
#: And those in which it is not meant, or may be another one.
_NOT_BEGUN = (
    (
        _CHESS,
        "e4 and if Nf6 then d4 | e4, no d4 | e4 (thinking about d4 next) | f3 with the knight | e4, echo four | e4 5",
    ),
    (_CHESS, "e4 would be nice | e4 is what my teacher would play | e4 you played | e4 was my brother's favourite"),
    (
        _CHESS,
        "e4 here, and e5 on the other board | E4 quality play by you | E4 fan? | e4 not now | e4, nope | e4 or not",
    ),
    (
        _CHESS,
        "e4 I will never play | e4, please don't do that | e4. Just kidding | e4 and I resign | e4 if you play e5",
    ),
    (_CHESS, "e4 instead of something better | e4 my friend would play | at f3 we met | e4, undo | e4, scrap that"),
    (_CHESS, "knight f3 or knight h3? i never know | Nf3 or Nh3? Both look fine to me"),
    (_GO, "pass me the salt | Pass it on | pass that exam, you will | B6 is a vitamin | D5, pass"),
    (_DRAUGHTS, "9-13 is my favourite shop | 9-13, 17 | 9 to 13 played my sister | 9:13 is the time"),
    (_TUMBLE, "c1-c2, tumble! | c1-c2 t, please | c1-c2 (the t, I forgot the t!) | h4-g5t, c1"),
    (_OWARE, "a game | c, who knows | A as in Anton | d, d, d | c, wahrscheinlich | c e, f"),
    (on("oware", "c"), "i, for one, am tired | i. Robot"),
    (on("threes"), "right, let me think | right on!"),
    (on("four"), "2 good games | 4 you and me"),
)


def test_a_move_with_which_a_line_begins_is_offered_whatever_follows() -> None:
    for table, is_offered in ((_BEGUN, True), (_NOT_BEGUN, False)):
        for board, lines in table:
            for line in lines.split(" | "):
                assert bool(leading_move(line, _on(board))) == is_offered, line


#: Lines that end with a move which is offered, by board, and lines in which something before it is against that.
_CLOSED = (
    (_CHESS, "exchange variation: Nf3 | Léptem: d3 | Po długim namyśle: e3 | King's pawn! d3 | lover's leap, e2-e4"),
    (_CHESS, "Wiener Partie: Sc3"),
    (_CHESS, "slow: d3. Thanks for the game on Friday | d pawn two squares, d4 | Szicíliai: e2e4!"),
    (on("othello", "d3"), "diagonal: c3"),
    (on("havannah", "e5"), "Mitte: h8 | sorry, slow mail: h8 | stealing it: swap"),
    (on("xiangqi", "h3e3"), "cannon to the centre from the right, C8=5"),
    (on("draughts", "11-15", "22-18"), "forced: 15x22. Thanks for the game on Friday"),
)
_NOT_CLOSED = (
    (_CHESS, "tell Bob: d3 | maybe: d3 | my brother says: d3 | you wrote: d3 | last time we played, d3 | Bob: d3"),
    (_CHESS, "e4 first, d3 | if allowed: d3 | not now: d3 | knight first: f3 | resign: d3 | fun? d3 | what now: d3"),
    (_CHESS, "wrong board: d3 | the other board: d3 | board 102: d3"),
    (_CHESS, "in a book of a friend of mine with a blue cover stood: d3"),
    (_GO, "answer: pass me the salt | the answer is right: ok"),
)


def test_a_move_with_which_a_line_ends_is_offered() -> None:
    for table, is_offered in ((_CLOSED, True), (_NOT_CLOSED, False)):
        for board, lines in table:
            for line in lines.split(" | "):
                assert bool(closing_move(line, _on(board))) == is_offered, line


@pytest.fixture
def letter(world: World) -> Received:
    """The first letter of a board of chess, which alice answers."""
    return world.once(_begin)


def _begin(world: World) -> Received:
    world.signup("alice", "bob")
    return next(x for x in world.mail("alice", "chess challenge alice bob --as=alice:alice-secret") if "alice" in x.to)


@pytest.mark.parametrize(
    ("subject", "body", "move", "comment"),
    [
        ("", "e2\N{EN DASH}e4 \N{EN DASH} and good luck!", "e2e4", "and good luck!"),
        ("", "e2e4. Good luck!\n\nAnd thanks\n", "e2e4", "Good luck!\n\nAnd thanks"),
        ("", "Nice opening, Anna \N{EN DASH} thanks!\n\ne2-e4", "e2e4", "Nice opening, Anna \N{EN DASH} thanks!"),
        ("Re: e2e4", "Good luck!", "e2e4", "Good luck!"),
        ("e2e4", "", "e2e4", ""),
        ("", "e2e4 svp", "e2e4", ""),
        ("", "e2e4. \N{GRINNING FACE}", "e2e4", "\N{GRINNING FACE}"),
        ("e2e4", "d2d4", "d2d4", ""),
    ],
)
def test_it_is_played_and_the_rest_is_the_comment(
    world: World, letter: Received, subject: str, body: str, move: str, comment: str
) -> None:
    letters = world.reply(letter, body, subject=subject)
    assert [e.text for e in world.query(lambda s: s.boards.entries(101))] == [move]
    assert comment_in(next(x for x in letters if x.to.startswith("bob"))) == comment


@pytest.mark.parametrize(
    ("subject", "body", "move", "words"),
    [
        ("", "e2e4Good luck", "e2e4", ""),
        ("", "Good lucke2e4", "e2e4", ""),
        ("", "e2e4 is fine, I think", "e2e4", ""),
        ("", "Good luck!\ne2e4\nAnna", "e2e4", "Good luck!\nAnna"),
        ("", "resign?\ne2e4", "!res", ""),
        ("", "alice alice-secret\n\ne2e4", "e2e4", ""),
        ("", "e2e4, alice-secret", "e2e4", ""),
        ("", "Should I?\ne2e4 or d2d4", "", ""),
        ("", "e2e4. How are you?", "e2e4", "How are you?"),
        ("", "e2e4. Is that legal?", "e2e4", ""),
        ("", "e2e4, draw?", "e2e4", ""),
        ("", "e2e4 keeps me happy\n\nundo", "", ""),
        ("", "3. e2e4", "e2e4", ""),
        ("", "e2e4 it is", "e2e4", ""),
        ("", "e2e4 or whatever", "e2e4", ""),
        ("", "e2e4. Why not?", "", ""),
        (
            "",
            "e2e4 and by the way tell Marta her parcel arrived",
            "e2e4",
            "and by the way tell Marta her parcel arrived",
        ),
        ("", "e2e4 (the pawn of a king)", "e2e4", "(the pawn of a king)"),
        ("", "1... e4 and I will suffer for a long time", "e2e4", "and I will suffer for a long time"),
        ("", "e2e4 please, it rains in Turku", "e2e4", "it rains in Turku"),
        ("", "Ik speel e4, jaque", "e4", ""),
        ("", "e2e4, two squares only I hope", "e2e4", ""),
        ("", "Gioco e4 (saluti). Ciao e buone feste!", "e4", "(saluti). Ciao e buone feste!"),
        ("", "Ik speel e4, de linker bovenhoek", "e4", "de linker bovenhoek"),
        ("", "Ce4\nun saluto dal lago di Garda", "", ""),
        ("", "Cf3\nun saluto dal lago di Garda", "Nf3", "un saluto dal lago di Garda"),
        ("", "Hi Bob, hope the knee is better.\nI go e4", "e2e4", "Hi Bob, hope the knee is better."),
        ("", "Marta has measles. I go e4", "e4", "Marta has measles."),
        ("", "e2e4 keeps me connected, then d4", "", ""),
        ("", "e2e4, and if e5 then Nf3", "", ""),
        ("", "e2e4 keeps me connected\n\n-- \nAnna", "e2e4", "keeps me connected"),
        ("", "e2e4 keeps me connected\n\nno, d2d4", "", ""),
        ("", "E4 fan?", "", ""),
        ("", "d2-d4 or Kd1? the king, obviously", "", ""),
        ("", "d2-d4... wait then e5 is lost. c3 x b6", "", ""),
        ("", "I resign... from my job, finally! e9-e5 to celebrate", "", ""),
        ("", "I thought about e2e4, but here is my move:\n\nd2d4", "d2d4", ""),
        ("Re: e2e4", "hm, not sure", "e2e4", ""),
        ("Re: e2e4", "I'd rather resign", "", ""),
        ("", "e2e4\nno, wait", "e2e4", ""),
        ("", "e2e4, good luck\n\nOops, wrong move", "e2e4", ""),
        ("", "e4 keeps me connected\n" + "We are fine.\n" * 8, "e4", ""),
    ],
)
def test_everything_else_is_offered_and_other_words_go_with_it(
    world: World, letter: Received, subject: str, body: str, move: str, words: str
) -> None:
    (answer,) = world.reply(letter, body, subject=subject)
    assert not world.row().board.length
    token = Signer(ADDRESS, KEY).read(answer.reply_to)
    is_offer = token is not None and token.purpose == signed_addresses.OFFER
    assert (offered_move(token.numbers[-1]) if token and is_offer else "") == move
    is_move = bool(move and not move.startswith("!"))
    assert ("go below the yes. None have been sent." in answer.flat) == bool(move and not words)
    assert ("Your other words go to bob with it, and so do words below the yes." in answer.flat) == bool(words)
    if is_move:
        letters = world.reply(answer, "yes\n\nSee you on Friday", subject="")
        assert world.row().board.length
        told = comment_in(next(x for x in letters if x.to.startswith("bob")))
        assert told == f"{words}\nSee you on Friday".lstrip()


@pytest.mark.both
def test_words_beside_another_offer_do_not_go_with_a_move(world: World, letter: Received) -> None:
    (first,) = world.reply(letter, "e4 keeps me connected")
    (second,) = world.reply(letter, "d4 all alone in the wide world")
    (third,) = world.reply(letter, "d4?")
    assert "None have been sent." in third.flat
    letters = world.reply(second, "yes")
    assert not comment_in(next(x for x in letters if x.to.startswith("bob")))
    assert "There is a newer letter" in world.reply(first, "yes")[0].flat
    with world.engine.connect() as connection:
        assert not list(connection.execute(sa.select(tables.offered).where(tables.offered.c.words != "")))


def test_a_letter_of_the_other_side_is_asked_back(world: World) -> None:
    world.board("alice", "bob", game="oware")
    letters = world.mail("alice", "oware move 101 alice alice-secret c")
    (answer,) = world.reply(next(x for x in letters if x.to.startswith("bob")), "c, good luck")
    assert "On the board this is a letter of South's" in answer.flat
    assert "Your moves: g, h, i, j, k, l" in answer.flat
    assert "with the word yes" not in answer.flat


def test_a_box_without_points_is_asked_back_while_throws_are_left(world: World) -> None:
    world.board("alice", "bob", game="yacht")
    letters = world.mail("alice", "yacht move 101 alice alice-secret choice")
    dice = world.row().board.position.dice
    boxes = {"sixes": 6 in dice, "yacht": len(set(dice)) == 1, "ones": 1 in dice}
    box = next(name for name, is_worth in boxes.items() if not is_worth)
    (answer,) = world.reply(next(x for x in letters if x.to.startswith("bob")), f"{box}!")
    assert f"These dice are worth 0 points in {box}, and you have throws left" in answer.flat
    world.reply(answer, "yes")
    assert len([e for e in world.query(lambda s: s.boards.entries(101)) if e.kind.value == "move"]) == 2


def test_the_dash_of_a_capture_is_asked_back(world: World) -> None:
    world.board("alice", "bob", game="draughts")
    world.mail("alice", "draughts move 101 alice alice-secret 11-15")
    letters = world.mail("bob", "draughts move 101 bob bob-secret 22-18")
    (answer,) = world.reply(next(x for x in letters if x.to.startswith("alice")), "15-22")
    assert "To play 15x22, answer this letter with the word yes." in answer.flat


def test_a_move_and_another_one_below_it_are_both_offered(world: World, letter: Received) -> None:
    (answer,) = world.reply(letter, "e4\n\nOops, I mean d4")
    assert not world.row().board.length
    assert "The words below your first line leave in doubt whether you mean it" in answer.flat
    assert "Send one of: e4, d4" in answer.flat
    assert "with the word yes" not in answer.flat


def test_a_line_of_a_digest_has_a_comment_of_its_own(world: World, letter: Received) -> None:
    world.mail("bob", "set bob bob-secret digest=daily")
    world.mail("alice", "chess challenge alice bob --as=alice:alice-secret")
    for number in (101, 102):
        world.mail("alice", f"chess move {number} alice alice-secret e4")
    letters = world.reply(of_tomorrow(world), "101: e5. Good luck!\n102: c5")
    told = {x.subject: "Good luck!" in x.text for x in letters if x.to.startswith("alice")}
    assert told == {"Chess Board 101 alice": True, "Chess Board 102 alice": False}


@pytest.mark.parametrize(
    ("line", "sent"),
    [
        ("yes, agreed, thanks for the game!", "yes, agreed, thanks for the game!"),
        ("Accepted, well played", "Accepted, well played"),
        ("ok", ""),
        ("yes, let's call it a draw\nMy phone number is 555", ""),
    ],
)
def test_thanks_beside_an_agreement_go_with_the_yes(world: World, line: str, sent: str) -> None:
    world.board("alice", "bob", game="chess")
    letters = world.reply(to(world.mail("alice", "chess move 101 alice alice-secret e4"), "bob"), "e5")
    asked = to(world.reply(to(letters, "alice"), "Nf3\ndraw?"), "bob")
    (answer,) = world.reply(asked, line)
    assert ("Your other words go to alice with it" in answer.flat) == bool(sent)
    told = to(world.reply(answer, "yes"), "alice")
    assert "bob agrees to the draw" in told.flat
    assert sent in told.flat
    assert "555" not in told.flat


@pytest.mark.parametrize("line", ["swap sides", "I swap sides please"])
def test_a_move_in_other_words_says_nothing_besides(line: str) -> None:
    assert words_besides(line, "swap", _on(on("hex", "f6"))) == ""
