"""The sender's own words: what remains of a mail's text without quotes, signature and footers.

What is cut is recognised by its place and form (quote marks, a block of headers, an attribution above a quote, the last
paragraph), so that a comment may contain every one of these words. All of it takes time linear in the text.
"""

import itertools
import re
from collections.abc import Callable

from pbmserv.mail.reading import quote_phrases

_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z-]+: [^\n]*\n)*\n?", re.M)
_SIGNATURE = "\n-----BEGIN PGP SIGNATURE-----"
_MARKED = re.compile("--|[:：]")  # every beginning of an original has one of them
_ORIGINAL = re.compile(r"-{2,} ?([^-\n][^\n]{2,60}?) ?-{2,}")
_FORWARD = re.compile(r"-{5} ?[^-\n]{2,60}? ?-{5} ?From: [^\n]{1,200}@")  # Yahoo's, on one line
_LABELS = quote_phrases.FROM | quote_phrases.OTHERS
_RULE = re.compile(r"_{20,}|[-=*~]{30,}")
_REACH = 8  # lines below From: in which its companions stand
_WRAPPED = 4  # lines that an attribution is wrapped over
_MOST_TRIED = 200  # lines of a text that are looked at as the end of an attribution
_FOOTER = 15  # lines of a list's footer


def own_words(text: str) -> str:
    """The lines of `text` (clean, LF) that its sender wrote: above, below and between quoted lines."""
    text = quote_phrases.mended("\n".join(line.rstrip() for line in text.split("\n")))
    lines = _answer(text)
    if signed := _SIGNED.search("\n".join(lines)):
        lines = _answer(_signed_text(text, signed.end()))
    trimmed = [_trim(block, quoted_below) for block, quoted_below in _own_blocks(lines)]
    return "\n\n".join("\n".join(block) for block in trimmed if block)


def _signed_text(text: str, start: int) -> str:
    """What the PGP signature covers whose text begins at `start` (RFC 9580 §7), its dashes no longer escaped."""
    end = text.find(_SIGNATURE, start - 1)
    return re.sub("^- ", "", text[start : end if end >= 0 else None], flags=re.M)


def _answer(text: str) -> list[str]:
    """The lines above the mail that was answered, where that stands without quote marks and so goes on to the end."""
    lines = text.split("\n")
    if not _MARKED.search(text):
        return lines
    labels = [quote_phrases.label(line) for line in lines]
    tried = 0
    for at, line in enumerate(lines):
        if _is_original(lines, labels, at) or _is_header_block(lines, labels, at):
            return lines[: _title(lines, at)]
        if tried < _MOST_TRIED and quote_phrases.ends_attribution(line):
            tried += 1
            if (above := _above_full_attribution(lines, at)) is not None:
                return above
    return lines


def _title(lines: list[str], at: int) -> int:
    """The line of the title above the original: a rule, or "Begin forwarded message:"; `at` if it has no title."""
    above = at - 1
    while above > 0 and not lines[above] and at - above < 4:
        above -= 1
    is_title = above >= 0 and (_RULE.fullmatch(lines[above]) or quote_phrases.is_forward(lines[above]))
    return above if is_title else at


def _is_original(lines: list[str], labels: list[str], at: int) -> bool:
    """Whether the line is -----Original Message-----. Above quote marks that is an attribution like others."""
    if _FORWARD.match(lines[at]):
        return True
    found = _ORIGINAL.fullmatch(lines[at].strip())
    if not found or _is_quote(_next(lines, at)):
        return False
    return found[1].lower() in quote_phrases.ORIGINAL or len(_labels_below(labels, at)) >= 2


def _is_header_block(lines: list[str], labels: list[str], at: int) -> bool:
    """Whether the line is From:, with two more headers close below it; or another header above such lines."""
    if labels[at] in quote_phrases.FROM:
        return len(_labels_below(labels, at) - quote_phrases.FROM) >= 2
    if labels[at] not in quote_phrases.OTHERS and not lines[at].startswith(quote_phrases.MESSAGE_OF):
        return False
    together = set(itertools.takewhile(bool, labels[at + 1 : at + _REACH]))
    return bool(together & quote_phrases.FROM) and len(together & quote_phrases.OTHERS) >= 2


def _labels_below(labels: list[str], at: int) -> set[str]:
    return set(labels[at + 1 : at + 1 + _REACH]) & _LABELS


