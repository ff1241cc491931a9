"""The envelope of a fetched mail, and the URL of a mailbox."""

import pytest

from pbmserv.mail.envelope import Place
from pbmserv.mail.imap.account import Account, read_account
from pbmserv.mail.imap.lost_envelope import incoming
from pbmserv.mail.signed_addresses import Signer

SIGNER = Signer("club@example.org", b"key")
B, W = SIGNER.answer(101, 0, 4, None), SIGNER.answer(101, 1, 4, None)
FORGED = B.replace("b101.0", "b101.1")
PLACE = Place("club", 1, 1)


@pytest.mark.parametrize(
    ("head", "rcpts"),
    [
        (f"To: {B}\r\nDelivered-To: {W}", (W,)),
        (f"Delivered-To: club@example.org\r\nTo: Club <{B.upper()}>, x@example.org", (B.upper(),)),
        (f"Delivered-To: {FORGED}\r\nCc: =?utf-8?q?x?= <{B}>", (B,)),
        (f"X-Original-To: {FORGED}\r\nTo: {FORGED}", ("club@example.org",)),
        (f"Envelope-To: a@example.org, {W}\r\nTo: {B}", (W,)),
        (f"Bcc: {B}\r\nSubject: {B}", ("club@example.org",)),
        ("To: postmaster@example.org", ("postmaster@example.org",)),
        (f"To: {'(' * 3000}@{'a.' * 300}\r\nCc: {B}", (B,)),
        ("To: x@example.org", ("club@example.org",)),
        ("X: " + "x" * 70_000, ("club@example.org",)),
    ],
)
def test_only_an_address_whose_signature_fits_counts(head: str, rcpts: tuple[str, ...]) -> None:
    assert incoming(f"From: a@example.org\r\n{head}\r\n\r\n{W}".encode(), SIGNER, PLACE).rcpts == rcpts


@pytest.mark.parametrize(
    ("head", "sender"),
    [
        ("Return-Path: <b@example.org>\r\nReturn-Path: <c@example.org>\r\nFrom: a@example.org", "b@example.org"),
        ("Return-Path: <>\r\nFrom: a@example.org", ""),
        ("From: A <a@example.org>", "a@example.org"),
    ],
)
def test_the_envelope_sender_is_what_the_last_server_wrote(head: str, sender: str) -> None:
    assert incoming(f"{head}\r\n\r\n".encode(), SIGNER, PLACE).mail_from == sender


def test_all_lines_end_as_those_of_mails_do() -> None:
    assert incoming(b"A: b\n\n1\r2\r\n3\n", SIGNER, PLACE).data == b"A: b\r\n\r\n1\r\n2\r\n3\r\n"


@pytest.mark.parametrize(
    ("url", "account"),
    [
        ("imaps://club@example.org@imap.example.org", Account("club@example.org", "imap.example.org", 993)),
        (
            "imaps://club%40example.org@[2001:db8::1]:1993/Play%20mail",
            Account("club@example.org", "2001:db8::1", 1993, "Play mail"),
        ),
        ("imap://club@localhost", Account("club", "localhost", 143, is_tls=False)),
        ("maildir:/home/club/Maildir", Account("/home/club/Maildir", "", 0, "/home/club/Maildir", is_tls=False)),
    ],
)
def test_urls(url: str, account: Account) -> None:
    assert read_account(url) == account


@pytest.mark.parametrize(
    "url",
    [
        "imap://club@imap.example.org",
        "imaps://imap.example.org",
        "imaps://club:secret-word@imap.example.org",
        "x",
        "maildir:",
    ],
)
def test_urls_that_are_none(url: str) -> None:
    with pytest.raises(ValueError, match=r"PBMSERV_MAILBOX_PASSWORD|must be imaps://") as refused:
        read_account(url)
    assert "secret-word" not in str(refused.value)
