"""`read` copes with every mail: it returns a result, or says that the mail is too large.

No word of a comment is lost.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.inbound import Mail, Standing, TooLarge, read
from pbmserv.mail.reading.mime import MOST_TEXT
from tests.examples import SOAK
from tests.mail.odd_mails import HEADERS, MAILS, PIECES, mutants, pieces

TALK = (
    "wrote: schrieb From: Von: Subject: Re: On Am Le 2024 12:00 1.1.2024 bob@example.org Original Message Forwarded "
    "forwarded Sent from my heart iPhone Outlook -- --- ----- _____ --- Original --- he said (fwd) [pbm] h4-f6 5 & "
    "< > é ß 好棋 ход http://example.org"
)


def _read(data: bytes) -> Mail | None:
    """Read a mail and check what must be true of every mail. Return None if it is too large."""
    try:
        mail = read(data, is_ours=lambda left: False, authserv="mx")
    except TooLarge:
        return None
    assert "\n" not in mail.subject + mail.name + mail.sender + mail.message_id + mail.references
    assert mail.message_id.isascii()
    assert mail.references.isascii()
    assert len(mail.body.encode()) <= MOST_TEXT
    assert "\0" not in mail.body
    assert bool(mail.problem) == (mail.standing is not Standing.NORMAL)
    assert mail.sender or mail.standing in (Standing.REFUSED, Standing.SILENT)
    return mail


@given(st.binary())
def test_any_bytes(data: bytes) -> None:
    _read(data)


@given(st.dictionaries(st.sampled_from(HEADERS.split()), pieces(PIECES)), pieces(PIECES))
def test_any_mail(headers: dict[str, str], body: str) -> None:
    head = "".join(f"{name}: {value}\n" for name, value in headers.items())
    _read(f"From: alice@example.org\n{head}\n{body}".encode())


@given(pieces(PIECES, TALK), st.sampled_from(["plain", "html", "plain; format=flowed", "plain; charset=iso-2022-jp"]))
def test_any_text(body: str, kind: str) -> None:
    assert _read(f"From: alice@example.org\nContent-Type: text/{kind}\n\n{body}".encode())


@pytest.mark.slow
def test_mutants_of_the_fixtures() -> None:
    for data in mutants(1_000, seed=1):
        _read(data)


@pytest.mark.slow
def test_many_mutants_of_the_fixtures() -> None:
    for data in mutants(2_000 * SOAK, seed=2):
        _read(data)


@pytest.mark.slow
@given(st.lists(st.lists(st.sampled_from(TALK.split(" ")), max_size=8), max_size=12))
def test_a_comment_survives(lines: list[list[str]]) -> None:
    comment = "\n".join([" ".join(["Well,", *words]) if words else "" for words in lines]).strip("\n") + "\nBye."
    mail = _read(f"From: alice@example.org\n\nh4-f6\n{comment}\n".encode())
    assert mail is not None
    assert mail.body == f"h4-f6\n{comment}"


@given(
    st.sampled_from(MAILS), st.lists(st.sampled_from(["Received: from a by b", "X-Spam: no", "DKIM-Signature: x\n y"]))
)
def test_the_fingerprint_ignores_trace_headers(data: bytes, trace: list[str]) -> None:
    head = "".join(f"{line}\n" for line in trace).encode()
    one, other = _read(data), _read(head + data + b"\n")
    assert one is not None
    assert other is not None
    assert one.fingerprint == other.fingerprint


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Subject: list\n\n", "Subject: help\n\n", False),
        ("Message-ID: <1@b>\nSubject: list\n\nx", "Message-ID: <2@b>\nSubject: list\n\nx", False),
        ("Message-ID: <1@b>\nSubject: list\n\nx", "Message-ID: <1@b>\nSubject: list\n\ny", False),
        ("Message-ID: <1@b>\nSubject: list\n\nx", "Subject: [tag] list\nMESSAGE-ID:\n <1@b>\nTo: c\n\nx\n", True),
    ],
)
def test_the_fingerprint_tells_messages_apart(one: str, other: str, same: bool) -> None:
    left, right = (_read(f"From: alice@example.org\n{text}".encode()) for text in (one, other))
    assert left is not None
    assert right is not None
    assert (left.fingerprint == right.fingerprint) is same
