"""Bytes to clean text: charsets, the encoded words of headers (RFC 2047), and what is cleaned from every text.

Charsets are read by an allow-list: Python also knows codecs that are no charsets, and some of them are traps.
A password is cleaned but never folded: to its owner `–` and `-` are two characters, and a server that
took one for the other would accept passwords nobody set.
"""

import quopri
import re
import unicodedata
from base64 import b64decode

_ALIASES = {
    "utf-8": ("utf8", "unicode-1-1-utf-8"),
    # a superset, as in the WHATWG standard
    "cp1252": ("windows-1252", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1"),
    "gb18030": ("gb2312", "gbk", "cp936", "x-gbk"),  # a superset of the older ones
    "hz": ("hz-gb-2312",),
    "big5hkscs": ("big5", "big5-hkscs", "cn-big5"),
    "iso2022_jp_ext": (
        *("iso-2022-jp", "iso-2022-jp-1", "iso-2022-jp-ms", "csiso2022jp"),
        *("cp50220", "cp50221", "cp50222"),
    ),
    "iso2022_jp_2": ("iso-2022-jp-2",),
    "iso2022_kr": ("iso-2022-kr",),
    "cp932": ("shift-jis", "sjis", "shiftjis", "ms-kanji", "windows-31j", "x-sjis"),
    "euc_jp": ("euc-jp", "eucjp", "x-euc-jp"),
    "cp949": ("euc-kr", "ks-c-5601-1987", "ks-c-5601", "windows-949", "uhc"),
    "cp874": ("windows-874", "tis-620", "iso-8859-11"),
    "koi8_r": ("koi8-r",),
    "koi8_u": ("koi8-u",),
    "iso8859_8": ("iso-8859-8-i", "iso-8859-8-e"),  # they differ only in the direction of the text
    "mac_cyrillic": ("x-mac-cyrillic", "x-mac-ukrainian"),
    "mac_roman": ("macintosh", "mac", "x-mac-roman"),
}
# These names say nothing about bytes beyond ASCII, so the bytes themselves decide.
_GUESSED = ("", "us-ascii", "ascii", "ansi-x3.4-1968", "unknown-8bit", "x-unknown", "default")
_CODECS = {name: codec for codec, names in _ALIASES.items() for name in (codec, *names)}
_CODECS |= {name: f"iso8859_{n}" for n in (*range(2, 11), 13, 14, 15, 16) for name in (f"iso-8859-{n}", f"iso8859-{n}")}
_CODECS |= {name: f"cp125{n}" for n in (0, 1, 3, 4, 5, 6, 7, 8) for name in (f"windows-125{n}", f"cp125{n}")}
_CODECS |= dict.fromkeys(_GUESSED, "")

_JIS = "iso2022_jp_ext"
_TO_JIS = re.compile(rb"\x1b(?:\$[@B]|\(I)")
_TO_KOREAN = b"\x1b$)C"
_KANA = re.compile(rb"\x1b\(I([!-_]*)")
_DOUBLE_BYTES = re.compile(rb"\x1b\$[@B]([!-~]*)")
_ESCAPE = re.compile(rb"\x1b[($][@BJ]")
_STATEFUL = re.compile(rb"\x1b|[\x0e\x0f]|~\{")  # ASCII bytes that may stand for other characters
_OTHER_ASCII = ("utf-7", "utf-16", "utf-32", "unicode-1-1-utf-7", "x-imap", "hz")

# Control characters, and invisible code points: Default_Ignorable_Code_Point of Unicode Standard Annex #44. Among
# them are zero-width characters, bidi controls, variation selectors and tags. Surrogates stand for undecodable bytes.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACES = re.compile("[\t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")

# Normalisation sorts combining marks by insertion: 30 000 of them in a row take two seconds.
_MARKS = re.compile("[^\x00-\u02ff]{31,}")
_MOST_MARKS = 30  # Stream-Safe Text Format, Unicode Standard Annex #15 §13

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"), "-")
_SINGLE = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u02bc`\xb4"), "'")
_DOUBLE = dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u2036\xab\xbb"), '"')
_FOLDED = _DASHES | _SINGLE | _DOUBLE
# Signs that look like a dash, where no other sign can stand: between Latin letters and digits. Japanese keyboards write
# the long sound mark, Korean ones a vowel, and both have the number one and lines of tables beside it.
_LIKE_DASHES = re.compile("(?<=[A-Za-z0-9])[\u30fc\u3161\u1173\u4e00\u301c\u2500\u2501\u02d7](?=[A-Za-z0-9])")

# charset[*language] ? encoding ? text
_WORD = re.compile(r"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,60})?\?([BbQq])\?([^?]*)\?=")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


class UnreadableMail(Exception):
    """A mail cannot be read reliably. The text is a sentence for its sender."""


def codec_of(charset: str) -> str:
    """Return the Python codec for a charset name of RFC 2045; "" if the bytes must decide. Raises UnreadableMail."""
    name = _plain(charset)
    if name not in _CODECS:
        shown = "".join(c for c in name[:40] if c.isascii() and c.isprintable())
        raise UnreadableMail(f"Your mail is in the character set '{shown}', which is not read here. Please use UTF-8.")
    return _CODECS[name]


def is_charset(name: str) -> bool:
    """Return whether this is the name of a charset that we read."""
    return bool(_CODECS.get(_plain(name)))


def is_guessed(name: str) -> bool:
    """Return whether a name of a charset says nothing about bytes beyond ASCII."""
    return _plain(name) in _GUESSED


def _plain(name: str) -> str:
    return name.strip(" '\"").lower().replace("_", "-")


def is_utf8(data: bytes) -> bool:
    """Return whether these bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def decode_text(data: bytes, charset: str) -> str:
    """Decode a text in a charset, whose name is of no account if all bytes are ASCII. Raises UnreadableMail."""
    if data.isascii() and not _STATEFUL.search(data) and not _plain(charset).startswith(_OTHER_ASCII):
        return data.decode("ascii")
    return decode(data, codec_of(charset))


def decode(data: bytes, codec: str) -> str:
    """Decode `data`. Unknown bytes become U+FFFD."""
    if codec == _JIS:
        return _decode_jis(data)
    if codec == "euc_jp" and "\ufffd" in data.decode(codec, "replace"):
        codec = "euc_jis_2004"  # the same, and the signs of NEC
    return data.decode(codec, "replace") if codec else guess(data)


def guess(data: bytes) -> str:
    """Decode bytes without a charset: by the escapes of Japanese mails, as valid UTF-8, else as windows-1252."""
    if _TO_KOREAN in data:
        return data.decode("iso2022_kr", "replace")
    if _TO_JIS.search(data) and data.isascii():
        return _decode_jis(data)
    return data.decode() if is_utf8(data) else data.decode("cp1252", "replace")


def _decode_jis(data: bytes) -> str:
    """Decode ISO-2022-JP. Many mailers write signs of NEC and IBM in it, which only the decoder of Shift_JIS knows."""
    try:
        return data.decode(_JIS)
    except UnicodeDecodeError:
        data = _KANA.sub(lambda run: bytes(byte | 0x80 for byte in run[1]), _DOUBLE_BYTES.sub(_shifted, data))
        return _ESCAPE.sub(b"", data).decode("cp932", "replace")


def _shifted(run: re.Match[bytes]) -> bytes:
    """Return pairs of JIS X 0208 as Shift_JIS (JIS X 0208:1997, annex 1)."""
    made, pairs = bytearray(), run[1]
    for first, second in zip(pairs[::2], pairs[1::2], strict=False):
        row, cell = first - 0x21, second - 0x21 + 94 * ((first - 0x21) % 2)
        made += bytes((row // 2 + (0x81 if row < 62 else 0xC1), cell + 0x40 + (cell >= 63)))
    return bytes(made)


def clean(text: str) -> str:
    """Return `text` in NFC with LF line ends and plain spaces, without control and invisible characters."""
    if text.isascii() and text.replace("\n", "").isprintable():  # true for most texts, which need no change
        return text
    text = _INVISIBLE.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text)))
    return unicodedata.normalize("NFC", _MARKS.sub(lambda run: _stream_safe(run[0]), text))


def clean_line(text: str) -> str:
    """Return `text` cleaned and on one line, with single spaces between words."""
    return " ".join(clean(text).split())


def fold(word: str) -> str:
    """Return a command word in a form that does not depend on the keyboard: NFKC, `-` for all dashes, straight quotes.

    Use it only for words of a command, never for a password. It keeps upper and lower case.
    """
    if word.isascii():
        return word.replace("`", "'")
    folded = unicodedata.normalize("NFKC", word.translate(_FOLDED)).translate(_FOLDED)
    return _LIKE_DASHES.sub("-", folded)


def _stream_safe(text: str) -> str:
    """Return `text` with at most `_MOST_MARKS` combining marks in a row."""
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def header_text(value: str) -> str:
    """Decode a header to one clean line. Raises UnreadableMail for an unknown charset.

    Encoded words (RFC 2047) are also decoded if they are written wrongly: inside other text, without a space between
    them, with a character split between two words, with spaces inside a Q word.
    """
    return clean_line("".join(_pieces(value)) if "=?" in value else value)


def quote_words(text: str) -> str:
    """Put the encoded words of an address header in quotes, so that a comma inside one is no separator."""
    return text if '"' in text else _WORD.sub(lambda word: f'"{word[0]}"', text)


def decode_base64(data: bytes) -> bytes:
    """Decode base64 text up to its padding, ignoring other characters (RFC 2045 §6.8)."""
    digits = _NOT_BASE64.sub(b"", data.partition(b"=")[0])
    if len(digits) % 4 == 1:  # a single digit is not enough for a byte
        digits = digits[:-1]
    return b64decode(digits + b"=" * (-len(digits) % 4))


def _pieces(text: str) -> list[str]:
    """Yield the text around encoded words, and the decoded words: adjacent ones of one codec joined first."""
    pieces: list[str] = []
    run, run_codec, end = b"", "", 0
    for word in _WORD.finditer(text):
        codec, between = codec_of(word[1]), text[end : word.start()]
        apart = bool(between.strip()) or not end
        if apart or codec != run_codec:
            pieces += [decode(run, run_codec), between if apart else ""]
            run = b""
        run, run_codec, end = run + _word_bytes(word[2], word[3]), codec, word.end()
    return [*pieces, decode(run, run_codec), text[end:]]


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return decode_base64(data) if encoding in "Bb" else quopri.decodestring(data, header=True)
