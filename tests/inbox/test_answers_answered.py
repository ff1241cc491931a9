"""People answer any letter with a sentence, and the answer to that again: never a loop, never silence."""

import re
from email.utils import parseaddr

import pytest

from pbmserv.mail.signed_addresses import BOARD, CHAT, OFFER, TALK, Token
from tests.examples import some_of
from tests.letters.html import taps
from tests.letters.kinds import CAUSES, MORE, ONCE, UNANSWERED, noting, templates
from tests.world import ADDRESS, Received, World

SENTENCE = "Thank you, see you on Monday at the club."
_ASKED = (("undo", 1), ("draw?", 1))
_ASKED_OF = ("", *some_of([*CAUSES], 3))  #: kinds of letters that are answered with these words, too


def of(letters: list[Received], userid: str) -> Received:
    (found,) = [letter for letter in letters if letter.to == f"{userid}@example.org"]
    return found


@pytest.mark.slow
def test_a_message_is_answered_to_its_writer_again_and_again(world: World) -> None:
    world.signup("yves", "quinn", "alice")
    letters = world.mail("yves", "message yves yves-secret quinn alice", "Shall we play?")
    letter = of(letters, "quinn")
    for writer, reader in (("quinn", "yves"), ("yves", "quinn"), ("quinn", "yves")):
        letters = world.reply(letter, f"{SENTENCE}\nundo\ndraw?")
        letter = of(letters, reader)
        assert f"{writer} writes to you, {reader}:\n    {SENTENCE}\n    undo\n    draw?" in letter.text
        sent = of(letters, writer)
        assert f"Your message was sent to: {reader}" in sent.text
        assert SENTENCE in of(world.reply(sent, SENTENCE), reader).text
    (told,) = world.reply(letter, "")
    assert "Your message is empty" in told.text
    assert SENTENCE in of(world.reply(told, SENTENCE), "quinn").text


def test_an_old_address_of_a_message_works_no_more_after_a_new_password(world: World) -> None:
    world.signup("yves", "quinn")
    letter = of(world.mail("yves", "message yves yves-secret quinn", "Hello"), "quinn")
    world.mail("quinn", "change password quinn quinn-secret another-secret")
    told = of(world.reply(letter, SENTENCE), "quinn")
    assert "Your password has changed since that letter" in told.flat


def test_chat_is_answered_with_chat_or_with_a_command(world: World) -> None:
    world.board("alice", "bob", options="-c")
    letters = world.mail("alice", "tumble chat 101 alice alice-secret", "Hello Bob!")
    letter, mine = of(letters, "bob"), of(letters, "alice")
    world.mail("alice", "tumble move 101 alice alice-secret h4-g5t")
    letters = world.reply(letter, SENTENCE)
    assert SENTENCE in of(letters, "alice").text
    assert "Your message goes to alice." in of(letters, "bob").text
    assert SENTENCE in of(world.reply(of(letters, "bob"), SENTENCE), "alice").text
    assert SENTENCE in of(world.reply(mine, SENTENCE), "bob").text
    letter = of(world.mail("alice", "tumble chat 101 alice alice-secret", "Your turn"), "bob")
    assert "alice" in of(world.reply(letter, "draw?"), "bob").text
    letter = of(world.mail("alice", "tumble chat 101 alice alice-secret", "Your turn"), "bob")
    world.reply(letter, "a5-b4t")
    assert world.row().board.ply == 2
    world.mail("alice", "tumble propose 101 alice alice-secret")
    assert world.row().board.offer is not None
    letter = of(world.mail("alice", "tumble chat 101 alice alice-secret", "Well?"), "bob")
    world.reply(letter, "accept")
    assert world.row().board.result is not None


def test_what_is_said_about_a_board_can_be_answered(world: World) -> None:
    """Not only board letters: also the answers to what else a player sends about a board."""
    world.board("alice", "bob", options="-c")
    for line in (
        "tumble queue 101 alice alice-secret",
        "tumble fewer 101 alice alice-secret",
        "tumble legal 101 alice alice-secret",
    ):
        answer = of(world.mail("alice", line), "alice")
        assert "+b101.0." in answer.reply_to, line
    world.reply(answer, "h4-g5t")
    assert world.row().board.ply == 1


def test_an_answer_that_went_astray_is_no_loop(world: World) -> None:
    """A letter without a reply address is not to be answered again."""
    world.signup("alice")
    (letter,) = world.mail("alice", "games")
    for _ in range(2):
        (letter,) = world.mail("alice", f"Re: {letter.subject}", SENTENCE, References=str(letter.message["Message-ID"]))
        assert "answer the letter again" not in letter.flat.lower()
        assert "send: help" in letter.flat


def test_a_sentence_to_a_board_letter_is_offered_as_chat(world: World) -> None:
    """The first line is for a move, so it is not said back. But the answer says how, and that works."""
    world.board("alice", "bob", options="-c")
    letter = of(world.mail("alice", "tumble move 101 alice alice-secret h4-g5t"), "bob")
    told = of(world.reply(letter, SENTENCE), "bob")
    assert "To say it to alice, answer with the word chat alone on the first line" in told.flat
    assert SENTENCE in of(world.reply(told, f"chat\n{SENTENCE}"), "alice").text


