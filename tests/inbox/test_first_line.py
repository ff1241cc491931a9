"""Answers as people write them: signs and words around a move, synonyms of verbs, and what is never guessed."""

import pytest

from pbmserv.commands import command_language
from pbmserv.games import find
from pbmserv.games.base.board import Start, begin, play
from pbmserv.inbox.lines.first_line import LONGEST, FirstLine, is_yes, read_first_line, word_of
from pbmserv.letters.text.wording import button
from tests.commands.answers import ply, run, to
from tests.world import RENDERER, Received, World

LANGUAGE = command_language()


@pytest.fixture
def letters(world: World) -> list[Received]:
    """The first letters of board 101: first that of alice, who is to move, then that of bob."""
    return world.once(_begin)


def _begin(world: World) -> list[Received]:
    world.signup("alice", "bob")
    return run(world, "alice", "tumble challenge alice bob -c")


def unchanged(world: World, letter: Received, body: str) -> Received:
    """Answer a letter with words that must change nothing; returns the one letter that comes back."""
    before = world.dump()
    (answer,) = world.reply(letter, body)
    assert world.dump() == before
    return answer


@pytest.mark.parametrize(
    "line",
    [
        "h4-g5t.",
        "h4 - g5t",
        "h4 g5t",
        "h4 g5 t",
        "h4-g5 t",
        '"h4-g5t"',
        "h4-g5t!",
        "(h4-g5t)",
        "*h4-g5t*",
        "move h4-g5t",
        "Move: h4-g5t.",
        "My move: h4-g5t",
        "my move is H4 - G5T!",
        "Zug: h4-g5t",
        "Mein Zug: h4 g5t.",
    ],
)
def test_what_stands_around_a_move_is_taken_off(world: World, letters: list[Received], line: str) -> None:
    world.reply(letters[0], line)
    assert ply(world) == 1
    assert world.query(lambda s: s.boards.entries(101))[0].text == "h4-f6t"


@pytest.mark.parametrize(
    "line", ["h4-", "h4", "h4-g5tt", "h4-g5t h4-g5t please", "h4-g5 or h4-g5t", "g5t", "move", "my move:"]
)
def test_nothing_is_completed_or_corrected(world: World, letters: list[Received], line: str) -> None:
    unchanged(world, letters[0], line)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Propose.", "propose"),
        ("draw", "propose"),
        ("Draw?", "propose"),
        ("offer draw", "propose"),
        ("I offer a draw.", "propose"),
        ("Remis", "propose"),
        ("resign!", "resign"),
        ("I resign.", "resign"),
        ("aufgeben", "resign"),
        ("Ich gebe auf.", "resign"),
    ],
)
def test_a_verb_has_other_words(world: World, letters: list[Received], line: str, kind: str) -> None:
    world.reply(letters[0], line)
    assert [e.kind.value for e in world.query(lambda s: s.boards.entries(101))] == [kind]


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("queue h5-g4", ["h5-g4"]),
        ("Queue a8-e8t:h5-g4 e8-d8:resign", ["a8-e8t:h5-g4", "e8-d8:resign"]),
        ("queue", []),
        ("queue h5-g4?", []),
        ("queue up please", []),
    ],
)
def test_moves_behind_queue_wait_for_the_turn(
    world: World, letters: list[Received], line: str, kept: list[str]
) -> None:
    world.reply(letters[1], line)
    queues = world.query(lambda s: s.waiting_moves.queues(101))
    assert [str(item) for item in queues.get(1, [])] == kept
    world.reply(letters[1], "queue clear")
    assert not world.query(lambda s: s.waiting_moves.queues(101)).get(1)


@pytest.mark.parametrize(
    ("game", "line", "moves"),
    [
        ("battleship", "carrier a1-a5, frigate c1-c4, destroyer e1-e3", ("a1-a5", "c1-c4", "e1-e3")),
        ("battleship", "a1-a5; c1-c4, then e1-e3", ("a1-a5", "c1-c4", "e1-e3")),
        ("chess", "e4, d4", ("e2e4", "d2d4")),  # only one can be played, so both are offered
        ("chess", "e4, then e5", ()),
        ("chess", "e4 and d4", ("e2e4", "d2d4")),
        ("oware", "a then, b", ()),
    ],
)
def test_moves_in_a_list_are_all_read(game: str, line: str, moves: tuple[str, ...]) -> None:
    read = read_first_line(line, LANGUAGE, begin(Start(find(game), {}, 2, "0" * 32)), 0)
    assert (read.moves if read else ()) == moves
    assert read is None or read.either == (game == "chess")


@pytest.mark.parametrize("line", ["accept my apologies", "resign now", "draw a line", "do not resign", "no draw"])
def test_a_verb_among_other_words_is_none(world: World, letters: list[Received], line: str) -> None:
    unchanged(world, letters[0], line)


