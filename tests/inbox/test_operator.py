"""Mail to postmaster and abuse goes unchanged to the people who run the server, and to nobody else."""

from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage

import pytest

from pbmserv.inbox.run import MOST_ATTACHED, MOST_FOR_OPERATOR, MOST_OF_ORIGIN
from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN, Incoming
from tests.commands.answers import status
from tests.world import ADDRESS, Received, World

OPERATOR = "owner@elsewhere.example"
MAIL = b"From: Eve <eve@example.net>\r\nMessage-ID: <%d@x.example>\r\nSubject: Hello\r\n\r\nYour server \xe9\xff.\r\n"


@pytest.fixture
def run(strict_world: World) -> World:
    """A public server whose operator can be reached."""
    policy = replace(strict_world.site.policy, operator=OPERATOR)
    strict_world.site = replace(strict_world.site, policy=policy)
    strict_world.use(strict_world.site.renderer)
    return strict_world


def _attached(letter: Received) -> bytes:
    (part,) = [p for p in message_from_bytes(letter.data).walk() if p.get_filename()]
    found = part.get_payload(decode=True)
    assert isinstance(found, bytes)
    return found


@pytest.mark.parametrize("to", ["postmaster", "Postmaster", "postmaster@games.example", "abuse@games.example"])
def test_it_is_attached_byte_for_byte(run: World, to: str) -> None:
    assert run.site.signer.accepts(to)
    (letter,) = run.bytes(MAIL % 1, to, "eve@example.net")
    assert (letter.to, letter.reply_to) == (OPERATOR, "eve@example.net")
    assert letter.message["From"].addresses[0].addr_spec == ADDRESS
    assert "It says that it comes from eve@example.net." in letter.flat
    assert _attached(letter) == MAIL % 1
    assert status(run) == "done"


@pytest.mark.parametrize("mail_from", ["", "mailer-daemon@example.net"])
def test_bounces_and_machines_are_passed_on(run: World, mail_from: str) -> None:
    data = b"From: MAILER-DAEMON@example.net\r\nAuto-Submitted: auto-generated\r\nSubject: Complaint\r\n\r\nx\r\n"
    (letter,) = run.bytes(data, "abuse@games.example", mail_from)
    assert _attached(letter) == data


def test_a_command_is_not_run_there(run: World) -> None:
    run.signup("alice", "bob")
    before = run.dump()
    line = b"From: alice@example.org\r\nSubject: tumble challenge alice bob --as=alice:alice-secret\r\n\r\n"
    assert [x.to for x in run.bytes(line, "postmaster")] == [OPERATOR]
    assert run.dump() == before


def test_a_mail_to_both_is_read_too(run: World) -> None:
    run.signup("alice")
    incoming = Incoming(b"From: alice@example.org\r\nSubject: games\r\n\r\n", "x@example.org", (ADDRESS, "postmaster"))
    assert run.pipeline.handle([run.prepare(incoming)]) == [ACCEPTED]
    assert sorted(x.to for x in run.letters()) == ["alice@example.org", OPERATOR]


@pytest.mark.slow
def test_a_flood_reaches_them_up_to_a_bound(run: World) -> None:
    """The sender of a mail beyond the bound keeps it and tries again: nothing that was accepted is dropped."""
    replies = []
    for n in range(MOST_FOR_OPERATOR + 3):
        run.peer = f"192.0.2.{n}"
        replies.append(hand_in(run, MAIL % n))
    assert replies == [ACCEPTED] * MOST_FOR_OPERATOR + [TRY_AGAIN] * 3
    assert [x.to for x in run.letters()] == [OPERATOR] * MOST_FOR_OPERATOR
    run.now += timedelta(days=1, minutes=1)
    assert hand_in(run, MAIL % 99) == ACCEPTED


def hand_in(run: World, data: bytes) -> str:
    """Hand in a mail to postmaster. Returns the reply."""
    incoming = Incoming(data, "x@example.org", ("postmaster",), run.peer)
    (reply,) = run.pipeline.handle([run.prepare(incoming)])
    return reply


def test_a_flood_of_one_stranger_leaves_room_for_others(run: World) -> None:
    replies = [hand_in(run, MAIL % n) for n in range(MOST_OF_ORIGIN + 3)]
    assert replies == [ACCEPTED] * MOST_OF_ORIGIN + [TRY_AGAIN] * 3
    assert len(run.letters()) == MOST_OF_ORIGIN
    run.peer = "192.0.2.2"
    assert [x.to for x in run.bytes(MAIL % 99, "postmaster")] == [OPERATOR]


@pytest.mark.slow
def test_a_flood_of_mails_to_both_has_the_same_bound(run: World) -> None:
    """A command that fails is undone, but the letter to the operator counts."""
    replies = []
    for n in range(MOST_OF_ORIGIN + 3):
        data = MAIL.replace(b"Hello", b"tumble resign 999 alice wrong-secret") % n
        incoming = Incoming(data, "eve@example.net", ("postmaster", ADDRESS), run.peer)
        replies += run.pipeline.handle([run.prepare(incoming)])
    assert replies == [ACCEPTED] * MOST_OF_ORIGIN + [TRY_AGAIN] * 3
    assert [x.to for x in run.letters()].count(OPERATOR) == MOST_OF_ORIGIN


@pytest.mark.slow
@pytest.mark.parametrize("peer", ["", "127.0.0.1"])
def test_behind_our_own_mail_server_all_share_one_bound(run: World, peer: str) -> None:
    run.peer = peer
    replies = [hand_in(run, MAIL % n) for n in range(MOST_FOR_OPERATOR + 3)]
    assert replies == [ACCEPTED] * MOST_FOR_OPERATOR + [TRY_AGAIN] * 3


def test_a_long_mail_is_cut(run: World) -> None:
    head = b"From: eve@example.net\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
    data = head + b"Content-Disposition: attachment\r\n\r\n" + b"x" * MOST_ATTACHED + b"\r\n--b--\r\n"
    (letter,) = run.bytes(data, "postmaster")
    assert _attached(letter) == data[:MOST_ATTACHED]
    assert f"the first {MOST_ATTACHED} are attached" in letter.flat


def test_our_own_letter_and_a_loop_go_nowhere(run: World) -> None:
    (letter,) = run.bytes(MAIL % 1, "postmaster")
    assert run.bytes(letter.data, "postmaster") == []
    assert run.bytes(b"Received: from a by b\r\n" * 51 + MAIL % 2, "postmaster") == []


@pytest.mark.parametrize("sender", ["postmaster@games.example", "pbmserv+b1.0.0.aaaaaaaaaaaaaaaa@games.example"])
def test_an_answer_of_his_never_goes_to_ourselves(run: World, sender: str) -> None:
    message = EmailMessage()
    message["From"], message["Message-ID"] = sender, "<1@x.example>"
    (letter,) = run.bytes(message.as_bytes(), "postmaster")
    assert letter.reply_to == str(letter.message["From"])


def test_without_an_operator_it_is_mail_to_the_server(strict_world: World) -> None:
    (notice,) = strict_world.bytes(MAIL % 1, "abuse@games.example")
    assert (notice.to, notice.subject) == ("eve@example.net", "How to play by mail")
