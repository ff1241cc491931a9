"""`read` copes with everything: it answers, or says that it is too large; and it loses no word of a comment."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.inbound import Mail, Standing, TooLarge, read
from pbmserv.mail.reading.bounds import TEXT

MAILS = [path.read_bytes() for path in sorted((Path(__file__).parent / "fixtures").glob("*.eml"))]
HEADERS = (
    "From Subject To Date Message-ID References In-Reply-To Content-Type Content-Transfer-Encoding Content-Disposition "
    "Authentication-Results Auto-Submitted Precedence Return-Path List-Id"
)
# What parsers branch on: pieces that a random choice of bytes would never hit.
PIECES = (
    "=?utf-8?Q? =?utf-8?B? ?= =?iso-2022-jp?B? multipart/mixed multipart/alternative multipart/signed text/plain "
    "text/html message/rfc822 ; boundary=b boundary*0=b boundary*=b x*=1; x*0=2; charset=utf-8 charset=x -- "
    "format=flowed delsp=yes --b --b-- base64 quoted-printable attachment filename= name=winmail.dat < > <> @ , : "
    '( ) [ ] " \\ > >> '
    "<div> </div> <blockquote> <pre> <!-- --> <![if <a &#99999999999; &amp; wrote: From: Sent: To: Subject: 2024 12:00 "
    "a@b.example <a@b> -----BEGIN PGP SIGNED MESSAGE----- -----Original dmarc=pass mx; header.from=b "
    "\x00 \x1b$B \u202e \u0301 é \x80"
)
TALK = (
    "wrote: schrieb From: Von: Subject: Re: On Am Le 2024 12:00 1.1.2024 bob@example.org Original Message Forwarded "
    "forwarded Sent from my heart iPhone Outlook -- --- ----- _____ --- Original --- he said (fwd) [pbm] h4-f6 5 & "
    "< > é ß 好棋 ход http://example.org"
)


def _pieces(*texts: str) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from([*" ".join(texts).split(" "), " ", "\n", "\n\n", "\n ", "\t"])).map("".join)


def _read(data: bytes) -> Mail | None:
    """The mail, with what must be true of every mail; None if it is too large."""
    try:
        mail = read(data, is_ours=lambda left: False, authserv="mx")
    except TooLarge:
        return None
    assert "\n" not in mail.subject + mail.name + mail.sender + mail.message_id + mail.references
    assert mail.message_id.isascii()
    assert mail.references.isascii()
    assert len(mail.body.encode()) <= TEXT
    assert "\0" not in mail.body
    assert bool(mail.problem) == (mail.standing is not Standing.NORMAL)
    assert mail.sender or mail.standing in (Standing.REFUSED, Standing.SILENT)
    return mail


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    _read(data)


@given(st.dictionaries(st.sampled_from(HEADERS.split()), _pieces(PIECES)), _pieces(PIECES))
def test_any_mail(headers: dict[str, str], body: str) -> None:
    head = "".join(f"{name}: {value}\n" for name, value in headers.items())
    _read(f"From: alice@example.org\n{head}\n{body}".encode())


@given(_pieces(PIECES, TALK), st.sampled_from(["plain", "html", "plain; format=flowed", "plain; charset=iso-2022-jp"]))
def test_any_text(body: str, kind: str) -> None:
    assert _read(f"From: alice@example.org\nContent-Type: text/{kind}\n\n{body}".encode())


def _mutants(count: int, seed: int) -> Iterator[bytes]:
    """Fixtures with bytes changed, cut out, doubled and put in from each other."""
    chance = random.Random(seed)
    for _ in range(count):
        data, other = bytearray(chance.choice(MAILS)), chance.choice(MAILS)
        for _ in range(chance.randint(1, 6)):
            at, size = chance.randrange(len(data) + 1), chance.randint(0, 60)
            start = chance.randrange(len(other))
            new = (b"", chance.randbytes(1), bytes(data[at : at + size]) * 3, other[start : start + size])
            data[at : at + chance.randint(0, size)] = chance.choice(new)
        yield bytes(data)


def test_mutants_of_the_fixtures() -> None:
    for data in _mutants(1_000, seed=1):
        _read(data)


@pytest.mark.slow
def test_many_mutants_of_the_fixtures() -> None:
    for data in _mutants(50_000, seed=2):
        _read(data)


@given(st.lists(st.lists(st.sampled_from(TALK.split(" ")), max_size=8), max_size=12))
def test_a_comment_survives(lines: list[list[str]]) -> None:
    comment = "\n".join([" ".join(["Well,", *words]) if words else "" for words in lines]).strip("\n") + "\nBye."
    mail = _read(f"From: alice@example.org\n\nh4-f6\n{comment}\n".encode())
    assert mail is not None
    assert mail.body == f"h4-f6\n{comment}"


@given(
    st.sampled_from(MAILS), st.lists(st.sampled_from(["Received: from a by b", "X-Spam: no", "DKIM-Signature: x\n y"]))
)
def test_the_digest_ignores_trace_headers(data: bytes, trace: list[str]) -> None:
    head = "".join(f"{line}\n" for line in trace).encode()
    one, other = _read(data), _read(head + data + b"\n")
    assert one is not None
    assert other is not None
    assert one.digest == other.digest


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Subject: list\n\n", "Subject: help\n\n", False),
        ("Message-ID: <1@b>\nSubject: list\n\nx", "Message-ID: <2@b>\nSubject: list\n\nx", False),
        ("Message-ID: <1@b>\nSubject: list\n\nx", "Message-ID: <1@b>\nSubject: list\n\ny", False),
        ("Message-ID: <1@b>\nSubject: list\n\nx", "Subject: [tag] list\nMESSAGE-ID:\n <1@b>\nTo: c\n\nx\n", True),
    ],
)
def test_the_digest_tells_messages_apart(one: str, other: str, same: bool) -> None:
    left, right = (_read(f"From: alice@example.org\n{text}".encode()) for text in (one, other))
    assert left is not None
    assert right is not None
    assert (left.digest == right.digest) is same
