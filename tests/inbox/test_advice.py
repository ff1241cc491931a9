"""A line that nobody foresaw is told what can be sent on this board, and where the answer to its question is."""

from collections.abc import Callable

import pytest

from tests.boards.seasons.events import begun
from tests.commands.answers import moves, run, to
from tests.letters.test_digest import of_tomorrow
from tests.letters.test_tournament_letters import start, written
from tests.world import ADDRESS, Received, World


def _begin(world: World, line: str) -> list[Received]:
    world.signup("alice", "bob")
    return run(world, "alice", line)


def _reply(world: World, game: str, moves_before: str, line: str) -> Received:
    """Return the answer to a line on the turn behind these moves."""
    letters = world.once(_begin, f"{game} challenge alice bob")
    for move in moves_before.split():
        row = world.row()
        userid = row.players[min(row.board.to_move)].userid
        letters = run(world, userid, f"{game} move 101 {userid} {userid}-secret {move}")
    row = world.row()
    (answer,) = world.reply(to(letters, row.players[min(row.board.to_move)].userid), line)
    return answer


@pytest.mark.parametrize(
    ("game", "line", "told"),
    [
        ("chess", "king's pawn two squares", "Your moves with pawn: a3, a4, b3, b4, c3, c4, d3, d4, e3, e4, "),
        ("chess", "something on g3 maybe?", "Your moves with g3: g3 "),
        ("chess", "what about d5", "You have no move with d5. The nearest are: d4, c4, "),
        ("tumble", "c3-c4t or better c3-d4t", "Your moves with c3-c4t: c3-c5t Your moves with c3-d4t: c3-e5t "),
        ("gomoku", "block the row at one end, whatever end", "was not understood, so nothing was done. You wrote"),
        ("go", "remove one of his men", "was not understood, so nothing was done. You wrote"),
        ("gomoku", "can he see me in these mails?", "so nothing was done. To see the board, its players"),
        ("morris", "can I remove one of his men already? i have two", "was done. For all moves that you can make now"),
        ("yacht", "going for the house", "Your moves with house: house, go for house "),
        ("gomoku", "no more mails please", "To get fewer letters, answer stop."),
        ("gomoku", "end the game", "To end this board, answer"),
        ("chess", "knight f3 or knight h3? i never know", "so nothing was done. Your moves with knight: Nc3, Na3, Nh3"),
        ("chess", "sorry, wrong man! could I change e3 to e4?", "You have no move that you could take back now."),
        ("chess", "oops", "You have no move that you could take back now."),
        ("chess", "Who can I play?", f"with, send to {ADDRESS}: chess seek alice PASSWORD"),
        ("chess", "Where is my king?", "To see the board, its players and the time limits, answer show."),
        ("chess", "Ik snap het niet", "For the rules of Chess, and how its moves are written, answer help."),
        ("chess", "\u4ec0\u4e48\u68cb\u5462", "For all moves that you can make now, answer moves."),
        (
            "chess",
            "hrmpf",
            "It is your turn. To move, answer with your move alone on the first line: Nc3, Na3, Nh3, Nf3, a3, a4, ",
        ),
        ("chess", "whats my rating", f"For your ratings, send to {ADDRESS}: who alice"),
        ("chess", "Knights before bishops", "Your moves with knights: Nc3, Na3, Nh3, Nf3"),
        ("tumble", "c1 falls onto c5", "Your moves with c1 c5: c1-c5t"),
        ("tumble", "d2", "'d2' is not a move in Tumbling Down. Some of your moves with d2: d2-"),
        ("tumble", "h4-z9", "You have no move with h4. The nearest are: "),
        ("tumble", "a1-a9", "This board has no a9."),
        ("go", "i think U7", "This board has no u7."),
        ("go", "bus B77 is late, Q4", "so nothing was done. Your moves with q4: Q4 You wrote"),
        ("hex", "z3 boum", "This board has no z3."),
        ("go", "I jump over to f4 and live\nEDIT: she says G3. She cries. So G3", "Your moves with g3: G3 "),
        ("dots", "do I get a box if I draw the third side or the fourth?", "For the rules of Dots and Boxes, and how"),
        ("breakthrough", "Can a man take straight ahead? In chess he can't", "For the rules of Breakthrough, and how"),
        ("go", "I approach at the lower left with the knight's move", "Write a place as the board calls it."),
        ("oware", "the 5 on the left", "was not understood, so nothing was done. You wrote: the 5 on the left"),
        ("oware", "f takes? no, does not. d then", "Your moves with d: d "),
        ("chess", "no rematch please", "To end this board, answer decline: nobody loses."),
        ("chess", "Bishop first!", "You have no move with bishop."),
        ("oware", "the third", "Your moves with 3: c "),
        ("havannah", "Ring or fork?", "For all moves that you can make now, answer moves."),
        ("gomoku", "8,8", "Your moves with 8,8: h8"),
        ("four", "the 1st column", "Your moves with 1: a1"),
        ("draughts", "north please", "alone on the first line: "),
        ("oware", "e, and who knows", "Your moves with e: e "),
        ("othello", "3d it is", "To play d3, answer this letter with the word yes."),
        ("chess", "Hello, it is me\nI want to take with the knight", "Your moves with knight: Nc3"),
        ("chess", "Queen's pawn", "Your moves with pawn: a3"),
        ("chess", "You're right", "so nothing was done. You wrote:"),
        ("hex", "the top left", "Your moves that are nearest to that place: a1, "),
        ("backgammon", "I make my 2 point", "Your moves with 2 point: 8/2 6/2"),
        ("chess", "en passant", "was not understood, so nothing was done. You wrote: en passant It is your turn."),
        ("go", "3-3 invasion", "could mean C3 or R3 or C17 or R17. Send one of: C3, R3, C17, R17"),
        ("go", "4-4 in the opposite corner", "Send one of: D4, Q4, D16, Q16"),
        ("go", "the 3-4 point lower left", "Send one of: C4, D3 "),
        ("go", "star point right", "Send one of: Q4, Q10, Q16 "),
        ("go", "3-3 in the upper right, or what?", "Your moves with 3-3 in the upper right: R17"),
        ("go", "the star point on the left, or not", "Your moves with the star point on the left: D4, "),
        ("battleship", "just put them anywhere for me", "Your moves with anywhere: random "),
        ("yacht", "go for a straight", "Your moves with straight: little, big, go for little, go for big "),
        ("farkle", "go on till you have 500 then stop", "Your moves with 500: roll until 500 "),
        (
            "backgammon",
            "un pion du 24 au 18 et l'autre de 13 à 9",
            "Your moves with 24/18 13/9: 24/18 13/9 All your moves: ",
        ),
        ("go", "Nice 3-3!", "Your moves with 3-3: C3, R3, C17, R17 "),
        ("go", "3-3, at your corner", "Send one of: C3, R3, C17, R17 "),
        ("go", "4-4 in some corner", "Your moves with 4-4: D4, Q4, D16, Q16 "),
        ("go", "not tengen", "so nothing was done. Your moves with tengen: K10 "),
        ("go", "in the middle", "Your moves that are nearest to that place: K10 You wrote"),
        ("havannah", "right in the middle", "Your moves that are nearest to that place: h8 You wrote"),
        ("gomoku", "right in the middle please", "Your moves that are nearest to that place: h8 You wrote"),
        ("othello", "right at the top", "alone on the first line: "),
        ("chess", "I'm lost, which men can jump?", "For the rules of Chess, and how its moves are written, answer"),
        ("chess", "I am lost here", "so nothing was done. For the rules of Chess, and how its moves are written"),
        ("chess", "bin verloren?", "so nothing was done. For the rules of Chess, and how its moves are written"),
        ("chess", "stop the reminders", "so nothing was done. To get fewer letters, answer stop."),
        ("chess", "too many mails", "so nothing was done. To get fewer letters, answer stop."),
        ("chess", "he is rude", f"from a player, send to {ADDRESS}: set alice PASSWORD block=bob"),
        ("chess", "rematch with colours swapped", "When this board has ended, answer rematch to play again."),
        ("chess", "I need a week off", f"send to {ADDRESS}: vacation alice PASSWORD 10"),
        ("chess", "black at the bottom please", f"send to {ADDRESS}: set alice PASSWORD"),
        ("chess", "threefold repetition", "For the rules of Chess, and how its moves are written, answer help."),
        ("chess", "I changed my mail provider", f"send from there to {ADDRESS}: change address alice PASSWORD"),
        (
            "chess",
            "what's a ply",
            "so nothing was done. For all moves that you can make now, answer moves. For the rules",
        ),
        ("hex", "am I top-bottom?", "so nothing was done. For all moves that you can make now, answer moves."),
        ("chess", "have I lost?", "so nothing was done. For the rules of Chess, and how its moves are written"),
        ("chess", "I have lost", "To end this board, answer decline: nobody loses."),
        ("3io", "what about the corner", "For all moves that you can make now, answer moves."),
        ("chess", "truce", "To offer a draw, answer propose."),
        ("hex", "I would swap with you", "'swap' is possible only for the second player, right after the first move"),
        ("chess", "Ik speel Pf3", "Your moves with pf3: f3, Nf3"),
        ("othello", "pass", "You have no move with pass."),
        ("oware", "7", "You have no move with 7."),
        ("chess", "castles", "done. 'o-o' is not possible: to castle, the way must be free, and"),
        ("chess", "I think Nf3 is better than Nc3", "Your moves with nf3: Nf3 Your moves with nc3: Nc3 "),
        ("chess", "I would take that back", "You have no move that you could take back now."),
        ("chess", "Zug zurück bitte", "You have no move that you could take back now."),
        ("chess", "pause my games, I'm on holiday", "for ten days, send to pbmserv@games.example: vacation alice "),
        ("chess", "Estoy de vacaciones hasta el 4", "send to pbmserv@games.example: vacation alice PASSWORD 10"),
        ("chess", "сдаюсь", "resign: You lose the board, and you cannot take that back. To do that, answer this"),
        ("chess", "I don't want to play", "To end this board, answer decline: nobody loses."),
        ("chess", "ok then", "The board has begun, so there is nothing that you need to agree to."),
        ("chess", "no time for chess", "To end this board, answer decline: nobody loses."),
        (
            "chess",
            "no thank you",
            "decline: The board ends, and nobody wins or loses. To do that, answer this letter with the word yes.",
        ),
        ("liarsdice", "two fours, draw?", "To play twofours, answer this letter with the word yes."),
        ("chess", "non merci", "To do that, answer this letter with the word yes."),
        ("chess", "Nf33", "Your moves that look like nf33: Nf3 "),
        ("hex", "f66", "Your moves that look like f66: f6 "),
        ("draughts", "b6-c5", "'b6-c5' is not a move in Draughts."),
        ("gomoku", "five in a row wins, right?", "was done. For all moves that you can make now, answer moves."),
        ("four", "five please sir", "Your moves with 5: e1"),
        ("chess", "I lost my password", f"send to {ADDRESS}: forgot alice"),
        ("chess", "could I have more time?", f"send to {ADDRESS}: vacation alice PASSWORD 10"),
        ("chess", "Send me the PGN please", f"send to {ADDRESS}: chess record 101"),
        ("chess", "can I switch to text only?", f"send to {ADDRESS}: set alice PASSWORD"),
        ("oware", "You win, I resign", "resign: "),
        ("tumble", "Lo dejo todo, abandono", "resign: "),
        ("go", "Capitulo, amigo", "resign: "),
        ("go", "What is komi", "For the rules of Go, and how its moves are written, answer help."),
        ("chess", "please delete my account", f"send to {ADDRESS}: signoff alice PASSWORD"),
        ("chess", "Ich will nicht mehr", "To end this board, answer decline: nobody loses."),
        ("chess", "I'd like to play backgammon too", f"send to {ADDRESS}: games"),
        ("chess", "I give up, you play too well!", "To end this board, answer decline: nobody loses."),
        ("yacht", "three of a kind", "so nothing was done. You"),
        ("chess", "j'abandonne", "resign: You lose the board, and you cannot take that back."),
        ("draughts", "hm, 15 perhaps", "Your moves with 15: 10-15, 11-15"),
        ("draughts", "9 - 14 - 18", "'9-14-18' is not possible: the man on 9 cannot go to 18."),
        ("chess", "how many days have I left?", "To see the board, its players and the time limits, answer show."),
        ("chess", "сколько времени осталось", "To see the board, its players and the time limits, answer show."),
        ("chess", "предлагаю ничью", "propose: You offer "),
        ("chess", "Nxf3", "If you mean the move without a capture, send Nf3"),
        ("almost", "Nxf3", "'Nxf3' is not possible: nothing can be captured there."),
        ("draughts", "11x15", "11-15"),
        ("shogi", "Px2f", "'Px2f' is not possible: nothing can be captured there."),
        ("chess", "Хожу e4", "To play e4, answer this letter with the word yes."),
        ("chess", "Jogo e4", "To play e4, answer this letter with the word yes."),
        ("draughts", "it is 9:13 here, time for bed", "Your moves with 9:13: 9-13"),
        ("chess", "wrong square, sorry!!", "You have no move that you could take back now."),
        ("chess", "N3f", "Your moves with nf3: Nf3"),
        ("shogi", "maybe 7f", "Your moves with 7f: P-7f"),
        ("draughts", "1-5", "the man on 1 cannot go to 5. You have no move with 1. For all moves that"),
        ("gomoku", "I win", "so nothing was done. You wrote"),
        ("yacht", "I want the best roll", "so nothing was done. Your moves with roll: roll "),
        ("yacht", "I want the best throw", "so nothing was done. Your moves with throw: roll "),
        ("chess", "Nd2", "Your moves with a man of that kind: Nc3, Na3, Nh3, Nf3 "),
        ("chess", "e2e5", "the pawn on e2 does not reach e5. Your moves with e2: e3, e4 "),
        ("chess", "e5", "the pawn on e2 does not reach e5. You have no move with e5. Your moves with e2: e3, e4 "),
        ("chess", "O-O", "pass an attacked square. For all moves that you can make now, answer moves."),
        ("oware", "g", "the houses A to F are yours. You have no move with g. For all moves"),
        ("chess", "1-0", "To end this board, answer decline"),
        ("chess", "Kf3", "the king on e1 does not reach f3. Your moves with f3: Nf3, f3"),
        ("chess", "kinght f3", "Your moves with f3: Nf3, f3"),
        ("chess", "Skaczę koniem na f3", "Your moves with koniem f3: Nf3 "),
        ("chess", "what can I play", "was done. For all moves that you can make now, answer moves. You wrote"),
        ("gomoku", "p16", "this board has 15 points on each side. For all moves that you can make now"),
        ("tumble", "tumble c1 to c2", "Your moves with c1 c2: c1-c5t"),
        ("xiangqi", "maybe cannon to e3", "Your moves with cannon e3: C8=5, C2=5 "),
        ("xiangqi", "我觉得炮二平五", "Your moves with 我觉得炮二平五: C2=5"),
        ("shogi", "たぶん7六歩", "Your moves with たぶん7六歩: P-7f"),
        ("shogi", "P-7e", "no pawn of yours can go to 7e. Your moves with a man of that kind: P-9f, P-8f, "),
        (
            "chess",
            "wrong board: Nf3",
            "This letter is about board 101. To move on another board, answer the letter about",
        ),
        ("chess", "lost a pawn on Nf3", "Your moves with nf3: Nf3 "),
        ("tumble", "c1 to c2 no tumble", "Your moves with c1 c2: c1-c2, c2-c1"),
        ("tumble", "c1-a8", "Some of your moves with c1: c1-c2, "),
        (
            "chess",
            "I wish I had a pony",
            f"settings, other games or opponents and everything else, send to {ADDRESS}: help commands",
        ),
        ("chess", "I have a new address", f"to {ADDRESS}: change address alice PASSWORD"),
        ("shogi", "降参", "To end this board, answer decline: nobody loses."),
        ("chess", "How long do I have for this move?", "the board, its players and the time limits, answer show."),
        ("chess", "Wie lange habe ich noch?", "the board, its players and the time limits, answer show."),
        ("tumble", "What does the t at the end mean?", "nothing was done. For all moves that you can make now"),
        ("chess", "Can I castle if my rook has moved?", "nothing was done. For all moves that you can make now"),
        ("chess", "I am on holiday", "vacation alice PASSWORD 10"),
        ("chess", "J'ai perdu mon mot de passe", f"send to {ADDRESS}: forgot alice"),
    ],
)
def test_what_can_be_sent(world: World, game: str, line: str, told: str) -> None:
    letters = world.once(_begin, f"{game} challenge alice bob")
    before = world.dump()
    (answer,) = world.reply(next(letter for letter in letters if letter.text.startswith("Your move")), line)
    assert told in answer.flat
    assert "nearest to that place: For" not in answer.flat
    assert world.dump() == before


