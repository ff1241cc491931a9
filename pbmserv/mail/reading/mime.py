"""The MIME tree of a message (RFC 2045, 2046). Its limits are checked while it is built.

The `email` package reads the parameters of a Content-Type. We split headers, body and parts ourselves, because the
package would split the whole tree without limits: 3000 nested multiparts end in a RecursionError, and 200 kB of
semicolons in a Content-Type take four seconds. We also do not make a `Message` for every part, because it searches
all headers for each one that we need.
"""

import quopri
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from email.message import Message
from email.policy import Compat32
from functools import cached_property, lru_cache
from typing import NamedTuple

from pbmserv.mail.reading import encoding
from pbmserv.mail.sizes import MOST_MESSAGE_BYTES

MOST_HEADERS = 64 * 1024  #: bytes of the header block, of the message or of one part
MOST_HEADER = 4 * 1024  #: bytes of one header that we parse, unfolded; other headers count only in MOST_HEADERS
MOST_PARTS = 50  #: parts of a MIME tree, multiparts included
MOST_DEPTH = 10  #: nesting of multiparts
MOST_TEXT = 64 * 1024  #: bytes of decoded text, in its own encoding and in UTF-8; of HTML without its markup
MOST_LINES = 5_000  #: lines of decoded text
MOST_TAGS = 10_000  #: HTML tags, without styles and comments


class TooLarge(Exception):
    """The mail exceeds a limit. It gets a 552, and nothing of it is stored."""


def check_bound(what: str, size: int, most: int) -> None:
    """Raise TooLarge if the size of something, `what`, is more than `most`."""
    if size > most:
        raise TooLarge(f"{what}: {size} where {most} are allowed")


class _Raw(Compat32):
    """A policy that returns raw header values: non-ASCII bytes become surrogates, never a `Header` object."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value


#: Headers whose values are parsed. `References` and `In-Reply-To` are not here: we read only both ends of long ones.
_PARSED = frozenset(
    b"from subject date message-id content-type content-transfer-encoding content-disposition auto-submitted "
    b"precedence return-path authentication-results".split()
)
_HEADER_START = re.compile(rb"\n(?![ \t])")
_NO_HEADER = re.compile(rb"^(?![!-9;-~]*:|[ \t]|From )", re.M)  # an empty line, or a line that is no header
_HEADER = re.compile(rb"^([!-9;-~]+):[ \t]*(.*(?:\n[ \t].*)*)", re.M)  # a header with its continuation lines
_META_WITHIN = 2048  # bytes at the beginning of HTML in which its charset is looked for
_META = re.compile(
    rb"""<(?:meta\b[^<>]{0,200}?charset|\?xml\b[^<>]{0,100}?encoding)\s{0,5}=\s{0,5}["']?\s{0,5}([\w.:-]{1,40})""", re.I
)
_COMMENT = re.compile(
    rb"""("[^"]*")|(?:^|(?<=[\s;]))\((?:[^()"]|\([^()"]*\))*+\)"""
)  # RFC 822 allows one where a space may stand
_MOST_PARAMS = 30  # the package copies the rest of a Content-Type at every semicolon
_DASHED_LINE = re.compile(rb"^--([^\n]*)\n?", re.M)


class _Content(NamedTuple):
    """The content of a Content-Type header."""

    kind: str
    params: Mapping[str, str]


@dataclass(frozen=True)
class MimePart:
    """A node of the tree. `body` has LF line ends and is still in its transfer encoding."""

    headers: Mapping[str, Sequence[bytes]] = field(repr=False)  #: unfolded values by lower-case name
    kind: str  #: media type in lower case; text/plain when there is none or a malformed one
    params: Mapping[str, str]  #: of the Content-Type
    body: bytes = field(repr=False)
    children: tuple["MimePart", ...] = ()

    def values(self, name: str) -> list[str]:
        """All headers of this name, which is in lower case, in order. Only of the first one a charset is guessed."""
        return [encoding.guess(value, western=n > 0) for n, value in enumerate(self.headers.get(name, ()))]

    def param(self, name: str) -> str:
        """A parameter of the Content-Type, "" if there is none."""
        return self.params.get(name, "")

    @property
    def is_file(self) -> bool:
        """Whether this is an attachment: it is declared as one, or it has a file name."""
        disposition = "".join(self.values("content-disposition")[:1]).lower()
        return disposition.startswith("attachment") or "filename" in disposition or bool(self.param("name"))

    def has_name(self, ending: str) -> bool:
        """Whether it has a file name with this ending, in lower case."""
        return any(ending in name.lower() for name in (self.param("name"), *self.values("content-disposition")[:1]))

    def beginning(self, size: int) -> bytes:
        """Return what the first `size` bytes of the body are without their transfer encoding."""
        return replace(self, body=self.body[:size])._decoded()

    @cached_property
    def text(self) -> str:
        """Return the decoded, cleaned text of a part. Raises UnreadableMail (its charset), TooLarge (its size)."""
        data = self._decoded()
        most = (
            MOST_MESSAGE_BYTES if self.kind == "text/html" else MOST_TEXT
        )  # the limit for the text is checked after the markup is removed
        check_bound("bytes of text", len(data), most)
        if self.kind != "text/html":
            check_bound("lines of text", data.count(b"\n"), MOST_LINES)
        text = encoding.decode(data, self.param("charset"), *self._named_within(data))
        if self.param("format").lower() == "flowed":
            text = _unwrap(text, delsp=self.param("delsp").lower() == "yes")
        text = encoding.clean(text)
        check_bound("bytes of text", len(text.encode()), most)
        return text

    def _named_within(self, data: bytes) -> list[str]:
        """Return the name of a charset at the beginning of HTML, if there is one."""
        match = _META.search(data[:_META_WITHIN]) if self.kind == "text/html" else None
        return [match[1].decode()] if match else []

    def _decoded(self) -> bytes:
        transfer = "".join(self.values("content-transfer-encoding")[:1]).strip().lower()
        if transfer == "base64":
            return encoding.decode_base64(self.body)
        return quopri.decodestring(self.body) if transfer == "quoted-printable" else self.body


