"""Cleaning of text: what may be dropped from any text without loss, and what may be folded in a command word.

A password is cleaned but never folded: to its owner `–` and `-` are two characters, and a server that
took one for the other would accept passwords nobody set.
"""

import re
import unicodedata

# Controls, and the code points that show nothing: Default_Ignorable_Code_Point of Unicode Standard Annex #44. Among
# them are zero-width characters, bidi controls, variation selectors and tags. Surrogates stand for undecodable bytes.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\ud800-\udfff"
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


def clean(text: str) -> str:
    """`text` in NFC with LF line ends and plain spaces, without controls and characters that show nothing."""
    if text.isascii() and text.replace("\n", "").isprintable():  # as most are, and then all of this changes nothing
        return text
    text = _INVISIBLE.sub("", _SPACES.sub(" ", _LINE_ENDS.sub("\n", text)))
    return unicodedata.normalize("NFC", _MARKS.sub(lambda run: _stream_safe(run[0]), text))


def clean_line(text: str) -> str:
    """`text` cleaned and on one line, its words separated by single spaces."""
    return " ".join(clean(text).split())


def fold(word: str) -> str:
    """The form of a command word that does not depend on the keyboard: NFKC, `-` for all dashes, straight quotes.

    Only for words of a command, never for a password. Letter case stays.
    """
    if word.isascii():
        return word.replace("`", "'")
    return unicodedata.normalize("NFKC", word.translate(_FOLDED)).translate(_FOLDED)


def _stream_safe(text: str) -> str:
    kept, marks = [], 0
    for char in text:
        marks = marks + 1 if unicodedata.combining(char) else 0
        if marks <= _MOST_MARKS:
            kept.append(char)
    return "".join(kept)
