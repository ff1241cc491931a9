"""Answers that have the letter in them in a form that nobody knows: the server knows its own letters."""

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from tests.commands.answers import run, to
from tests.inbox.test_cases import comment_in
from tests.world import Received, World

pytestmark = pytest.mark.sqlite

FLEET = "a1-a5/c1-c4/e1-e3/g1-g3/i1-i2"
COMMENT = "So far, so good.\n\nAnd now?"


@pytest.fixture
def letter(world: World) -> Received:
    """The letter to alice that it is her turn to shoot; bob has written something to her."""
    return world.once(_begin)


def _begin(world: World) -> Received:
    world.signup("alice", "bob")
    run(world, "alice", "battleship challenge alice bob")
    run(world, "alice", f"battleship move 101 alice alice-secret {FLEET}")
    run(world, "bob", "battleship move 101 bob bob-secret random")
    run(world, "alice", "battleship move 101 alice alice-secret b2")
    return to(
        run(world, "bob", "battleship move 101 bob bob-secret a3", "Nice shot!\n\nBut how long will\nit last?"), "alice"
    )


def pasted(world: World, letter: Received, text: str = "", to: str = "", subject: str = "") -> list[Received]:
    """Answer with a move, a comment, and the letter pasted below without any sign."""
    text = f"b3\n\n{COMMENT}\n\n{text or letter.text}"
    headers = {"In_Reply_To": str(letter.message["Message-ID"])}
    return world.mail("alice", subject or f"Re: {letter.subject}", text, to=to or letter.reply_to, **headers)


def test_a_pasted_letter_is_no_comment(world: World, letter: Received) -> None:
    assert comment_in(to(pasted(world, letter), "bob")) == COMMENT


def test_a_letter_that_is_no_longer_kept_is_made_again_from_the_log(world: World, letter: Received) -> None:
    with world.engine.begin() as connection:
        connection.execute(sa.delete(tables.outbox))
    text = letter.text.replace("bob writes:\n    Nice shot!\n\n    But how long will\n    it last?\n\n", "")
    assert comment_in(to(pasted(world, letter, text), "bob")) == COMMENT


@pytest.mark.parametrize("settings", ["language=de", "mail=spoken", "mail=text", "language=de mail=spoken"])
def test_letters_of_all_kinds_of_readers(world: World, letter: Received, settings: str) -> None:
    run(world, "alice", f"set alice alice-secret {settings}")
    shown = to(world.reply(letter, "show"), "alice")
    assert comment_in(to(pasted(world, shown, to=letter.reply_to), "bob")) == COMMENT


def test_an_answer_about_a_mistake_is_known_by_its_message_id(world: World, letter: Received) -> None:
    (mistake,) = world.reply(letter, "nonsense")
    assert "not understood" in mistake.flat
    assert comment_in(to(pasted(world, mistake), "bob")) == COMMENT


def test_a_command_as_the_subject(world: World, letter: Received) -> None:
    body = f"{COMMENT}\n\n{letter.text}"
    headers = {"In_Reply_To": str(letter.message["Message-ID"])}
    letters = world.mail("alice", "battleship move 101 alice alice-secret b3", body, **headers)
    assert comment_in(to(letters, "bob")) == COMMENT


def test_an_html_answer(world: World, letter: Received) -> None:
    inside = letter.html.partition("<body>")[2].partition("</body>")[0]
    data = (
        f"From: alice@example.org\r\nTo: {letter.reply_to}\r\nMessage-ID: <1@x.example>\r\nSubject: Re: x\r\n"
        f"Content-Type: text/html; charset=utf-8\r\n\r\n<div>b3</div><br><div>So far.</div><hr><div>{inside}</div>"
    )
    assert comment_in(to(world.bytes(data.encode(), to=letter.reply_to), "bob")) == "So far."


def test_a_short_comment_costs_no_statement(world: World, letter: Received) -> None:
    statements: list[str] = []
    sa.event.listen(world.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    world.reply(letter, "b3\n\nNice shot!")
    assert not any("LIMIT" in words and "FROM outbox" in words for words in statements)
