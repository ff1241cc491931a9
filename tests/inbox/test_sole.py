"""The only move that a text names among unknown words is offered, and the last one of a text that corrects itself."""

import pytest

from pbmserv.games.base.board import Board
from pbmserv.inbox.lines.sole import last_move, mended_move, only_move, said_move
from pbmserv.inbox.lines.spellings import foreign
from tests.commands.answers import moves, run, to
from tests.inbox.test_beside import _on
from tests.inbox.test_offers import on
from tests.world import World

_GO, _HEX, _GOMOKU, _OTHELLO = on("go"), on("hex", "d8"), on("gomoku", "h8"), on("othello")
_CHESS, _DRAUGHTS, _AMAZONS, _TUMBLE = on("chess"), on("draughts"), on("amazons"), on("tumble")
_MORRIS, _SHIPS, _BREAKTHROUGH, _FOUR = on("morris"), on("battleship"), on("breakthrough"), on("four")
_CAPTURE = on("draughts", "32-28", "18-23", "34-29", "23x32", options={"international": ""})
_COUNT = on("go", "b3", "c3", "pass", "pass")
_PIG = on("pig")
_BACKGAMMON = on("backgammon")  # the dice are 5 and 1
_TAFL = on("hnefatafl")
_HAND = on("crazyhouse", "e4", "d5", "exd5", "a6")


@pytest.mark.parametrize(
    ("board", "text", "move"),
    [
        (_OTHELLO, "Ich lege auf f5, viele Grüße", "f5"),
        (_GOMOKU, "block at f8", "f8"),
        (_GO, "hane at c7. Cold morning here, coffee is on.", "c7"),
        (_GO, "tenuki -> g3", "g3"),
        (_GO, "kakari at R14 please", "r14"),
        (_SHIPS, "carrier vertical from J10 down to J6", "j6-j10"),
        (_SHIPS, "Flugzeugträger auf C3 bis G3", "c3-g3"),
        (_CAPTURE, "slaan met 38", "38x27"),
        (_CAPTURE, "Biję 38 na 27", "38x27"),
        (_GOMOKU, "je bloque en i7 !", "i7"),
        (_GOMOKU, "h 12, phew", "h12"),
        (_GOMOKU, "g9, no choice", "g9"),
        (_TUMBLE, "b1 kippen nach b4", "b1-b4t"),
        (_AMAZONS, "dama de d1 a d7 y disparo a g7", "d1-d7/g7"),
        (_BREAKTHROUGH, "ik schuif b2 naar b3", "b2-b3"),
        (_GOMOKU, "coloco en j10, saludos", "j10"),
        (_HEX, "ich blockiere auf e7. Schönes Wochenende", "e7"),
        (_MORRIS, "occupo d2", ""),  # unknown words can be anything
        (_GO, "peep at d6, then lunch", "d6"),
        (_GO, "Feu sur J10", "j10"),
        (_GO, "hane c3", "c3"),
        (_GO, "tenuki: F17 enclosure in the top left", "f17"),
        (_GO, "coupe en f4 svp", "f4"),
        (_GO, "tenuki, O3 in the corner", "o3"),
        (_GOMOKU, "jugaré e4, un saludo desde Lima", "e4"),
        (_GOMOKU, "put it on g4 next to f4", "g4"),
        (_GO, "Black connects at E2", "e2"),
        (_GO, "White connects at E2", ""),
        (_BREAKTHROUGH, "jump b2 to b3 all along the row", "b2-b3"),
        (_TUMBLE, "I topple c1 over to c5", "c1-c5t"),
        (_TAFL, "d1 all the way to b1", "d1-b1"),
        (_TAFL, "Ciao! Attaccante da d1 a b1. Qui c'è un sole bellissimo", "d1-b1"),
        (_TAFL, "Angreifer d1 nach b1, bitte", "d1-b1"),
        (_TAFL, "Angreifer d1 nach b1 wäre stark", ""),
        (_HAND, "pawn drop on d6", "p*d6"),
        (_HAND, "pawn drop on d5", ""),
        (_DRAUGHTS, "i move the piece on 10 to the square 15", "10-15"),
    ],
)
def test_the_only_move_among_unknown_words(board: Board, text: str, move: str) -> None:
    assert only_move(text, _on(board)) == move


