"""A mail is divided into headers and body exactly as the `email` package does it."""

from email.parser import BytesHeaderParser
from email.policy import Compat32

from hypothesis import given
from hypothesis import strategies as st

from pbmserv.mail.reading.mime import tree

_LINES = (
    "Subject: a",
    "subject:b",
    "X-One:",
    "X:\tc: d ",
    "To: =?utf-8?q?e?=",
    " continued",
    "\t",
    "From x Mon Jan 1",
    "From: f",
    ": nameless",
    "a b: no header",
    "h: nul\0",
    "\xe9: i",
    "k: \xe9",
    "",
)


class _Raw(Compat32):
    def header_fetch_parse(self, name: str, value: str) -> str:
        return value


@given(st.lists(st.sampled_from(_LINES)).map("\n".join))
def test_headers_are_those_of_the_package(head: str) -> None:
    data = head.encode("latin-1")
    root, message = tree(data), BytesHeaderParser(policy=_Raw()).parsebytes(data.replace(b"\0", b""))
    found = {name: [value.decode("ascii", "surrogateescape") for value in root.headers[name]] for name in root.headers}
    expected: dict[str, list[str]] = {}
    for name, value in message.items():
        expected.setdefault(name.lower(), []).append(value.replace("\n", "").lstrip(" \t"))
    assert {name: [value.lstrip(" \t") for value in values] for name, values in found.items()} == expected


def test_a_folded_parameter_is_unfolded() -> None:
    root = tree(b'Content-Type: multipart/mixed;\n boundary="a\n b"\n\n--a b\n\nx\n--a b--\n')
    assert [part.body for part in root.children] == [b"x"]


def test_every_part_has_its_own_content_type() -> None:
    root = tree(
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b\nContent-Type: Text/HTML; charset=y\n\nz\n--b--\n"
    )
    assert [(part.kind, part.param("charset")) for part in root.children] == [("text/plain", ""), ("text/html", "y")]
