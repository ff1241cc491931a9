"""Where the parts of a picture are, in units of which a usual cell has a hundred. It does not depend on the cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import sqrt
from typing import NamedTuple

from pbmserv.games.base import Picture, Tray
from pbmserv.letters.pictures.palette import PALETTE
from pbmserv.letters.pictures.shapes.base import CELL, Lettering, Point, Shape, lettering, pen_width
from pbmserv.letters.pictures.shapes.cells import SIDE, CellRoom
from pbmserv.letters.pictures.shapes.curve import HIGH, CurveStrip, curve

NARROWEST = 304  #: pixels that a drawing has in the narrowest window
SMALLEST = 12.5  #: pixels of the smallest letters there; but a board of more than twelve columns has smaller ones
LARGEST_CELL = 92.0  #: pixels of a cell
TRAY_CELL, SEEN_CELL = 48.0, 32.0  #: pixels of a cell beside the board; and if it is only looked at
FRAME, FRAME_INK = "#e9e3d6", "#5b5344"
_LABELS = 43.0  #: the width of a margin with labels
_LABEL_OF_COLUMN = 5.4  #: the same for each column of a wider board, because its letters are larger
_MOST_OF_LABEL = 85.0  #: the size of letters from which on only every second label is written
_EDGE = 10.0  #: the width of a margin without
_EDGE_LINE = 18.0  #: the width of a coloured edge, half of which is under the cells
_RIM = "brown"  #: the colour of the edge of a hexagon of hexagons
_TITLE, _LINE = 2.1, 1.4  #: how high a title is, and the line above a tray, in letters


class Geometry(NamedTuple):
    """What of a picture says where its parts are; `Picture` explains the rest. `there`: which places have a cell."""

    there: tuple[tuple[bool, ...], ...]
    files: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    offsets: tuple[int, ...] = ()
    edges: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    heights: tuple[int, ...] = ()
    titles: tuple[str, ...] = ()
    curve: tuple[int, ...] = ()
    dots: tuple[int, ...] = ()

    @classmethod
    def of(cls, p: Picture) -> "Geometry":
        """Return the geometry of a picture."""
        there = tuple(tuple([cell is not None for cell in row]) for row in p.rows)
        sizes = (p.widths, p.heights, p.titles)
        return cls(there, p.files, p.ranks, p.offsets, p.edges, p.ends, *sizes, p.curve, p.dots)


class Spot(NamedTuple):
    """The place of a cell: its middle, and its size."""

    x: float
    y: float
    room: CellRoom


@dataclass(frozen=True, slots=True, eq=False)
class BoardPlan:
    """Where the cells of a picture are, and what is around them. `spots`: those of its cells from the top left.

    Plans are kept, and two are equal only if they are the same object.
    """

    width: float
    height: float
    spots: tuple[Spot, ...]
    labels: tuple[Lettering, ...] = ()
    edges: tuple[Shape, ...] = ()  #: lines along coloured edges, and a curve; painted before the cells
    left: float = 0  #: where the board begins
    top: float = 0


def plan_of(picture: Picture) -> BoardPlan:
    """Return where the parts of a board are. Raises ValueError if it has no cells."""
    return _plan(Geometry.of(picture))


def tray_of(tray: Tray, room: int = 0) -> BoardPlan:
    """Return where the cells of a tray are. Raises ValueError if there are none.

    `room`: so many pixels has a line above the cells that says what they are; 0: there is no such line.
    """
    return _tray(len(tray.cells), tray_cell(tray), tray.says.partition(":")[0] if room else "", room)


def tray_cell(tray: Tray) -> float:
    """Return how wide a cell of a tray is, in pixels."""
    return TRAY_CELL if any(cell.name or cell.of for cell in tray.cells) or not tray.only_drawn else SEEN_CELL


@lru_cache(maxsize=64)
def _tray(count: int, pixels: float, says: str, room: int) -> BoardPlan:
    if not count:
        raise ValueError("a tray without cells")
    width = CELL * count
    small = SMALLEST * max(width / NARROWEST, CELL / pixels)
    top = _LINE * small if says else 0.0
    wide = min(pen_width(says, small), room * CELL / pixels)
    words = [lettering(says, (wide / 2, top / 2), wide, small, small, FRAME_INK)] if says else []
    spots = (Spot(CELL * (i + 0.5), top + CELL / 2, CellRoom(small)) for i in range(count))
    return BoardPlan(width, top + CELL, tuple(spots), tuple(words))


@lru_cache(maxsize=256)
def _plan(geometry: Geometry) -> BoardPlan:
    if not any(map(any, geometry.there)):
        raise ValueError("a board without cells")
    sheet = _Sheet(geometry)
    return BoardPlan(
        round(sheet.width, 1),
        round(sheet.height, 1),
        tuple(sheet.spots()),
        (*sheet.labels(), *sheet.titles()),
        (*sheet.edges(), *sheet.curve()),
        sheet.left,
        sheet.top,
    )


class _Sheet:
    """Measures a board. `xs`, `ys`: where columns and rows begin and the last one ends."""

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        longest = max(map(len, geometry.there), default=1)
        self.xs = [0.0, *accumulate(float(w) for w in geometry.widths or (CELL,) * longest)]
        label = max(_LABELS, _LABEL_OF_COLUMN * self.across / CELL)
        self.colours = geometry.edges or (_RIM,) * any(geometry.ends)
        self.line = _EDGE_LINE if self.colours else 0.0
        self.left = (label if any(geometry.ranks) else _EDGE) + 2 * self.line
        self.width = self.left + self.across + _EDGE + self.line
        # A drawing of few columns is not stretched to the width of the window.
        self.small = SMALLEST * max(self.width / NARROWEST, CELL / LARGEST_CELL)
        self.margin = label if geometry.files else _EDGE
        self.top = (label if geometry.ends else self.margin if geometry.edges else _EDGE) + 1.5 * self.line
        self.ys = list(self._tops())
        self.bottom = self.ys[-1] + self.margin + 1.5 * self.line
        self.height = self.bottom + (self.across * HIGH + _EDGE) * bool(geometry.curve)

    @property
    def across(self) -> float:
        """How wide the board is without what is around it."""
        if not self.geometry.offsets:
            return self.xs[-1]
        ends = [bool(end) for end in self.geometry.ends] or [False] * len(self.geometry.there)
        rows = zip(self.geometry.offsets, self.geometry.there, ends, strict=True)
        return CELL * max((offset / 2 + len(row) + end for offset, row, end in rows), default=1)

    def _tops(self) -> Iterator[float]:
        """Yield where each row begins, and where the last one ends."""
        y, rows = self.top, len(self.geometry.there)
        if self.geometry.offsets:
            yield from (y + row * CELL * sqrt(3) / 2 for row in range(rows))
            yield y + CELL * (0.5 * sqrt(3) * (rows - 1) + 2 / sqrt(3))
            return
        heights = self.geometry.heights or (CELL,) * rows
        for height, title in zip(heights, self.geometry.titles or ("",) * rows, strict=True):
            y += (self.small * _TITLE + self.margin * (y > self.top)) * bool(title)
            yield y
            y += height
        yield y

    def spots(self) -> Iterator[Spot]:
        """Yield the places of all cells."""
        for row, there in enumerate(self.geometry.there):
            for column in [column for column, is_there in enumerate(there) if is_there]:
                yield self._spot(row, column)

    def _spot(self, row: int, column: int) -> Spot:
        if self.geometry.offsets:
            x = self._start(row) + (column + 0.5) * CELL
            return Spot(x, self._middle(row), CellRoom(self.small, CELL, 2 * SIDE, hexagon=True))
        width = self.xs[column + 1] - self.xs[column]
        height = float(self.geometry.heights[row]) if self.geometry.heights else CELL
        return Spot(self.left + self.xs[column] + width / 2, self._middle(row), CellRoom(self.small, width, height))

    def _start(self, row: int) -> float:
        """Return where a row begins."""
        return self.left + (self.geometry.offsets[row] * CELL / 2 if self.geometry.offsets else 0)

    def _middle(self, row: int) -> float:
        if self.geometry.offsets:
            return self.ys[row] + SIDE
        height = float(self.geometry.heights[row]) if self.geometry.heights else CELL
        return self.ys[row] + height / 2

    def labels(self) -> Iterator[Lettering]:
        """Write the files around the cells, the ranks on their left, and what stands on their right."""
        geometry = self.geometry
        for i, name in self._written(geometry.files):
            yield from (self._label(name, middle, CELL) for middle in (self._below(i), *self._also(i)))
        for i, name in self._written(geometry.ranks):
            x = (self.left - self._around()) / 2 + self._start(i) - self.left
            yield self._label(name, (x, self._middle(i)), self.left - self._around() - 4)
        for i, name in self._written(geometry.ends):
            x = self._start(i) + (len(geometry.there[i]) + 0.5) * CELL + self.line / 2
            yield self._label(name, (x, self._middle(i)), CELL)
        yield from self._at_their_ends() if geometry.ends else ()

    def _at_their_ends(self) -> Iterator[Lettering]:
        """Write the files of a board with `ends` also where they go down to: below the last row, to the left."""
        names = [*self.geometry.files, *filter(None, self.geometry.ends)]
        last, y = len(self.geometry.there) - 1, self.ys[-1] + self._around() + self.margin * 0.45
        for column, name in self._written(names[-len(self.geometry.there[last]) :]):
            yield self._label(name, (self._start(last) + column * CELL, y), CELL)

    def _around(self) -> float:
        """Return how wide a coloured edge is outside of the cells."""
        return 1.5 * self.line

    def _below(self, column: int) -> Point:
        """Return the middle of the label of a column; those of a board with `ends` are above it."""
        if self.geometry.ends:
            return self._start(0) + (column + 1) * CELL, self.top * 0.55
        y = self.ys[-1] + self._around() + self.margin * 0.45  # a letter has room for a tail below its line
        if not self.geometry.offsets:
            return self.left + (self.xs[column] + self.xs[column + 1]) / 2, y
        lengths = list(map(len, self.geometry.there))
        row = len(lengths) - 1 if lengths[-1] == len(self.geometry.files) else lengths.index(max(lengths))
        return self._start(row) + (column + 0.5) * CELL, y

    def _also(self, column: int) -> Iterator[Point]:
        """Yield where the label of a column stands again: above a rhombus, and below each part of a board."""
        if self.geometry.edges:
            yield self._start(0) + (column + 0.5) * CELL, self.margin / 2
        x = self._below(column)[0]
        for y, title in list(zip(self.ys, self.geometry.titles, strict=False))[1:]:
            if title:
                yield x, y - self.small * _TITLE - self.margin / 2

    def titles(self) -> Iterator[Lettering]:
        """Write the titles of the parts of a board."""
        for y, title in zip(self.ys, self.geometry.titles, strict=False):
            if title:
                middle = (self.left + self.across / 2, y - self.small * _TITLE / 2)
                yield lettering(title, middle, self.across, self.small * 1.15, self.small * 0.8, FRAME_INK)

    def _written(self, labels: Sequence[str]) -> Iterator[tuple[int, str]]:
        """Yield the labels for which there is room, with their places."""
        step = 1 if self.small <= _MOST_OF_LABEL else 2
        return ((i, name) for i, name in enumerate(labels) if name and i % step == 0)

    def _label(self, name: str, middle: Point, room: float) -> Lettering:
        return lettering(name, middle, room, self.small, self.small, FRAME_INK)

    def edges(self) -> Iterator[Shape]:
        """Draw a line along each edge that has a colour, with a dark one behind it that stands out from the frame."""
        for colour, points in zip(self.colours, self._sides() if self.colours else (), strict=True):
            line = f"M{'L'.join(f'{round(x, 1):g} {round(y, 1):g}' for x, y in points)}"
            yield Shape(line, stroke=PALETTE[colour].line, width=_EDGE_LINE * 2 + 5)
            yield Shape(line, stroke=PALETTE[colour].fill, width=_EDGE_LINE * 2)

    def curve(self) -> Iterator[Shape]:
        """Draw who stood better when, below the board."""
        if self.geometry.curve:
            strip = CurveStrip(self.left, self.bottom, self.across, self.across * HIGH)
            yield from curve(self.geometry.curve, self.geometry.dots, strip)

    def _sides(self) -> Iterator[list[Point]]:
        """Return the corners of the cells along the edges of a rhombus: top, right, bottom, left; or around all."""
        left, right = list[Point](), list[Point]()
        ends = list[tuple[float, float, float]]()  # of each row: its left end, its right end, its middle
        for row, cells in enumerate(self.geometry.there):
            start, y = self._start(row), self._middle(row)
            end = start + len(cells) * CELL
            ends.append((start, end, y))
            left += [(start, y - SIDE / 2), (start, y + SIDE / 2)]
            right += [(end, y - SIDE / 2), (end, y + SIDE / 2)]
        top, bottom = _zigzag(*ends[0], -1), _zigzag(*ends[-1], 1)
        if self.geometry.edges:
            yield from (top, right, bottom, left)
        else:
            yield [*top, *right, *reversed(bottom), *reversed(left), *top[:2]]


def _zigzag(start: float, end: float, y: float, side: int) -> list[Point]:
    """Return the corners above (`side` -1) or below (1) a row, from the left."""
    halves = range(round((end - start) / CELL * 2) + 1)
    return [(start + half * CELL / 2, y + side * SIDE / (2 - half % 2)) for half in halves]
