"""The sizes a mail may have (mail.md §2), checked on its bytes before anything expensive looks at them."""

import re

MESSAGE = 256 * 1024  #: bytes of the whole message
HEADER_BLOCK = 64 * 1024  #: bytes of the header block, of the message or of one part
HEADER = 4 * 1024  #: bytes of one header, unfolded
PARTS = 50  #: parts of a MIME tree, multiparts included
DEPTH = 10  #: multiparts inside each other
TEXT = 64 * 1024  #: bytes of decoded text, in its own encoding and in UTF-8

_HEADER_START = re.compile(rb"\n(?![ \t])")


class TooLarge(Exception):
    """The mail exceeds a bound: it is answered with 552, and nothing of it is stored."""


def check(what: str, size: int, most: int) -> None:
    """Raise TooLarge if there are more than `most` of something."""
    if size > most:
        raise TooLarge(f"{what}: {size} where {most} are allowed")


def check_headers(block: bytes) -> None:
    """Raise TooLarge if a header block, its line ends LF, is too long or has a header that is."""
    check("bytes of headers", len(block), HEADER_BLOCK)
    if len(block) > HEADER:
        check("bytes of one header", max(map(len, _HEADER_START.split(block))), HEADER)
