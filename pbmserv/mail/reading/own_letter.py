"""Finds the lines of our own letter in an answer to it, in whatever form a program or a hand has put them there.

A letter is compared as one run of characters, without spaces and without the signs with which programs quote and mark.
So it does not matter where lines are broken, and what stands before them. A line is the letter's if it goes on where
the line above it ended, or if it begins as a line of the letter does. One short line alone proves nothing: the sender
may have written the same. All takes time linear in the text: each line is looked up, never searched for.
"""

import itertools
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from pbmserv.mail.reading import quote_phrases

_KEY = 6  # characters by which a line is looked up
_MOST_ALIKE = 24  # lines of a letter with the same beginning that are tried
_ENOUGH, _ENOUGH_ALONE = 24, 40  # characters of some lines, and of one line, that nobody writes by chance
_MOST_BETWEEN = 40  # lines between two that are known
_MOST_ABOVE, _MOST_LINES = 9, 3  # lines of what introduces a quote, and of an attribution
_LONGEST = 300  # characters of an attribution

# Nothing of these counts: programs put them before lines, and around words that HTML shows in bold or as a link.
_SIGNS = " \t\xa0%}>|:*_\"'`#~<[]()\xbb\xab\u203a\u2039\u2502\u2503\xa6\u201c\u201d\u2018\u2019"
_WITHOUT_SIGNS = str.maketrans("", "", _SIGNS)
_QUOTING = ">|}\xbb\u203a\uff1e\u2502\u2503\xa6"
_LETTERS = re.compile(rf"\s*[^\W\d_][\w.-]{{0,11}}[{_QUOTING}]")  # with letters before it: `PS>`, `ab>`
_LABELS = quote_phrases.FROM | quote_phrases.OTHERS
_ALL_QUOTING, _MARKS = frozenset(_QUOTING), frozenset(f"{_QUOTING}%:\uff1a")  # or without: ` >`, `|`
_ONLY_MARK = re.compile(rf"(?:{_LETTERS.pattern}|\s*[{''.join(_MARKS)}])+\s*")
_NO_WORD = re.compile(r"[\W_]+")


class _Stream(NamedTuple):
    """A letter as characters, where its lines begin, and these by their first characters."""

    text: str
    starts: frozenset[int]
    by_key: dict[str, list[int]]


class _Text(NamedTuple):
    """The lines of the mail, the characters of each that count, and these without a mark that has letters, by line."""

    lines: Sequence[str]
    plain: Sequence[str]
    unmarked: dict[int, str]

    def is_marked(self, at: int) -> bool:
        """Return whether a line begins with the mark of a quote."""
        return at in self.unmarked or self.lines[at].lstrip()[:1] in _MARKS


#: A line of the mail that stands in the letter, and where it begins and ends there. There can be thousands.
_Part = tuple[int, int, int]
_NOWHERE: _Part = (-1, 0, 0)


def quoted(text: str, letters: Sequence[str]) -> str:
    """Return `text` with `> ` before each line that stands in one of the letters, without what introduces them."""
    for letter in letters:
        text = _begun_on_a_line(text, letter)
    mail = _split(text)
    heads = [line[:_KEY] for line in mail.plain]
    found = set[int]().union(*(_found(mail, heads, _stream(letter)) for letter in letters))
    if not found:
        return text
    found |= _bare(mail, found)
    kept: list[str] = []
    for at, line in enumerate(mail.lines):
        if at in found and at - 1 not in found:
            _cut_introduction(kept)
        kept.append(f"> {line}" if at in found and not line.startswith(">") else line)
    return "\n".join(kept)


def plain_lines(text: str) -> list[str]:
    """Return the characters that count of each line: no spaces, no signs of quotes, no capitals."""
    if text.isascii():
        return text.casefold().translate(_WITHOUT_SIGNS).split("\n")
    text = unicodedata.normalize("NFKC", text).casefold()
    for sign in _SIGNS:  # ten times as fast here as `translate`
        text = text.replace(sign, "")
    return text.split("\n")


@lru_cache(maxsize=64)  # a program writes the same one before each line
def _plain(mark: str) -> str:
    return plain_lines(mark)[0]


def _split(text: str) -> _Text:
    lines, plain, unmarked = text.split("\n"), plain_lines(text), dict[int, str]()
    if not _ALL_QUOTING.isdisjoint(text):
        for at, line in enumerate(lines):
            if line[-1:] in _MARKS and plain[at] and _ONLY_MARK.fullmatch(line):
                plain[at] = ""
            if mark := _LETTERS.match(line):
                unmarked[at] = plain[at][len(_plain(mark[0])) :]
    return _Text(lines, plain, unmarked)


def _stream(letter: str) -> _Stream:
    text, by_key = "", dict[str, list[int]]()
    starts = list[int]()
    for line in filter(None, plain_lines(letter)):
        starts.append(len(text))
        text += line
    for start in starts:
        by_key.setdefault(text[start : start + _KEY], []).append(start)
    return _Stream(text, frozenset(starts), by_key)