def test_no_chat_is_offered_where_nobody_would_read_it(world: World) -> None:
    world.signup("alice")
    letter = of(world.mail("alice", "threes challenge alice"), "alice")
    assert "To say it" not in of(world.reply(letter, SENTENCE), "alice").text


def test_several_commands_about_one_board_are_answered_to_that_board(world: World) -> None:
    world.board("alice", "bob", options="-c")
    world.board("alice", "bob", options="-c")
    lines = ["tumble legal {} alice alice-secret", "tumble fewer {} alice alice-secret"]
    answer = of(world.mail("alice", "multiple", "\n".join(lines).format(101, 101)), "alice")
    world.reply(answer, "h4-g5t")
    assert (world.row(101).board.ply, world.row(102).board.ply) == (1, 0)
    assert "+b101." in answer.reply_to
    assert [tap.text for tap in taps(answer.html)] == ["moves", "help"]
    several = of(world.mail("alice", "multiple", "\n".join(lines).format(101, 102)), "alice")
    assert several.reply_to.endswith(f"<{ADDRESS}>")
    wrong = of(world.mail("alice", "multiple", "tumble show 101\ntumble moev 101 alice"), "alice")
    assert "subject=help%20commands" in wrong.html
    stranger = of(world.mail("carol@example.org", "multiple", "tumble show 101\ntumble show 101"), "carol")
    assert stranger.reply_to.endswith(f"<{ADDRESS}>")


def test_a_digest_is_answered_until_all_its_lines_are_right(world: World) -> None:
    digest = next(x for x in CAUSES["digest"](world) if x.subject == "Digest")
    told = of(world.reply(digest, SENTENCE), "alice")
    assert "does not name a board" in told.flat
    assert "102: moves" in [tap.text for tap in taps(told.html)]
    told = of(world.reply(told, "102: a1-a9"), "alice")
    moves, _ = taps(told.html)
    assert "legal moves on board 102" in world.mail("alice", moves.subject, moves.body, to=moves.to)[0].text
    world.reply(told, "102: a1-a2")
    assert world.row(102).board.ply == 1


def test_every_template_has_an_answer() -> None:
    assert templates() == set(CAUSES) | set(UNANSWERED)
    assert not set(CAUSES) & set(UNANSWERED)
    assert set(ONCE) <= set(CAUSES)


@pytest.mark.slow
@pytest.mark.parametrize("template", CAUSES)
def test_every_kind_of_letter_is_answered(world: World, template: str) -> None:
    """Whatever a letter says: its answer has an answer, and so has that one, and neither sends people in a circle."""
    with noting() as rendered:
        letters = CAUSES[template](world)
        assert all(letter.data for letter in letters)  # they are made when they are read
        assert f"mail/{template}.txt" in rendered
    assert [told for told in world.differences() if told.startswith("letter")] == []
    _answer_again_and_again(world, letters, template)


@pytest.mark.slow
@pytest.mark.parametrize("about", MORE)
def test_letters_about_something_else_are_answered_too(world: World, about: str) -> None:
    letters = MORE[about](world)
    assert letters
    _answer_again_and_again(world, letters)


def _answer_again_and_again(world: World, letters: list[Received], template: str = "") -> None:
    for letter in letters:
        for word, times in ((SENTENCE, 3), *(_ASKED if template in _ASKED_OF else ())):
            told, found = letter, [letter]
            for _ in range(times):
                found = world.reply(told, word)
                if not found and template in ONCE:
                    return
                assert found, (word, told.text)
                told = next((x for x in reversed(found) if x.to == letter.to), told)
                _check(world, letter, word, found)


def _check(world: World, letter: Received, word: str, found: list[Received]) -> None:
    """Check that whoever is asked to answer a letter can, and that words about a board or for a person get there."""
    for answer in found:
        token = _token(world, answer)
        if re.search("answer (this letter|the letter again)|to say it to", answer.flat.lower()):
            assert token, answer.text
    token = _token(world, letter)
    if token is None or token.purpose not in (BOARD, OFFER, CHAT, TALK):
        return
    if word == SENTENCE:
        readers = token.purpose == TALK or _others(world, token)
        assert not readers or any(SENTENCE in x.text or _asks_for_words(x) for x in found), found[-1].text
    elif token.purpose != TALK:
        assert all(str(token.numbers[0]) in x.subject for x in found), [x.subject for x in found]


def _asks_for_words(answer: Received) -> bool:
    """Return whether an answer says how to write to the other players."""
    return "the word chat alone" in answer.flat or "answer this letter with your words" in answer.flat


def _others(world: World, token: Token) -> bool:
    """Return whether another player of the board of a letter gets letters."""
    number, seat, *_ = token.numbers
    players = world.row(number).players
    others = [p.id for p in players if p != players[seat]]
    return any(world.query(lambda s: [s.addresses.of(id_) for id_ in others]))


def _token(world: World, letter: Received) -> Token | None:
    """Return what the reply address of a letter says; None: it is the service address."""
    return world.site.signer.read(parseaddr(letter.reply_to)[1])
