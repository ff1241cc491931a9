"""People answer any letter with a sentence, and the answer to that again: never a loop, never silence."""

from datetime import timedelta

import pytest

from pbmserv.server.clock import Clock
from tests.world import Received, World

_WEEK = timedelta(days=7)
SENTENCE = "Thank you, see you on Monday at the club."


def of(letters: list[Received], userid: str) -> Received:
    (found,) = [letter for letter in letters if letter.to == f"{userid}@example.org"]
    return found


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


@pytest.mark.parametrize("word", [SENTENCE, "undo", "draw?"])
def test_every_kind_of_letter_is_answered(world: World, word: str) -> None:
    """Whatever a letter is about: its answer has an answer, and so has that one, and neither repeats for ever."""
    for letter in _all_kinds(world):
        if letter.to.partition("@")[0] not in ("alice", "bob", "carol"):
            continue
        told = [letter]
        for _ in range(3):
            found = world.reply(told[-1], word)
            assert found, (letter.subject, letter.text)
            told += [x for x in found if x.to == letter.to][-1:]
        loops = [
            x for x in told if "answer the letter again" in x.flat.lower() and x.reply_to == told[-1].message["From"]
        ]
        assert not loops, letter.text


def _all_kinds(world: World) -> list[Received]:
    """Return letters of many kinds, as they come in a week of play."""
    world.signup("alice", "bob", "carol")
    found = world.mail("alice", "tumble challenge alice bob -c --nagtime=1")
    found += world.mail("carol", "tumble subscribe 101 carol carol-secret")
    found += world.reply(found[0], "h4-g5t\n\nGood luck!")
    found += world.mail("bob", "message bob bob-secret alice", "Hello")
    found += world.mail("bob", "tumble chat 101 bob bob-secret", "Hello")
    found += world.mail("bob", "tumble seek bob bob-secret")
    found += world.mail("carol", "set carol carol-secret broadcasts=on")
    found += world.mail("bob", "broadcast bob bob-secret", "Hello all")
    found += world.mail("bob", "forgot bob")
    found += world.mail("bob", "tumble undo 101 bob bob-secret")
    for line in (
        "list",
        "who",
        "games",
        "help",
        "help chess",
        "tumble show 101",
        "standings",
        "tumble history alice bob",
    ):
        found += world.mail("bob", line)
    for line in (
        "vacation bob bob-secret 2",
        "set bob bob-secret",
        "tumble set bob bob-secret",
        "tumble fewer 101 bob bob-secret",
    ):
        found += world.mail("bob", line)
    world.now += _WEEK
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    return found + world.letters()
