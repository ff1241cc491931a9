"""Bytes to text, by an allow-list of charsets: Python also knows codecs that are no charsets, and some are traps."""

_ALIASES = {
    "utf-8": ("utf8", "unicode-1-1-utf-8"),
    "cp1252": ("windows-1252", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1"),  # as WHATWG: a superset
    "gb18030": ("gb2312", "gbk", "cp936", "x-gbk"),  # a superset of the older ones
    "hz": ("hz-gb-2312",),
    "big5hkscs": ("big5", "big5-hkscs", "cn-big5"),
    "iso2022_jp_ext": ("iso-2022-jp", "iso-2022-jp-1"),
    "iso2022_jp_2": ("iso-2022-jp-2",),
    "iso2022_kr": ("iso-2022-kr",),
    "cp932": ("shift-jis", "sjis", "shiftjis", "ms-kanji", "windows-31j", "x-sjis"),
    "euc_jp": ("euc-jp", "eucjp", "x-euc-jp"),
    "cp949": ("euc-kr", "ks-c-5601-1987", "ks-c-5601", "windows-949", "uhc"),
    "cp874": ("windows-874", "tis-620", "iso-8859-11"),
    "koi8_r": ("koi8-r",),
    "koi8_u": ("koi8-u",),
    "mac_roman": ("macintosh", "mac", "x-mac-roman"),
}
_GUESSED = ("", "us-ascii", "ascii", "ansi-x3.4-1968", "unknown-8bit", "x-unknown", "default")
_CODECS = {name: codec for codec, names in _ALIASES.items() for name in (codec, *names)}
_CODECS |= {name: f"iso8859_{n}" for n in (*range(2, 11), 13, 14, 15, 16) for name in (f"iso-8859-{n}", f"iso8859-{n}")}
_CODECS |= {name: f"cp125{n}" for n in (0, 1, 3, 4, 5, 6, 7, 8) for name in (f"windows-125{n}", f"cp125{n}")}
_CODECS |= dict.fromkeys(_GUESSED, "")


class Unreadable(Exception):
    """A mail that cannot be read reliably; the text is a sentence for its sender."""


def codec(charset: str) -> str:
    """The Python codec of a charset name of RFC 2045; "" where the bytes must tell. Raises Unreadable."""
    name = charset.strip(" '\"").lower().replace("_", "-")
    if name not in _CODECS:
        shown = "".join(c for c in name[:40] if c.isascii() and c.isprintable())
        raise Unreadable(f"Your mail is in the character set '{shown}', which is not read here. Please use UTF-8.")
    return _CODECS[name]


def decode(data: bytes, codec: str) -> str:
    """The text of `data`; U+FFFD stands for what its codec does not know."""
    return data.decode(codec, "replace") if codec else guess(data)


def guess(data: bytes) -> str:
    """The text of bytes without a charset: UTF-8 if they are valid UTF-8, else windows-1252."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