_NOT_MEANT = """
f3 looks weak|why f3|f3 was a blunder|never f3|not f3|I fear f3|f3 is yours|watch out for f3|f3 next time
I hope you don't see f3|everything but f3|my stone on f3 is dead|my stone on f3|the fight at f3|the weakness at f3
thanks for f3|sorry about f3|a nice move at f3|close to f3|compared to f3|an eye on f3|happy with f3|trouble with f3
I saw f3|I expected f3|my worry is f3|the threat is f3|block at f3?|maybe block at f3|block at f3 or g3|prefer g4 to f3
block at f3 if needed|my brother would block at f3|block at f3 tomorrow|blocked at f3 yesterday|vitamin B6
you block at f3|your hane at f3|hane at f3 was strong|hane at f3 was good, hane at g3 is bad|just kidding, block at f3
next to f3|near f3|in reply to f3|looking forward to f3|the ko at f3 matters|hane at f3 instead of g4
block on the other board at f3|if block at f3|nothing at f3|nobody at f3|the D6 road|Hotel D6|resign rather at f3
f3 sieht schwach aus|warum f3|f3 war ein Fehler|nie f3|nicht f3|ich fürchte f3|f3 gehört dir|pass auf f3 auf
alles außer f3|mein Stein auf f3 ist tot|Achtung auf f3|Angst vor f3|du blockst auf f3|nach f3 gewinne ich
zufrieden mit f3|ich hoffe auf f3|ich warte auf f3|nächstes Mal auf f3|die Drohung auf f3|das Problem ist f3
f3 semble faible|pourquoi f3|jamais f3|pas de f3|j'ai peur de f3|attention à f3|tout sauf f3|près de f3|tu bloques en f3
f3 parece débil|por qué f3|nunca f3|no f3|temo f3|cuidado con f3|todo menos f3|cerca de f3|la próxima vez en f3
f3 sembra debole|perché f3|mai f3|non f3|ho paura di f3|attento a f3|tutto tranne f3|vicino a f3
f3 lijkt zwak|waarom f3|nooit f3|niet f3|ik vrees f3|pas op f3|alles behalve f3|let op f3
f3 wygląda słabo|dlaczego f3|nigdy f3|nie f3|boję się f3|uwaga na f3|wszystko oprócz f3
I had a block at f3|I should block at f3|I would block at f3|I considered a block at f3|the book says hane at f3
wait, block at f3|hm, block at f3|block at f3, no|block at f3. No!|block at f3, scratch that|block at f3. undo
"hane at f3"|on board 102 I block at f3|dinner at 7, block at f3 later|I will die at f3|I live at f3
almost at f3|wanted to f3|ich wollte auf f3|guter Zug auf f3|le coup en f3|j'ai failli jouer en f3
j'allais bloquer en f3|casi en f3|bonita jugada en f3|quería ir a f3|pensaba en f3|volevo andare in f3|quasi in f3
sto pensando a f3|stavo per andare a f3|bijna op f3|ik wilde naar f3|chciałem na f3|prawie na f3|zagrałeś na f3
ładny ruch na f3|jag ville till f3|nästan på f3|ditt drag på f3|хотел на f3|почти на f3|хороший ход на f3
that hane at f3|our house is at f3|seat at f3|bus to f3|white to f3|must I block at f3|is there aji at f3|ko at f3
enclosure at f3 looks thin|your enclosure f3|only f3 left|f3 right|enclosure f3 was mine|f3 dead|f3 is dead
next to my stone on f3|I wrote f3|ich schrieb f3|I said f3|as I wrote: f3|wrong game: f3
take f3 back|f3... really|what a hane at f3|Gruppe auf f3|opponent to f3
"""


@pytest.mark.parametrize("text", [text for line in _NOT_MEANT.strip().split("\n") for text in line.split("|")])
def test_no_move_is_meant(text: str) -> None:
    assert only_move(text, _on(_GO)) == ""
    assert last_move(text, _on(_GO)) == ""


