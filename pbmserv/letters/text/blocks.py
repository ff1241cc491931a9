"""The blocks of a letter: the parts of its text between empty lines. The HTML is made from them.

A template can set the kind of a block with a line `{{ kind("how") }}`. The kind of other blocks is found from their
shape. The marks are control characters. Text of players cannot contain them, because `clean` in
mail/reading/encoding.py removes them. templates/mail/letter.html defines the look and colours of each kind.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from textwrap import fill

WIDTH = 79  #: characters in a line of a letter
KINDS = (
    "lead",  #: the first line: whose turn it is
    "fine",  #: rarely needed things: conditions, seeds
    "diagram",
    "how",  #: how to move; links to answers follow it
    "columns",  #: columns that must line up, as in a table
    "notes",  #: results of moves, with the plies in a column
    "words",  #: a player's text
    "page",  #: the link to the reader's own web page; its lines stay whole, so that the link does
    "heading",
    "flow",  #: running text whose line ends have no meaning
    "prose",  #: running text; each line has one or more sentences
)
_KIND = "\x01"  #: begins the line that names a block's kind
_SAID = "\x02"  #: begins each line that a player wrote
LINK = "\x03"  #: stands before and behind a URL of ours
_PICTURE = "\x04"  #: begins the line that carries the picture of a board beside its diagram
_EMPTY = "\x05"  #: an empty line of a diagram with a picture: the diagram stays one block
_PAD = " " * 4
_GAP = re.compile(r"\n\n+")


@dataclass(frozen=True)
class Block:
    """One block; `lines` before they are wrapped."""

    kind: str
    lines: tuple[str, ...]
    picture: str = ""  #: of a diagram: the picture that HTML shows instead, packed (letters/pictures/packing.py)

    @property
    def fixed(self) -> bool:
        """Whether its lines are never wrapped."""
        return self.kind in ("diagram", "columns", "notes", "page")

    @property
    def text(self) -> str:
        """The block in the text of the letter."""
        return "\n".join(self.lines if self.fixed else map(_broken, self.lines))

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """The lines that are not a player's words, for HTML."""
        lines = tuple(x for x in self.lines if not x.startswith(_SAID))
        return (" ".join(lines),) if self.kind == "flow" else lines

    @property
    def said(self) -> list[list[str]]:
        """The paragraphs of a player's words, each a list of lines, for HTML."""
        text = "\n".join(x.removeprefix(_SAID) for x in self.lines if x.startswith(_SAID))
        return [p.split("\n") for p in _GAP.split(text) if p.strip()]


def cut(text: str) -> list[Block]:
    """The blocks of a rendered template."""
    return [block for block in map(_block, _GAP.split(text)) if any(map(str.strip, block.lines))]


def plain(blocks: Iterable[Block]) -> str:
    """The text of a letter: lines of at most 79 characters, a line end at the end."""
    return "\n\n".join(block.text for block in blocks) + "\n"


def kind(name: str) -> str:
    """The mark that makes a block one of KINDS; it stands on a line of its own."""
    if name not in KINDS:
        raise ValueError(f"{name} is no kind of block")
    return _KIND + name


def pictured(diagram: str, picture: str) -> str:
    """A diagram that carries its picture, packed on one line, to the HTML of the letter."""
    return f"{_PICTURE}{picture}\n{_GAP.sub(f'{chr(10)}{_EMPTY}{chr(10)}', diagram)}"


def without_pictures(text: str) -> str:
    """A rendered template for a reader who gets no HTML."""
    if _PICTURE not in text:
        return text
    lines = (line for line in text.split("\n") if not line.startswith(_PICTURE))
    return "\n".join("" if line == _EMPTY else line for line in lines)


def indented(text: str) -> str:
    """A player's words, which will be indented; they stay one block, with their empty lines."""
    paragraphs = re.sub(r"\n(?: *\n)+", "\n\n", text.strip("\n"))
    return "\n".join(_SAID + line for line in paragraphs.split("\n"))


def without_said(text: str) -> str:
    """A rendered template without the words of players."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(_SAID))


def linked(url: str) -> str:
    """Mark a URL of ours, which becomes a link in HTML. A URL that a player wrote never does."""
    return f"{LINK}{url}{LINK}"


def flowing(text: str) -> str:
    """Mark a page whose lines were wrapped by hand, so that it flows in HTML. Lines in capitals become headings."""
    parts = _GAP.split(text)
    return "\n\n".join(part if _has_columns(part.split("\n")) else f"{_page_kind(part)}\n{part}" for part in parts)


def _block(part: str) -> Block:
    lines = tuple(part.split("\n"))
    if _KIND not in part and _PICTURE not in part:
        return Block(_shape(lines), lines)
    named, picture = (next((x[1:] for x in lines if x.startswith(mark)), "") for mark in (_KIND, _PICTURE))
    kept = tuple("" if x == _EMPTY else x for x in lines if not x.startswith((_KIND, _PICTURE)))
    return Block(named or _shape(kept), kept, picture)


def _shape(lines: tuple[str, ...]) -> str:
    if any(line.startswith(_SAID) for line in lines):
        return "words"
    return "columns" if _has_columns(lines) else "prose"


def _page_kind(part: str) -> str:
    return kind("heading" if part.isupper() and "\n" not in part else "flow")


def _has_columns(lines: list[str] | tuple[str, ...]) -> bool:
    """Whether lines are indented or have gaps, as running text never has."""
    return any(line.startswith(" ") or "  " in line for line in lines)


def _broken(line: str) -> str:
    """Wrap a line of running text. A player's line is indented."""
    if len(line) <= WIDTH and line.isprintable():  # true for most lines; a player's line begins with a mark
        return line
    pad = _PAD if line.startswith(_SAID) else ""
    words = line.removeprefix(_SAID)
    if pad and len(pad + words) <= WIDTH and words.isprintable():
        return (pad + words).rstrip()
    if (whole := words.replace(LINK, "")) != words:
        return fill(whole, WIDTH, break_on_hyphens=False, break_long_words=False)
    return fill(words, WIDTH, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False)
