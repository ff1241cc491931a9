"""Header values to text: raw 8-bit headers and encoded words (RFC 2047), also as mailers wrongly write them.

Read although wrong: words inside other text, words without a space between them, a character divided
between two words, spaces inside a Q word.
"""

import quopri
import re
from base64 import b64decode

from pbmserv.mail.reading import charsets
from pbmserv.mail.reading.encoding import clean_line

# charset[*language] ? encoding ? text
_WORD = re.compile(r"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,60})?\?([BbQq])\?([^?]*)\?=")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


def header_text(value: str) -> str:
    """A header as a person reads it: one clean line. Raises Unreadable for a charset that is not read here."""
    return clean_line("".join(_pieces(value)) if "=?" in value else value)


def quote_words(text: str) -> str:
    """An address header with its encoded words in quotes, so that a comma inside one separates nothing."""
    return text if '"' in text else _WORD.sub(lambda word: f'"{word[0]}"', text)


def base64(data: bytes) -> bytes:
    """The bytes of base64 text up to its padding, whatever stands between the digits (RFC 2045 §6.8)."""
    digits = _NOT_BASE64.sub(b"", data.partition(b"=")[0])
    if len(digits) % 4 == 1:  # a single digit holds no byte
        digits = digits[:-1]
    return b64decode(digits + b"=" * (-len(digits) % 4))


def _pieces(text: str) -> list[str]:
    """The text around the words, and the words; words in a row that share a codec are decoded as one."""
    pieces: list[str] = []
    run, run_codec, end = b"", "", 0
    for word in _WORD.finditer(text):
        codec, between = charsets.codec(word[1]), text[end : word.start()]
        apart = bool(between.strip()) or not end
        if apart or codec != run_codec:
            pieces += [charsets.decode(run, run_codec), between if apart else ""]
            run = b""
        run, run_codec, end = run + _word_bytes(word[2], word[3]), codec, word.end()
    return [*pieces, charsets.decode(run, run_codec), text[end:]]


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return base64(data) if encoding in "Bb" else quopri.decodestring(data, header=True)
