"""What is hidden on a board does not leave in a player's words, in whatever form and by whatever way."""

import pytest

from pbmserv.mail.reading import body
from tests.commands.answers import run, to
from tests.inbox.test_answered_letters import FLEET, _begin
from tests.inbox.test_cases import comment_in
from tests.world import Received, World

pytestmark = pytest.mark.sqlite


@pytest.fixture
def letter(world: World) -> Received:
    """The letter to alice that it is her turn to shoot, with her fleet."""
    return world.once(_begin)


ROW = " 2 . o . . . . . . . .         2 C . F . D . S . G ."
FORMS = [
    ROW,
    "2 C . F . D . S . G .",
    "2C.F.D.S.G.",
    "PS> 2 C . F . D . S . G .",
    "PS> 10 . . . . .     2 C . F . D\nPS> . S . G .",
    "| 2 | C | . | F | . | D | . | S | . | G | . |",
    "2 C . F . D .\nS . G .",
    "look: 3 c . F . D . S . . .!",
    "Own frigate: c1 c2 c3 c4",
    "Bei dir Fregatte: c1 c2 c3 c4",
    "Own frigate: charlie 1 charlie 2 charlie\n  3 charlie 4",
    "Own frigate: charlie 1 charlie 2 charlie",
    "Your own sea: carrier alfa 1 alfa 2 alfa\n  3 alfa 4 alfa 5, frigate charlie 1",
    "carrier alfa 1 alfa 2 alfa 3 alfa 4 alfa 5",
    "5, frigate c1 c2 c3 c4, destroyer e1 e2",
    "5\nC\n4\nC\nF\n3\nX\nC\nF\nD\nS",
    "5 C 4 C F 3 X C F D S",
    " 4 C . . . . . . . . .",  # of an older letter: the frigate was not there yet
    " 3 C . F . D . S . . o",  # of an older or a newer one
    "c1-c4/e1-e3/g1-g3",  # ships, as they are placed
    "1. a1-a5\n2) c1-c4\n* e1-e3.",
]
KEPT = [
    "Nice shot!",
    "a3 was unlucky, b4 will be better",
    "2 to go. 3 more, and 4 for luck.",
    "10 . . . what a row",
    "C F D S G are the letters of my ships :-)",
    "I have my own carrier.\nAnd a frigate.\n1. b2\n2. b3\n3. b4\n4. b5",
    "Treffer! Und wieder einer.",
    "a1-a5 would be silly :-)",
    "I will hide in your own sea, ha!\nThe enemy's sea is empty.\nDein eigenes Meer?",
    "I like the letters A B C D E F G H I J",
]


@pytest.mark.parametrize(
    ("way", "words"),
    [("reply", FORMS[0]), ("subject", FORMS[1]), ("chat", FORMS[2]), ("message", FORMS[3])]
    + [pytest.param("subject", words, marks=pytest.mark.slow) for words in FORMS[2:]],
)
def test_no_line_of_a_hidden_view_leaves(world: World, letter: Received, words: str, way: str) -> None:
    text = f"Hello!\n\n{words}\n\nBye"
    letters = {
        "reply": lambda: world.mail("alice", f"Re: {letter.subject}", f"b3\n\n{text}", to=letter.reply_to),
        "subject": lambda: world.mail("alice", "battleship move 101 alice alice-secret b3", text),
        "chat": lambda: world.mail("alice", "battleship chat 101 alice alice-secret", text),
        "message": lambda: world.mail("alice", "message alice alice-secret bob", text),
    }[way]()
    comment = to(letters, "bob").text
    assert all(part in comment for part in ("Hello!", "Bye", "[left out]"))
    plain = "".join(words.split())
    assert plain not in "".join(comment.split())


@pytest.mark.parametrize("words", KEPT)
def test_other_words_leave(world: World, letter: Received, words: str) -> None:
    letters = world.mail("alice", "battleship move 101 alice alice-secret b3", words)
    assert comment_in(to(letters, "bob")) == words


@pytest.mark.parametrize("form", ["text", "html"])
def test_a_whole_board_is_left_out_at_once(world: World, letter: Received, form: str) -> None:
    board = letter.text if form == "text" else body.words_of(letter.html)
    board = board[board.rindex("The enemy's sea") : board.rindex("Red has")]
    letters = world.mail("alice", "battleship move 101 alice alice-secret b3", f"Hello\n\n{board}\n\nBye")
    assert comment_in(to(letters, "bob")) == "Hello\n\n[left out]\n\nBye"


def test_ships_below_the_first_are_no_comment(world: World) -> None:
    world.signup("alice", "bob")
    letters = run(world, "alice", "battleship challenge alice bob")
    ships = FLEET.replace("/", "\n")
    first, _, others = ships.partition("\n")
    letters = world.reply(to(letters, "alice"), f"{first}\n{others}")
    assert not any("c1-c4" in x.text for x in letters if x.to.startswith("bob"))


def test_a_board_that_is_over_hides_nothing(world: World, letter: Received) -> None:
    run(world, "bob", "battleship resign 101 bob bob-secret")
    letters = world.mail("alice", "battleship chat 101 alice alice-secret", ROW)
    assert "C . F . D" in to(letters, "bob").text