def _above_full_attribution(lines: list[str], at: int) -> list[str] | None:
    """What stands above a complete attribution whose last line is at `at`; None if there is none.

    Some mailers quote without marks below it.
    """
    start = max(0, at + 1 - 2 * _WRAPPED)  # not all lines: this is asked at each of them
    if not any("@" in line for line in lines[max(0, at + 1 - _WRAPPED) : at + 1]) or _is_quote(_next(lines, at)):
        return None
    above = _above_attribution(lines[start : at + 1], quote_phrases.is_full_attribution)
    if above is None or (any(lines[at + 1 : at + 2]) and _is_in_a_sentence(lines[start:], above)):
        return None
    return lines[:start] + above


def _is_in_a_sentence(lines: list[str], above: list[str]) -> bool:
    """Whether what would be cut out of `lines`, to leave `above`, begins within a line and not as attributions do."""
    if not above or above == lines[: len(above)]:
        return False
    return not quote_phrases.is_led(lines[len(above) - 1][len(above[-1]) :].strip())


def _above_attribution(lines: list[str], is_one: Callable[[str], bool]) -> list[str] | None:
    """What stands above the attribution that ends `lines`, up to the middle of a line; None if they end in none.

    It is the shortest one: words that stand directly above it, or before it on its first line, are the sender's.
    """
    for top in range(len(lines) - 1, max(-1, len(lines) - 1 - _WRAPPED), -1):
        if not lines[top]:
            break
        if is_one(_join(lines[top:])):
            return _above(lines, top)
    return None


def _above(lines: list[str], top: int) -> list[str]:
    """What stands above the attribution whose date, time, verb or address are from line `top` on."""
    text = _join(lines[top:])
    begin = quote_phrases.begin_of_attribution(text)
    for higher in range(top - 1, max(-1, top - 3), -1):
        if begin > 0 or not lines[higher]:
            break
        if (column := quote_phrases.begin_above(_tail(lines[higher]), _join(lines[higher + 1 :]))) >= 0:
            top, begin = higher, column
    return _cut_line(lines[:top], lines[top], begin)


def _cut_line(above: list[str], line: str, begin: int) -> list[str]:
    """`above`, and of `line` what stands before the place `begin` of its tail."""
    words = line[: len(line) - len(_tail(line)) + max(begin, 0)].rstrip()
    return [*above, words] if words.strip() and 0 <= begin < len(_tail(line)) else above


def _own_blocks(lines: list[str]) -> list[tuple[list[str], bool]]:
    """The runs of lines without quote marks, and whether a quote follows each."""
    blocks: list[tuple[list[str], bool]] = []
    block: list[str] = []
    for line in lines:
        if not _is_quote(line):
            block.append(line)
        elif block:
            blocks.append((block, True))
            block = []
    return [*blocks, (block, False)]


def _trim(block: list[str], quoted_below: bool) -> list[str]:
    """`block` without signature, footer, attribution and advertisement, and without empty lines around it."""
    if "--" in block:
        block = block[: block.index("--")]
    block = _strip(block if quoted_below else _without_footer(block))
    block = _strip(_without_attribution(block, quoted_below))
    if quoted_below and block and _is_title(block[-1]):
        block = _strip(block[:-1])
    return _strip(block[:-1]) if _ends_in_advertisement(block) else block


def _is_title(line: str) -> bool:
    """Whether the line stands above a quoted original: "Begin forwarded message:", or words between dashes."""
    found = _ORIGINAL.fullmatch(line)
    return quote_phrases.is_forward(line) or bool(found and quote_phrases.is_original(found[1]))


def _without_footer(block: list[str]) -> list[str]:
    """`block` up to the rule above the footer of a list, which is a few last lines with an address."""
    for at in range(max(0, len(block) - _FOOTER), len(block)):
        below = "\n".join(block[at + 1 :])
        if _RULE.fullmatch(block[at]) and (not below.strip() or "@" in below or "://" in below):
            return block[:at]
    return block


def _without_attribution(block: list[str], quoted_below: bool) -> list[str]:
    """`block` without the attribution that ends it: of the quote below it, or of one that was left out."""
    if not block or not quote_phrases.ends_attribution(block[-1]):
        return block
    above = _above_attribution(block, quote_phrases.is_attribution)
    if above is not None:
        return above
    return block[:-1] if quoted_below and quote_phrases.is_short_attribution(block[-1]) else block


def _ends_in_advertisement(block: list[str]) -> bool:
    """Whether the last line is a paragraph of its own that the sender did not write: "Sent from my iPhone"."""
    return bool(block) and not any(block[-2:-1]) and quote_phrases.is_sent_from(block[-1])


def _is_quote(line: str) -> bool:
    return line.startswith((">", " >"))


def _next(lines: list[str], at: int) -> str:
    """The first line with words among the three below."""
    return next((line for line in lines[at + 1 : at + 4] if line), "")


def _join(lines: list[str]) -> str:
    """The lines of an attribution as one; of its first line, the end."""
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
