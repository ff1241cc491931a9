"""Finds the sender's own words in a mail: its text without quotes, signature and footers.

We recognise what to cut by its place and form (quote marks, a block of headers, an attribution above a quote, the last
paragraph). So a comment can contain any of these words. own_letter.py finds where a quoted letter of ours begins and
ends, whatever a program made of it. Everything takes time linear in the text.
"""

import itertools
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbmserv.mail.reading import own_letter, quote_phrases
from pbmserv.mail.reading.added.ending import without_additions
from pbmserv.mail.reading.added.pictures import without_pictures

_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z-]+: [^\n]*\n)*\n?", re.M)
_SIGNATURE = "\n-----BEGIN PGP SIGNATURE-----"
_MARKED = re.compile("--|[:：]")  # every line that begins an original contains one of these
_ORIGINAL = re.compile(r"-{2,} ?([^-\n][^\n]{2,60}?) ?-{2,}")
_FORWARD = re.compile(r"-{5} ?[^-\n]{2,60}? ?-{5} ?From: [^\n]{1,200}@")  # Yahoo's, on one line
_LABELS = quote_phrases.FROM | quote_phrases.OTHERS
_RULE = re.compile(r"_{20,}|[-=*~]{30,}")
_REACH = 8  # the other headers must be within this many lines below From:
_FEWEST, _MOST_WORDS = 4, 3  # lines of a block of headers in an unknown language, and words of a label
_LETTER = 79  # characters in a line of a letter of ours
_WRAPPED = 4  # the most lines of a wrapped attribution
_MOST_TRIED = 200  # the most lines of a text that are tried as the end of an attribution
_MOST_TRIMMED = 200  # the most blocks from which what programs add is cut
_DASHES = ("\N{EN DASH}", "\N{EM DASH}")
_BARS = "\xbb\u203a\uff1e\u2502\xa6"
_SHORT, _FEW = 240, 3  # characters and lines of a comment that is hardly a whole quote
_SUSPICIOUS = re.compile(rf"^ *(?:[^\W\d_]{{0,12}}[>|{_BARS}]|[\W_]+$)|[:：)\]>] *$|@|\d:\d\d", re.M)
_BELOW_A_QUOTE = re.compile(r"^ ?>[^\n]*\n(?! ?>|\s*\n)(?=[^\n])", re.M)
_LINK_BEHIND = re.compile(r"<(?:https?://|mailto:)[^\s<>]{1,2000}>", re.I)  # Outlook puts them behind words
_SENTENCE = re.compile(r"\b(?:[^\W\d_]{2,}+[^\w\n]++){2}[^\W\d_]{2}")  # three words
_FOOTER = 15  # the most lines of a list's footer


class OwnWords(NamedTuple):
    """The sender's own words, and whether lines were cut off that may have some, too.

    These are below the beginning of an original without marks which is none of the letters that are known.
    """

    words: str
    is_cut: bool


def own_words(text: str, letters: Sequence[str] = ()) -> str:
    """Return only the words."""
    return read(text, letters).words


def read(text: str, letters: Sequence[str] = ()) -> OwnWords:
    """Return the lines of `text` (clean, LF) that its sender wrote: above, below and between quoted lines.

    `letters`: the texts that it may quote. Their lines are quotes, with or without marks.
    """
    lines, original = _parted(text)
    if letters:
        lines = own_letter.quoted("\n".join(lines), letters).split("\n")
    above = _trimmed(_without_orphans(lines))
    inside, below = _in_letter(original, letters) if letters and any(original) else ([], [])
    is_cut = any(original) and not (inside or below)
    # Nobody but the sender may write the first line. The other player may have written one that a program has changed.
    words = (above, *(inside if above else []), _trimmed(below))
    return OwnWords("\n\n".join(filter(None, words)), is_cut or (bool(inside) and not above))


