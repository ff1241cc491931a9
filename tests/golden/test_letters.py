"""Golden letters: other people's programs read the layout, so each change to it needs a changelog entry.

`pytest --golden tests/golden` rewrites the files. Read the difference before you commit it.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.letters.html import says_the_same
from tests.world import Received, World

FOLDER = Path(__file__).with_name("letters")
Golden = Callable[[str, list[Received]], None]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """A function that compares letters with a file of this folder, or rewrites the file."""

    def compare(name: str, letters: list[Received]) -> None:
        file, text = FOLDER / f"{name}.txt", "\f\n".join(map(written, letters))
        if request.config.getoption("--golden"):
            file.write_text(text, encoding="utf-8")
        assert text == file.read_text(encoding="utf-8")
        for letter in letters:
            check_layout(letter)

    return compare


def written(letter: Received) -> str:
    """A letter as the golden files hold it: the headers that players or mail programs see, and the text."""
    names = ("To", "Subject", "Reply-To", "Auto-Submitted")
    return "".join(f"{n}: {letter.message[n]}\n" for n in names if letter.message[n]) + "\n" + letter.text


def check_layout(letter: Received) -> None:
    """Check the layout: lines of at most 79 characters, no trailing spaces, one empty line between blocks.

    The HTML must have the same words.
    """
    lines = letter.text.split("\n")
    assert max(map(len, lines)) <= 79
    assert [x for x in lines if x != x.rstrip()] == []
    assert "\n\n\n" not in letter.text
    assert letter.text == letter.text.strip("\n") + "\n"
    assert says_the_same(letter.html, letter.text)


@pytest.fixture(autouse=True)
def seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every board the same seed."""
    monkeypatch.setattr("pbmserv.commands.starting.secrets.token_hex", lambda size: "5eed" * (size // 2))


@pytest.fixture
def tumble(world: World) -> list[Received]:
    """The first letters of board 101, with the corner layout; alice is to move."""
    world.signup("alice", "bob")
    return world.mail("alice", "tumble challenge alice bob -c")


def play(world: World, number: int, game: str, moves: str, *userids: str) -> list[Received]:
    """Let the players move in turn; returns the letters after the last move."""
    letters: list[Received] = []
    for i, move in enumerate(moves.split()):
        userid = userids[i % len(userids)]
        letters = world.mail(userid, f"{game} move {number} {userid} {userid}-secret {move}")
    return letters


def test_first_letters(tumble: list[Received], golden: Golden) -> None:
    golden("tumble-first", tumble)


def test_a_move_with_a_comment(world: World, tumble: list[Received], golden: Golden) -> None:
    golden("tumble-move", world.reply(tumble[0], "h4-g5t\n\nGood luck, Bob & <all>!\n\n  -- not a signature"))


def test_the_last_four_rounds(world: World, tumble: list[Received], golden: Golden) -> None:
    moves = "h1-h2 a8-a7 h2-h3 a7-a6 h3-h4 a6-a5 h1-h2 a8-a7 h2-h3 a7-a6 h3-h4"
    golden("tumble-six-rounds", play(world, 101, "tumble", moves, "alice", "bob"))


def test_a_proposal(world: World, tumble: list[Received], golden: Golden) -> None:
    golden("tumble-proposal", world.reply(tumble[0], "propose\n\nIt is late."))


def test_a_question_to_take_a_move_back(world: World, tumble: list[Received], golden: Golden) -> None:
    moved = world.reply(tumble[0], "h4-g5t")
    golden("tumble-undo", world.reply(moved[0], "undo\n\nOops!"))


def test_an_answer_to_a_proposal_during_a_vacation(world: World, tumble: list[Received], golden: Golden) -> None:
    world.mail("bob", "vacation bob bob-secret 10")
    proposed = world.reply(tumble[0], "propose")
    golden("tumble-rejected", world.reply(proposed[1], "reject\n\nNot yet."))


def test_a_rematch(world: World, tumble: list[Received], golden: Golden) -> None:
    golden("tumble-rematch", world.reply(world.reply(tumble[0], "resign")[1], "rematch"))


def test_a_substitute(world: World, tumble: list[Received], golden: Golden) -> None:
    world.signup("carol")
    world.reply(tumble[0], "resign")
    asked = world.mail("bob", "tumble substitute 101 bob bob-secret carol")
    golden("tumble-substitute", [*asked, *world.reply(asked[-1] if "carol" in asked[-1].to else asked[0], "accept")])


def test_a_game_with_chance_from_its_first_letter_to_its_last(world: World, golden: Golden) -> None:
    world.signup("alice")
    first = world.mail("alice", "threes challenge alice")
    golden("threes-chance", [*first, *world.reply(first[0], "resign")])


def test_an_old_letter(world: World, tumble: list[Received], golden: Golden) -> None:
    world.reply(tumble[0], "h4-g5t")
    golden("tumble-outdated", world.reply(tumble[0], "h4-g5t"))


def test_over_by_resignation(world: World, tumble: list[Received], golden: Golden) -> None:
    golden("tumble-resigned", world.reply(tumble[0], "resign\n\nThank you."))


def test_over_by_the_capture_of_a_king(world: World, tumble: list[Received], golden: Golden) -> None:
    moves = "e2-f1 c8-d7 h2-h1t a6-b6 h1-h8t a7-b6 f1-f2 b6-f2t"
    golden("tumble-king", play(world, 101, "tumble", moves, "alice", "bob"))


def test_errors(world: World, tumble: list[Received], golden: Golden) -> None:
    golden("error-move", world.reply(tumble[0], "h4-g6\n\nGood luck!"))
    golden("error-password", world.mail("bob", "tumble move 101 bob bob-sekret a5-b4t"))
    golden("error-verb", world.mail("bob", "tumble moev 101 bob bob-secret a5-b4t"))


def test_multiple(world: World, tumble: list[Received], golden: Golden) -> None:
    move = "tumble move 101 alice alice-secret"
    lines = f"tumble games alice\n{move} h4-g5t\n{move} h1-h5t\nlist"
    golden("multiple", world.mail("alice", "multiple", lines))


def test_a_newcomer(world: World, strict_world: World, golden: Golden) -> None:
    golden("welcome", world.mail("alice", "signup alice alice-secret"))
    asked = strict_world.mail("alice", "signup alice alice-secret")
    golden("confirm", asked)
    golden("confirmed", strict_world.reply(asked[0], "yes"))
    golden("notice", strict_world.mail("eve", "hello"))


@pytest.mark.slow
def test_answers(world: World, tumble: list[Received], golden: Golden) -> None:
    golden("help", world.mail("bob", "help"))
    golden("help-challenge", world.mail("bob", "help tumble challenge"))
    golden("games", world.mail("bob", "games"))
    golden("list", world.mail("bob", "list"))
    golden("show", world.mail("bob", "tumble show 101"))
    golden("set", world.mail("bob", "tumble set bob bob-secret u"))


def test_a_solitaire(world: World, golden: Golden) -> None:
    number = world.board("alice", game="threes")
    golden("threes", world.mail("alice", f"threes move {number} alice alice-secret s a w d s a w d s a w d"))


def test_three_players(world: World, golden: Golden) -> None:
    number = world.board("alice", "bob", "carol", game="3io")
    world.mail("alice", f"3io move {number} alice alice-secret 1a1+")
    golden("3io", world.mail("bob", f"3io move {number} bob bob-secret 1b2"))


def test_a_missed_turn(world: World, golden: Golden) -> None:
    number = world.board("alice", "bob", game="trippples")
    golden("trippples-missed", play(world, number, "trippples", "h2 a2 g3", "alice", "bob"))


@pytest.mark.slow
def test_a_game_in_german(world: World, tumble: list[Received], golden: Golden) -> None:
    """The most telling letters that alice gets in German, in a short game against bob, who reads English."""
    settings = world.mail("alice", "set alice alice-secret language=de")
    letters = [*settings, *world.mail("alice", "tumble move 101 alice alice-secret h4-g6")]
    letters += world.reply(tumble[0], "h4-g5t\n\nViel Glück!")
    letters += world.mail("bob", "tumble move 101 bob bob-secret a5-b4t", "Thank you!")
    letters += world.mail("alice", "tumble move 101 alice alice-secret h3-g4")
    letters += world.mail("bob", "tumble move 101 bob bob-secret a6-b5")
    letters += world.mail("bob", "tumble propose 101 bob bob-secret", "It is late.")
    letters += world.mail("bob", "tumble resign 101 bob bob-secret")
    golden("tumble-german", [x for x in letters if x.to == "alice@example.org"])


def test_no_golden_is_left_over() -> None:
    named = set(re.findall(r'golden\("([^"]+)"', Path(__file__).read_text(encoding="utf-8")))
    assert {f.stem for f in FOLDER.glob("*.txt")} == named
