"""What a cell looks like: its ground, what stands on it and its marks."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import lru_cache
from math import sqrt
from operator import attrgetter
from typing import Any, NamedTuple

from pbmserv.games.base import Cell
from pbmserv.games.base.grid import COMPASS
from pbmserv.games.base.picture import EARLIER, LAST, MADE
from pbmserv.letters.pictures.palette import MARKED, PALETTE, Hue
from pbmserv.letters.pictures.shapes import marks
from pbmserv.letters.pictures.shapes.base import (
    BELOW_NAME,
    CELL,
    MIDDLE,
    Artwork,
    Lettering,
    Part,
    Point,
    Shape,
    art,
    at,
    lettering,
    markup,
    mixed,
    polygon,
)
from pbmserv.letters.pictures.shapes.men import arrows
from pbmserv.letters.pictures.shapes.things import things

_NARROW = 30  #: half of the side of a cell that is too narrow for a finger, in percent of the usual side
#: The width of a line between points; on a wide board, in sizes of its letters: half of it is more than half a pixel.
_THIN, _OF_LETTERS = 3.0, 0.05
SIDE = CELL / sqrt(3)  #: of a hexagon
_SEAMLESS = ("light", "dark", "wood", "brown", "blue")  #: grounds that need no line around them
#: Standing on a corner; its corners above and below are outside of the box of 100 by 100.
_HEXAGON: Sequence[Point] = tuple(
    (50 + x, 50 + y)
    for x, y in ((0, -SIDE), (50, -SIDE / 2), (50, SIDE / 2), (0, SIDE), (-50, SIDE / 2), (-50, -SIDE / 2))
)

_SEEN = [field.name for field in fields(Cell) if field.name not in ("name", "of")]
_seen = attrgetter(*_SEEN)


class CellRoom(NamedTuple):
    """The box of a cell. `small`: the size of the smallest letters."""

    small: float
    width: float = CELL
    height: float = CELL
    hexagon: bool = False

    @property
    def corners(self) -> Sequence[Point]:
        """Where its corners are, if the middle is that of the usual cell."""
        if self.hexagon:
            return _HEXAGON
        x, y = self.width / 2, self.height / 2
        return ((50 - x, 50 - y), (50 + x, 50 - y), (50 + x, 50 + y), (50 - x, 50 + y))

    @property
    def touched(self) -> Sequence[Point]:
        """The corners of what a touch belongs to: a narrow cell reaches into its wide neighbours."""
        x, y = self.width / 2, self.height / 2
        if self.hexagon or 2 / 3 < x / y < 3 / 2 or min(x, y) > _NARROW:
            return self.corners
        across, down = (x, x + y) if x > y else (x + y, y)
        return ((50, 50 - down), (50 + across, 50), (50, 50 + down), (50 - across, 50))


def seen(cell: Cell) -> tuple[tuple[Any, ...], bool]:
    """Return all that is drawn of a cell: cells of which this is equal look alike, whatever they are called."""
    return _seen(cell), bool(cell.of)


def seen_as(what: tuple[Any, ...], is_part: bool) -> Cell:
    """Return a cell of which `seen` is this."""
    return Cell(**dict(zip(_SEEN, what, strict=True)), of="a1" if is_part else "")


@lru_cache(maxsize=8192)
def look(cell: Cell, room: CellRoom) -> tuple[Part, ...]:
    """Return what a cell looks like, in the order in which it is painted. Its middle is always the same."""
    hue, small = PALETTE[cell.ground], bool(room.hexagon or cell.lines)
    parts = [*_ground(cell, hue, room), *marks.below(cell)]
    middle, size = ((50, 37), 30) if cell.text else (MIDDLE, 45)
    # Arrows where nobody stands are paler, so that those that count now are seen first.
    ink = hue.ink if cell.pieces or cell.text else mixed(hue.fill, hue.ink, 0.55)
    above = [*arrows(cell.arrows, middle, size, size * 0.42 if cell.pieces else 0, ink), *things(cell, room.small)]
    return (*parts, *_fitted(above, room), *marks.above(cell, room.corners, small=small))


def _fitted(parts: Sequence[Part], room: CellRoom) -> Sequence[Part]:
    """Make things smaller that stand in a smaller cell."""
    scale = min(room.width, room.height) / CELL
    if scale == 1 or not parts:
        return parts
    if isinstance(text := parts[0], Lettering) and len(parts) == 1:
        largest = min(text.size, max(room.small, room.height * 0.7))
        return [lettering(text.text, MIDDLE, room.width * 0.88, largest, room.small, text.fill, text.plain)]
    return [Artwork(markup(parts, own_letters=True), 50 * (1 - scale), 50 * (1 - scale), scale)]


def _ground(cell: Cell, hue: Hue, room: CellRoom) -> Iterator[Part]:
    fill = marks.tinted(cell, hue, small=bool(room.hexagon or cell.lines))
    seamless = cell.ground in _SEAMLESS and not room.hexagon
    line = "" if seamless else mixed(hue.fill, hue.ink, 0.35)
    yield Shape(polygon(room.corners), fill, line, 2 if line else 0, crisp=seamless, thin=not seamless)
    if cell.wedge:
        yield from _wedge(*cell.wedge, room)
    if cell.lines:
        yield from _crossing(cell, hue, room)
    if cell.art:
        above = (BELOW_NAME if cell.in_corner else ((50, 36), 62)) if cell.text else ()
        yield from art(cell.art, cell.ground, *above)


def _crossing(cell: Cell, hue: Hue, room: CellRoom) -> Iterator[Shape]:
    """Draw lines from the middle to the edges; thick ones that are fresh are thicker, and bright in the middle."""
    if not cell.line:
        width = max(_THIN, round(room.small * _OF_LETTERS, 1))
        yield Shape(_rays(cell.lines, room), stroke=mixed(hue.fill, hue.ink, 0.7), width=width, thin=True)
        return
    fresh = cell.lines if cell.mark else cell.fresh
    older = [way for way in cell.lines if way not in fresh]
    if older:
        yield Shape(_rays(older, room), stroke=PALETTE[cell.line].fill, width=14)
    if fresh:
        yield Shape(_rays(fresh, room), stroke=PALETTE[cell.line].fill, width=28)
        mark = MADE if cell.mark in ("", LAST, EARLIER) else cell.mark
        yield Shape(_rays(fresh, room), stroke=MARKED[mark], width=14)


def _rays(ways: Iterable[int], room: CellRoom) -> str:
    ends = ((50 + COMPASS[d][0] * room.width / 2, 50 - COMPASS[d][1] * room.height / 2) for d in ways)
    return "".join(f"M50 50L{at(end)}" for end in ends)


def _wedge(colour: str, top: int, bottom: int, room: CellRoom) -> Iterator[Shape]:
    above, below = (room.width * share / 200 for share in (top, bottom))
    high = room.height / 2
    corners = ((50 - above, 50 - high), (50 + above, 50 - high), (50 + below, 50 + high), (50 - below, 50 + high))
    yield Shape(polygon(corners), PALETTE[colour].fill)


def texts(parts: Iterable[Part]) -> list[str]:
    """Return the texts that one sees."""
    return [part.text for part in parts if isinstance(part, Lettering)]
