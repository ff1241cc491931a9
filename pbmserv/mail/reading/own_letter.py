"""Finds the lines of our own letter in an answer to it, in whatever form a program or a hand has put them there.

A letter is compared as one run of characters, without spaces and without the signs with which programs quote and mark.
So it does not matter where lines are broken, and what stands before and behind them. A line is the letter's if it goes
on where the line above it ended, or if it begins as a line of the letter does. One short line alone proves nothing: the
sender may have written the same. All takes time linear in the text: each line is looked up, never searched for.
"""

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pbmserv.mail.reading import introductions
from pbmserv.mail.reading.marks import without_marks
from pbmserv.mail.reading.plain import ENDS, QUOTING, compared_lines, readable

_KEY = 6  # characters by which a line is looked up
_MOST_ALIKE = 24  # lines of a letter with the same beginning that are tried
_MOST_TRIED = 150  # lines that begin as one of the letter, but do not go on where the line above ended
_ENOUGH, _ENOUGH_ALONE = 24, 40  # characters of some lines, and of one line, that nobody writes by chance
_ENOUGH_FIRST = 120  # of the first line alone, which can be a command that the letter shows
_MOST_BETWEEN = 40  # lines between two that are known
_MOST_JOINED = 20  # attributions with the beginning of the letter on their line

_MARKS = frozenset(f"{QUOTING}%:\uff1a")  # or without: ` >`, `|`
_MARKING = f" \t[]{{}}{''.join(_MARKS)}"
_ANSWER = re.compile(r"[?!^]{1,9}|\.{2,5}|[:;=8]'?[-o^]?[()|/*]+|--")  # signs of an answer, or above a signature
_FLAGGED = re.compile(b"\1+")
_COUNT_NOT = frozenset(ENDS)


class _Stream(NamedTuple):
    """A letter as characters, where its lines begin, and these by their first characters."""

    text: str
    starts: set[int]
    by_key: dict[str, list[int]]
    spaced: set[int]  # those below an empty line
    after: Sequence[int]  # for each place, where the next character is that counts at the beginning of a line

    def find(self, line: str, end: int) -> int:
        """Return where a line stands at the beginning of one of these, best below `end`; -1 if it does not."""
        starts = self.by_key[line[:_KEY]]
        below = bisect_left(starts, end)
        tried = (*starts[below : below + _MOST_ALIKE], starts[0])
        return next((start for start in tried if self.text.startswith(line, start)), -1)

    def before(self, begin: int) -> int:
        """Return where the last character ends that counts at the end of a line."""
        while self.text[begin - 1 : begin] in _COUNT_NOT:
            begin -= 1
        return begin


class _Text(NamedTuple):
    """The lines of the mail, without marks, what is compared of each, and whether each begins with a mark."""

    lines: Sequence[str]
    unmarked: Sequence[str]
    plain: Sequence[str]
    marked: Sequence[bool]


class _Stretch(NamedTuple):
    """Lines of the mail that stand in the letter without a gap: the first and last, where they begin and end there."""

    first: int
    last: int
    begin: int
    end: int


class _Group(NamedTuple):
    """The lines of a piece of the letter, from the first to the last, and how many characters they have."""

    first: int
    last: int
    size: int


def quoted(text: str, letters: Sequence[str]) -> str:
    """Return `text` with `> ` before lines that stand in a letter, without what introduces them."""
    whole = text
    for first in {letter.split("\n", 1)[0] for letter in letters}:
        text = _begun_on_a_line(text, first)
    compared = [compared_lines(readable(letter)) for letter in letters]
    mail = _split(text, [line for lines in compared for line in lines])
    streams = [_stream(lines) for lines in compared]
    keys = set[str]().union(*(letter.by_key for letter in streams))
    known = [at for at, line in enumerate(mail.plain) if line[:_KEY] in keys]
    groups = [group for letter in streams for group in _found(mail, known, letter)]
    return "\n".join(introductions.cut(mail.lines, _with_signs(mail, groups))) if groups else whole