@pytest.mark.parametrize(
    "line",
    [
        "Sorry for the delay!",
        "right back at you",
        "Argh, what a start",
        "jag ger upp",
        "time left?",
        "Set-up done",
        "I'm giving up sugar",
        "ha ha, you fell for it last time",
        "You fooled me last time, not again",
        "How was the holiday?",
        "Was on holiday in Greece",
        "Are you feeling ill, Bob?",
    ],
)
def test_nobody_is_told_of_take_backs_or_places_who_means_none(world: World, line: str) -> None:
    letter = to(world.once(_begin, "chess challenge alice bob"), "alice")
    (answer,) = world.reply(letter, line)
    assert "take back" not in answer.flat
    assert "To end this board" not in answer.flat
    assert "While you are away" not in answer.flat
    assert "nearest to that place" not in answer.flat


@pytest.mark.parametrize(
    "line",
    ["whose turn is it, and who invited me?", "Rest in peace, old friend", "a draw tomorrow", "no way"],
)
def test_nothing_else_is_offered(world: World, line: str) -> None:
    letter = to(world.once(_begin, "chess challenge alice bob"), "alice")
    (answer,) = world.reply(letter, line)
    assert "chess seek" not in answer.flat
    assert "with the word yes" not in answer.flat


def test_who_plays_a_game_alone_is_shown_the_others(world: World) -> None:
    letter = to(world.once(_begin, "threes challenge alice"), "alice")
    (answer,) = world.reply(letter, "Can I play with a friend? It is boring")
    assert answer.flat.count(f"For the other games of this server, send to {ADDRESS}: games") == 1
    assert "threes seek" not in answer.flat