@pytest.mark.parametrize(
    ("board", "text"),
    [
        (_CHESS, "Hippo to f3"),  # it may be a man
        (_CHESS, "my flat is at e4"),
        (_CHESS, "Yesterday in the club: e4"),
        (_DRAUGHTS, "I am free from 9 to 13"),
        (_DRAUGHTS, "the dentist moves to 9-13"),
        (_CAPTURE, "I am 38"),
        (_CAPTURE, "38 degrees here"),
        (_CAPTURE, "see page 38"),
        (_FOUR, "back at d1 in the morning"),
        (_TUMBLE, "b2 to b6, no tumble"),
        (_TUMBLE, "I tumble c1-c2"),
        (_TUMBLE, "h4-g5tt"),
        (_TUMBLE, "knight c1-c5t"),
        (_CHESS, "Stein e4"),
        (_BREAKTHROUGH, "this prevents b2-b3"),
        (_BREAKTHROUGH, "keep b2 and b3"),
        (_BREAKTHROUGH, "b2 protects b3"),
        (_BREAKTHROUGH, "between b2 and b3"),
        (_BREAKTHROUGH, "the road b2 to b3"),
        (_GO, "Black lives at c3"),
        (_GO, "Black resigns at c3"),
        (_GO, "liberties at c3"),
        (_BREAKTHROUGH, "I like b2 to b3"),
        (_BREAKTHROUGH, "ich verhindere b2-b3"),
        (_BREAKTHROUGH, "expecting b2 to b3"),
        (_BREAKTHROUGH, "j'empêche b2-b3"),
        (_BREAKTHROUGH, "your runner b2 to b3"),
        (_TAFL, "the defender d1 to b1 was strong"),
        (_CHESS, "我不走e4"),
        (_SHIPS, "a5 and b7"),
        (_SHIPS, "sunk at a1 to e1"),
        (_DRAUGHTS, "the score: 9-13"),
    ],
)
def test_no_move_of_this_game_is_meant(board: Board, text: str) -> None:
    assert only_move(text, _on(board)) == ""


@pytest.mark.parametrize(
    ("board", "text", "move"),
    [
        (_GO, "pass?? no way. M4", "M4"),
        (_GO, "ok so the weather: rain, rain. And the game: J9 is silly, D3 is better. D3!", "D3"),
        (_OTHELLO, "f5 or e6 hmm... e6", "e6"),
        (_CHESS, "b4!? chasing the bishop\n\nno wait, scrap that. h3 first.", "h3"),
        (_CHESS, "e4? no. d4? no. Nf3", "g1f3"),
        (_CHESS, "e4, no, d4", "d4"),
        (_CHESS, "Not e4. d4", "d4"),
        (_CHESS, "e4 oder d4? Lieber klassisch: d4", "d4"),
        (_CHESS, "e4 or d4?", ""),
        (_CHESS, "e4? d4?", ""),
        (_CHESS, "I don't like e4, d4", ""),
        (_CHESS, "not e4, d4", ""),
        (_CHESS, "which is worse: e4? d4", ""),
        (_CHESS, "you played e4? no. d4", ""),
        (_CHESS, "if e4? no. d4", ""),
        (_CHESS, "my friend says e4? no, d4", ""),
        (_CHESS, "e4. d4", ""),
        (_CHESS, "e4, d4 or c4, undecided", ""),
        (_CHESS, "hm. Bob? e4", ""),
        (_CHESS, "e4? no. Next time, d4", ""),
        (_CHESS, "e5?? just kidding, that is far. a4", "a4"),
        (_CHESS, "e4. Or d4? No, that hangs. Yes, e4", "e4"),
        (_CHESS, "e5 again... no, I see that's wrong. d4 then", "d4"),
        (_GO, "block at S10 - no that's too far. R8 it is, S10 later", "R8"),
        (_GO, "block at S10. R8, S10 later", ""),
        (_CHESS, "e4 czy d4? gram e4", "e4"),
        (_GO, "e5 - that's your stone, sorry. a2", "a2"),
        (_GO, "that's your stone on e5. a2", ""),
        (_GO, "pass?? nah just kidding, Q10.. Q9.. ok N3", "N3"),
        (_GO, "pass?? nah just kidding, Q10.. Q9.. or N3", ""),
        (_GO, "G7 feels wrong, b7 too. I go for d7.", "d7"),
        (_GOMOKU, "f8 between my stones, hm, no, h7", "h7"),
        (_BACKGAMMON, "24/23 13/8?? nah, too loose. 13/8 6/5", "13/8+6/5"),
        (_BACKGAMMON, "24/23 13/8?? you are mad. 13/8 6/5", ""),
    ],
)
def test_the_last_move_of_a_text_that_corrects_itself(board: Board, text: str, move: str) -> None:
    assert last_move(text, _on(board)) == move


