"""Answers that have the letter in them in a form that nobody knows: the server knows its own letters."""

import random
import re
from email import policy
from email.message import EmailMessage
from html import unescape
from itertools import product

import pytest
import sqlalchemy as sa

from pbmserv import games
from pbmserv.db import tables
from pbmserv.mail.reading import body, mime
from pbmserv.mail.reading.quotes import is_doubtful, own_words
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES
from tests.commands.answers import run, to
from tests.examples import SOAK, spread
from tests.inbox.test_cases import comment_in
from tests.mail.reading.test_own_letter import FORMS, INTRODUCTIONS, SIGNS, in_the_form
from tests.world import Received, World

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


@pytest.mark.slow
def test_a_pasted_letter_is_no_comment(world: World, letter: Received) -> None:
    assert comment_in(to(pasted(world, letter), "bob")) == COMMENT


@pytest.mark.slow
def test_a_letter_that_is_no_longer_kept_is_made_again_from_the_log(world: World, letter: Received) -> None:
    with world.engine.begin() as connection:
        connection.execute(sa.delete(tables.outbox))
    text = letter.text.replace("bob writes:\n    Nice shot!\n\n    But how long will\n    it last?\n\n", "")
    assert comment_in(to(pasted(world, letter, text), "bob")) == COMMENT


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["language=de", "mail=spoken", "mail=text", "language=de mail=spoken"])
def test_letters_of_all_kinds_of_readers(world: World, letter: Received, settings: str) -> None:
    run(world, "alice", f"set alice alice-secret {settings}")
    shown = to(world.reply(letter, "show"), "alice")
    assert comment_in(to(pasted(world, shown, to=letter.reply_to), "bob")) == COMMENT


SENT = "From: PBM Server <pbmserv@games.example>\nSent: Sunday, March 1, 2026\nTo: alice@example.org\nSubject: Re: x\n"
GESENDET = f"{'_' * 32}\nVon: PBM Server <pbmserv@games.example>\nGesendet: 1. März 2026 12:00\nAn: alice@example.org\n"
NOT_READ = "If you wrote something there, please send it again above all quotes."


@pytest.mark.parametrize(
    ("form", "comment"),
    [
        ("b3\n\n{block}\n{letter}\n\nSo far.", "So far."),
        ("{block}\n{letter}\n\nb3\n\nSo far.\n\n-- \nAlice", "So far."),
        ("b3\n\nSo far.\n\n{block}\n{letter}", "So far."),
        ("b3\n\nHello\n\n{block}\n{linked}\n\nSo far.\n\n{block}\nolder words of mine", "Hello\n\nSo far."),
        ("b3\n\n{block}\n{asked}\n\nSo far.", "It will not take long.\n\nSo far."),
        ("b3\n\n{block}\n{begin}\n\nSo far.", "So far."),  # the rest of the letter was deleted
    ],
)
@pytest.mark.parametrize("block", [SENT, GESENDET])
def test_words_below_a_letter_that_has_no_marks(
    world: World, letter: Received, form: str, comment: str, block: str
) -> None:
    forms = {
        "letter": letter.text,
        "linked": letter.text.replace("resign,", "resign<mailto:pbmserv+b101@games.example?body=resign>,"),
        "asked": letter.text.replace("it last?", "it last?\n\nIt will not take long."),
        "begin": letter.text.partition("bob writes")[0],
    }
    text = form.format(block=block, **forms)
    mine, his = world.mail("alice", f"Re: {letter.subject}", text, to=letter.reply_to)
    assert comment_in(his) == comment
    assert NOT_READ not in mine.flat


@pytest.mark.parametrize(("below", "played"), [("b3", ["b3"]), ("", [])])
def test_the_first_line_is_none_of_those_within_a_letter(
    world: World, letter: Received, below: str, played: list[str]
) -> None:
    """A program may change a line that the other player has written, so that it is no longer known."""
    length = world.row().board.length
    changed = letter.text.replace("it last?", "it last?\n\n    ich gebe auf")
    world.mail("alice", f"Re: {letter.subject}", f"{SENT}\n{changed}\n\n{below}", to=letter.reply_to)
    assert [e.text for e in world.query(lambda s: s.boards.entries(101))][length:] == played


@pytest.mark.parametrize("language", ["en", "de"])
def test_who_has_another_mail_below_is_told_that_it_was_not_read(world: World, letter: Received, language: str) -> None:
    run(world, "alice", f"set alice alice-secret own=off language={language}")
    text = f"b3\n\nHello\n\n{SENT}\nI said that I cannot come.\n\nSee what he said!"
    mine, his = world.mail("alice", f"Re: {letter.subject}", text, to=letter.reply_to)
    assert comment_in(his) == "Hello"
    assert (NOT_READ if language == "en" else "über allen Zitaten") in mine.flat
    (answer,) = world.mail("alice", "help", f"{SENT}\nHello")
    assert (NOT_READ if language == "en" else "über allen Zitaten") in answer.flat