def test_who_has_moved_can_take_that_back_or_keep_a_move(world: World) -> None:
    letter = to(world.once(_begin, "chess challenge alice bob"), "alice")
    moved = to(world.reply(letter, "e4"), "alice")
    (answer,) = world.reply(moved, "Ooops, what now?")
    assert answer.flat.startswith("It is not your turn on this board.")
    assert "You wrote: Ooops, what now?" in answer.text
    assert "To ask for your last move back, answer undo." in answer.flat
    assert "If you send a move now, you can keep it for your turn." in answer.flat


def test_a_word_in_a_line_of_a_digest_is_told(world: World) -> None:
    world.signup("alice", "bob")
    run(world, "alice", "set alice alice-secret digest=daily")
    run(world, "bob", "chess challenge alice bob")
    (answer,) = world.reply(of_tomorrow(world), "101: resign please")
    assert "To do that, write: 101: resign Write one line for each board, for example: 101: " in answer.flat


def test_an_open_proposal_is_explained(world: World) -> None:
    letter = to(world.once(_begin, "chess challenge alice bob"), "alice")
    (answer,) = world.reply(to(world.reply(letter, "draw?"), "bob"), "hmm")
    assert "accept: You agree to a draw. The board ends as soon as all have agreed." in answer.flat
    assert "reject: You reject the proposal." in answer.flat


