"""The blocks of a letter: the parts of its text between empty lines. The HTML is made from them.

A template can set the kind of a block with a line `{{ kind("how") }}`. The kind of other blocks is found from their
shape. templates/mail/letter.html defines the look and colours of each kind.

What a template renders is one text, so templates mark the kinds, the words of players, links and pictures by control
characters, until `cut` makes blocks of the whole. Only these leave the renderer. A template that fills them in marks
them again (`filled_in`), and everywhere else they are plain text. Text of players cannot contain the marks, because
`clean` in mail/reading/encoding.py removes them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from textwrap import fill
from typing import NamedTuple
from weakref import WeakValueDictionary

from pbmserv.games.base import Picture
from pbmserv.letters.text.flowing_tables import Row, rows_of

WIDTH = 79  #: characters in a line of a letter
KINDS = (
    "lead",  #: the first line: whose turn it is
    "fine",  #: rarely needed things: conditions, seeds
    "diagram",
    "how",  #: how to move; links to answers follow it
    "columns",  #: columns that must line up, as in a table
    "table",  #: columns with their names in the first line, or clear without them; in HTML each row flows
    "notes",  #: results of moves, with the plies in a column
    "words",  #: a player's text
    "page",  #: the link to the reader's own web page; its lines stay whole, so that the link does
    "heading",
    "flow",  #: running text whose line ends have no meaning
    "prose",  #: running text; each line has one or more sentences
)
_KIND = "\x01"  #: begins the line that names a block's kind
_SAID = "\x02"  #: begins each line that a player wrote
_LINK = "\x03"  #: stands before and behind a URL of ours
_PICTURE = "\x04"  #: begins the line that carries the picture of a board beside its diagram, and stands behind its alt
_EMPTY = "\x05"  #: an empty line of a diagram with a picture: the diagram stays one block
_MARKED = re.compile("[\x01-\x05]")
_PAD = " " * 4
NOTE_INDENT = " " * 7  #: of the lines below the first one of a note
_GAP = re.compile(r"\n\n+")

#: A line of two columns, such as `  games     lists the games`; a point of a list; a line to be sent; the line above.
_TERM = re.compile(r"( {1,4})(\S+(?: \S+)*)  +(\S+(?: \S+)*)")
_POINT = re.compile(r"( {0,4}- )\S.*")
_TYPED = re.compile(r" {2,4}\S+(?: \S+)*")
_ABOVE = re.compile(r"\S+(?: \S+)*")
_CROSSING = "-+-"  #: between the cells of a diagram in a page
_MOST_INDENTED = 2  #: spaces before the first term; tables of moves begin further right


class Said(NamedTuple):
    """A line that a player wrote."""

    text: str

    def __str__(self) -> str:
        return self.text


class Linked(NamedTuple):
    """A line with links: text and URLs of ours by turns. It begins with text."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return "".join(self.parts)

    def rpartition(self, sign: str) -> "tuple[Line, str, Line]":
        """As that of `str`; the sign is looked for only outside the links."""
        for n in range(len(self.parts) - 1, -1, -2):
            head, middle, tail = self.parts[n].rpartition(sign)
            if middle:
                return Linked((*self.parts[:n], head)), middle, Linked((tail, *self.parts[n + 1 :]))
        return "", "", self


Line = str | Said | Linked


@dataclass(frozen=True, eq=False)
class Depicted:
    """A picture that a diagram carries. Readers who see the same share it and what is made of it (ADR 74)."""

    picture: Picture


#: Those on their way through a template, by what stands for them there.
_ON_THE_WAY = WeakValueDictionary[str, Depicted]()