def test_a_word_that_is_a_move_of_the_game_is_a_move(world: World) -> None:
    """In 3io, `draw` is a move that takes a tile, so it does not offer a draw."""
    world.signup("alice", "bob")
    letters = run(world, "alice", "3io challenge alice bob -twostep")
    world.reply(letters[0], "draw")
    assert [e.kind.value for e in world.query(lambda s: s.boards.entries(101))] == ["move"]


@pytest.mark.parametrize("line", ["help", "rules", "Regeln", "help!"])
def test_help_mails_the_rules(world: World, letters: list[Received], line: str) -> None:
    answer = unchanged(world, letters[1], line)
    assert answer.subject == "Tumble help"


def test_moves_lists_the_legal_moves(world: World, letters: list[Received]) -> None:
    answer = unchanged(world, letters[0], "moves")
    board = world.row().board
    legal = {board.game.format(m) for m in board.game.legal_moves(board.position, 0)}
    assert f"You have {len(legal)} legal moves on board 101:" in answer.text
    assert legal <= set(answer.text.split())
    assert "It is not your turn" in unchanged(world, letters[1], "moves").text


@pytest.mark.parametrize("line", ["show", "board"])
def test_show_mails_the_board_also_if_it_is_private(world: World, line: str) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", "tumble challenge alice bob --private")
    answer = unchanged(world, letters[1], line)
    assert answer.subject == "Tumble Board 101"
    assert "Black" in answer.text


@pytest.mark.parametrize("line", ["stop", "stop?", "unsubscribe", "quit", "Abmelden."])
def test_stop_says_how_to_get_fewer_letters(world: World, letters: list[Received], line: str) -> None:
    answer = unchanged(world, letters[0], line)
    assert "set alice PASSWORD own=off" in answer.text
    assert "set alice PASSWORD digest=daily" in answer.text
    assert not world.row().board.result


class TestAnOffer:
    """A legal move among other words is offered, not played."""

    line = "ok then I play h4-g5t hope that is fine"

    def test_yes_plays_it(self, world: World, letters: list[Received]) -> None:
        answer = unchanged(world, letters[0], self.line)
        assert f"You wrote: {self.line}" in answer.flat
        assert "To play h4-g5t, answer this letter with the word yes." in answer.flat
        assert "body=yes" in answer.html
        world.reply(answer, "Yes!")
        assert ply(world) == 1

    @pytest.mark.parametrize("line", ["ja", "ok", "Yes, please!", "Ja bitte."])
    def test_in_other_words(self, world: World, letters: list[Received], line: str) -> None:
        world.reply(unchanged(world, letters[0], self.line), line)
        assert ply(world) == 1

    def test_the_letter_can_be_answered_with_anything_else(self, world: World, letters: list[Received]) -> None:
        world.reply(unchanged(world, letters[0], self.line), "h1-h5t")
        assert world.query(lambda s: s.boards.entries(101))[0].text.startswith("h1")

    def test_it_lapses_with_the_next_move(self, world: World, letters: list[Received]) -> None:
        offer = unchanged(world, letters[0], self.line)
        world.reply(letters[0], "h1-h5t")
        answer = unchanged(world, offer, "yes")
        assert "a newer letter about this board" in answer.flat
        assert ply(world) == 1

    def test_two_moves_are_no_offer(self, world: World, letters: list[Received]) -> None:
        assert "word yes" not in unchanged(world, letters[0], "either h4-g5t or h1-h5t, you choose").flat

    def test_yes_to_another_letter_plays_nothing(self, world: World, letters: list[Received]) -> None:
        unchanged(world, letters[0], "yes")


class TestOutOfTurn:
    def test_yes_keeps_the_move(self, world: World, letters: list[Received]) -> None:
        answer = unchanged(world, letters[1], "a5-b4t")
        assert "It is not your turn" in answer.flat
        assert "To keep a5-b4t for your turn, answer this letter with the word yes." in answer.flat
        world.reply(answer, "yes")
        assert [q.own for q in world.query(lambda s: s.waiting_moves.queues(101))[1]] == ["a5-b4t"]


class TestTheNextLine:
    def test_a_draw_can_be_offered_with_a_move(self, world: World, letters: list[Received]) -> None:
        answers = world.reply(letters[0], "h4-g5t\npropose\n\nHow about it?")
        assert [e.kind.value for e in world.query(lambda s: s.boards.entries(101))] == ["move", "propose"]
        assert [x.to for x in answers] == ["alice@example.org", "bob@example.org"]
        assert "alice offers a draw" in answers[1].flat
        assert "alice writes:\n    How about it?" in answers[1].text

    def test_other_words_are_a_comment(self, world: World, letters: list[Received]) -> None:
        answers = world.reply(letters[0], "h4-g5t\npropose something nice")
        assert [e.kind.value for e in world.query(lambda s: s.boards.entries(101))] == ["move"]
        assert "propose something nice" in answers[1].text


