"""The links of a letter to the moves of its reader: areas of the image of the board, and a list below it.

Many programs show no image maps, so all that an area leads to is in the list, too (ADR 66).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from pbmserv.letters.pictures.linking.areas import Areas
from pbmserv.letters.pictures.linking.link_rows import link, named, row
from pbmserv.letters.pictures.touch import Touches, Way, by_caption, in_order
from pbmserv.letters.text.men import lettered
from pbmserv.letters.text.templates import Renderer

_MOST_OTHERS = 12  #: moves that name no square, in a letter without room for all; `legal page 1` brings the rest
_MOST_PARTS = 60  #: of a board without an image, whose moves then come by mail

_TOUCH = "You can also touch the board or one of your moves. Your mail program then opens with the move."
_TOUCH_A_MOVE = "You can also touch one of your moves. Your mail program then opens with it."
_ON_A_PAGE = "All your moves, to be touched"
_BY_PARTS = "There is no room for all your moves here. Touch a square, and a letter with the moves there comes."
_BY_MAIL = "There is no room for all your moves here. Touch the last link, and a letter with the first of them comes."
_IN_PAGES = "All moves, page by page"

_HERE = Markup("<start>")  #: where a link's first part will stand; no other text is like it, because "<" is escaped


class Moves(NamedTuple):
    """One way to show the moves: HTML of areas of the board, and of the list below it."""

    areas: str = ""
    listed: str = ""
    hint: str = ""  #: a sentence above the list
    button: str = ""  #: what a link to the page says

    @property
    def size(self) -> int:
        """How many bytes it takes."""
        return len(self.areas) + len(self.listed)


class MoveLinks:
    """The links to all moves in several ways. `start`: how a `mailto` link begins; `page`: the reader's own."""

    def __init__(self, renderer: Renderer, touches: Touches, start: str, page: str, areas: Areas) -> None:
        self._say, self._renderer = renderer.say, renderer
        self._touches, self._areas = touches, areas
        self._start, self._page = start, page
        only = {cell: ways[0].text for cell, ways in touches.starts.items() if len(ways) == 1}
        self._direct = {cell: self._mail(text) for cell, text in (only | dict(touches.cells)).items()}

    def best(self, room: int) -> Moves:
        """Return the first of the ways for which there is room, else the last one, which is short."""
        for way in self._ways():
            if way.size <= room:
                return way
        return way

    def _ways(self) -> Iterator[Moves]:
        """Yield them, the best one first."""
        is_fine, by_region = self._areas.are_fine, {area.cell: self._part(area.cell, "near") for area in self._regions}
        listed = {cell: f"#{cell}" for cell in self._touches.starts} | self._direct
        areas = self._regions.html(by_region) if is_fine and by_region else self._areas.html(listed)
        yield Moves(areas, self._full(), self._say(_TOUCH if areas else _TOUCH_A_MOVE))
        starts = {cell: self._part(cell, "from") for cell in self._touches.starts}
        if not is_fine and self._areas:
            yield self._short(self._areas.html(starts | self._direct), starts | by_region)
        parts = by_region or starts
        areas = (self._regions or self._areas).html(parts)
        if not self._is_crowded:
            yield self._short(areas, parts, self._list(self._squares()))
        yield self._short(areas, parts)

    def _short(self, areas: str, parts: Mapping[str, str], squares: str = "") -> Moves:
        others = self._list(self._others()[:_MOST_OTHERS])
        if self._page:
            return Moves(areas, others, button=self._say(_ON_A_PAGE))
        pages = self._mail(" ".join(("legal", *self._touches.begun, "page", "1")))
        listed = squares + row([link(pages, self._say(_IN_PAGES))])
        if not 0 < len(parts) <= _MOST_PARTS:
            return Moves(areas, others + listed, self._say(_BY_MAIL))
        listed = row(link(parts[cell], f"{cell.upper()} ...") for cell in sorted(parts, key=in_order)) + listed
        return Moves(areas, others + listed, self._say(_BY_PARTS))

    def _full(self) -> str:
        """Return the list of all moves: those that name no square, such as swap; then by their squares."""
        touches = self._touches
        cells = sorted(touches.starts, key=in_order)
        starts = "".join(_starting(self._renderer, cell, tuple(touches.starts[cell])) for cell in cells)
        return self._list(self._others()) + starts.replace(_HERE, self._start) + self._list(self._squares())

    def _squares(self) -> Iterator[tuple[str, str]]:
        """Yield the cells that are moves, and these moves."""
        return ((cell.upper(), self._touches.cells[cell]) for cell in sorted(self._touches.cells, key=in_order))

    def _others(self) -> Sequence[tuple[str, str]]:
        shown = self._touches.shown
        return [(shown.get(text, text), text) for text in sorted(self._touches.others, key=in_order)]

    @property
    def _is_crowded(self) -> bool:
        """Whether there are more cells to touch than a short list has room for."""
        return len(self._touches.starts) + len(self._touches.cells) > _MOST_PARTS

    def _list(self, moves: Iterable[tuple[str, str]]) -> str:
        return row(link(self._mail(text), shown) for shown, text in moves)

    def _mail(self, line: str) -> str:
        return self._start + _end(line)

    @cached_property
    def _regions(self) -> Areas:
        """The parts of the board, each with the name of a cell; none if its cells can be touched one by one.

        A mail brings no part of a board on which all moves have a start, because there the starts are few.
        """
        if self._touches.begun or not (self._is_crowded or self._areas.are_fine):
            return Areas()
        if not self._page and not self._touches.cells:
            return Areas()
        return self._areas.regions(self._touches.starts.keys() | self._touches.cells.keys())

    def _part(self, cell: str, how: str) -> str:
        """Return what leads to the moves from a cell, or near it: the page, or a mail that asks for them."""
        if self._page:
            return f"{escape(self._page)}?{how}={quote(cell)}#board"
        return self._mail(" ".join(("legal", *["near"] * (how == "near"), *self._touches.begun, cell)))


@lru_cache(maxsize=2048)  # a stack of Tumbling Down has the same moves from a square in each letter
def _starting(renderer: Renderer, cell: str, ways: tuple[Way, ...]) -> str:
    """Return the moves that begin on a cell, with `_HERE` in place of the first part of each link."""
    captions = [(way.text, lettered(renderer.say(way.caption), renderer.say)) for way in by_caption(ways)]
    return row((named(cell), *(link(_HERE + _end(text), caption) for text, caption in captions)))


def mailto_start(address: str, subject: str) -> str:
    """Return how the `mailto` URIs (RFC 6068) begin that open a mail with this subject; `mailto_end` is the rest.

    Everything but letters, digits and `-._~:` is percent-encoded (§2). This includes the `+` of a signed address,
    which some programs read as a space. Without a subject, a command follows that is one.
    """
    start = f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe=':')}"
    return f"{start}&body=" if subject else start


def mailto_end(line: str) -> str:
    """Return the end of a `mailto` URI whose mail begins with this line.

    Line ends of the body are %0D%0A (§5). Two come behind the line: some programs leave out the last one, and
    what the player writes below must not stand on this line.
    """
    return f"{quote(line, safe='')}%0D%0A%0D%0A"


_end = lru_cache(maxsize=10_000)(mailto_end)  # for moves only: what readers write could be long