def test_in_another_language(world: World) -> None:
    letter = to(world.once(_begin, "chess challenge alice bob"), "alice")
    run(world, "alice", "set alice alice-secret language=de")
    (answer,) = world.reply(letter, "Wohin darf mein Springer?")
    assert "Deine Züge mit springer: Sc3, Sa3, Sh3, Sf3 Alle deine Züge: Sc3, " in answer.flat
    assert "Für alle Züge, die du jetzt machen kannst" not in answer.flat  # they stand there


def _digest(world: World) -> Received:
    world.signup("alice", "bob")
    run(world, "alice", "set alice alice-secret digest=daily")
    run(world, "bob", "chess challenge alice bob")
    return of_tomorrow(world)


def _tournament(world: World) -> Received:
    begun(world, "alice", "bob")
    return written(world, start, "alice")[-1]


def _welcome(world: World) -> Received:
    return world.mail("alice", "signup alice alice-secret")[-1]


@pytest.mark.parametrize(
    ("letter", "line", "told"),
    [
        (_digest, "How do I turn this off?", "set alice PASSWORD digest=off"),
        (_tournament, "I want to leave", "tournament leave 1 alice PASSWORD"),
        (_tournament, "Who am I playing?", f"To see the tournament, send to {ADDRESS}: tournament show 1"),
        (_welcome, "My friend alice is here, how do I play her", "answer for example with: play chess with USERID"),
        (_welcome, "unsubscribe", "signoff alice PASSWORD"),
        (_welcome, "I hate chess, what else is there?", "To see the games: games"),
        (_welcome, "play go with the robot please", "To wait for anybody who wants to play, answer with: play go"),
    ],
)
def test_a_letter_about_several_boards_or_none_is_answered_with_its_own_words(
    world: World, letter: Callable[[World], Received], line: str, told: str
) -> None:
    answered = world.once(letter)
    before = world.dump()
    (answer,) = world.reply(answered, line)
    assert told in answer.flat
    assert world.dump() == before