@dataclass(frozen=True)
class Block:
    """One block; `lines` before they are wrapped."""

    kind: str
    lines: tuple[Line, ...]
    picture: Depicted | str = ""  #: of a diagram: what HTML shows instead; in a stored letter it is packed (draft.py)
    alt: str = ""  #: in place of the picture: the last move, and whose turn it is

    @property
    def fixed(self) -> bool:
        """Whether its lines are never wrapped."""
        return self.kind in ("diagram", "columns", "table", "notes", "page")

    @property
    def text(self) -> str:
        """The block in the text of the letter."""
        return "\n".join(map(str if self.fixed else _broken, self.lines))

    @cached_property
    def shown(self) -> tuple[str | Linked, ...]:
        """The lines that are not a player's words, for HTML."""
        lines = tuple(x for x in self.lines if not isinstance(x, Said))
        return (" ".join(map(str, lines)),) if self.kind == "flow" else lines

    @cached_property
    def terms(self) -> list[list[str]]:
        """Lines of two columns, or points of a list, as terms with their texts, for HTML. []: it is neither.

        A line above them, and a point, is a text without a term.
        """
        rows, column = list[list[str]](), 0
        for line in map(str, self.lines):
            if point := _POINT.fullmatch(line):
                rows.append(["", line.strip()])
                column = point.end(1)
            elif _ABOVE.fullmatch(line):
                rows.append(["", line])
            elif (term := _TERM.fullmatch(line)) and (term.start(3) == column or self._begins(term, column)):
                rows.append([term[2], term[3]])
                column = term.start(3)
            elif column and len(line) - len(line.lstrip()) == column:
                rows[-1][1] += f" {line.strip()}"
            else:
                return []
        return rows if column else []

    @staticmethod
    def _begins(term: re.Match[str], column: int) -> bool:
        return not column and term.end(1) <= _MOST_INDENTED

    @property
    def typed(self) -> list[str]:
        """Indented lines without columns, which readers can send, for HTML. []: it has others."""
        lines = list(map(str, self.lines))
        return [line.strip() for line in lines] if all(map(_TYPED.fullmatch, lines)) else []

    @property
    def rows(self) -> list[Row]:
        """The rows of a table, for HTML."""
        return rows_of(list(map(str, self.lines)))

    @property
    def notes(self) -> list[str]:
        """The results of moves, each in one line, for HTML."""
        return [note.strip() for note in self.text.replace(f"\n{NOTE_INDENT}", " ").split("\n")]

    @property
    def said(self) -> list[list[str]]:
        """The paragraphs of a player's words, each a list of lines, for HTML."""
        text = "\n".join(x.text for x in self.lines if isinstance(x, Said))
        return [p.split("\n") for p in _GAP.split(text) if p.strip()]


class Words(tuple[Block, ...]):
    """Blocks that can go into a template."""

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The lines alone, before they are wrapped."""
        return "\n\n".join("\n".join(map(str, block.lines)) for block in self)


def cut(text: str) -> Words:
    """The blocks of a text, which may be a rendered template."""
    lines = (line.rstrip() for line in text.split("\n"))
    return Words(_with_words(map(_block, _GAP.split("\n".join(lines).strip("\n")))))


def filled_in(value: object) -> object:
    """What a template puts in place of a value: of blocks, the text of which `cut` makes them again."""
    return "\n\n".join(map(_marked, value)) if isinstance(value, Words) else value


def joined(parts: Iterable[Iterable[Block]]) -> Words:
    """The blocks of all parts."""
    return Words(chain.from_iterable(parts))


def below(line: str, words: Words) -> Words:
    """Words below a line, which becomes part of their first block."""
    return cut(f"{line}\n{filled_in(words)}")


def plain(blocks: Iterable[Block]) -> str:
    """The text of a letter: lines of at most 79 characters, a line end at the end."""
    return "\n\n".join(block.text for block in blocks) + "\n"


def kind(name: str) -> str:
    """The mark that makes a block one of KINDS; it stands on a line of its own."""
    if name not in KINDS:
        raise ValueError(f"{name} is no kind of block")
    return _KIND + name


def pictured(diagram: str, picture: Depicted | str, alt: str = "") -> Words:
    """A diagram that carries its picture to the HTML of the letter. It stays one block."""
    lines = tuple(_GAP.sub("\n\n", diagram).split("\n"))
    return Words((Block(_shape(lines), lines, picture, alt),))


def unpictured(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks for a reader who gets no HTML."""
    return tuple(part for block in blocks for part in (_parts(block) if block.picture else (block,)))