class TestHalfAMove:
    """If only a part of a line has the form of moves, nothing of it is played, however the line is sent."""

    def test_one_move_with_blanks_in_it(self, world: World, letters: list[Received]) -> None:
        world.mail("alice", "tumble move 101 alice alice-secret h4-g5 t")
        assert world.query(lambda s: s.boards.entries(101))[0].text == "h4-f6t"

    @pytest.mark.parametrize("words", ["h4-g5t x", "h4-g5t h1-h5 nonsense"])
    def test_a_word_that_is_no_move_stops_all(self, world: World, letters: list[Received], words: str) -> None:
        before = world.dump()
        (answer,) = world.mail("alice", f"tumble move 101 alice alice-secret {words}")
        assert world.dump() == before
        assert "is not a move in Tumbling Down" in answer.flat

    def test_an_impossible_later_move_ends_the_line_after_those_before_it(self, world: World) -> None:
        world.signup("alice")
        run(world, "alice", "threes challenge alice")
        board = world.row().board
        legal = [board.game.format(m) for m in board.game.legal_moves(board.position, 0)]
        world.mail("alice", f"threes move 101 alice alice-secret {legal[0]} {'w' * 9}")
        assert ply(world) >= 1


def test_the_error_says_what_may_be_answered(world: World, letters: list[Received]) -> None:
    answer = unchanged(world, letters[0], "f9g5t")
    assert "You wrote: f9g5t" in answer.text
    assert "To move, answer with your move alone on the first line, for example: " in answer.flat
    assert "You can also answer with one of these words: propose, resign, decline" in answer.flat
    assert "PASSWORD" not in answer.text


def test_the_words_that_a_letter_lists_in_another_language_are_understood(world: World) -> None:
    world.signup("alice", "bob")
    run(world, "alice", "set alice alice-secret language=de")
    letter = to(run(world, "alice", "chess challenge alice bob"), "alice")
    (answer,) = world.reply(letter, "f9g5t")
    assert "Du kannst auch so antworten: Remis anbieten, aufgeben, nicht spielen" in answer.flat
    say = RENDERER.to("de").say
    listed = {"propose", "undo", "resign", "decline", "accept", "reject", "substitute", "rematch", "review"}
    read = {verb: word_of(button(verb, say), LANGUAGE) for verb in listed}
    assert {verb: word and word.command.verb for verb, word in read.items()} == {verb: verb for verb in listed}


@pytest.mark.slow
@pytest.mark.parametrize("line", ["D-7", "d 7", "2. D7", "2. W d7", "delta seven", "White d7", "dm", "My move: D7!"])
def test_an_occupied_point_is_told_as_such(world: World, line: str) -> None:
    world.signup("alice", "bob")
    *_, to_bob = world.reply(run(world, "alice", "go challenge alice bob")[0], "D-7")
    assert ply(world) == 1
    assert "'d7' is not possible: d7 is occupied." in unchanged(world, to_bob, line).flat


@pytest.mark.parametrize("line", ["i5", "I-5", "1. i 5"])
def test_a_column_that_is_not_there_is_told(world: World, line: str) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", "go challenge alice bob")
    assert "There is no column I on a board for Go: J is next to H." in unchanged(world, letters[0], line).flat


def test_of_two_moves_that_fit_each_can_be_chosen(world: World) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", "othello challenge alice bob")
    answer = unchanged(world, letters[0], "34")
    assert "'34' could mean c4 or d3." in answer.text
    assert "body=c4" in answer.html
    world.reply(answer, "d3")
    assert ply(world) == 1


def test_men_are_named_in_the_language_of_the_account(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret language=de")
    letters = run(world, "alice", "chess challenge alice bob")
    world.reply(letters[0], "1. Sf3")
    assert world.query(lambda s: s.boards.entries(101))[0].text == "g1f3"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("alice alice-secret", "alice WORD"),
        ("alice-secret h4-g5t", "WORD h4-g5t"),
        ("Alice-secret, (alice-secret)", "WORD WORD"),
        ("password=alice-secret please", "WORD please"),
        ("alice_alice-secret <me+alice-secret@example.org>", "WORD WORD"),
        ("bob something-else", "bob WORD"),  # what follows a userid may be a password
        ("h4-g5tt position!", "h4-g5tt position!"),
        ("[EXTERNAL] This message came from elsewhere", "[EXTERNAL] This message came from elsewhere"),
        ("resing, tumbel c1>>c5tt", "resing, tumbel c1>>c5tt"),
        (f"something\n{'x' * 20_000}", "WORD"),  # a long mail already costs time
    ],
)
def test_only_what_may_be_a_password_is_not_quoted(
    world: World, letters: list[Received], line: str, shown: str
) -> None:
    assert f"You wrote: {shown}\n" in unchanged(world, letters[0], line).text