def _begun_on_a_line(text: str, letter: str) -> str:
    """Return `text` with the beginning of the letter on a new line: some programs put it behind the attribution."""
    words = letter.split("\n", 1)[0].split()
    if len(words) < 2 or words[-1] not in text:
        return text
    begin = r"[ \t*_]{1,9}".join(map(re.escape, words))
    kept, end = "", 0
    for found in re.finditer(begin, text):
        above = text[end : found.start()]
        bare, end = above.rstrip(" \t"), found.start()
        kept += f"{bare}\n" if bare != above and not bare.endswith(("\n", ">", "|")) and bare else above
    return kept + text[end:]


def _found(mail: _Text, heads: Sequence[str], letter: _Stream) -> set[int]:
    """Return the numbers of the lines that stand in the letter. Of a long comment, hardly a line is compared."""
    by_key, plain = letter.by_key, mail.plain
    known = {at for at, head in enumerate(heads) if head in by_key}
    known.update(at for at, line in mail.unmarked.items() if line[:_KEY] in by_key)
    parts, above, goes_on = list[_Part](), _NOWHERE, True
    for at, line in enumerate(plain):
        if line and (goes_on or at in known):
            place = _place(letter, mail, at, above, goes_on=goes_on)
            goes_on = place is not None
            if place:
                above = place
                parts.append(above)
    groups = _groups(plain, parts, letter)
    first = next((at for at, line in enumerate(plain) if line), -1)
    return {at for group in groups if _is_proved(mail, group, first) for at in group}


def _place(letter: _Stream, mail: _Text, at: int, above: _Part, *, goes_on: bool) -> _Part | None:
    """Return where a line stands in the letter: where the part above ended, or at a line, best below it.

    `goes_on`: that part is the line above.
    """
    upper, _, end = above
    # Below a marked line, a line without a mark is its rest, or the sender's.
    if goes_on and end in letter.starts and mail.is_marked(upper):
        goes_on = mail.is_marked(at)
    line, unmarked, text = mail.plain[at], mail.unmarked.get(at, ""), letter.text
    for form in (line, unmarked) if unmarked else (line,):
        if goes_on and text.startswith(form, end):
            return at, end, end + len(form)
        if len(form) >= _KEY and (starts := letter.by_key.get(form[:_KEY])):
            below = bisect_left(starts, end)
            for start in (*starts[below : below + _MOST_ALIKE], starts[0]):
                if text.startswith(form, start):
                    return at, start, start + len(form)
    return None


def _groups(plain: Sequence[str], parts: Sequence[_Part], letter: _Stream) -> list[list[int]]:
    """Return the lines of each piece of the letter, in its order. A few lines between can have other line breaks."""
    groups, last, end = list[list[int]](), -1, 0
    for at, begin, next_end in parts:
        between: list[int] | None = [] if groups and begin >= end else None
        if between is not None and at - last > 1:
            between = _between(plain, range(last + 1, at), letter.text[end:begin])
        if between is None:
            groups.append([at])
        else:
            groups[-1] += [*between, at]
        last, end = at, next_end
    return groups


def _between(plain: Sequence[str], at: range, letter: str) -> list[int] | None:
    """Return which of these lines are not empty, if all of them stand in a part of the letter, in order; else None."""
    if len(at) >= _MOST_BETWEEN:
        return None
    found, start = [n for n in at if plain[n]], 0
    for n in found:
        place = letter.find(plain[n], start)
        if place < 0:
            return None
        start = place + len(plain[n])
    return found


def _is_proved(mail: _Text, group: Sequence[int], first: int) -> bool:
    """Return whether nobody writes these lines by chance, as they would a move that stands in the letter."""
    size = sum(len(mail.plain[at]) for at in group)
    if len(group) == 1:
        return group[0] != first and (size >= _ENOUGH_ALONE or (size >= _KEY and mail.is_marked(group[0])))
    return size >= _ENOUGH


def _bare(mail: _Text, found: set[int]) -> set[int]:
    """Return the lines that are only signs, between lines of a letter, or below one and with a mark of a quote."""
    bare, waiting, is_below = set[int](), list[int](), False
    for at, line in enumerate(mail.lines):
        if mail.plain[at]:
            bare |= set(waiting) if is_below and at in found else set()
            waiting, is_below = [], at in found
        elif line and is_below:
            bare |= {at} if _ONLY_MARK.fullmatch(line) else set()
            waiting.append(at)
    return bare


# --- what introduces a quote -----------------------------------------------------------------------------------------


def _cut_introduction(lines: list[str]) -> None:
    """Cut off the end of the lines above a quote: rules, a block of headers, an attribution in any language."""
    told = False
    for _ in range(_MOST_ABOVE):
        while lines and not lines[-1].strip():
            del lines[-1]
        if not lines or lines[-1].startswith(">"):
            break
        count = 1 if _NO_WORD.fullmatch(lines[-1]) else 0 if told else _headers(lines) or _attribution(lines)
        if not count:
            break
        told = told or not _NO_WORD.fullmatch(lines[-1])
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
