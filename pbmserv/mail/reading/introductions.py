"""What introduces a quote that is known for certain: rules, a block of headers, an attribution in any language."""

import itertools
import re
from collections.abc import Iterable, Sequence

from pbmserv.mail.reading import quote_phrases

_MOST_ABOVE, _MOST_LINES = 9, 3  # lines of what introduces a quote, and of an attribution
_MOST_QUOTES = 40  # quotes in one mail whose introductions are looked for
_LONGEST = 300  # characters of an attribution
_LABELS = quote_phrases.FROM | quote_phrases.OTHERS
_SIGNS = "-=*~_`+|#,<> " + "".join(map(chr, range(0x2500, 0x2580)))  # of rules; with others, people answer: `?!`, `:-)`
_DASHES = ("---", "===", "___")
_TAG = re.compile(r"(?:\[/?|</?|#\+)(?:begin_|end_)?(?:block)?(?:quote|code|pre|div|body|html|table|p|br)\b", re.I)


def cut(lines: Sequence[str], quotes: Iterable[tuple[int, int]]) -> list[str]:
    """Return the lines with `> ` before those in these ranges, and without what introduces these."""
    kept, last = list[str](), 0
    for count, (start, end) in enumerate(quotes):
        kept += lines[last:start]
        if count < _MOST_QUOTES:
            _cut_introduction(kept)
        kept += [line if line[:1] == ">" else f"> {line}" for line in lines[start:end]]
        last = end
    return [*kept, *lines[last:]]


def is_frame(line: str) -> bool:
    """Return whether the line is a rule, with or without words in it, or a tag, as programs put them around a quote."""
    line = line.strip()
    if not 3 <= len(line) <= _LONGEST:
        return False
    is_cut = (line.startswith(_DASHES) and line.endswith(_DASHES)) or "--8<--" in line
    return is_cut or not line.strip(_SIGNS) or bool(_TAG.match(line))


def _cut_introduction(lines: list[str]) -> None:
    """Cut off the end of the lines above a quote: rules, a block of headers, an attribution in any language."""
    told = False
    for _ in range(_MOST_ABOVE):
        while lines and not lines[-1].strip():
            del lines[-1]
        if not lines or lines[-1].startswith(">"):
            break
        is_rule = is_frame(lines[-1]) or (not lines[-1].strip(f"{_SIGNS}.") and bool(lines[-1].strip(" .")))
        count = 1 if is_rule else 0 if told else _headers(lines) or _attribution(lines)
        if not count:
            break
        told = told or not is_rule
        del lines[-count:]


def _headers(lines: Sequence[str]) -> int:
    """Return how many of the last lines are a block of headers, with an address, a time or known labels; else 0.

    An attribution can end with a colon, too.
    """
    labels = map(quote_phrases.label, reversed(lines[-_MOST_ABOVE:]))
    block = lines[len(lines) - len(list(itertools.takewhile(bool, labels))) :]
    if len(block) < 2 or quote_phrases.ends_attribution(block[-1]):
        return 0
    known = sum(quote_phrases.label(line) in _LABELS for line in block)
    return len(block) * (known > 1 or any("@" in line or quote_phrases.is_moment(line) for line in block))


def _attribution(lines: Sequence[str]) -> int:
    """Return how many of the last lines say who wrote the quote, or when; 0 if they do not."""
    for count in range(1, min(_MOST_LINES, len(lines)) + 1):
        if not lines[-count].strip():
            break
        text = " ".join(line.strip(" *_") for line in lines[-count:])
        if len(text) <= _LONGEST and quote_phrases.introduces(text, is_one_line=count == 1):
            is_cut = not quote_phrases.is_moment(text) and quote_phrases.is_moment("".join(lines[-count - 1 : -count]))
            return count + is_cut
    return 0
