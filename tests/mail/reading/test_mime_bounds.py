"""Every bound holds: a mail at the bound is read, one beyond it is refused as too large."""

from collections.abc import Callable

import pytest

from pbmserv.mail.inbound import Mail, TooLarge, read
from pbmserv.mail.reading import mime
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES

FROM = b"From: alice@example.org\n"


def _read(data: bytes) -> Mail:
    return read(data, is_ours=lambda left: False)


def _message(size: int) -> bytes:
    return FROM + b"Content-Type: image/png\n\n" + b"x" * (size - 49)


def _header_block(size: int) -> bytes:
    count, rest = divmod(size - len(FROM) - 4, 5)
    return FROM + b"X: y\n" * count + b"X: " + b"y" * rest + b"\n\n"


def _header(size: int) -> bytes:
    return FROM + b"Date: " + b"y" * (size // 2 - 6) + b"\n " + b"y" * (size - size // 2 - 2) + b"\n\n"


def _header_of_a_part(size: int) -> bytes:
    return FROM + b"Content-Type: multipart/mixed; boundary=b\n\n--b\nDate: " + b"y" * (size - 6) + b"\n\n"


def _parts(count: int) -> bytes:
    return FROM + b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * count + b"--b--\n"


def _depth(count: int) -> bytes:
    inside = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(count))
    return FROM + inside + b"\nh4-f6\n"


def _text(size: int) -> bytes:
    return FROM + b"Content-Type: text/plain; charset=utf-8\n\n" + b"x" * size


def _lines(count: int) -> bytes:
    return FROM + b"Content-Type: text/plain\n\n" + b"x\n" * count


def _text_in_utf_8(size: int) -> bytes:
    return FROM + b"Content-Type: text/plain; charset=windows-1252\n\n" + b"\xe9" * (size // 2) + b"x" * (size % 2)


def _text_of_parts(size: int) -> bytes:
    head = FROM + b"Content-Type: multipart/mixed; boundary=b\n\n"
    return head + b"--b\n\n" + b"x" * (size // 2 - 1) + b"\n--b\n\n" + b"x" * (size - size // 2 - 1) + b"\n--b--\n"


def _text_of_rules(size: int) -> bytes:
    return FROM + b"Content-Type: text/html\n\n" + b"<hr>" * (size // 33) + b"x" * (size % 33 + 33)


MAKERS: dict[Callable[[int], bytes], int] = {
    _message: MOST_MESSAGE_BYTES,
    _header_block: mime.MOST_HEADERS,
    _header: mime.MOST_HEADER,
    _header_of_a_part: mime.MOST_HEADER,
    _parts: mime.MOST_PARTS,
    _depth: mime.MOST_DEPTH,
    _text: mime.MOST_TEXT,
    _lines: mime.MOST_LINES,
    _text_in_utf_8: mime.MOST_TEXT,
    _text_of_parts: mime.MOST_TEXT,
}
each_bound = pytest.mark.parametrize(("make", "most"), MAKERS.items(), ids=lambda value: getattr(value, "__name__", ""))


@each_bound
def test_a_mail_at_the_bound_is_read(make: Callable[[int], bytes], most: int) -> None:
    assert _read(make(most)).sender == "alice@example.org"


@each_bound
def test_a_mail_beyond_the_bound_is_refused(make: Callable[[int], bytes], most: int) -> None:
    with pytest.raises(TooLarge):
        _read(make(most + 1))


def test_html_that_becomes_long_text_is_refused() -> None:
    with pytest.raises(TooLarge):
        _read(_text_of_rules(2 * mime.MOST_TEXT))


@pytest.mark.parametrize(
    "header",
    [
        b"X-UI-Out-Filterresults: notjunk:1;V03:" + b"K0:a1b2c3d4:" * 740,
        b"Cc: " + b",\n ".join(b"Somebody With A Long Name %d <somebody%d@example.com>" % (n, n) for n in range(95)),
        b"References: " + b" ".join(b"<%040d@example.org>" % n for n in range(400)),
    ],
    ids=["United Internet", "Cc", "References"],
)
def test_headers_that_are_not_parsed_may_be_long(header: bytes) -> None:
    assert len(header) > mime.MOST_HEADER
    mail = _read(FROM + header + b"\n\nh4-f6\n")
    assert (mail.body, len(mail.references.split())) == ("h4-f6", 12 * header.startswith(b"References"))


@pytest.mark.parametrize("kind", ["style", "attributes", "comment"])
def test_markup_does_not_count(kind: str) -> None:
    long = "p { margin: 0 }" * 10_000
    word = f'<p style="{"margin:0;" * 100}">h4-f6</p>'
    parts = {"style": f"<style>{long}</style><p>h4-f6", "comment": f"<!-- {long} --><p>h4-f6", "attributes": word * 100}
    html = parts[kind]
    assert len(html) > mime.MOST_TEXT
    words = _read(FROM + b"Content-Type: text/html\n\n" + html.encode()).body.split()
    assert set(words) == {"h4-f6"}


def test_too_many_tags_are_refused() -> None:
    with pytest.raises(TooLarge):
        _read(FROM + b"Content-Type: text/html\n\n" + b"<b>" * (mime.MOST_TAGS + 1))


def test_an_attachment_may_be_longer_than_a_text() -> None:
    attached = b"--b\nContent-Disposition: attachment\n\n" + b"x" * 2 * mime.MOST_TEXT
    data = FROM + b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nh4-f6\n" + attached + b"\n--b--\n"
    assert _read(data).body == "h4-f6"


def test_the_error_quotes_nothing() -> None:
    with pytest.raises(TooLarge) as caught:
        _read(FROM + b"Subject: " + b"s3cret" * 1000 + b"\n\n")
    assert str(caught.value) == "bytes of one header: 6009 where 4096 are allowed"