@pytest.mark.parametrize("line", ["unsubscribe", "STOP", "Remove me from your list!"])
def test_who_wants_no_letters_is_told_how(world: World, line: str) -> None:
    world.signup("alice")
    (answer,) = world.mail("alice", line)
    assert f"To close your account and get no letters, send to {ADDRESS}: signoff alice PASSWORD" in answer.flat


@pytest.mark.parametrize(
    ("game", "line", "told"),
    [
        ("chess", "Nf3 Nc6 d4 Nb4", "write: queue Nf3 Nc6:d4"),
        ("chess", "1. Nf3 Nc6 2. d4 …", "write: queue Nf3 Nc6:d4"),
        ("chess", "Nf3 and if Nc6 then d4", "write: queue Nf3 Nc6:d4"),
        ("chess", "Nf3 Nc6", "To make only the first one, answer with nothing but: Nf3 You wrote"),
        ("chess", "Nf3 Nc6 Bb5", "To make only the first one, answer with nothing but: Nf3 You wrote"),
        ("draughts", "11-15 22-18 15x22", "write: queue 11-15 22-18:15x22"),
    ],
)
def test_a_plan_is_not_offered_and_can_be_queued(world: World, game: str, line: str, told: str) -> None:
    letter = to(world.once(_begin, f"{game} challenge alice bob"), "alice")
    before = world.dump()
    (answer,) = world.reply(letter, line)
    assert "Your line names several moves, and only the first one can be made now, so nothing was done." in answer.flat
    assert told in answer.flat
    assert "with the word yes" not in answer.flat
    assert world.dump() == before