def test_who_has_the_address_of_another_learns_no_password(world: World, letters: list[Received]) -> None:
    """Nothing tells whether a word is the password."""
    told = [
        world.reply(letters[0], f"{word} and position", sender="bob@example.org")[0].text.partition("You wrote: ")[2]
        for word in ("alice-secret", "alice-secrex")
    ]
    assert [text.partition("\n")[0] for text in told] == ["WORD and WORD"] * 2


@pytest.mark.slow
def test_after_many_words_that_are_no_password_others_are_not_compared_with_it(
    world: World, letters: list[Received]
) -> None:
    lines = (f"{letter}zzzzz" for letter in "bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ")
    shown = [unchanged(world, letters[0], line).text for line in lines]
    hidden = ["You wrote: WORD" in text for text in shown]
    assert hidden == sorted(hidden)
    assert 0 < hidden.count(True) < len(hidden)


def test_an_empty_answer_is_answered(world: World, letters: list[Received]) -> None:
    answer = unchanged(world, letters[0], "")
    assert "You can also answer with one of these words" in answer.flat


@pytest.mark.parametrize("line", ["h4|a1t", "h4->a1t", "h4/a1t", "h4=>a1t"])
def test_two_squares_with_any_sign_between_them_are_quoted(world: World, letters: list[Received], line: str) -> None:
    answer = unchanged(world, letters[0], line)
    assert f"You wrote: {line}" in answer.text or "is not possible" in answer.text


def _read(game: str, line: str, *moves: str, seat: int | None = 0) -> FirstLine | None:
    board = begin(Start(find(game), {}, 2, "0" * 32))
    for move in moves:
        board = play(board, min(board.to_move), move).board
    return read_first_line(line, LANGUAGE, board, seat)


@pytest.mark.parametrize(
    ("line", "verb", "userid", "asks"),
    [
        ("substitute carol", "substitute", "carol", False),
        ("Substitute: carol.", "substitute", "carol", False),
        ("substitute carol?", "substitute", "carol", True),
        ("substitute 'carol'", "substitute", "carol", True),
        ("resign", "resign", "", False),
        ("resign?", "resign", "", True),
        ("resign...", "resign", "", True),
        ("Remis anbieten?", "propose", "", True),
        ("draw?", "propose", "", False),  # so a draw is asked for
        ("«draw»", "propose", "", True),
    ],
)
def test_a_verb_a_userid_and_whether_it_is_asked(line: str, verb: str, userid: str, asks: bool) -> None:
    first = _read("tumble", line)
    assert first is not None
    assert (first.command.verb, first.moves, first.userid, first.asks) == (verb, (), userid, asks)


@pytest.mark.parametrize(
    ("game", "line", "moves", "asks"),
    [
        ("tumble", "c4-d5", ("c4-d5",), False),
        ("tumble", '"c4-d5"!', ("c4-d5",), False),
        ("tumble", "c4-d5?", ("c4-d5",), True),
        ("tumble", "my move: c4-d5 ?!", ("c4-d5",), True),
        ("chess", "e2 e4", ("e2e4",), False),
        ("chess", "e2 -> e4", ("e2-e4",), False),
    ],
)
def test_a_move_and_whether_it_is_asked(game: str, line: str, moves: tuple[str, ...], asks: bool) -> None:
    first = _read(game, line)
    assert first is not None
    assert (first.command.verb, first.moves, first.asks) == ("move", moves, asks)


@pytest.mark.parametrize(("seat", "moves"), [(None, ("a1-b2", "h8-g7")), (0, ("a1-b2", "h8-g7"))])
def test_the_form_of_several_moves_is_enough_unless_the_turn_ends_behind_the_first(
    seat: int | None, moves: tuple[str, ...]
) -> None:
    """Then it is a plan, which is asked back."""
    first = _read("tumble", "a1-b2 h8-g7", seat=seat)
    assert first is not None
    assert (first.moves, first.asks) == (moves, seat is not None)


@pytest.mark.parametrize("words", ["c4-d5", "resign"])
def test_the_longest_line_is_read_and_no_longer_one(words: str) -> None:
    assert _read("tumble", words.ljust(LONGEST)) is not None
    assert _read("tumble", words.ljust(LONGEST + 1)) is None


@pytest.mark.parametrize(
    ("line", "to_word", "agrees"),
    [
        ("yes", True, True),
        ("'Yes please!'", True, True),
        ("yes?", False, False),
        ("ok", False, True),
        ("ok", True, False),
        ("yes".ljust(LONGEST), False, True),
        ("yes".ljust(LONGEST + 1), False, False),
    ],
)
def test_what_agrees_to_an_offer(line: str, to_word: bool, agrees: bool) -> None:
    assert is_yes(line, to_word=to_word) is agrees