def tree(data: bytes) -> MimePart:
    """Return the tree of a whole message. Raises TooLarge."""
    check_bound("bytes", len(data), MOST_MESSAGE_BYTES)
    return _Growth().part(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), 0)


class _Growth:
    """Counts the parts while the tree is built, and stops at the first one too many."""

    def __init__(self) -> None:
        self._count = 0

    def part(self, data: bytes, depth: int) -> MimePart:
        self._count += 1
        check_bound("parts", self._count, MOST_PARTS + 1)  # the message itself does not count as a part
        check_bound("parts inside each other", depth, MOST_DEPTH)
        headers, body = _split(data)
        content = _content(headers.get("content-type", [b""])[0])
        if not content.kind.startswith("multipart/") or not content.params.get("boundary"):
            return MimePart(headers, *content, body)
        children = tuple(self.part(child, depth + 1) for child in _cut(body, content.params["boundary"]))
        return MimePart(headers, *content, body, children)


def _split(data: bytes) -> tuple[Mapping[str, Sequence[bytes]], bytes]:
    """Split headers and body. The headers end at an empty line, or at a line that is no header and starts the body."""
    end = match.start() if (match := _NO_HEADER.search(data)) else len(data)
    _check_headers(data[:end])
    headers: dict[str, list[bytes]] = {}
    for name, value in _HEADER.findall(data[:end].replace(b"\0", b"")):
        headers.setdefault(name.decode().lower(), []).append(value.replace(b"\n", b""))
    return headers, data[end:].removeprefix(b"\n")


def _check_headers(block: bytes) -> None:
    """Raise TooLarge if a header block is too long, or one of its headers. Line ends are LF."""
    check_bound("bytes of headers", len(block), MOST_HEADERS)
    if len(block) > MOST_HEADER:
        parsed = (h for h in _HEADER_START.split(block) if h.partition(b":")[0].strip().lower() in _PARSED)
        check_bound("bytes of one header", max(map(len, parsed), default=0), MOST_HEADER)


@lru_cache(maxsize=256)  # a mailer writes the same value in each mail
def _content(value: bytes) -> _Content:
    """Parse the value of a Content-Type with the `email` package."""
    message: Message[str, str] = Message(policy=_Raw())
    if value:
        value = _COMMENT.sub(rb"\1", value) if b"(" in value else value
        message["Content-Type"] = value.strip().decode("ascii", "surrogateescape")
    return _Content(message.get_content_type(), _params(message) if value.count(b";") <= _MOST_PARAMS else {})


def _params(message: "Message[str, str]") -> Mapping[str, str]:
    try:
        pairs = message.get_params([])[1:]
    except (TypeError, ValueError):  # for `a*=1; a*0=2` the package compares None with 0
        return {}
    # A value in the form of RFC 2231 is a triple. We ignore its charset, because charset names and boundaries are
    # ASCII.
    return {name.lower(): value[2] if isinstance(value, tuple) else value for name, value in reversed(pairs)}


def _cut(body: bytes, boundary: str) -> list[bytes]:
    """Return the parts of a multipart body, without preamble and epilogue. The last part may lack its end."""
    name = boundary.rstrip().encode("utf-8", "surrogateescape")
    parts, start = [], -1
    for line in _DASHED_LINE.finditer(body):
        if (text := line[1].rstrip()) not in (name, name + b"--"):
            continue
        if start >= 0:
            parts.append(body[start : max(start, line.start() - 1)])
            check_bound("parts", len(parts), MOST_PARTS)
        if text != name:
            return parts
        start = line.end()
    return [*parts, body[start:]] if start >= 0 else parts


def _unwrap(text: str, *, delsp: bool) -> str:
    """Join the paragraphs of format=flowed text (RFC 3676): a line that ends in a space continues on the next line.

    Removes space-stuffing. A quoted line becomes its `>` signs, a space and its words. With `delsp` the space at the
    end of a joined line is deleted (for scripts without spaces between words).
    """
    done: list[str] = []
    pieces: list[str] = []  # lines of the current paragraph
    depth = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.lstrip(">")
        quotes = len(line) - len(words)
        words = words.removeprefix(" ")
        if pieces and (
            quotes != depth or words == "-- "
        ):  # RFC 3676 §4.5: a paragraph ends where the quote depth changes
            done.append(_joined(pieces, depth))
            pieces = []
        depth = quotes
        flows = words.endswith(" ") and words != "-- "
        pieces.append(words[:-1] if flows and delsp else words)
        if not flows:
            done.append(_joined(pieces, depth))
            pieces = []
    return "\n".join([*done, _joined(pieces, depth)] if pieces else done)


def _joined(pieces: list[str], depth: int) -> str:
    return (">" * depth + " " if depth else "") + "".join(pieces)