def test_an_initial_below_a_text_is_no_move() -> None:
    for text in ("Hello there. A", "Hello there.\n\nA", "Hello there. I sow. A."):
        assert said_move(text, _on(on("oware"))) == ""


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("Dropped my phone in the sink sorry for the late answer. I roll.", "roll"),
        ("lol. I know, not in a match. just roll", "roll"),
        ("My brother would. I roll", ""),
        ("Shall I wait? I roll", ""),
        ("if you wait. I roll", ""),
        ("Bob says it so. I roll", ""),
        ("only joking. I roll", ""),
        ("Hello. Roll over, Beethoven", ""),
        ("I am on a roll", ""),
        ("You said: roll. Roll", ""),
        ("I never roll. Never", ""),
        ("It is late, tomorrow more. I roll", ""),
    ],
)
def test_a_move_that_is_a_word_in_the_last_sentence(text: str, move: str) -> None:
    assert said_move(text, _on(_PIG)) == move


@pytest.mark.parametrize(
    ("board", "text", "move"),
    [
        (_HEX, "Here is my move:\n\nD6\n\nOops, no. Make that E7, D6 doesn't connect to anything.\n\nBob", "E7"),
        (_GOMOKU, "e 5... sorry, that was yours. I mean j1", "j1"),
        (_GO, "d4. No, make it e5 please", "e5"),
        (_GO, "d4, nein, ich meine e5", "e5"),
        (_GO, "d4. No, make it e5 or f6", ""),
        (_GO, "d4. No, make it e5? I don't know", ""),
        (_GO, "d4. No, make it e5, hm, wait", ""),
        (_GO, "d4. No, make it e5, f6 is bad", ""),
        (_GO, "your weak point d4, sorry, I mean e5", ""),
        (_GO, "d4, sorry, I mean e5 looks weak", ""),
        (_GO, "if d4, no, I mean e5", ""),
        (_GO, "my brother says d4. No, make it e5", ""),
        (_GO, "d4 was great, I mean d4", ""),
        (_GO, "sorry, I mean e5", ""),
        (_GO, "d4? You should have played there. Sorry, I mean e5", ""),
        (_GO, "On board 7 d4. No, make it e5", ""),
        (_GO, "d4. No, make it e5, only kidding", ""),
        (_GO, "d4. Sorry, I mean e5 tomorrow", ""),
    ],
)
def test_the_move_that_is_put_in_place_of_another(board: Board, text: str, move: str) -> None:
    assert mended_move(text, _on(board)) == move


@pytest.mark.parametrize("below", ["Oops, no. Make that e5.", "No wait, d3 is bad.", "Sorry, not that one."])
def test_no_move_is_offered_that_a_line_below_takes_back(world: World, below: str) -> None:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", "go challenge alice bob"), "alice")
    (answer,) = world.reply(letter, f"Hi Bob,\nhere is my move:\n\nd3\n\n{below}\n\nAlice")
    assert "To play D3" not in answer.flat
    assert ("To play E5, answer this letter with the word yes." in answer.flat) == ("e5" in below)


def test_what_the_other_will_take_back_is_no_correction(world: World) -> None:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", "chess challenge alice bob"), "alice")
    (answer,) = world.reply(letter, "I play\n\nb4\n\nand then you take back with the rook. It's 31 degrees here!")
    assert "To play b4, answer this letter with the word yes." in answer.flat


