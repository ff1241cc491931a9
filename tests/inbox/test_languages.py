"""Players ask for another language in an answer to any letter, and a question changes nothing."""

import pytest

from pbmserv.inbox.lines.wishes import language_wished
from tests.commands.answers import run
from tests.world import Received, World

_HERE = {"en": "letters in English", "de": "Briefe auf Deutsch", "xx": "Leterz in Xish"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Deutsch", "de"),
        ("Bitte auf Deutsch!", "de"),
        ("Schreib mal auf Deutsch", "de"),
        ("in German, please", "de"),
        ("Do you speak German?", "de"),
        ("in English please", "en"),
        ("Auf Englisch, bitte", "en"),
        ("en español por favor", "es"),
        ("Xish please", "xx"),
        ("German or English", ""),
        ("German opening", ""),
        ("I am from Italy, no Italian here", ""),
        ("please", ""),
        ("Hola German!", ""),
    ],
)
def test_a_line_that_asks_for_a_language(line: str, code: str) -> None:
    assert language_wished(line, _HERE) == code


@pytest.mark.parametrize(("below", "code"), [("", "en"), ("Thanks!", "en"), ("e4", ""), ("An old opening", "")])
def test_the_name_of_a_language_above_other_words_is_that_of_an_opening(below: str, code: str) -> None:
    assert language_wished("English!", _HERE, below) == code
    assert language_wished("English please", _HERE, below) == "en"


def _begin(world: World, kind: str) -> Received:
    """Return a letter to alice about a board, or the one that a newcomer gets."""
    world.signup("alice", "bob")
    if kind == "welcome":
        return world.mail("alice", "hello")[0]
    return next(x for x in run(world, "alice", "chess challenge alice bob") if x.to.startswith("alice"))


@pytest.mark.parametrize("kind", ["board", "welcome"])
@pytest.mark.parametrize(
    ("line", "told", "language"),
    [
        ("Bitte auf Deutsch", "Von jetzt an bekommst du Briefe auf Deutsch.", "de"),
        ("Sprichst du Deutsch?", "answer with the name of the language alone", "en"),
        ("en español por favor", "This server writes no letters in that language.", "en"),
    ],
)
def test_letters_in_another_language(world: World, kind: str, line: str, told: str, language: str) -> None:
    (answer,) = world.reply(world.once(_begin, kind), line)
    assert told in answer.flat
    alice = world.player("alice").id
    assert world.query(lambda s: s.players.preferences([alice]))[alice].language == language


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("zeigen", "chess show 101"),
        ("züge 101", "chess legal 101 alice PASSWORD"),
        ("Aufgeben", "chess resign 101 alice PASSWORD"),
        ("Schach", "play chess"),
        ("schach aufgeben 101", "chess resign 101 alice PASSWORD"),
        ("mühle zeigen", "morris show"),
    ],
)
def test_a_new_mail_with_words_of_another_language_is_told_what_to_send(world: World, subject: str, line: str) -> None:
    world.once(_begin, "board")
    before = world.dump()
    (answer,) = world.mail("alice", subject)
    assert line in answer.flat
    assert world.dump() == before


def test_a_command_names_its_game_in_any_language(world: World) -> None:
    world.once(_begin, "board")
    world.mail("alice", "Schach move 101 alice alice-secret e4")
    assert world.row().board.length == 1


@pytest.mark.parametrize("line", ["Do you play chess?", "Can we play chess", "Spielst du Schach?"])
def test_a_question_about_a_game_begins_nothing(world: World, line: str) -> None:
    letter = world.once(_begin, "welcome")
    before = world.dump()
    for answer in (*world.reply(letter, line), *world.mail("alice", line)):
        assert "write nothing else on that line but: play chess" in answer.flat
    assert world.dump() == before