def _split(text: str, letters: Sequence[str]) -> _Text:
    unmarked = readable(text)
    plain, lines = compared_lines(unmarked), unmarked.split("\n")
    if without := without_marks(lines, plain, letters):
        plain, lines = compared_lines("\n".join(without)), without
    whole = text.split("\n")
    marked = [
        len(line) != len(rest) or line[:1] in _MARKS or line[1:2] in _MARKS
        for line, rest in zip(whole, lines, strict=True)
    ]
    return _Text(whole, lines, [line.strip(ENDS) for line in plain], marked)


def _stream(lines: Sequence[str]) -> _Stream:
    text, by_key = "".join(lines), dict[str, list[int]]()
    after = list(range(len(text) + 1))
    for at in range(len(text) - 1, -1, -1):
        if text[at] in _COUNT_NOT:
            after[at] = after[at + 1]
    begins = [after[at] for at in itertools.accumulate(map(len, lines), initial=0)]
    starts, spaced = set(begins), {at for above, at in zip(lines, begins[1:], strict=True) if not above}
    for start in sorted(starts - {len(text)}):
        by_key.setdefault(text[start : start + _KEY], []).append(start)
    return _Stream(text, starts, by_key, spaced, after)


def _begun_on_a_line(text: str, first: str) -> str:
    """Return `text` with the first line of a letter on a new line: some programs put it behind the attribution."""
    words = first.split()
    if len(words) < 2 or words[-1] not in text:
        return text
    begin = re.compile(r"[ \t*_]{1,9}".join(map(re.escape, words)))
    kept, end = list[str](), 0
    for match in itertools.islice(begin.finditer(text), _MOST_JOINED):
        above = text[end : match.start()]
        bare, end = above.rstrip(" \t"), match.start()
        kept += [bare, "\n"] if bare != above and bare and not bare.endswith(("\n", ">", "|")) else [above]
    return "".join((*kept, text[end:]))


def _found(mail: _Text, known: Sequence[int], letter: _Stream) -> list[_Group]:
    """Return the lines that stand in the letter. Of a long comment, hardly a line is compared."""
    known = [at for at in known if mail.plain[at][:_KEY] in letter.by_key]
    first = next((at for at, line in enumerate(mail.plain) if line), -1)
    groups = _groups(mail.plain, _runs(mail, known, letter), letter.text)
    return [group for group in groups if _is_proved(mail, group, first)]


def _runs(mail: _Text, known: Sequence[int], letter: _Stream) -> Iterator[_Stretch]:
    """Yield the runs of lines that stand in the letter, from the first on, as long as not too many were tried."""
    last, end, tried = -1, 0, 0
    for at in known:
        if at > last and tried < _MOST_TRIED:
            tried += 1
            if (start := letter.find(mail.plain[at], end)) >= 0:
                first, begin = _lead(mail, letter, at, start, last)
                last, end = _follow(mail, letter, at, start)
                yield from _without_move(mail, letter, _Stretch(first, last, begin, end))


def _follow(mail: _Text, letter: _Stream, at: int, begin: int) -> tuple[int, int]:
    """Return the last line of the run that begins here, and where it ends in the letter."""
    _, _, plain, marked = mail
    text, starts, _, _, after = letter
    end, is_marked = after[begin + len(plain[at])], marked[at]
    for n in range(at + 1, len(plain)):
        if line := plain[n]:
            # Below a marked line, a line without a mark is its rest, or the sender's.
            is_other = is_marked and end in starts and not marked[n]
            if is_other or not text.startswith(line, end):
                break
            at, end = n, after[end + len(line)]
    return at, end


def _without_move(mail: _Text, letter: _Stream, run: _Stretch) -> Iterator[_Stretch]:
    """Yield the run, but not its last line if that can be the sender's move, below a letter that is cut off there.

    With what a move has brought behind it, as in `5. bob 66: Kept 6 6.`, it is the letter's.
    """
    line, is_noted = mail.plain[run.last], ": " in mail.unmarked[run.last]
    is_apart = len(line) < _ENOUGH and not mail.lines[run.last - 1] and not mail.marked[run.last] and not is_noted
    if not is_apart or run.end == len(letter.text) or letter.text.rfind(line, 0, run.end) in letter.spaced:
        yield run
    elif run.first < run.last:
        yield run._replace(last=run.last - 1, end=run.end - len(line))