@pytest.mark.parametrize(
    ("line", "offer"),
    [("block at d3", "d3"), ("pass?? no way. Q4", "Q4"), ("block at d3 or q4", ""), ("I fear d3", "")],
)
def test_it_is_offered_and_not_played(world: World, line: str, offer: str) -> None:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", "go challenge alice bob"), "alice")
    before = moves(world)
    (answer,) = world.reply(letter, line)
    assert moves(world) == before
    assert (f"To play {offer.upper()}, answer this letter with the word yes." in answer.flat) == bool(offer)


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("draughts", "9 goes to 13 or to 14, whichever"),
        ("shogi", "P-7f my rook file? no wait, it is on 2"),
        ("breakthrough", "c2c3 b2b3 and then a2"),
    ],
)
def test_nothing_is_offered_of_several_moves(world: World, game: str, line: str) -> None:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", f"{game} challenge alice bob"), "alice")
    (answer,) = world.reply(letter, line)
    assert "answer this letter with the word yes" not in answer.flat


@pytest.mark.parametrize(
    ("line", "offer"),
    [
        ("No take backs, touch move! d4", "d4"),
        ("nope nope nope. d3 and I attack your lady", "d3"),
        ("Nf3 and no draw", "Nf3"),
        ("sorry no. d4", "d4"),
        ("remise? nee hoor. d4", "d4"),
        ("reject, and d4 for me", "d4"),
        ("reject, not d4", ""),
        ("sorry, no d4", ""),
        ("a draw? d4?", ""),
        ("no draw", ""),
        ("no way, e4 was yours", ""),
        ("no no no, grandpa never draws! d4", ""),
    ],
)
def test_a_move_beside_a_refusal_is_offered(world: World, line: str, offer: str) -> None:
    world.signup("alice", "bob")
    run(world, "alice", "chess challenge alice bob")
    letter = to(run(world, "bob", "chess propose 101 bob bob-secret"), "alice")
    (answer, *_) = world.reply(letter, line)
    assert (f"To play {offer}, answer this letter with the word yes." in answer.flat) == bool(offer)


@pytest.mark.parametrize(
    ("board", "line", "moves"),
    [
        (on("oware"), "third pit from the left", ["c"]),
        (on("oware", "c"), "the third house", ["i", "j"]),
        (on("oware", "c", "h"), "the 5 seeds", ["d", "e", "f"]),
        (on("oware", "c", "h"), "take the house with five", ["d", "e", "f"]),
        (on("oware", "c"), "the house with 5", ["g"]),
        (on("oware"), "the house with 3", []),
        (on("oware", "c", "h"), "I sow the nine", []),
        (on("kalah", "c"), "the pit with 4 in it", ["a", "b"]),
        (on("kalah"), "third pit from the left", ["c"]),
        (on("chess"), "pawn to K4", ["e2e4"]),
        (on("chess", "e2e4"), "pawn to K4", ["e7e5"]),
        (on("chess"), "Knight to KB3", ["g1f3"]),
        (on("chess"), "knight to b3", []),
        (on("go"), "guten tag, ich eröffne oben rechts auf dem 4-4-punkt", ["q16"]),
        (on("go"), "hoshi oben rechts bitte", ["q16"]),
        (on("go"), "the 4-4-point in the lower left corner", ["d4"]),
        (on("go"), "your 4-4-point upper right was strong", []),
        (_COUNT, "B3 and friends are dead", ["dead-b3"]),
        (_COUNT, "the stones at b3 are dead I'm afraid", ["dead-b3"]),
        (_COUNT, "b3 and c3 are dead", []),
        (_COUNT, "if b3 is dead", []),
        (_COUNT, "is b3 dead", []),
        (on("dots"), "top of box a1", ["a2-b2"]),
        (on("dots"), "right side of the open box", []),
        (on("dots", "a1-b1", "a1-a2", "a2-b2"), "right side of the open box please", ["b1-b2"]),
        (on("dots", "a1-b1", "a1-a2", "a2-b2"), "left side of the open box", []),
        (on("dots", "a1-b1", "a1-a2", "a2-b2"), "close the box at the bottom", ["b1-b2"]),
        (on("dots"), "the left side of box b2", ["b2-b3"]),
    ],
)
def test_what_players_call_a_house_or_a_square(board: Board, line: str, moves: list[str]) -> None:
    assert foreign(line, board, min(board.to_move)) == moves
