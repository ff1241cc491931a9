"""Bytes to clean text: charsets, the encoded words of headers (RFC 2047), and what is cleaned from every text.

Charsets are read by an allow-list: Python also knows codecs that are no charsets, and some of them are traps.
A password is cleaned but never folded: to its owner `–` and `-` are two characters, and a server that
took one for the other would accept passwords nobody set.
"""

import quopri
import re
import unicodedata
from base64 import b64decode
from encodings.aliases import aliases
from functools import lru_cache

_JIS = "iso2022_jp_ext"
# Of the codecs of Python, these are charsets in which people write mails. UTF-7 and EBCDIC are not.
_READ = re.compile(
    r"cp(?:[78]\d\d|9\d\d|437|125\d)|iso8859_\d+|iso2022_\w+|koi8_\w|mac_\w+|utf_(?:8|16|32)\w*|euc_\w+|gb\w+|"
    r"big5\w*|hz|johab|shift_jis\w*|latin_1|ascii|tis_620|kz1048|ptcp154"
)
_UNLISTED = ("cp720", "cp737", "cp874", "cp932", "cp949", "cp950", "koi8_t", "koi8_u")
# Supersets that count as the same, as in the WHATWG standard. "": the bytes themselves decide.
_WIDER = {
    "ascii": "",
    "latin_1": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "tis_620": "cp874",
    "iso8859_11": "cp874",
    "iso2022_jp": _JIS,
    "iso2022_jp_1": _JIS,
}
# Names that Python does not know. A program that writes one of the last line knows nothing about its bytes.
_OTHER_NAMES = {
    "utf_8": ("utf8mb4", "utf8mb3", "utf8bom", "utf8sig", "unicode11utf8", "utf"),
    "utf_16": ("unicode", "ucs2", "iso10646ucs2"),
    "latin_1": ("win1252", "winlatin1", "ansi", "msansi", "88591"),
    "gbk": ("xgbk", "euccn"),
    "big5": ("cnbig5",),
    "iso2022_jp": ("iso2022jpms", "cp50220", "cp50221", "cp50222"),
    "cp932": ("windows31j",),
    "iso8859_8": ("iso88598i", "iso88598e"),  # they differ only in the direction of the text
    "mac_cyrillic": ("macukrainian",),
    "mac_roman": ("mac",),
    "ascii": ("unknown8bit", "xunknown", "unknown", "default", "none", "binary", "8bit", "ansix341968"),
}
_NOT_OF_A_NAME = re.compile("[^a-z0-9]")


def _plain(name: str) -> str:
    """Return the letters and digits of a charset's name: programs write the rest in many ways."""
    return _NOT_OF_A_NAME.sub("", name.lower())


_NAMED = [(alias, codec) for alias, codec in aliases.items() if _READ.fullmatch(codec)]
_NAMED += [(name, name) for name in (*dict(_NAMED).values(), *_UNLISTED)]
_NAMED += [(name, codec) for codec, names in _OTHER_NAMES.items() for name in names]
_CODECS = {"": ""} | {_plain(name): _WIDER.get(codec, codec) for name, codec in _NAMED}
_CODECS |= {f"x{name}": codec for name, codec in _CODECS.items() if name}  # as many were named before they had a name

_TO_JIS = re.compile(rb"\x1b(?:\$[@B]|\(I)")
_TO_KOREAN = b"\x1b$)C"
_ESCAPED = re.compile(rb"\x1b(?:\$[@B]|\(I|\$\)C)")
_KANA = re.compile(rb"\x1b\(I([!-_]*)")
_DOUBLE_BYTES = re.compile(rb"\x1b\$[@B]([!-~]*)")
_ESCAPE = re.compile(rb"\x1b[($][@BJ]")
_HZ = re.compile(rb"~\{(?:[!-w][!-~])+~\}")
_FEWEST_TELLING, _MOST_TELLING = (
    3,
    4096,
)  # bytes that tell a charset of East Asia, or any; so many take half a millisecond
_STATEFUL = re.compile(rb"[\0-\6\x1b\x0e\x0f]|~\{")  # ASCII bytes that may stand for other characters
_WIDE = re.compile(rb"[\0-\6]")  # one of the two bytes of most letters, in UTF-16
_NO_ASCII = "utf7"  # in the name of a charset whose letters and digits may stand for others
_BYTE_ORDER = (b"\xff\xfe", b"\xfe\xff")  # at the beginning of UTF-16
_MANY_BYTES = ("big5", "cp932", "cp949", "cp950", "euc", "gb", "johab", "shift_jis")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_ENOUGH = 8  # bytes beyond ASCII

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
#: Cyrillic letters of squares, which nobody can tell from Latin ones.
_LATIN = str.maketrans("\u0430\u0435\u0441\u0410\u0415\u0421", "aecAEC")
_LIKE_LATIN = re.compile("[\u0430\u0435\u0441\u0410\u0415\u0421](?=[0-9])")

