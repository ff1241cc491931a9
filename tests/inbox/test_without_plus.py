"""A provider that takes no mail to signed addresses: signed words in the subject, or in the quote, do what these do."""

import pytest

from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import Incoming
from pbmserv.server.outbox import StoredOutbox
from tests.commands.answers import to
from tests.inbox.mails import message
from tests.letters.html import taps
from tests.world import ADDRESS, Received, World

pytestmark = pytest.mark.sqlite

_NUMBERS = {"b": (101, 0, 0), "o": (101, 0, 0, 7), "x": (101, 0, 0), "q": (101, 0, 0)}


@pytest.fixture
def letter(world: World) -> Received:
    """The letter to alice that it is her turn."""
    world.allow(plus=False)
    return world.once(_begin)


def _begin(world: World) -> Received:
    world.signup("alice", "bob")
    return to(world.mail("alice", "tumble challenge alice bob -c"), "alice")


@pytest.mark.parametrize("subject", ["Re: Your turn {}", "{} stop", "=?utf-8?q?R=C3=A9=3A_Zug_?=\r\n =?utf-8?q?{}?="])
def test_words_in_the_subject_mean_what_the_address_means(world: World, subject: str) -> None:
    for purpose in signed_addresses.ANSWERED:
        signed = world.site.signer.sign(purpose, *_NUMBERS.get(purpose, (1, 1)))
        title = subject.format(f"[{signed_addresses.words_of(signed)}]")
        plain = message("alice", "x", "yes").replace(b"Subject: x", f"Subject: {title}".encode())
        bare = plain.replace(title.encode(), subject.format("").encode())
        by_subject = world.prepare(Incoming(plain, "alice@example.org", (ADDRESS,)))
        by_address = world.prepare(Incoming(bare, "alice@example.org", (signed,)))
        assert by_subject.request.token or by_subject.request.welcomed
        assert by_subject.request == by_address.request
        assert by_subject.mail.subject == by_address.mail.subject
        assert by_subject.mail.is_generated == by_address.mail.is_generated


def test_a_letter_is_answered_at_the_plain_address(world: World, letter: Received) -> None:
    title, _, words = letter.subject.partition(" [")
    assert (title, words[:7], letter.reply_to) == ("Tumble Board 101 alice", "b101.0.", ADDRESS)
    assert letter.text.rstrip().splitlines()[-1].startswith("Leave this line in your answer: [b101.0.")
    assert b"+" not in letter.data.partition(b"\r\n\r\n")[0].replace(b"+0000", b"")
    (first,) = StoredOutbox(world.engine, world.site, lambda: world.now).claim(1, 60)
    assert first.mail_from == ADDRESS
    world.reply(letter, "h4-g5t")
    assert world.row().board.length == 1


def test_a_touched_link_plays(world: World, letter: Received) -> None:
    (tap,) = [tap for tap in taps(letter.html) if tap.body == "resign\r\n\r\n"]
    assert (tap.to, tap.subject) == (ADDRESS, f"Re: {letter.subject}")
    world.mail("alice", tap.subject, tap.body, to=tap.to)
    assert world.row().board.result


@pytest.mark.parametrize(("sender", "moves"), [("alice", 1), ("ALICE@example.ORG", 1), ("bob", 0), ("spy", 0)])
def test_the_quoted_line_serves_only_its_reader(world: World, letter: Received, sender: str, moves: int) -> None:
    world.reply(letter, "h4-g5t", sender, subject="hello again")
    assert world.row().board.length == moves


def test_words_of_a_quote_do_nothing_in_a_subject(world: World, letter: Received) -> None:
    """They are signed for mails of one reader, and so is nothing else."""
    words = letter.text.rpartition("[")[2].partition("]")[0]
    world.mail("alice", f"Re: Tumble Board 101 alice [{words}]", "h4-g5t")
    world.mail(f"pbmserv+{words}@games.example", "x", "h4-g5t", to=f"pbmserv+{words}@games.example")
    assert world.row().board.length == 0


@pytest.mark.parametrize("subject", ["", "hello again"])
def test_they_end_with_the_password(world: World, letter: Received, subject: str) -> None:
    world.mail("alice", "change password alice alice-secret new-secret")
    (new,) = world.reply(letter, "h4-g5t", subject=subject)
    assert world.row().board.length == 0
    assert "You have set another password since that letter" in new.flat
    world.reply(new, "h4-g5t")
    assert world.row().board.length == 1


def test_opponents_get_no_signed_words(world: World, letter: Received) -> None:
    """Neither with a move nor in a message, whichever of the two signatures they have."""
    both = f"{letter.subject}\n{letter.text.rstrip().splitlines()[-1]}"
    signed = [part.partition("]")[0] for part in both.split("[")[1:]]
    letters = [*world.reply(letter, f"h4-g5t\n{both}"), *world.mail("alice", "message alice alice-secret bob", both)]
    told = "\n".join(x.text + x.html for x in letters if x.to == "bob@example.org")
    assert told.count("[left out]") >= 2
    assert len(signed) == 2
    assert not [words for words in signed if words in told]


def test_letters_are_stopped_by_a_subject(world: World, letter: Received) -> None:
    world.mail("carol", "tumble subscribe 101 carol@example.org")
    world.signup("carol")
    world.mail("carol", "tumble subscribe 101 carol carol-secret")
    copy = to(world.reply(letter, "h4-g5t"), "carol")
    where, _, subject = copy.message["List-Unsubscribe"].strip("<>").removeprefix("mailto:").partition("?subject=")
    (answer,) = world.mail("carol", subject.replace("%20%5B", " [").replace("%5D", "]"), to=where)
    assert where == ADDRESS
    assert "no more" in answer.flat


def test_an_answer_that_has_lost_all_is_told_so(world: World, letter: Received) -> None:
    (answer,) = world.mail("alice", "Re: Tumble Board 101 alice", "h4-g5t", In_Reply_To=letter.message["Message-ID"])
    assert "Your mail lacks the words in brackets" in answer.flat
    assert "pbmserv+" not in answer.text + answer.html
    world.reply(answer, "h4-g5t")
    assert world.row().board.length == 1
