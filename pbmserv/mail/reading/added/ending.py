"""The end of the sender's words, without what programs have added: advertisements, notices, what a rule sets off."""

import itertools
import re
from collections.abc import Sequence

from pbmserv.mail.reading.added.adverts import is_advert
from pbmserv.mail.reading.added.notices import is_legal, is_scan, may_be_legal, may_be_notice
from pbmserv.mail.reading.added.speech import ANYBODY, DOMAIN, OWN, speaks, without_links

_LONGEST_SCAN, _LONGEST_NOTICE = 800, 2000  # characters
_FEW = 4  # lines of an addition below a comment without an empty line between them
_WRAPPED, _WIDEST = 50, 80  # characters of a line that was wrapped
_MOST = 6  # times that something is added to one text
_SHORT = 12  # lines of a scanner's notice below its title, and of what a rule sets off
_RULE = re.compile(r"(?:[-_=*~\u2500-\u257f\u2014\u2013] ?){3,}")
_RULES = frozenset("-_=*~ \u2014\u2013") | frozenset(map(chr, range(0x2500, 0x2580)))
_BANNER = re.compile(r"_{5,} ?[^_\n]{4,300}?(?: ?_{5,})?$")  # the title of ESET's notices in all languages
_CONTACT = re.compile(r"@|https?://|[+(]?\d[\d ()/.-]{6,}\d|\|")
_SENTENCE_END = re.compile(r"[!?]$|\b[^\W\d_A-Z]{3,}\.$")
_MOST_WORDS = 6  # of a line of a signature without an address or a number


def without_additions(block: list[str]) -> list[str]:
    """Return the lines of a text without what programs have added in paragraphs at its end. No empty line ends it."""
    titles = (at for at in range(max(0, len(block) - _SHORT), len(block)) if _BANNER.match(block[at]))
    start = next(titles, -1)
    for _ in range(_MOST):
        start = start if start >= 0 else _addition(block, _last_paragraphs(block))
        if start < 0:
            break
        while start and not set(block[start - 1]) - _RULES:  # an empty line, or the rule above a notice
            start -= 1
        block, start = block[:start], -1
    return block


def _last_paragraphs(block: list[str]) -> list[int]:
    """Return where the last three paragraphs begin, the last one first."""
    starts = (at for at in range(len(block) - 1, -1, -1) if block[at] and not (at and block[at - 1]))
    return list(itertools.islice(starts, 3))


def _addition(block: list[str], starts: list[int]) -> int:
    """Return where the addition begins with which a text ends; -1 if it ends in none. A notice can have paragraphs."""
    if starts and (start := _last_lines(block, starts[0])) >= 0:
        return start
    ends, parts = (len(block), *starts), list[str]()
    for start, end in zip(starts, ends, strict=False):
        parts.insert(0, _joined(block[start:end]).lower())
        if sum(map(len, parts)) > _LONGEST_NOTICE or not may_be_legal(parts[0]):
            break
        if is_legal(" ".join(parts)):
            return start
    return _set_off(block)


def _last_lines(block: list[str], start: int) -> int:
    """Return where an addition begins that is the last paragraph, or its last lines; -1 if there is none.

    HTML often has no empty line above it. So the fewest lines are tried first, and what belongs to them goes, too.
    """
    last = len(block) - 1
    fewest = list(range(last, max(start, last - _FEW), -1))
    for at in [start, *fewest] if _is_wrapped(block[start:]) else [*fewest, start]:
        if sum(map(len, block[at:])) <= _LONGEST_NOTICE and _is_added(block[at:]):
            while at > start and (not set(block[at - 1]) - _RULES or may_be_notice(block[at - 1].lower())):
                at -= 1
            return at
    return -1


def _is_added(lines: Sequence[str]) -> bool:
    text = _joined(lines)
    is_short = len(text) <= _LONGEST_SCAN
    if is_short and _is_one_line(lines) and is_advert(text):
        return True
    text = text.lower()
    return (is_short and is_scan(text)) or is_legal(text)


def _is_wrapped(lines: Sequence[str]) -> bool:
    """Return whether these were one line before a program wrapped them."""
    return all(_WRAPPED <= len(line) <= _WIDEST for line in lines[:-1])


def _is_one_line(lines: Sequence[str]) -> bool:
    """Return whether these were one line before they were wrapped, or have links below it."""
    pairs = itertools.pairwise(lines)
    return all(len(line) >= _WRAPPED or not without_links(below, "").strip() for line, below in pairs)


def _joined(lines: Sequence[str]) -> str:
    return " ".join(line.strip() for line in lines if set(line) - _RULES)


def _set_off(block: list[str]) -> int:
    """Return where the rule is that sets a signature off from a comment; -1 if there is none.

    Above it are a move and a comment, so that it does not set off the comment. Below it nobody speaks.
    """
    for at in range(max(2, len(block) - _SHORT), len(block) - 1):
        is_rule = not block[at - 1] and bool(_RULE.fullmatch(block[at]))
        if is_rule and sum(map(bool, block[:at])) > 1:
            return at if _is_signature(block[at + 1 :]) else -1
    return -1


def _is_signature(lines: Sequence[str]) -> bool:
    text = "\n".join(lines)
    if "?" in text or speaks(text, ANYBODY | OWN):
        return False
    if _CONTACT.search(text) or DOMAIN.search(text.lower()):
        return True
    is_named = all(not line or (line[0].isupper() and len(line.split()) <= _MOST_WORDS) for line in lines)
    return is_named and len(lines) > 1 and not _SENTENCE_END.search(text)