@pytest.mark.both
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


#: How programs write an image of a letter that they quote in plain text.
SIGNS_OF_IMAGES = {
    "Gmail": "[image: {alt}]",
    "Outlook": "[cid:{id}]",
    "Apple Mail": "<{name}>",
    "its words": "{alt}",
    "Thunderbird": "",
}


@pytest.mark.parametrize("mark", ["> ", ""], ids=["marked", "bare"])
@pytest.mark.parametrize("program", SIGNS_OF_IMAGES)
def test_an_answer_with_the_picture(world: World, letter: Received, program: str, mark: str) -> None:
    (png,) = (part for part in letter.message.walk() if part.get_content_type() == "image/png")
    (alt,) = re.findall(r'<img [^>]*alt="([^"]+)"', letter.html)
    sign = SIGNS_OF_IMAGES[program].format(alt=unescape(alt), id=png["Content-ID"].strip("<>"), name=png.get_filename())
    above, diagram, below = letter.text.partition("    The enemy's sea")
    quote = "\n".join(f"{mark}{line}" for line in f"{above}{sign}\n\n{diagram}{below}".split("\n"))
    answer = EmailMessage(policy.SMTP)
    answer["From"], answer["To"], answer["Subject"] = "alice@example.org", letter.reply_to, "Re: x"
    answer["Message-ID"] = "<1@x.example>"
    answer.set_content(f"b3\n\nSo far.\n\nOn Sunday, PBM Server <{letter.reply_to}> wrote:\n\n{quote}\n")
    answer.add_alternative(f"<div>b3</div><blockquote>{letter.html}</blockquote>", subtype="html")
    _, rich = answer.iter_parts()
    rich.add_related(png.get_content(), "image", "png", cid=str(png["Content-ID"]), disposition="inline")
    data = answer.as_bytes()
    assert len(data) < MOST_MESSAGE_BYTES // 3
    assert comment_in(to(world.bytes(data, to=letter.reply_to), "bob")) == "So far."


def test_a_short_comment_costs_no_statement(world: World, letter: Received) -> None:
    statements: list[str] = []
    sa.event.listen(world.engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    world.reply(letter, "b3\n\nNice shot!")
    assert not any("LIMIT" in words and "FROM outbox" in words for words in statements)


@pytest.mark.slow
@pytest.mark.parametrize("key", spread([g.info.key for g in games.listed() if max(g.info.seats) > 1], every=6))
def test_letters_of_all_games_are_known_in_every_form(world: World, key: str) -> None:
    letter, chance = _after_some_moves(world, key), random.Random(key)
    html = body.words_of(letter.html)
    ways = list(product((letter.text, html), SIGNS, (True, False)))
    for form, sign, bare in ways if SOAK > 1 else chance.sample(ways, len(ways) // 3):
        quote = in_the_form(form, sign, chance.choice([0, 65, 70, 76]), bare=bare)
        text = f"zz9\n\n{COMMENT}\n\n{chance.choice(INTRODUCTIONS)}\n\n{quote}\n"
        words = own_words(text)
        assert is_doubtful(text, words) or words == f"zz9\n\n{COMMENT}"
        assert own_words(text, [letter.text, html]) == f"zz9\n\n{COMMENT}"
    inside = letter.html.partition("<body>")[2].partition("</body>")[0]
    for form in FORMS:
        mail = f"Content-Type: text/html; charset=utf-8\n\n<div>zz9</div><p>So far.</p>{form.format(inside)}"
        assert own_words(body.text(mime.tree(mail.encode())), [letter.text, html]) == "zz9\nSo far."


def _after_some_moves(world: World, key: str) -> Received:
    """Play a few moves with comments; returns the last letter to alice."""
    names = ["alice", "bob", "carol", "dave"]
    seats = min(n for n in games.find(key).info.seats if n > 1)
    world.signup(*names)
    letters = run(world, "alice", f"{key} challenge {' '.join(names[:seats])}")
    for _ in range(5):
        row = world.row()
        seat = min(row.board.to_move)
        move = row.game.example(row.board.position, seat)
        letters = run(world, names[seat], f"{key} move 101 {names[seat]} {names[seat]}-secret {move}", f"{COMMENT}!")
    return next(x for x in reversed(letters) if x.to == "alice@example.org")
