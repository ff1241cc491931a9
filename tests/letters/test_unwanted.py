"""A reader whose provider reports a letter as spam gets fewer letters; a forged report changes nothing."""

from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.server.clock import Clock
from tests.world import ADDRESS, World

_REPORT = """\
From: feedback@arf.example.net\r
To: abuse@games.example\r
Message-ID: <{n}@arf.example.net>\r
Content-Type: multipart/report; report-type=feedback-report; boundary=b\r
\r
--b\r
\r
Somebody called this spam.\r
--b\r
Content-Type: message/feedback-report\r
\r
Feedback-Type: abuse\r
Original-Mail-From: <{address}>\r
--b\r
Content-Type: message/rfc822\r
\r
From: PBM Server <pbmserv@games.example>\r
Reply-To: {reply_to}\r
Subject: Tumble Board 101 bob\r
\r
--b--\r
"""
_HOTMAIL = """\
From: staff@hotmail.com\r
To: pbmserv@games.example\r
Message-ID: <{n}@hotmail.example>\r
Subject: complaint about message from 192.0.2.1\r
Content-Type: multipart/mixed; boundary=b\r
\r
--b\r
Content-Type: message/rfc822\r
\r
Return-Path: {address}\r
Reply-To: {reply_to}\r
\r
--b--\r
"""


def _report(world: World, form: str = _REPORT, address: str = "", reply_to: str = "", to: str = ADDRESS) -> None:
    world.count += 1
    data = form.format(n=world.count, address=address, reply_to=reply_to)
    assert world.bytes(data.encode(), to, mail_from="") == []


def _letter_to(world: World, userid: str) -> int:
    with world.engine.connect() as connection:
        c = tables.outbox.c
        query = sa.select(c.id).where(c.recipient == f"{userid}@example.org").order_by(c.id.desc())
        return int(connection.execute(query).scalars().first() or 0)


def _fewer(world: World, userid: str) -> bool:
    id_ = world.player(userid).id
    return world.query(lambda s: s.players.preferences([id_]))[id_].wants_fewer


@pytest.fixture
def board(world: World) -> World:
    """Board 101 of alice and bob, who wants broadcasts."""
    world.board("alice", "bob")
    world.mail("bob", "set bob bob-secret broadcasts=on")
    return world


@pytest.mark.both
@pytest.mark.parametrize("form", [_REPORT, _HOTMAIL])
@pytest.mark.parametrize("to", [ADDRESS, "abuse@games.example"])
def test_a_report_that_quotes_the_envelope_sender_counts(board: World, form: str, to: str) -> None:
    _report(board, form, address=board.site.signer.sign("v", _letter_to(board, "bob")), to=to)
    assert (_fewer(board, "bob"), _fewer(board, "alice")) == (True, False)
    (event,) = board.query(lambda s: s.operations.events(about="player bob"))
    assert (event.what, event.why) == ("player bob: fewer letters", "called a letter spam")


def test_a_report_that_quotes_the_signed_reply_address_counts(board: World) -> None:
    _report(board, reply_to=board.site.signer.sign("b", 101, 1, 0))
    assert _fewer(board, "bob")


def test_a_report_about_a_letter_whose_answers_go_to_the_plain_address_counts(board: World) -> None:
    """Its Message-ID tells which letter it is (ADR 92)."""
    board.allow(plus=False)
    (letter,) = board.mail("bob", "games")
    _report(board, reply_to=f"{ADDRESS}\r\nTo: bob@example.org\r\nMessage-ID: {letter.message['Message-ID']}")
    assert _fewer(board, "bob")


@pytest.mark.slow
def test_words_reminders_and_invitations_stop_and_boards_go_on(board: World) -> None:
    _report(board, address=board.site.signer.sign("v", _letter_to(board, "bob")))
    for line in ("message alice alice-secret bob", "broadcast alice alice-secret"):
        assert "bob@example.org" not in {x.to for x in board.mail("alice", line, "Hello!")}
    assert "bob@example.org" in {x.to for x in board.mail("alice", "tumble move 101 alice alice-secret c1-c2")}
    board.now += timedelta(days=10)
    Clock(board.engine, board.site, lambda: board.now, gap=1e9).sweep()
    assert board.letters() == []
    assert "bob@example.org" not in {x.to for x in board.mail("alice", "tumble challenge alice bob@example.org")}


def test_its_reader_can_take_it_back(board: World) -> None:
    _report(board, address=board.site.signer.sign("v", _letter_to(board, "bob")))
    (answer,) = board.mail("bob", "set bob bob-secret")
    assert "fewer=on" in answer.text.replace(" ", "")
    board.mail("bob", "set bob bob-secret fewer=off")
    assert "bob@example.org" in {x.to for x in board.mail("alice", "message alice alice-secret bob", "Hello!")}


@pytest.mark.parametrize("address", ["pbmserv+v2.aaaaaaaaaaaaaaaa@games.example", "bob@example.org", "pbmserv+v999@x"])
def test_a_forged_report_changes_nothing(board: World, address: str) -> None:
    before = board.dump()
    _report(board, address=address, reply_to="pbmserv+b101.1.0.aaaaaaaaaaaaaaaa@games.example")
    _report(board, _HOTMAIL, address=address)
    assert board.dump() == before


def test_an_ordinary_mail_with_such_an_address_is_no_report(board: World) -> None:
    address = board.site.signer.sign("v", _letter_to(board, "bob"))
    board.mail("alice", "message alice alice-secret alice", f"Look: {address}")
    assert not _fewer(board, "bob")
