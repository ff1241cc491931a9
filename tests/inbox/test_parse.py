"""The lines of a mail become calls. Each line is parsed once."""

from collections import Counter

import pytest

from pbmserv.inbox.command import Call, CallError
from pbmserv.inbox.lines.parse import MOST_LINES, Parser
from pbmserv.mail.envelope import Incoming
from tests.inbox.mails import message
from tests.world import ADDRESS, World


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts how often each line is parsed."""
    lines, call = Counter[str](), Parser.call

    def counted(self: Parser, line: str) -> Call:
        lines[line] += 1
        return call(self, line)

    monkeypatch.setattr(Parser, "call", counted)
    return lines


def test_a_subject_is_parsed_once(world: World, parsed: Counter[str]) -> None:
    world.board("alice", "bob")
    parsed.clear()
    world.mail("alice", "tumble move 101 alice alice-secret h4-f6")
    world.mail("alice", "tumble show 999")
    world.mail("alice", "thumble show 101")
    assert set(parsed.values()) == {1}
    assert len(parsed) == 3


def test_the_lines_of_a_body_are_parsed_once(world: World, parsed: Counter[str]) -> None:
    """This includes lines that are wrong, lines after a wrong one, and the first line too many."""
    world.board("alice", "bob")
    parsed.clear()
    lines = ["tumble show 101", "who alice", "frobnicate", "games", *(f"who player{n}" for n in range(MOST_LINES))]
    world.mail("alice", "multiple", "\n".join(lines))
    assert parsed == Counter(lines[: MOST_LINES + 1])


def test_a_line_that_is_no_call_says_why(world: World) -> None:
    mail = message("alice", "multiple", "games\ntumble mve 101")
    found = world.pipeline.prepare(Incoming(mail, "x@example.org", (ADDRESS,), "192.0.2.1")).request.calls
    assert isinstance(found[0], Call)
    assert isinstance(found[1], CallError)
    assert found[1].understood.game is not None


class TestASubjectThatIsATitle:
    """Whoever writes a letter to somebody gives it a title, and writes what he wants below."""

    @pytest.mark.parametrize("title", ["hello", "A question", "my first mail to you", "tumbling"])
    def test_the_first_line_of_the_body_counts(self, world: World, title: str) -> None:
        (letter,) = world.mail("nora", title, "signup nora nora-secret\n\nThanks!\nNora")
        assert "Welcome, nora." in letter.text

    @pytest.mark.parametrize("subject", ["tumble mov 101 alice alice-secret h4-f6", "who nobody9", "move", "tumble"])
    def test_a_command_with_an_error_is_no_title(self, world: World, subject: str) -> None:
        world.signup("alice")
        (letter,) = world.mail("alice", subject, "who alice\n")
        assert letter.subject.lower().endswith("error")

    @pytest.mark.parametrize("language", ["en", "de"])
    @pytest.mark.parametrize(
        "line",
        [
            "help",
            "games",
            "list",
            "chess help",
            "play chess",
            "yacht challenge alice",
            "chess challenge alice x@b.example",
        ],
    )
    def test_the_subject_of_an_answered_letter_is_one(self, world: World, line: str, language: str) -> None:
        world.signup("alice")
        world.mail("alice", f"set alice alice-secret language={language}")
        letter = world.mail("alice", line)[-1]
        title, answered = f"Re: {letter.subject}", {"In-Reply-To": letter.message["Message-ID"]}
        (asked,) = world.mail("alice", title, "who alice\n", **answered)
        assert asked.text == world.mail("alice", "who alice")[0].text
        assert world.mail("alice", title, "the bishop\n", **answered)[0].text.count("error") == 0
        (changed,) = world.mail("alice", "set alice alice-secret coordinates=on", "who alice\n", **answered)
        assert changed.text != asked.text

    def test_a_misspelt_command_is_one_if_the_body_has_none(self, world: World) -> None:
        (letter,) = world.mail("nora", "othelo", "I have heard of you.\n")
        assert "Did you mean: othello" in letter.text

    @pytest.mark.parametrize("subject", ["hello", "Hello, what can I do here?", "Dear all", "thanks"])
    def test_a_greeting_is_no_misspelt_command(self, world: World, subject: str) -> None:
        world.signup("nora")
        (letter,) = world.mail("nora", subject, "I have heard of you.\n")
        assert "Your mail contains no command" in letter.text
        assert ">help</a>" in letter.html

    @pytest.mark.parametrize(
        ("line", "subject"),
        [
            *(("Help, please!", "Help"), ("Hilfe", "Help"), ("What games are there?", "Games")),
            *(("Which games do you have?", "Games"), ("I forgot my password", "Forgotten password")),
        ],
    )
    def test_a_question_in_other_words(self, world: World, line: str, subject: str) -> None:
        world.signup("nora")
        assert world.mail("nora", line)[-1].subject == subject


def test_one_command_in_the_body_is_answered_like_one_in_the_subject(world: World) -> None:
    world.signup("alice")
    (below,) = world.mail("alice", "", "who alice\n")
    (above,) = world.mail("alice", "who alice")
    assert (below.subject, below.text) == (above.subject, above.text)


class TestWithoutTheGame:
    """You can leave out the game if the line has a board number."""

    @pytest.mark.parametrize(
        ("line", "shown"),
        [
            ("show 101", "Tumble Board 101"),
            ("SHOW 101#0", "Tumble Board 101"),
            ("record 101", "Tumble Board 101"),
            ("preview 101 h4-g5t", "Tumble Board 101"),
        ],
    )
    def test_a_board_is_looked_at(self, world: World, line: str, shown: str) -> None:
        world.board("alice", "bob", options="-c")
        (answer,) = world.mail("alice", line)
        assert answer.subject == shown

    def test_a_move_is_played(self, world: World) -> None:
        world.board("alice", "bob", options="-c")
        world.mail("alice", "move 101 alice alice-secret h4-g5t")
        assert world.row().board.ply == 1

    def test_a_board_is_resigned(self, world: World) -> None:
        world.board("alice", "bob")
        world.mail("alice", "resign 101 alice alice-secret")
        assert world.row().board.result

    def test_a_board_that_is_not_there(self, world: World) -> None:
        (answer,) = world.mail("alice", "show 999")
        assert "There is no board '999'." in answer.text

    def test_a_number_that_is_none_needs_the_game(self, world: World) -> None:
        (answer,) = world.mail("alice", "resign now")
        assert "Begin the line with the game." in answer.text


class TestNearMisses:
    @pytest.mark.parametrize(
        ("line", "meant"),
        [
            ("tumble draw", "Did you mean: tumble propose"),
            ("tumble remis", "Did you mean: tumble propose"),
            ("boards", "Did you mean: list"),
            ("thumble show 101", "Did you mean: tumble"),
            ("tumble moev 101 alice PASSWORD h4-g5t", "Did you mean: tumble move"),
        ],
    )
    def test_meaning_comes_before_spelling(self, world: World, line: str, meant: str) -> None:
        (answer,) = world.mail("alice", line)
        assert meant in answer.flat
        assert "withdraw" not in answer.flat
        assert "broadcast" not in answer.flat

    def test_nothing_rather_than_nonsense(self, world: World) -> None:
        (answer,) = world.mail("alice", "tumble flibbet 101")
        assert "Did you mean" not in answer.text
        assert "Send: tumble help" in answer.text

    def test_a_challenge_to_somebody_unknown(self, world: World) -> None:
        world.signup("alice", "bob")
        (answer,) = world.mail("bob", "tumble challenge bob nobd")
        assert "'nobd'" in answer.text
        assert "For example: tumble challenge bob alice" in answer.flat
        assert "a friend" in answer.flat
        assert "mail address" in answer.flat