# charset[*language] ? encoding ? text
_WORD = re.compile(r"=\?([^?*\s]{1,60})(?:\*[^?\s]{0,60})?\?([BbQq])\?([^?]*)\?=")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")


class UnreadableMail(Exception):
    """A mail cannot be read reliably. The text is a sentence for its sender."""


def decode(data: bytes, *charsets: str) -> str:
    """Decode bytes by the first of these names that fits them. Raises UnreadableMail. Unknown bytes become U+FFFD.

    The names are of no account where the bytes show what they are. `charsets`: one at least, "" is no name.
    """
    names = list(map(_plain, charsets))
    codecs = [_CODECS[name] for name in names if name in _CODECS]
    codec = next((codec for codec in codecs if codec and _fits(codec, data)), "")
    if _show_themselves(data, codec) and _NO_ASCII not in names[0]:
        return guess(data)
    if not codecs:
        shown = "".join(c for c in charsets[0].lower()[:40] if c.isascii() and c.isprintable())
        raise UnreadableMail(f"Your mail is in the character set '{shown}', which is not read here. Please use UTF-8.")
    return _decoded(data, codec) if codec else guess(data)


def _fits(codec: str, data: bytes) -> bool:
    """Return whether bytes can be in this charset. A text in UTF-8 with few wrong bytes is one."""
    if codec.startswith(("utf_16", "utf_32")):
        return bool(_WIDE.search(data))
    return codec != "utf_8" or data.isascii() or not data.decode(errors="ignore").isascii()


def _show_themselves(data: bytes, codec: str) -> bool:
    """Return whether bytes are surely ASCII, have escapes of East Asia, or are surely UTF-8, whatever their label says.

    A text in another charset is hardly ever valid UTF-8 by chance; a few characters of two bytes each may be.
    """
    if data.isascii():
        return not _STATEFUL.search(data) or bool(_ESCAPED.search(data) and not codec.startswith("iso2022"))
    if (codec.startswith("utf_") and _WIDE.search(data)) or not _is_utf8(data):
        return False
    return not codec.startswith(_MANY_BYTES) or len(_BEYOND_ASCII.findall(data)) >= _ENOUGH or not _is_in(data, codec)


def _is_utf8(data: bytes) -> bool:
    return _is_in(data, "utf_8")


def _is_in(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True


def _decoded(data: bytes, codec: str) -> str:
    if codec == _JIS:
        return _decode_jis(data)
    if codec == "euc_jp" and not _is_in(data, codec):
        codec = "euc_jis_2004"  # the same, and the signs of NEC
    if codec == "utf_16" and not data.startswith(_BYTE_ORDER):
        codec = "utf_16_be" if data[::2].count(0) > data[1::2].count(0) else "utf_16_le"
    return data.decode(codec, "replace")


def guess(data: bytes, *, western: bool = False) -> str:
    """Decode bytes without a charset: by the escapes of East Asia, as valid UTF-8, else by what is likely in them.

    `western`: windows-1252 is likely enough.
    """
    if _TO_KOREAN in data:
        return data.decode("iso2022_kr", "replace")
    if _TO_JIS.search(data) and data.isascii():
        return _decode_jis(data)
    if data.startswith(_BYTE_ORDER) and b"\0" in data:
        return data.decode("utf_16", "replace")
    if _HZ.search(data) and _is_in(data, "hz"):
        return data.decode("hz")
    return data.decode() if _is_utf8(data) else _decoded(data, "cp1252" if western else _likely(_telling(data)))


def _telling(data: bytes) -> bytes:
    """Return the first of the lines that tell a charset: those that have more than ASCII."""
    return b"\n".join(line for line in data.split(b"\n") if not line.isascii())[:_MOST_TELLING]


@lru_cache(maxsize=64)  # the headers of a mail are looked at several times
def _likely(data: bytes) -> str:
    """Return the codec of the charset in which these bytes make sense: that of browsers, for pages that name none."""
    from chardetng_py import detect  # few mails need it

    codec = _CODECS.get(_plain(detect(data)), "cp1252")
    is_one_sign = codec.startswith(_MANY_BYTES) and len(_BEYOND_ASCII.findall(data)) < _FEWEST_TELLING
    return "cp1252" if is_one_sign else codec


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
    return _LIKE_LATIN.sub(lambda letter: letter[0].translate(_LATIN), _LIKE_DASHES.sub("-", folded))


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
    """Yield the text around encoded words, and the decoded words: adjacent ones of one charset joined first."""
    pieces: list[str] = []
    run, run_charset, end = b"", "", 0
    for word in _WORD.finditer(text):
        charset, between = word[1].lower(), text[end : word.start()]
        apart = bool(between.strip()) or not end
        if apart or charset != run_charset:
            pieces += [decode(run, run_charset), between if apart else ""]
            run = b""
        run, run_charset, end = run + _word_bytes(word[2], word[3]), charset, word.end()
    return [*pieces, decode(run, run_charset), text[end:]]


def _word_bytes(encoding: str, text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    return decode_base64(data) if encoding in "Bb" else quopri.decodestring(data, header=True)
