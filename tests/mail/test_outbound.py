"""Letters as bytes: our own code writes the same as the `email` package would."""

from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail import outbound
from pbmserv.mail.outbound import Attachment, InlinePicture, Letter, build, check

SERVICE = "pbmserv@games.example"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LINES = st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=90), min_size=1).map(
    lambda lines: "\n".join(lines) + "\n"
)
WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60).map(
    lambda words: f"Tumble Board 101 {words}".strip()
)
PICTURES = tuple(InlinePicture(f"{n}@board.png", f"board-{n}.png", bytes(range(256)) * n) for n in range(3))
LETTERS = st.builds(
    Letter,
    recipient=st.sampled_from(["ann@example.org", "ann.o'neil+pbm@example.org", '"ann smith"@example.org']),
    subject=WORDS,
    text=LINES,
    html=st.just("") | LINES,
    message_id=st.just("<m1.abc@games.example>"),
    date=st.just(NOW),
    references=st.sampled_from([(), ("<a@b.example>",), tuple(f"<{n}@b.example>" for n in range(120))]),
    in_reply_to=st.sampled_from(["", "<a@b.example>"]),
    reply_to=st.sampled_from(["", "pbmserv+b101.0.1.abcdefghijklmnop@games.example"]),
    unsubscribe=st.sampled_from(["", "pbmserv+u101.1.abcdefghijklmnop@games.example"]),
    pictures=st.sampled_from([(), PICTURES[:1], PICTURES]),
)


def read(data: bytes) -> EmailMessage:
    assert data.isascii()
    assert b"\n" not in data.replace(b"\r\n", b"")
    return message_from_bytes(data, policy=policy.default)


def contents(message: EmailMessage) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the headers without those of MIME, and type and text of each part."""
    headers = [(k, str(v)) for k, v in message.items() if not k.startswith(("Content-", "MIME-"))]
    parts = [p for p in message.walk() if not p.is_multipart() and p.get_content_maintype() == "text"]
    return headers, [(p.get_content_type(), p.get_content().replace("\r\n", "\n")) for p in parts]


def pictures(message: EmailMessage) -> list[InlinePicture]:
    """Return the pictures, which must be of the HTML: they are not attachments, and stand in its related part."""
    related = [p for p in message.walk() if p.get_content_type() == "multipart/related"]
    found = [p for part in related for p in part.iter_parts() if p.get_content_type() == "image/png"]
    assert {p.get_content_disposition() for p in found} <= {"inline"}
    return [InlinePicture(p["Content-ID"].strip("<>"), p.get_filename() or "", p.get_content()) for p in found]


@given(LETTERS)
@pytest.mark.slow
def test_it_says_what_the_package_would_say(letter: Letter) -> None:
    mine, theirs = build(letter, SERVICE), outbound._by_package(letter, list(outbound._headers(letter, SERVICE)))
    assert contents(read(mine)) == contents(read(theirs))
    assert pictures(read(mine)) == pictures(read(theirs)) == (list(letter.pictures) if letter.html else [])
    assert not any(part.defects for part in read(mine).walk())


@pytest.mark.slow
@given(LETTERS)
def test_what_is_read_is_what_was_written(letter: Letter) -> None:
    message = read(build(letter, SERVICE))
    headers, parts = contents(message)
    assert dict(headers)["Subject"] == letter.subject
    assert [text for _, text in parts] == [x for x in (letter.text, letter.html) if x]
    assert max(map(len, build(letter, SERVICE).split(b"\r\n"))) <= 998
    assert (message["References"] or "").split() == list(letter.references)


@pytest.mark.parametrize("word", ["x" * 5000, "ä" * 5000])
def test_long_lines_are_encoded(word: str) -> None:
    letter = Letter("ann@example.org", "Hi", f"{word}\n", "<m@x.example>", NOW, f"<p>{word}</p>\n")
    data = build(letter, SERVICE)
    assert max(map(len, data.split(b"\r\n"))) <= 78
    assert [text for _, text in contents(read(data))[1]] == [letter.text, letter.html]


@pytest.mark.parametrize("bad", ["a\r\nBcc: x@example.org", "a\nb", "a\r b"])
@pytest.mark.parametrize("field", ["subject", "in_reply_to", "recipient", "reply_to", "message_id"])
def test_no_header_is_smuggled_in(field: str, bad: str) -> None:
    values = {"recipient": "ann@example.org", "subject": "Hi", "message_id": "<m@x.example>", field: bad}
    letter = Letter(text="x\n", html="", date=NOW, **values)  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r"."):  # the class of the error depends on the header
        build(letter, SERVICE)
    with pytest.raises(Exception, match=r"."):
        check(letter)


@pytest.mark.slow
@given(LETTERS)
def test_a_letter_is_the_same_each_time_it_is_built(letter: Letter) -> None:
    """Also where the package writes it: a letter that is sent twice has the same bytes twice."""
    check(letter)
    with_more = replace(letter, attachments=(Attachment("board.json", b"{}"),))
    for each in (letter, with_more):
        assert build(each, SERVICE) == build(each, SERVICE)
    assert pictures(read(build(with_more, SERVICE))) == (list(letter.pictures) if letter.html else [])
