"""No two machines send each other mails without end, whatever they are."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbmserv.commands import command_language
from pbmserv.inbox.pipeline import MOST_ERRORS, Pipeline
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer
from tests.world import Received, World


def server(folder: Path, address: str) -> World:
    """Return a server that answers everybody, with an address and a key of its own."""
    folder.mkdir()
    world = World(folder)
    world.site = replace(world.site, signer=Signer(address, address.encode()))
    world.pipeline = Pipeline(world.engine, world.site, command_language(), world.seal.close, lambda: world.now)
    return world


def exchange(one: World, other: World, letters: list[Received], mails: int) -> int:
    """Hand every letter to the server it is for, until there is none. Return how many letters were handed over."""
    count = 0
    while letters and count < mails:
        letter = letters.pop(0)
        count += 1
        there = next((w for w in (one, other) if w.site.signer.accepts(letter.to)), None)
        if there is not None:
            sender = (other if there is one else one).site.signer.sign(signed_addresses.VERP, count)
            letters += there.bytes(letter.data, letter.to, sender)
    return count


@pytest.mark.parametrize("known", [True, False], ids=["players of each other", "strangers"])
@pytest.mark.parametrize("subject", ["signup alice alice-secret pbmserv@b.example", "games", "What is this?"])
def test_two_servers_stop_within_two_mails(tmp_path: Path, subject: str, known: bool) -> None:
    a, b = server(tmp_path / "a", "pbmserv@a.example"), server(tmp_path / "b", "pbmserv@b.example")
    if known:
        a.mail("x@example.org", "signup bob bob-secret pbmserv@b.example")
        b.mail("x@example.org", "signup adam adam-secret pbmserv@a.example")
    first = a.mail("pbmserv@b.example", subject)
    assert first
    assert exchange(a, b, first, 10) <= 2
    a.close()
    b.close()


def test_our_own_letters_that_come_back_do_nothing(world: World) -> None:
    world.signup("alice", "bob")
    letters = world.mail("alice", "tumble challenge alice bob") + world.mail("alice", "nonsense")
    before = world.dump()
    for letter in letters:
        assert world.bytes(letter.data, letter.reply_to, letter.to) == []
    assert world.dump() == before


def test_a_player_whose_address_is_the_server_s_own_makes_no_loop(world: World) -> None:
    letters = world.mail("eve", "signup eve eve-secret pbmserv@games.example")
    letters += world.mail("eve", "tumble challenge eve eve --as=eve:eve-secret")
    for letter in letters:
        assert world.bytes(letter.data, letter.to, letter.to) == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Auto_Submitted": "auto-generated"},
        {"Precedence": "auto_reply"},
        {"Precedence": "bulk"},
        {"List_Id": "<list.example>"},
        {"List_Post": "<mailto:list@list.example>"},
        {"From": "postmaster@example.org"},
        {"From": "MAILER-DAEMON@example.org"},
        {"From": "no-reply@example.org"},
        {"Return_Path": "<>"},
    ],
    ids=str,
)
@pytest.mark.parametrize("subject", ["Out of office", "tumble resign 101 alice alice-secret", "games"])
def test_what_says_that_it_is_a_machine_is_never_answered(world: World, headers: dict[str, str], subject: str) -> None:
    number = world.board("alice", "bob")
    headers = dict(headers)
    sender = headers.pop("From", "alice")
    letter = world.mail("bob", f"tumble showas bob bob-secret {number}")[0]
    for to in ("pbmserv@games.example", letter.reply_to, "postmaster@games.example"):
        assert world.mail(sender, subject, to=to, **headers) == []
    assert world.row(number).board.result is None


def test_an_out_of_office_that_answers_every_letter_hears_nothing(world: World) -> None:
    world.board("alice", "bob")
    letters = world.mail("bob", "tumble challenge alice bob")
    for letter in letters:
        for _ in range(3):
            away = {"Auto_Submitted": "auto-replied (vacation)"}
            assert world.mail("alice", f"Re: {letter.subject}", "I am away.", to=letter.reply_to, **away) == []


@pytest.mark.slow
def test_an_automaton_that_does_not_say_so_is_answered_a_hundred_times_a_day(world: World) -> None:
    number = world.board("alice", "bob")
    letters = world.mail("bob", f"tumble move {number} bob bob-secret nonsense")[:1]
    count = 0
    while letters and count < 2 * MOST_ERRORS:
        count += 1
        letters = world.reply(letters[0], "I am away until Monday.", subject="Away")
    assert count == MOST_ERRORS
    assert world.mail("alice", "games") != []


def test_a_null_sender_is_never_answered(world: World) -> None:
    world.signup("alice")
    data = b"From: alice@example.org\r\nSubject: games\r\n\r\n"
    assert world.bytes(data, mail_from="") == []