def test_a_plan_that_an_answer_names_can_be_sent(world: World) -> None:
    letter = to(world.once(_begin, "chess challenge alice bob"), "alice")
    (answer,) = world.reply(letter, "Nf3 Nc6 d4")
    moved = to(world.reply(answer, "queue Nf3 Nc6:d4"), "bob")
    world.reply(moved, "Nc6")
    assert moves(world) == ["g1f3", "b8c6", "d2d4"]


@pytest.mark.parametrize(
    ("game", "moves_before", "line", "told"),
    [
        ("hex", "d8", "hrmpf", "on the first line, for example: f6 or a1 or h4 or swap "),
        ("chess", "e4 e5 Nf3 Nc6 Bc4 Bc5", "hrmpf", ", O-O"),
        ("go", "", "hrmpf", "on the first line, for example: D4 or A1 or G7 or pass "),
        ("four", "d1", "not e, not b... ok e after all", "so nothing was done. You wrote: not e, not b... ok e"),
        ("four", "d1", "hrmpf", "with your move alone on the first line: a1, b1, c1, "),
        ("go", "c3", "I like pass, d3, e3 and f4 all the same", "Your moves with e3: E3 Your moves with f4: F4 "),
        ("go", "", "I wonder what you think about e4, not f4", "done. Your moves with e4: E4 For all moves"),
        ("chess", "e4 e5", "0-0-0 saves everything", "done. 'o-o-o' is not possible: to castle, the way must be free"),
        ("chess", "e4 e5", "a long castling", "done. 'o-o-o' is not possible: to castle, the way must be free"),
        ("chess", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O a6", "I'd rochade here", "'o-o' is not possible: king or rook have moved"),
        ("breakthrough", "", "e2-e4 as in chess", "'e2-e4' is not possible: "),
        ("oware", "", "Is this the version where you capture 2 and 3?", "so nothing was done. To see the board"),
        ("havannah", "", "Need 5 days off, my daughter gets married on G street :)", "done. While you are away"),
        ("amazons", "", "Yesterday my son shot an arrow in the neighbours' tree :D", "done. You wrote"),
        ("go", "b3 c3 pass pass", "All alive, the numbers look right to me", "send: count To see the board"),
        ("hex", "d8", "d8 is a bit too strong, I'll take it", "Your moves with d8: swap "),
        ("hex", "d8", "can I still change colours?", "Your moves with colours: swap "),
        ("hex", "d8", "center hex for me", "nearest to that place: f6 You wrote"),
        (
            "oware",
            "c",
            "a please",
            "On the board this is a letter of South's, so nothing was done. Your moves: g, h, i",
        ),
        ("chess", "e4 e5 Nf3 Nc6 Bc4", "fair enough, nice one", "so nothing was done. You wrote"),
        (
            "chess",
            "e4 e5 Nf3 Nc6 Bc4 Bc5",
            "pls caslte kign side for me",
            "Your moves with caslte: O-O All your moves: ",
        ),
        (
            "chess",
            "e4 e5 Nf3 Nc6 Bc4 Bc5",
            "Ik denk dat ik rokeer. Groet, Henk",
            "Your moves with rokeer: O-O All your moves: ",
        ),
    ],
)
def test_what_the_rules_call_by_another_word_is_named(
    world: World, game: str, moves_before: str, line: str, told: str
) -> None:
    assert told in _reply(world, game, moves_before, line).flat


@pytest.mark.parametrize(
    ("game", "moves_before", "line", "told", "not_told"),
    [
        ("chess", "e4 e5", "the knight, I think", "Ne2, Nf3 All your moves: ", "for example"),
        (
            "chess",
            "e4 e5",
            "the knight, I think",
            "answer with your move alone on the first line. You can",
            "for example",
        ),
        ("chess", "e4 e5", "hrmpf", "alone on the first line: Nc3, ", "All your moves"),
        ("chess", "e4 e5", "no knight this time, the king or so", "Your moves with king: Ke2 ", "with knight"),
        ("chess", "e4 e5", "Turn it around and I take the rook home", "on the first line", "no move with rook"),
        ("chess", "e4 e5", "top right corner, remove the lower one", "on the first line: Nc3, ", "nearest"),
        ("hex", "d8", "left of my stone", "Write a place as the board calls it. A move is for example a1.", "nearest"),
        ("hex", "d8", "links von meinem Stein", "Write a place as the board calls it", "nearest"),
        ("gomoku", "h8", "one further to the right", "Write a place as the board calls it", "nearest"),
        ("tumble", "", "the big stack up, please", "on the first line", "nearest"),
        ("chess", "e4 e5", "left, you're right of course", "on the first line", "Write a place"),
        ("hex", "d8", "swap?? what's that, explain", "For the rules of Hex", "with the word yes"),
        ("hex", "d8", "swap? was ist das", "For the rules of Hex", "with the word yes"),
        ("hex", "d8", "swap, what does that do?", "For the rules of Hex", "with the word yes"),
        ("hex", "d8", "what does swap mean", "For the rules of Hex", "with the word yes"),
        ("xiangqi", "", "Xin chào, mã 8 tấn 7 nhé", "Your moves with mã: ", "no move with"),
        ("xiangqi", "", "maybe mã 8 tấn 7", "H8+7", "no move with"),
        ("chess", "e4 e5 Bc4 a6", "Bishop takes on f7!! just kidding ;) a3", "To play a3, answer", "To play Bxf7"),
        ("chess", "e4 e5 Bc4 a6", "läufer schlägt f7!! kleiner scherz", "first line", "To play Bxf7"),
        ("chess", "e4 e5 Bc4 a6", "Bxf7 žertuju", "first line", "To play Bxf7"),
        ("chess", "e4 e5 Bc4 a6", "Bxf7!! je déconne. a3", "To play a3, answer", "To play Bxf7"),
        ("chess", "e4 e5 Bc4 a6", "fou prend f7, je plaisante", "first line", "To play Bxf7"),
        ("chess", "e4 e5", "N c3 first, the pawn won't run away", "To play Nc3, answer", "pawn c3"),
        ("chess", "e4 e5", "N c3 or the pawn, who knows", "Your moves with nc3: Nc3 ", "pawn c3"),
        ("chess", "e4 e5", "No castling this time", "on the first line", "To end this board"),
        ("chess", "e4 e5", "b8=Q", "on the first line", "a man of that kind"),
        ("backgammon", "", "12er pasch! na dann mal los hier", "on the first line", "no move with 12"),
        ("backgammon", "", "13/7(3)", "on the first line", "That word is not a move"),
        ("four", "d1", "1:0 to me", "on the first line: a1, ", "Your moves with"),
        ("chess", "e4 e5", "Holiday from a3 to b17, can we pause?", "done. While you are away", "done. Your moves"),
        (
            "chess",
            "e4 e5",
            "Hi Bob – N c3, the pawn won't run away",
            "Your moves with nc3: Nc3 ",
            "While you are away",
        ),
        ("chess", "e4 e5", "I'm away until Friday", "done. While you are away", "done. Your moves"),
        ("chess", "e4 e5", "I'm lost, which pawns may move two squares?", "All your moves: ", "For all moves that"),
        ("draughts", "", "You shuttle all day. Shall we call it even?", "To offer a draw, answer propose.", "no move"),
        ("chess", "e4 e5", "do pawns capture backwards?", "For the rules of Chess", "with the word yes"),
        ("chess", "e4 e5", "Nf3, my queen doesn't like that", "on the first line", "To play Nf3"),
    ],
)
def test_a_list_that_may_lead_away_is_left_out_or_followed_by_all(
    world: World, game: str, moves_before: str, line: str, told: str, not_told: str
) -> None:
    answer = _reply(world, game, moves_before, line)
    assert told in answer.flat
    assert not_told not in answer.flat


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("if Nc6 then Bb5", "write for example: queue Nc6:Bb5 You wrote"),
        ("if he takes on f3 I play d4, otherwise Bc4", "write for example: queue "),
        ("wenn Sc6, dann Lb5", "write for example: queue "),
        ("Against anything I'll play Bf4", "so nothing was done. You wrote"),
        ("whose move is it? I lost track", "so nothing was done. To see the board"),
    ],
)
def test_who_waits_is_told_how_a_move_depends_on_the_answer(world: World, line: str, told: str) -> None:
    world.once(_begin, "chess challenge alice bob")
    for who, move in (("alice", "e4"), ("bob", "e5"), ("alice", "Nf3")):
        letters = run(world, who, f"chess move 101 {who} {who}-secret {move}")
    (answer,) = world.reply(to(letters, "alice"), line)
    assert told in answer.flat


@pytest.mark.parametrize(
    ("line", "told", "slips"),
    [
        ("I take back the pawn", "Your moves with take pawn: Nxd5, Qxd5 ", False),
        ("Recapture with the knight", "Your moves with recapture knight: Nxd5 ", False),
        ("the knight takes", "Your moves with takes knight: Nxd5 ", False),
        ("take on the left or what", "Your moves that are nearest to that place: Nxd5, Qxd5 ", False),
        ("I would take that back, my knight hangs", "undo: You ask all others ", True),
    ],
)
def test_who_takes_something_is_told_the_captures(world: World, line: str, told: str, slips: bool) -> None:
    world.signup("alice", "bob")
    letter = to(run(world, "alice", "chess challenge alice bob"), "alice")
    for move, reader in (("e4", "bob"), ("d5", "alice"), ("a3", "bob"), ("Nf6", "alice"), ("exd5", "bob")):
        letter = to(world.reply(letter, move), reader)
    (answer,) = world.reply(letter, line)
    assert told in answer.flat
    assert ("undo: You" in answer.flat or "answer undo" in answer.flat) == slips