@lru_cache(maxsize=2)  # a mail is read alone, and again with the letters that it may answer
def _parted(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the lines above an original, and those of the original, without spaces at their ends."""
    text = "\n".join(line.rstrip() for line in without_pictures(text).split("\n"))
    text = quote_phrases.mended(text)
    lines, original = _answer(text)
    if signed := _SIGNED.search("\n".join(lines)):
        lines, original = _answer(_signed_text(text, signed.end()))
    return lines, original


def _trimmed(lines: Sequence[str]) -> str:
    """Return lines without quotes and what programs add."""
    blocks = [(block, is_quoted) for block, is_quoted in _own_blocks(lines) if any(block)]
    last = len(blocks) - 1  # programs add nothing between the lines of a quote
    trimmed = [
        _trim(block, is_quoted, is_end=at in (0, last)) if at < _MOST_TRIMMED or at == last else _strip(block)
        for at, (block, is_quoted) in enumerate(blocks)
    ]
    return "\n\n".join("\n".join(block) for block in trimmed if block)


def _in_letter(original: Sequence[str], letters: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the sender's sentences within an original, and all lines below it; none if it is none of `letters`."""
    text = _LINK_BEHIND.sub("", "\n".join(original))
    marked = own_letter.quoted(text, letters)
    if marked == text:
        return [], []
    lines = marked.split("\n")
    known = [at for at, line in enumerate(lines) if _is_quote(line)]
    inside = [line for line in lines[known[0] : known[-1]] if not _is_quote(line) and _SENTENCE.search(line)]
    below, _ = _answer("\n".join(lines[known[-1] :]))
    return inside, below


def is_doubtful(text: str, words: str) -> bool:
    """Return whether `words`, the sender's own in `text`, may have lines of a quote among them.

    They are long, or have signs of quotes, or a line of the text without such a sign is directly below one with it.
    """
    comment = words.partition("\n")[2].strip("\n")
    if not comment:
        return False
    is_long = len(comment) > _SHORT or comment.count("\n") > _FEW
    return is_long or bool(_SUSPICIOUS.search(comment) or _BELOW_A_QUOTE.search(text))


def has_marks(text: str) -> bool:
    """Return whether a line of `text` is marked as quoted."""
    return any(map(_is_quote, text.split("\n")))


def _signed_text(text: str, start: int) -> str:
    """Return the signed text that begins at `start` (RFC 9580 §7), with its dashes unescaped."""
    end = text.find(_SIGNATURE, start - 1)
    return re.sub("^- ", "", text[start : end if end >= 0 else None], flags=re.M)


def _answer(text: str) -> tuple[list[str], list[str]]:
    """Return the lines above an original without quote marks, and those from its beginning to the end."""
    lines = text.split("\n")
    if not _MARKED.search(text):
        return lines, []
    labels = [
        quote_phrases.label(line) if (":" in line or "：" in line) and not _is_quote(line) else "" for line in lines
    ]
    if start := _end_of_headers(lines, labels):
        return lines[start:], []
    tried = 0
    for at, line in enumerate(lines):
        is_headed = labels[at] or line.startswith(quote_phrases.MESSAGE_OF)  # few lines are
        if ("--" in line and _is_original(lines, labels, at)) or (is_headed and _is_header_block(lines, labels, at)):
            title = _title(lines, at)
            return lines[:title], lines[title:]
        if tried < _MOST_TRIED and quote_phrases.ends_attribution(line):
            tried += 1
            if (above := _above_full_attribution(lines, at)) is not None:
                return above, lines[at + 1 :]
    return lines, []


def _end_of_headers(lines: list[str], labels: list[str]) -> int:
    """Return where the title and headers of a marked quote end, if the mail begins with these; else 0."""
    start = next((at for at, line in enumerate(lines) if line), 0)
    at = start + bool(lines[start] and _ORIGINAL.fullmatch(lines[start].strip()))
    end = at + len(list(itertools.takewhile(bool, labels[at:])))
    is_block = at < end and (at > start or _is_header_block(lines, labels, at))
    return end if is_block and end < len(lines) and _is_quote(_next(lines, end - 1)) else 0


def _title(lines: list[str], at: int) -> int:
    """Return the line number of the original's title: a rule, or "Begin forwarded message:"; `at` if it has none."""
    above = at - 1
    while above > 0 and not lines[above] and at - above < 4:
        above -= 1
    is_title = above >= 0 and (_RULE.fullmatch(lines[above]) or quote_phrases.is_forward(lines[above]))
    return above if is_title else at


def _is_original(lines: list[str], labels: list[str], at: int) -> bool:
    """Return whether the line is -----Original Message-----, but not above quote marks: there it is an attribution."""
    if _FORWARD.match(lines[at].lstrip()):
        return True
    match = _ORIGINAL.fullmatch(lines[at].strip())
    if not match or _is_quote(_next(lines, at)):
        return False
    is_above = any(labels[at + 1 : at + 2])  # of a title in an unknown language
    return match[1].lower() in quote_phrases.ORIGINAL or (is_above and len(_labels_below(labels, at)) >= 2)


def _is_header_block(lines: list[str], labels: list[str], at: int) -> bool:
    """Return whether the line is From: with two more headers close below it, or another header above such lines."""
    is_box = bool(labels[at]) and any(map(quote_phrases.is_box, lines[at : at + 2]))
    if is_box and _is_unknown_block(lines[at : at + _REACH], labels[at : at + _REACH]):
        return True
    if not _is_known_block(lines, labels, at):
        return False
    return _title(lines, at) < at or not _has_neither_address_nor_date(lines[at : at + 1 + _REACH])


def _is_known_block(lines: list[str], labels: list[str], at: int) -> bool:
    if labels[at] in quote_phrases.FROM:
        return len(_labels_below(labels, at) - quote_phrases.FROM) >= 2
    if labels[at] not in quote_phrases.OTHERS and not lines[at].startswith(quote_phrases.MESSAGE_OF):
        return False
    together = set(itertools.takewhile(bool, labels[at + 1 : at + _REACH]))
    return bool(together & quote_phrases.FROM) and len(together & quote_phrases.OTHERS) >= 2


def _has_neither_address_nor_date(lines: list[str]) -> bool:
    """Return whether headers are only a joke: `From: me`, `To: you`."""
    block = "".join(itertools.takewhile(bool, lines))
    return "@" not in block and not any(map(str.isdigit, block))


def _is_unknown_block(lines: list[str], labels: list[str]) -> bool:
    """Return whether these are four or more labelled lines, in any language, with a time."""
    count = len(list(itertools.takewhile(bool, labels)))
    is_block = count >= _FEWEST and all(len(label.split()) <= _MOST_WORDS for label in labels[:count])
    return is_block and any(map(quote_phrases.is_moment, lines[:count]))


def _labels_below(labels: list[str], at: int) -> set[str]:
    return set(labels[at + 1 : at + 1 + _REACH]) & _LABELS


def _above_full_attribution(lines: list[str], at: int) -> list[str] | None:
    """Return what is above a complete attribution whose last line is at `at`; None if there is none there.

    Below a complete attribution, some mailers quote without marks.
    """
    start = max(0, at + 1 - 2 * _WRAPPED)  # not all lines, because this runs for each line
    if not any("@" in line for line in lines[max(0, at + 1 - _WRAPPED) : at + 1]) or _is_quote(_next(lines, at)):
        return None
    above = _above_attribution(lines[start : at + 1], quote_phrases.is_full_attribution)
    if above is None or (any(lines[at + 1 : at + 2]) and _is_in_a_sentence(lines[start:], above)):
        return None
    return lines[:start] + above


def _is_in_a_sentence(lines: list[str], above: list[str]) -> bool:
    """Return whether the cut that leaves `above` begins within a line, and not as attributions begin."""
    if not above or above == lines[: len(above)]:
        return False
    return not quote_phrases.is_led(lines[len(above) - 1][len(above[-1]) :].strip())


def _above_attribution(lines: list[str], is_one: Callable[[str], bool]) -> list[str] | None:
    """Return what is above the attribution at the end of `lines`; None if there is no attribution there.

    We take the shortest possible attribution. Words directly above it, or before it on its first line, are the
    sender's.
    """
    for top in range(len(lines) - 1, max(-1, len(lines) - 1 - _WRAPPED), -1):
        if not lines[top]:
            break
        if is_one(_join(lines[top:])):
            return _above(lines, top)
    return None


def _above(lines: list[str], top: int) -> list[str]:
    """Return what is above the attribution whose date, time, verb or address begin at line `top`."""
    text = _join(lines[top:])
    begin = quote_phrases.begin_of_attribution(text)
    for higher in range(top - 1, max(-1, top - 3), -1):
        if begin > 0 or not lines[higher]:
            break
        if (column := quote_phrases.begin_above(_tail(lines[higher]), _join(lines[higher + 1 :]))) >= 0:
            top, begin = higher, column
    return _cut_line(lines[:top], lines[top], begin)


def _cut_line(above: list[str], line: str, begin: int) -> list[str]:
    """Return `above`, and the words of `line` that are before position `begin` of its tail."""
    words = line[: len(line) - len(_tail(line)) + max(begin, 0)].rstrip()
    return [*above, words] if words.strip() and 0 <= begin < len(_tail(line)) else above


def _without_orphans(lines: Sequence[str]) -> Sequence[str]:
    """Return `lines` without the ends of quoted lines that the mailer has wrapped, so that they have no quote mark.

    There must be two or more, each of them a single line between two quoted lines. The line above each must be full,
    and both together must not be longer than a line of our letters. If there is only one such line, it is kept,
    because it can be the sender's.
    """
    marked = list(map(_is_quote, lines))
    if True not in marked:
        return lines
    alone = {at for at in range(1, len(lines) - 1) if lines[at] and marked[at - 1 : at + 2] == [True, False, True]}
    others = any(line and not marked[at] and at not in alone for at, line in enumerate(lines))
    if len(alone) < 2 or not others:
        return lines
    width = max(len(line) for at, line in enumerate(lines) if marked[at])
    if not all(_is_wrapped(lines[at - 1], lines[at], width) for at in alone):
        return lines
    return [line for at, line in enumerate(lines) if at not in alone]


def _is_wrapped(line: str, rest: str, width: int) -> bool:
    """Return whether a quoted line and the rest below it were one line before wrapping at `width`."""
    words = line.lstrip("> ")
    is_full = len(line) + 1 + len(rest.split()[0]) > width
    return is_full and len(words) + 1 + len(rest) <= _LETTER and not words.endswith((".", "!", "?", ":", ";"))


def _own_blocks(lines: Sequence[str]) -> list[tuple[list[str], bool]]:
    """Return the blocks of lines without quote marks, and for each whether a quote follows."""
    blocks: list[tuple[list[str], bool]] = []
    block: list[str] = []
    for is_quoted, part in itertools.groupby(lines, _is_quote):
        if not is_quoted:
            block = list(part)
        elif block:
            blocks.append((block, True))
            block = []
    return [*blocks, (block, False)]


def _trim(block: list[str], quoted_below: bool, *, is_end: bool) -> list[str]:
    """Return `block` without signature, footer, attribution, what programs add, and empty lines around it."""
    block = block[: _signature(block)]
    block = _strip(block if quoted_below else _without_footer(block))
    block = _strip(_without_attribution(block, quoted_below))
    if quoted_below and block and _is_title(block[-1]):
        block = _strip(_without_attribution(_strip(block[:-1]), quoted_below))
    return without_additions(block) if is_end else block


def _signature(block: Sequence[str]) -> int:
    """Return where the signature begins: at `--`, or at the one dash that some programs make of it, near the end."""
    dashes = (at for at in range(max(0, len(block) - _FOOTER), len(block)) if block[at] in _DASHES)
    return block.index("--") if "--" in block else next(dashes, len(block))


def _is_title(line: str) -> bool:
    """Return whether the line is the title of a quote: "Begin forwarded message:", words between dashes, or a rule."""
    match = _ORIGINAL.fullmatch(line)
    is_named = quote_phrases.is_forward(line) or bool(match and quote_phrases.is_original(match[1]))
    return is_named or bool(_RULE.fullmatch(line))


def _without_footer(block: list[str]) -> list[str]:
    """Return `block` up to the rule above a mailing list's footer: a few lines at the end, with an address."""
    for at in range(max(0, len(block) - _FOOTER), len(block)):
        below = "\n".join(block[at + 1 :])
        if _RULE.fullmatch(block[at]) and (not below.strip() or "@" in below or "://" in below):
            return block[:at]
    return block


def _without_attribution(block: list[str], quoted_below: bool) -> list[str]:
    """Return `block` without an attribution at its end. Its quote is below, or the mailer has left it out."""
    if not block or not quote_phrases.ends_attribution(block[-1]):
        return block
    above = _above_attribution(block, quote_phrases.is_attribution)
    if above is not None:
        return above
    return block[:-1] if quoted_below and quote_phrases.is_short_attribution(block[-1]) else block


def _is_quote(line: str) -> bool:
    return line.startswith((">", " >"))


def _next(lines: list[str], at: int) -> str:
    """Return the first line of the next three that is not empty; "" if all are."""
    return next((line for line in lines[at + 1 : at + 4] if line), "")


def _join(lines: list[str]) -> str:
    """Return the lines of an attribution in one line. Of its first line, only the tail counts."""
    return " ".join([_tail(lines[0]), *(line.strip()[:200] for line in lines[1:])])


def _tail(line: str) -> str:
    return line.strip()[-300:]


def _strip(block: list[str]) -> list[str]:
    start, end = 0, len(block)
    while start < end and not block[start]:
        start += 1
    while end > start and not block[end - 1]:
        end -= 1
    return block[start:end]