def _lead(mail: _Text, letter: _Stream, at: int, begin: int, above: int) -> tuple[int, int]:
    """Return the first line of the run that goes on here, with whole lines of the letter, and where it begins there."""
    for n in range(at - 1, max(above, 0), -1):
        if line := mail.plain[n]:
            start = letter.before(begin) - len(line)
            if start not in letter.starts or not letter.text.startswith(line, start):
                break
            at, begin = n, start
        elif not mail.lines[n]:
            break
    return at, begin


def _groups(plain: Sequence[str], runs: Iterable[_Stretch], letter: str) -> list[_Group]:
    """Return the pieces of the letter, in its order. A few lines between two runs can have other line breaks."""
    groups, above = list[_Group](), _Stretch(-1, -1, 0, 0)
    for run in runs:
        size, between = sum(map(len, plain[run.first : run.last + 1])), -1
        group = _Group(run.first, run.last, size)
        if groups and run.begin >= above.end:
            between = _between(plain, range(above.last + 1, run.first), letter[above.end : run.begin])
        if between >= 0:
            upper = groups.pop()
            group = _Group(upper.first, run.last, upper.size + between + group.size)
        groups.append(group)
        above = run
    return groups


def _between(plain: Sequence[str], at: range, letter: str) -> int:
    """Return the characters of these lines, if all of them stand in a part of the letter, in order; else -1."""
    if len(at) >= _MOST_BETWEEN:
        return -1
    size = start = 0
    for line in filter(None, plain[at.start : at.stop]):
        place = letter.find(line, start)
        if place < 0:
            return -1
        start, size = place + len(line), size + len(line)
    return size


def _is_proved(mail: _Text, group: _Group, first: int) -> bool:
    """Return whether nobody writes these lines by chance, as they would a move that stands in the letter."""
    if group.first < group.last:
        return group.size >= _ENOUGH
    if group.first == first:
        return group.size >= _ENOUGH_FIRST
    return group.size >= _ENOUGH_ALONE or (group.size >= _KEY and mail.marked[group.first])


def _with_signs(mail: _Text, groups: Iterable[_Group]) -> list[tuple[int, int]]:
    """Return the ranges of lines of these groups, with the lines without a word beside them, but without answers."""
    flags = bytearray(len(mail.lines))  # for each line, whether it is a quote
    for first, last, _ in groups:
        flags[first : last + 1] = b"\1" * (last + 1 - first)
    for at, line in enumerate(mail.plain):
        if not line and flags[at] and _ANSWER.fullmatch(mail.unmarked[at].strip()):
            flags[at] = 0
    ends = [0, *(end for span in _ranges(flags) for end in span), len(flags)]
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        for at in _bare_between(mail, start, end):
            flags[at] = 1
    return _ranges(flags)


def _ranges(flags: bytearray) -> list[tuple[int, int]]:
    return [match.span() for match in _FLAGGED.finditer(flags)]


def _bare_between(mail: _Text, start: int, end: int) -> Iterator[int]:
    """Yield the lines without a word in a gap, of which the lines above `start` and at `end` are the letter's."""
    is_whole = start > 0 and end < len(mail.lines) and not any(mail.plain[start:end])
    is_beside = start > 0
    for at in range(start, end) if is_beside else ():
        line = mail.unmarked[at]
        is_sign = not mail.plain[at] or introductions.is_frame(line)
        if not is_sign or _ANSWER.fullmatch(line.strip()):
            break
        is_beside = is_beside and bool(mail.lines[at])
        if is_whole or is_beside or introductions.is_frame(line) or not mail.lines[at].strip(_MARKING):
            yield at
    for at in range(end - 1, start - 1, -1) if end < len(mail.lines) else ():
        line = mail.unmarked[at]
        is_sign = not line.strip(_MARKING) or introductions.is_frame(line)
        if not mail.lines[at] or not is_sign or _ANSWER.fullmatch(line.strip()):
            break
        yield at
