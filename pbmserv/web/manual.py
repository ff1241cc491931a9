"""The help pages that `help` mails, and the command manual, for every width.

The text of a help page is made for mails, where each line has its place. Lists, tables and diagrams that were lined up
by hand become those of HTML. Nothing is left out: what has no form that is known stays lines of their own.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from starlette.exceptions import HTTPException

from pbmserv import games
from pbmserv.commands import COMMANDS
from pbmserv.commands.help import MULTIPLE, TOPICS, command_page, topic_page
from pbmserv.inbox.command import Scope, fill_example
from pbmserv.inbox.context import Command
from pbmserv.letters.pictures.drawing import Drawing
from pbmserv.letters.text import blocks
from pbmserv.letters.text.blocks import Block, Words
from pbmserv.letters.text.templates import shown_in_help
from pbmserv.web import displays
from pbmserv.web.visit import LATER, Page, Visit, missing

_SCOPES = (("Server commands", Scope.SERVER), ("Game commands: begin with the game, for example tumble", Scope.GAME))


def contents(visit: Visit) -> Page:
    """Show the short page for newcomers, and links to the other pages."""
    data = {"address": visit.place.address, "games": [g.info for g in visit.place.games]}

    def shown() -> dict[str, object]:
        parts = list(sections(visit.place.renderer.blocks("mail/help.txt", data)))
        return {"parts": parts, "topics": ("commands", *TOPICS), "games": data["games"]}

    return Page("help.html", shown, LATER, known="contents")


def commands(visit: Visit) -> Page:
    """Show the command manual."""
    parts = [(title, [_line(c) for c in COMMANDS if c.scope is scope]) for title, scope in _SCOPES]
    return Page("commands.html", {"parts": parts, "multiple": MULTIPLE}, LATER)


def topic(visit: Visit) -> Page:
    """Show one of TOPICS, or all commands with this name."""
    name = visit.path["topic"]
    if name in TOPICS:
        place = visit.place
        text = partial(topic_page, place.renderer, place.address, COMMANDS, name, place.games)
        return _page(visit, name.capitalize(), lambda: blocks.flowing(text()))
    same = [c for c in COMMANDS if name in c.names]
    if not same:
        raise missing("help page", name)
    return _page(
        visit,
        f"The command {same[0].verb}",
        lambda: blocks.cut("\n\n".join(command_page(c, None, usual=visit.place.games[0]) for c in same)),
    )


def game(visit: Visit) -> Page:
    """Show the rules of a game."""
    rules = visit.game()
    if isinstance(rules, games.NotInstalled):
        raise HTTPException(404, rules.error().text)
    renderer = visit.place.renderer
    return _page(
        visit,
        f"{rules.info.name}: rules",
        lambda: blocks.flowing(renderer.game_help(rules)),
        lambda: displays.drawn(renderer, shown_in_help(rules), ()),
    )


def _page(
    visit: Visit, title: str, words: Callable[[], Words], draw: Callable[[], Drawing | None] = lambda: None
) -> Page:
    """Make a page of words that were made for mails, with the drawing of a board at its beginning."""

    def shown() -> dict[str, object]:
        return {"title": title, "parts": list(sections(words())), "drawn": draw()}

    return Page("page.html", shown, LATER, known=(title, *visit.path.values()))


def _line(c: Command) -> dict[str, str]:
    return {"name": c.verb, "usage": c.usage(), "text": c.text, "example": fill_example(c, None)}


_GAP = re.compile(r" {2,}")
_FENCE = re.compile(r"\+-[-+ ]*\+")
_ITEM, _OPTION = "- ", "--"
_DRAWN = re.compile(
    r" *(?:[+|].*|(?:\w{1,3}|[^\w ]+)(?: +(?:\w{1,3}|[^\w ]+))+ *)"
)  # a line of a diagram, not of cells
_FEWEST = 4  #: such lines one below the other, so that they are a diagram
_FAR = " " * 3  #: before the titles above a diagram
_NARROW = 4  #: characters; in cells up to this width, signs are lined up with those in the lines above


class Box(NamedTuple):
    """A place in a diagram: a cell with a border, or what stands beside it. `narrow`: its lines are lined up."""

    lines: tuple[str, ...]
    bordered: bool = False
    narrow: bool = False


@dataclass(frozen=True)
class Section:
    """A part of a help page. `kind` is one of the macros of templates/web/help_parts.html."""

    kind: str
    rows: tuple[tuple[str, ...], ...] = ()
    boxes: tuple[tuple[Box, ...], ...] = ()


def sections(blocks: Iterable[Block]) -> Iterator[Section]:
    """Return the parts of a page."""
    for block in _with_whole_drawings(blocks):
        lines = [str(line) for line in block.lines]
        if not block.fixed:
            yield Section("heading" if block.kind == "heading" else "paragraph", (tuple(map(str, block.shown)),))
        elif any(map(_FENCE.search, lines)):
            yield from _diagram(lines)
        else:
            yield from _columns(lines)


def _with_whole_drawings(blocks: Iterable[Block]) -> Iterator[Block]:
    """Put diagrams together again that have empty lines in them."""
    whole = list[Block]()
    for block in blocks:
        if whole and _is_drawn(whole[-1], -1) and _is_drawn(block, 0):
            whole[-1] = replace(block, lines=(*whole[-1].lines, "", *block.lines))
        else:
            whole.append(block)
    return iter(whole)


def _is_drawn(block: Block, line: int) -> bool:
    return block.fixed and bool(_DRAWN.fullmatch(str(block.lines[line])))


def _columns(lines: Sequence[str]) -> Iterator[Section]:
    """Return lines in columns: first those that are not indented, which say what the others are."""
    title = int(lines[0].startswith(_FAR) and not _DRAWN.fullmatch(lines[0]))
    drawn = next((i for i, line in enumerate(lines) if i >= title and line and not _DRAWN.fullmatch(line)), len(lines))
    if drawn - title >= _FEWEST and not all(line.lstrip().startswith(_ITEM) for line in lines):
        yield Section("drawing", tuple((line,) for line in lines[:drawn]))
        lines = lines[drawn:]
        if not lines:
            return
    count = next((i for i, line in enumerate(lines) if line.startswith(" ")), len(lines))
    if count == len(lines):
        yield _shaped([line.strip() for line in lines])
        return
    if count:
        yield Section("paragraph", (tuple(lines[:count]),))
    yield _shaped(list(_joined(lines[count:])))


def _joined(lines: Sequence[str]) -> Iterator[str]:
    """Join each line with those that are indented further, which go on with it."""
    base = _indent(lines[0])
    joined = list[str]()
    for line in lines:
        if joined and _indent(line) > base:
            between = "  " if joined[-1].startswith(_OPTION) and not _GAP.search(joined[-1]) else " "
            joined[-1] += between + line.strip()
        else:
            joined.append(line.strip())
    yield from joined


def _shaped(lines: Sequence[str]) -> Section:
    """Return lines as the form that all of them have."""
    if all(line.startswith(_ITEM) for line in lines):
        return Section("bullets", tuple((line.removeprefix(_ITEM),) for line in lines))
    rows = tuple(tuple(_GAP.split(line)) for line in lines)
    widths = {len(row) for row in rows}
    if widths == {1}:
        return Section("lines", rows)
    if widths == {2}:
        return Section("terms", rows)
    return Section("table" if len(widths) == 1 and len(rows) > 1 else "items", rows)


def _diagram(lines: Sequence[str]) -> Iterator[Section]:
    """Return a diagram as a grid of cells, and what stands below it."""
    fences = [i for i, line in enumerate(lines) if _FENCE.search(line)]
    edges = [match.start() for match in re.finditer(r"\+", lines[fences[0]])]
    solid = [lines[fences[0]][a + 1] == "-" for a, _ in pairwise(edges)]
    rows = [_row(lines[: fences[0]], edges, [False] * len(solid))]
    rows += [_row(lines[a + 1 : b], edges, solid) for a, b in pairwise(fences)]
    rest = list(lines[fences[-1] + 1 :])
    if rest and rest[0].split() == " ".join(lines[: fences[0]]).split():
        rows.append(_row([rest.pop(0)], edges, [False] * len(solid)))
    yield Section("grid", boxes=tuple(row for row in rows if any(box.lines for box in row)))
    if rest:
        yield Section("paragraph", (tuple(", ".join(_GAP.split(line.strip())) for line in rest),))


def _row(lines: Sequence[str], edges: Sequence[int], solid: Sequence[bool]) -> tuple[Box, ...]:
    """Cut lines at the edges. Before the first edge and behind the last one there are no cells."""
    between = [
        _box([line[a + 1 : b] for line in lines], bordered=s) for (a, b), s in zip(pairwise(edges), solid, strict=True)
    ]
    first, last = [line[: edges[0]] for line in lines], [line[edges[-1] + 1 :] for line in lines]
    return (_box(first, bordered=False), *between, _box(last, bordered=False))


def _box(lines: Sequence[str], *, bordered: bool) -> Box:
    narrow = bordered and max(map(len, lines), default=0) <= _NARROW and len(lines) > 1
    kept = [line if narrow else line.strip() for line in lines]
    return Box(tuple(line for line in kept if narrow or line), bordered, narrow)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
