"""Finds the marks that a program or a hand has put before or behind the lines of a letter: a number, a name, a sign.

Nothing is known of a mark but that it stands in the same form beside several lines of the letter.
"""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pbmserv.mail.reading.plain import compared_lines

_MOST_LINES, _LEAST_ALIKE = 24, 3  # lines of the letter that are looked for, and that have the same mark
_SHORTEST, _LOOKED_FOR = 6, 12  # characters of such a line, and how many of them are looked for
_MOST_MARKS = 3
_LONGEST, _MOST_WORDS = 60, 6  # characters and words of a mark
_COUNTED = re.compile(r"(\d+)|(?<![^\W_])[A-Za-z](?![^\W_])")  # numbers and letters of a list
_FORMS = {"0": r"\d{1,9}", "A": r"[A-Za-z](?![^\W_])"}


def without_marks(lines: Sequence[str], plain: Sequence[str], letter: Iterable[str]) -> list[str]:
    """Return the lines without what stands before or behind lines of a letter; none if nothing does.

    `plain`: what is compared of these lines; `letter`: the same of the letter.
    """
    known = sorted({line for line in letter if len(line) >= _SHORTEST}, key=len, reverse=True)[:_MOST_LINES]
    stream = "\n".join(plain)
    before = _often(_before(lines, plain, stream, (line[:_LOOKED_FOR] for line in known)))
    behind = _often(_behind(lines, plain, stream, (line[-_LOOKED_FOR:] for line in known)))
    if not before and not behind:
        return []
    text = "\n".join(("", *lines, ""))
    for mark in before:
        text = re.sub(rf"\n[ \t]*{_form(mark)}[ \t]*", "\n", text)
    for mark in behind:
        text = re.sub(rf"{_form(mark)}[ \t]*\n", "\n", text)
    return text.split("\n")[1:-1]


def _often(marks: Iterable[str]) -> list[str]:
    """Return the marks that several lines have, with 0 for any number, and A for any letter."""
    marks = (mark for mark in marks if len(mark.split()) <= _MOST_WORDS)
    counts = Counter(_COUNTED.sub(lambda match: "0" if match[1] else "A", " ".join(mark.split())) for mark in marks)
    return [mark for mark, count in counts.most_common(_MOST_MARKS) if mark and count >= _LEAST_ALIKE]


def _form(mark: str) -> str:
    """Return the pattern of a mark, with any number for 0, any letter for A, and any spaces for one."""
    words = (re.sub("0|(?<![^\\W_])A(?![^\\W_])", lambda match: _FORMS[match[0]], re.escape(w)) for w in mark.split())
    return r"[ \t]+".join(words)  # a space at least: numbers side by side could be split in many ways


def _before(lines: Sequence[str], plain: Sequence[str], stream: str, known: Iterable[str]) -> Iterator[str]:
    """Yield what stands before the lines that are known, up to the end of a word."""
    for at, start, _ in _places(stream, known):
        line = lines[at]
        if 0 < start <= _LONGEST:
            end = bisect_left(range(len(line)), start, key=lambda n: _size(line[:n]))
            mark = line[:end] + _signs(line[end:])
            yield from [] if mark[-1:].isalnum() and line[len(mark) : len(mark) + 1].isalnum() else [mark]


def _behind(lines: Sequence[str], plain: Sequence[str], stream: str, known: Iterable[str]) -> Iterator[str]:
    """Yield what stands behind the lines that are known, from the beginning of a word."""
    for at, _, end in _places(stream, known):
        line = lines[at]
        if end < len(plain[at]) <= end + _LONGEST:
            begin = bisect_right(range(len(line)), end, key=lambda n: _size(line[:n])) - 1
            mark = _signs(line[:begin][::-1])[::-1] + line[begin:]
            yield from [] if mark[:1].isalnum() else [mark]


def _signs(line: str) -> str:
    """Return the signs at the beginning of a line that do not count, without spaces."""
    return "".join(itertools.takewhile(lambda sign: not sign.isspace() and not _size(sign), line))


def _size(line: str) -> int:
    return len(compared_lines(line)[0])


def _places(stream: str, known: Iterable[str]) -> Iterator[tuple[int, int, int]]:
    """Yield where words stand for the first time: the number of the line, and from where to where in it."""
    for words in known:
        if (start := stream.find(words)) >= 0:
            begin = stream.rfind("\n", 0, start) + 1
            yield stream.count("\n", 0, start), start - begin, start - begin + len(words)
