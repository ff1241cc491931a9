"""The sender's own words: what remains of a mail's text without quotes, signature and footers.

What is cut is recognised by its place and form (quote marks, a block of headers, an attribution above a quote, the last
paragraph), so that a comment may contain every one of these words. All of it takes time linear in the text.
"""

import re

from pbmserv.mail.reading import quote_phrases

_SIGNED = re.compile(r"^-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Za-z-]+: [^\n]*\n)*\n?", re.M)
_SIGNATURE = "\n-----BEGIN PGP SIGNATURE-----"
_MARKED = re.compile("--|[:：]")  # every beginning of an original has one of them
_ORIGINAL = re.compile(r"-{2,} ?([^-\n][^\n]{2,60}?) ?-{2,}")
_RULE = re.compile(r"_{20,}|[-=*~]{30,}")
_REACH = 8  # lines below From: in which its companions stand
_WRAPPED = 4  # lines that an attribution is wrapped over
_FOOTER = 15  # lines of a list's footer


def own_words(text: str) -> str:
    """The lines of `text` (clean, LF) that its sender wrote: above, below and between quoted lines."""
    text = "\n".join(line.rstrip() for line in text.split("\n"))
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
    for at, line in enumerate(lines):
        if _is_original(lines, at) or _is_header_block(lines, at):
            return lines[: _title(lines, at)]
        if quote_phrases.ends_attribution(line) and (size := _full_attribution(lines, at)):
            return lines[: at + 1 - size]
    return lines


def _title(lines: list[str], at: int) -> int:
    """The line of the title above the original: a rule, or "Begin forwarded message:"; `at` if it has no title."""
    above = at - 1
    while above > 0 and not lines[above] and at - above < 4:
        above -= 1
    is_title = above >= 0 and (_RULE.fullmatch(lines[above]) or quote_phrases.is_forward(lines[above]))
    return above if is_title else at


def _is_original(lines: list[str], at: int) -> bool:
    """Whether the line is -----Original Message-----. Above quote marks that is an attribution like others."""
    found = _ORIGINAL.fullmatch(lines[at].strip())
    if not found or _is_quote(_next(lines, at)):
        return False
    return found[1].lower() in quote_phrases.ORIGINAL or len(_labels_below(lines, at)) >= 2


def _is_header_block(lines: list[str], at: int) -> bool:
    """Whether the line is From:, with two more headers close below it."""
    return (
        quote_phrases.label(lines[at]) in quote_phrases.FROM and len(_labels_below(lines, at) - quote_phrases.FROM) >= 2
    )


def _labels_below(lines: list[str], at: int) -> set[str]:
    return {quote_phrases.label(line) for line in lines[at + 1 : at + 1 + _REACH]} & (
        quote_phrases.FROM | quote_phrases.OTHERS
    )


def _full_attribution(lines: list[str], at: int) -> int:
    """How many lines, the last of them at `at`, are a complete attribution and a paragraph of their own; 0 if none.

    Some mailers quote without marks below it.
    """
    if _is_quote(_next(lines, at)):
        return 0
    for size in range(1, _WRAPPED + 1):
        top = at + 1 - size
        if top < 0 or not lines[top]:
            return 0
        alone = not any(lines[top - 1 : top]) and not any(lines[at + 1 : at + 2])
        if alone and quote_phrases.is_full_attribution(_join(lines[top : at + 1])):
            return size
    return 0


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
    block = _strip(block[: len(block) - _attribution(block, quoted_below)])
    return _strip(block[:-1]) if _ends_in_advertisement(block) else block


def _without_footer(block: list[str]) -> list[str]:
    """`block` up to the rule above the footer of a list, which is a few last lines with an address."""
    for at in range(max(0, len(block) - _FOOTER), len(block)):
        below = "\n".join(block[at + 1 :])
        if _RULE.fullmatch(block[at]) and (not below.strip() or "@" in below or "://" in below):
            return block[:at]
    return block


def _attribution(block: list[str], quoted_below: bool) -> int:
    """How many last lines of `block` are an attribution: of the quote below it, or of one that was left out."""
    if not block or not quote_phrases.ends_attribution(block[-1]):
        return 0
    for size in range(1, min(_WRAPPED, len(block)) + 1):
        if not block[-size]:
            break
        if quote_phrases.is_attribution(_join(block[-size:])):
            return size + 1 if _begins_above(block, size) else size
    return 1 if quoted_below and quote_phrases.is_short_attribution(block[-1]) else 0


def _begins_above(block: list[str], size: int) -> bool:
    """Whether the attribution in the last `size` lines begins one line higher."""
    return len(block) > size and quote_phrases.begins_attribution(block[-size - 1])


def _ends_in_advertisement(block: list[str]) -> bool:
    """Whether the last line is a paragraph of its own that the sender did not write: "Sent from my iPhone"."""
    return bool(block) and not any(block[-2:-1]) and quote_phrases.is_sent_from(block[-1])


def _is_quote(line: str) -> bool:
    return line.startswith((">", " >"))


def _next(lines: list[str], at: int) -> str:
    """The first line with words among the three below."""
    return next((line for line in lines[at + 1 : at + 4] if line), "")


def _join(lines: list[str]) -> str:
    return " ".join(line.strip()[:200] for line in lines)


def _strip(block: list[str]) -> list[str]:
    start, end = 0, len(block)
    while start < end and not block[start]:
        start += 1
    while end > start and not block[end - 1]:
        end -= 1
    return block[start:end]
