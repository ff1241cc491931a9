"""What counts of a text that is compared with another: no spaces, no signs of quotes, no capitals, no line ends."""

import re
import string
import unicodedata
from html import unescape

# Nothing of these counts: programs put them before lines, and around words that HTML shows in bold or as a link.
_SIGNS = " \t%{}>|:*_\"'`#~<[]()"
_OTHER_SIGNS = "\xa0\xbb\xab\u203a\u2039\u2502\u2503\xa6\u201c\u201d\u2018\u2019"
_WITHOUT_SIGNS = str.maketrans("", "", _SIGNS)
# These do not count at the ends of a line. Within a line, they are parts of moves.
ENDS = string.punctuation + "\N{BULLET}\N{MIDDLE DOT}\N{RIGHTWARDS ARROW}\N{PILCROW SIGN}\N{SECTION SIGN}"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2500\u2501"
QUOTING = ">|}\xbb\u203a\uff1e\u2502\u2503\xa6"
INITIALS = r"[ \t]*[^\W\d_][\w.-]{0,11}"  # letters before the sign of a quote: `PS>`, `ab>`
_LETTERS = re.compile(rf"\n(?:{INITIALS}[>}}\xbb\u203a\uff1e])+")

# What programs have left undecoded counts as what it stands for.
_REFERENCES = re.compile("&(?:#x?[0-9A-Fa-f]{1,6}|[a-z]{2,6});")
_ESCAPES = re.compile("(?<!=)(?:=(?:3D|20|09|[89A-F][0-9A-F]))+")
_MOST = 1000  # of these that are decoded


def plain_lines(text: str) -> list[str]:
    """Return the characters that count of each line: no spaces, no signs of quotes, no capitals."""
    if text.isascii():
        return text.casefold().translate(_WITHOUT_SIGNS).split("\n")
    normal = unicodedata.normalize("NFKC", text)
    text = (normal if len(normal) < 2 * len(text) else text).casefold()  # one character can stand for 18
    data = text.encode("utf-8", "surrogatepass").translate(None, _SIGNS.encode())  # ten times as fast as str.translate
    text = data.decode("utf-8", "surrogatepass")
    for sign in _OTHER_SIGNS:
        text = text.replace(sign, "")
    return text.split("\n")


def compared_lines(text: str) -> list[str]:
    """Return what is compared with a letter of each line of a readable text, with the signs of `ENDS` around it."""
    if not text.isascii():
        for dash in _DASHES:
            text = text.replace(dash, "-")
    return plain_lines(text.replace("--", "-"))


def readable(text: str) -> str:
    """Return the text without marks that have letters, and decoded where a program has left codes in it.

    These are references of HTML, and the bytes of quoted-printable. The lines stay the same.
    """
    text = _REFERENCES.sub(lambda match: unescape(match[0]).replace("\n", " "), text, _MOST) if "&" in text else text
    text = _ESCAPES.sub(_of_bytes, text, _MOST) if "=" in text else text
    return _LETTERS.sub("\n", f"\n{text}")[1:] if any(sign in text for sign in QUOTING) else text


def _of_bytes(match: re.Match[str]) -> str:
    data = bytes.fromhex(match[0].replace("=", ""))
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")