def unsaid(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks without the words of players."""
    return _with_words(replace(b, lines=tuple(x for x in b.lines if not isinstance(x, Said))) for b in blocks)


def indented(text: str) -> str:
    """A player's words, which will be indented; they stay one block, with their empty lines."""
    paragraphs = re.sub(r"\n(?: *\n)+", "\n\n", text.strip("\n"))
    return "\n".join(_SAID + line for line in paragraphs.split("\n"))


def linked(url: str) -> str:
    """Mark a URL of ours, which becomes a link in HTML. A URL that a player wrote never does."""
    return f"{_LINK}{url}{_LINK}"


def flowing(page: str | Words) -> Words:
    """A page whose lines were wrapped by hand, so that it flows in HTML. Lines in capitals become headings."""
    return Words(replace(b, kind=_page_kind(b)) for b in cut(str(filled_in(page))))


def _block(part: str) -> Block:
    lines = part.split("\n")
    if not _MARKED.search(part):
        return Block(_shape(lines), tuple(lines))
    named, picture = (next((x[1:] for x in lines if x.startswith(mark)), "") for mark in (_KIND, _PICTURE))
    kept = tuple(_line(x) for x in lines if not x.startswith((_KIND, _PICTURE)))
    alt, _, name = picture.partition(_PICTURE)
    return Block(named or _shape(kept), kept, _ON_THE_WAY.get(name, name), alt)


def _line(marked: str) -> Line:
    if marked == _EMPTY:
        return ""
    if marked.startswith(_SAID):
        return Said(marked[1:])
    return Linked(tuple(marked.split(_LINK))) if _LINK in marked else marked


def _marked(block: Block) -> str:
    """The text of which `_block` makes this block again. A kind that follows from its shape needs no mark."""
    kinds = [_KIND + block.kind] if block.kind != _shape(block.lines) else []
    pictures = [_PICTURE + block.alt + _PICTURE + _named(block.picture)] if block.picture else []
    return "\n".join((*kinds, *pictures, *map(_marked_line, block.lines)))


def _named(picture: Depicted | str) -> str:
    """What stands for a picture in a template. Its letter holds it until the template is rendered and cut."""
    if isinstance(picture, str):
        return picture
    name = f"drawn {id(picture)}"
    _ON_THE_WAY[name] = picture
    return name


def _marked_line(line: Line) -> str:
    if isinstance(line, str):
        return line or _EMPTY
    return _SAID + line.text if isinstance(line, Said) else _LINK.join(line.parts)


def _parts(diagram: Block) -> Iterator[Block]:
    """A diagram without its picture, cut at its empty lines."""
    first, *others = _GAP.split("\n".join(map(str, diagram.lines)))
    yield Block(diagram.kind, tuple(first.split("\n")))
    yield from map(_block, others)


def _with_words(blocks: Iterable[Block]) -> tuple[Block, ...]:
    return tuple(block for block in blocks if any(str(line).strip() for line in block.lines))


def _shape(lines: Sequence[Line]) -> str:
    if any(isinstance(line, Said) for line in lines):
        return "words"
    return "columns" if _has_columns(lines) else "prose"


def _page_kind(block: Block) -> str:
    if _has_columns(block.lines):
        return "diagram" if any(_CROSSING in str(line) for line in block.lines) else block.kind
    return "heading" if len(block.lines) == 1 and str(block.lines[0]).isupper() else "flow"


def _has_columns(lines: Iterable[Line]) -> bool:
    """Whether lines are indented or have gaps, as running text never has."""
    return any(line.startswith(" ") or "  " in line for line in map(str, lines))


def _broken(line: Line) -> str:
    """Wrap a line of running text. A player's line is indented."""
    if isinstance(line, Linked):
        return fill(str(line), WIDTH, break_on_hyphens=False, break_long_words=False)
    pad, words = (_PAD, line.text) if isinstance(line, Said) else ("", line)
    if len(pad + words) <= WIDTH and words.isprintable():  # true for most lines
        return (pad + words).rstrip() if pad else words
    return fill(words, WIDTH, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False)
