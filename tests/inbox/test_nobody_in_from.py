"""A mail without an address in From: the player of the reply address, or the SMTP sender, learns what to send."""

from collections.abc import Callable, Mapping

import pytest

from pbmserv.inbox.pipeline import MOST_ERRORS
from pbmserv.mail import signed_addresses
from pbmserv.mail.reading.headers import is_unanswerable
from tests.commands.answers import status
from tests.letters.test_digest import of_tomorrow
from tests.world import ADDRESS, World

_WORDS = "must have exactly one sender"


def _to_board(world: World) -> str:
    world.signup("alice", "bob")
    return world.mail("alice", "tumble challenge alice bob")[0].reply_to


def _to_digest(world: World) -> str:
    world.signup("alice", "bob")
    world.mail("alice", "set alice alice-secret digest=daily")
    world.mail("bob", "tumble challenge alice bob --as=bob:bob-secret")
    return of_tomorrow(world).reply_to


def _to_confirmation(world: World) -> str:
    world.signup("bob")
    world.mail("bob", "signup bob bob-secret alice@example.org")
    return world.query(lambda s: world.site.signer.sign(signed_addresses.CONFIRM, s.addresses.of(1)[-1].id))


def _to_invitation(world: World) -> str:
    world.signup("bob")
    (letter,) = [x for x in world.mail("bob", "tumble challenge bob alice@example.org") if x.to.startswith("alice")]
    return letter.reply_to


def _to_reset(world: World) -> str:
    world.signup("alice")
    (letter,) = [x for x in world.mail("alice", "forgot alice") if x.subject == "Your new password"]
    return letter.reply_to


def _to_copy(world: World) -> str:
    world.board("bob", "carol")
    world.signup("alice")
    world.mail("alice", "tumble subscribe 101 alice alice-secret")
    alice = world.player("alice")
    return world.site.signer.sign(signed_addresses.UNSUBSCRIBE, 101, alice.id)


LETTERS: Mapping[str, Callable[[World], str]] = {
    "board": _to_board,
    "digest": _to_digest,
    "confirmation": _to_confirmation,
    "invitation": _to_invitation,
    "reset": _to_reset,
    "copy": _to_copy,
}


@pytest.mark.parametrize("find", LETTERS.values(), ids=LETTERS.keys())
def test_the_reader_of_the_letter_is_told(world: World, find: Callable[[World], str]) -> None:
    to = find(world)
    world.letters()
    before = world.dump()
    (answer,) = world.bytes(b"From: Alice\r\nMessage-ID: <1@x.example>\r\n\r\nyes\r\n", to, "other@example.net")
    assert (answer.to, _WORDS in answer.flat) == ("alice@example.org", True)
    assert world.dump() == before
    assert status(world) == "refused"


@pytest.mark.parametrize("mail_from", ["alice@example.org", "ALICE@Example.ORG"])
def test_without_a_letter_the_envelope_sender_is_told(strict_world: World, mail_from: str) -> None:
    strict_world.signup("alice")
    (answer,) = strict_world.bytes(b"From: Alice\r\n\r\nlist\r\n", ADDRESS, mail_from)
    assert (answer.to.lower(), _WORDS in answer.flat) == ("alice@example.org", True)


def test_a_stranger_in_the_envelope_gets_one_notice_a_day(strict_world: World) -> None:
    data = b"From: Mallory\r\nMessage-ID: <%d@x.example>\r\n\r\nlist\r\n"
    letters = [x for n in range(3) for x in strict_world.bytes(data % n, ADDRESS, "victim@elsewhere.example")]
    assert [x.subject for x in letters] == ["How to play by mail"]


@pytest.mark.parametrize("mail_from", ["", "mailer-daemon@example.org", "no-reply@example.org"])
def test_nobody_is_told_where_nobody_would_read_it(world: World, mail_from: str) -> None:
    """Here silence is right. These are programs: an answer would begin a loop, and RFC 5321 §4.5.5 forbids one to the
    null sender, who must be accepted all the same, because reports about our letters come from there. Whoever else has
    an address that we cannot write to is told in the session (`is_unanswerable`), before the mail is taken.
    """
    world.signup("alice")
    assert world.bytes(b"From: Alice\r\n\r\nlist\r\n", ADDRESS, mail_from) == []


@pytest.mark.slow
def test_who_never_learns_it_is_no_person(world: World) -> None:
    world.signup("alice")
    data = b"From: Alice\r\nMessage-ID: <%d@x.example>\r\n\r\nlist\r\n"
    answered = [len(world.bytes(data % n, ADDRESS, "alice@example.org")) for n in range(MOST_ERRORS + 2)]
    assert answered == [1] * MOST_ERRORS + [0, 0]


@pytest.mark.parametrize("mail_from", ["joerg@example.org", "jörg@example.org"])
@pytest.mark.parametrize(
    "head",
    [
        "From: jörg@example.org",
        "From: =?utf-8?q?j=C3=B6rg?=@example.org",
        "From: =?utf-8?q?j=C3=B6rg=40example.org?=",
        "From: jörg@example.org, joerg@example.org",
        'From: "jörg@example.org" <joerg@example.org>',
        "From: jörg@example.org <joerg@example.org>",
        "From: =?utf-8?q?j=C3=B6rg=40example.org?= <joerg@example.org>",
        "From: joerg@example.org\r\nReply-To: jörg@example.org",
        "From: joerg@example.org\r\nSender: jörg@example.org",
        "From: joerg@bücher.example",
        "From: Jörg",
        "From: jörg@",
        "From: ",
        "Subject: list",
    ],
)
def test_letters_beyond_ascii_are_never_met_with_silence(world: World, head: str, mail_from: str) -> None:
    """Either the session tells the sender's own server, or a letter goes to an address that we can write to."""
    data = f"{head}\r\nMessage-ID: <1@x.example>\r\n\r\nlist\r\n".encode()
    if not is_unanswerable(data, mail_from):
        (answer,) = world.bytes(data, ADDRESS, mail_from)
        assert answer.to in ("joerg@example.org", "joerg@xn--bcher-kva.example")
