"""Pictures as vector drawings: where the cells are and what is in them. templates/web/picture.svg writes the SVG.

A cell is 100 units wide. The frame, the grounds and the pieces have their own colours, so a drawing is the same in
light and dark windows (ADR 34).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from pbmserv.games.base import Cell, Picture, Piece, Tray
from pbmserv.letters.pictures.palette import PALETTE, SAID
from pbmserv.letters.pictures.parts import regions
from pbmserv.letters.pictures.shapes import (
    CELL,
    IN_COLUMN,
    MOST_IN_ONE,
    Lettering,
    Part,
    Point,
    Shape,
    arrows,
    card,
    discs,
    lettering,
    lines_of,
    outline,
    pile,
    polygon,
)

NARROWEST = 304  #: pixels that a drawing has in the narrowest window
SMALLEST = 11.5  #: pixels of the smallest letters there; but a board of more than twelve columns has smaller ones
_WIDEST, _LARGEST_CELL = 580.0, 92.0  #: pixels of a drawing and of a cell
_SMALLEST_CELL = 29.0  #: pixels of a cell of a wide board, if there is room; then it can be touched
_VERY_WIDE = 2050.0  #: the width of a drawing of more than nineteen columns, in its own units
_TRAY_CELL = 48.0  #: pixels of a cell beside the board
_LABELS = 42.0  #: the width of a margin with labels
_LABEL_OF_COLUMN = 5.0  #: the same for each column of a wider board, because its letters are larger
_MOST_OF_LABEL = 85.0  #: the size of letters from which on only every second label is written
_EDGE = 10.0  #: of one without
_EDGE_LINE = 16.0  #: the width of a coloured edge, half of which is under the cells
_FRAME, _FRAME_INK, _LINES = "#38423c", "#f4f5f0", "#5c5a52"


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A cell with its parts, in the order in which they are painted. `says`: its name and what is on it."""

    says: str
    shapes: tuple[Shape, ...]
    letters: tuple[Lettering, ...]
    x: float
    y: float
    name: str = ""  #: of what can be touched here; "": nothing can
    uri: str = ""
    is_part: bool = False  #: of another cell, which has the same link and says what is there


@dataclass(frozen=True, slots=True)
class DrawnRegion:
    """A part of a wide board that can be touched to enlarge it. `path`: its outline."""

    says: str
    path: str
    uri: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawing without the texts around it. With links it is a group of cells, else one image."""

    width: float
    height: float
    frame: str
    labels: tuple[Lettering, ...]
    cells: tuple[DrawnCell, ...]
    says: str  #: all of it in words
    pixels: int = 0  #: how wide it is if there is room
    trays: tuple[tuple[str, "Drawing"], ...] = ()  #: what is beside the board: what each says, and its cells
    lines: tuple[str, ...] = ()  #: to be shown below
    colour: str = _FRAME  #: of the frame
    edges: tuple[Shape, ...] = ()  #: lines along coloured edges, painted before the cells
    regions: tuple[DrawnRegion, ...] = ()  #: painted upon the cells, for narrow windows only

    @property
    def widest(self) -> bool:
        """Whether its cells are too small to be touched also in many wide windows."""
        return self.width > _VERY_WIDE

    @property
    def linked(self) -> bool:
        """Whether a cell of the board is a link."""
        return any(cell.uri for cell in self.cells)


@dataclass(frozen=True, slots=True)
class _Sheet:
    """Where things are. `small`: the size of the smallest letters."""

    picture: Picture
    links: Mapping[str, str]
    in_words: Mapping[str, str]  #: what is on a cell in words, by its name
    small: float
    left: float
    top: float
    columns: float


def drawing(
    picture: Picture,
    links: Mapping[str, str] | None = None,
    spoken: Iterable[str] = (),
    near: Callable[[str], str] | None = None,
) -> Drawing:
    """Draw a picture. `links`: cell -> URI. `spoken`: the position in words, a fact to a line.

    `near`: cell -> URI of a page with the part around it, enlarged. It is for wide boards only.
    """
    facts = list(spoken)
    in_words = {name: rest for fact in facts for name, colon, rest in [fact.partition(": ")] if colon}
    sheet = _sheet(picture, links or {}, in_words)
    high, width = _height(sheet), sheet.left + sheet.columns * CELL + _EDGE
    height = sheet.top + high + (sheet.top if picture.files else _EDGE)
    return Drawing(
        width=round(width, 1),
        height=round(height, 1),
        frame=_rectangle(width, height),
        labels=tuple(_labels(sheet, high)),
        cells=tuple(_cells(sheet)),
        says=sentences(facts),
        pixels=round(min(width * _LARGEST_CELL / CELL, max(_WIDEST, width * _SMALLEST_CELL / CELL))),
        trays=tuple((tray.says, _tray(tray, sheet)) for tray in picture.beside),
        lines=(*picture.lines, *_tall(picture)),
        edges=tuple(_edges(sheet)),
        regions=tuple(_regions(sheet, near)) if near else (),
    )


def sentences(facts: Iterable[str]) -> str:
    """Join facts to one text, as a screen reader speaks it."""
    return " ".join(
        fact if fact.endswith((".", ":", "!", "?")) else f"{fact}." for fact in map(str.strip, facts) if fact
    )


def _sheet(picture: Picture, links: Mapping[str, str], in_words: Mapping[str, str]) -> _Sheet:
    halves = picture.offsets or (0,) * len(picture.rows)
    ends = [bool(end) for end in picture.ends] or [False] * len(picture.rows)
    columns = max((o / 2 + len(row) + e for o, row, e in zip(halves, picture.rows, ends, strict=True)), default=1)
    label = max(_LABELS, _LABEL_OF_COLUMN * columns)
    label += 2 * _EDGE_LINE if picture.edges else 0
    left = label if picture.ranks else _EDGE
    width = left + columns * CELL + _EDGE
    # A drawing of few columns is not stretched to the width of the window.
    small = SMALLEST * max(width / NARROWEST, CELL / _LARGEST_CELL)
    return _Sheet(picture, links, in_words, small, left, label if picture.files else _EDGE, columns)


def _height(sheet: _Sheet) -> float:
    rows = len(sheet.picture.rows)
    return CELL * (0.5 * sqrt(3) * (rows - 1) + 2 / sqrt(3)) if sheet.picture.hexes else CELL * rows


def _labels(sheet: _Sheet, high: float) -> Iterator[Lettering]:
    """Write the files above and below the cells, the ranks on their left, and what stands on their right."""
    picture = sheet.picture
    longest = max(range(len(picture.rows)), key=lambda row: len(picture.rows[row]))
    line = _EDGE_LINE if picture.edges else 0
    for row, y in ((0, (sheet.top - line) / 2), (len(picture.rows) - 1, sheet.top * 1.5 + high + line / 2)):
        if row and picture.ends:
            continue
        beside = row if len(picture.rows[row]) == len(picture.files) else longest
        start = sheet.left + _indent(picture, beside) + (CELL / 2 if picture.ends else 0)
        for i, name in _written(picture.files, sheet):
            yield _label(name, (start + (i + 0.5) * CELL, y), CELL, sheet)
    for i, name in _written(picture.ranks, sheet):
        x, y = (sheet.left - line) / 2 + _indent(picture, i), sheet.top + _middle(picture, i)
        yield _label(name, (x, y), sheet.left - line - 4, sheet)
    for i, name in _written(picture.ends, sheet):
        x = sheet.left + _indent(picture, i) + (len(picture.rows[i]) + 0.5) * CELL
        yield _label(name, (x, sheet.top + _middle(picture, i)), CELL, sheet)


def _written(labels: Sequence[str], sheet: _Sheet) -> Iterator[tuple[int, str]]:
    """Yield the labels for which there is room, with their places."""
    step = 1 if sheet.small <= _MOST_OF_LABEL else 2
    return ((i, name) for i, name in enumerate(labels) if i % step == 0)


def _regions(sheet: _Sheet, near: Callable[[str], str]) -> Iterator[DrawnRegion]:
    """Draw the outlines of the regions of a wide board."""
    high = _height(sheet) / len(sheet.picture.rows)
    for region in regions(sheet.picture):
        x, y = sheet.left + region.x * CELL, sheet.top + region.y * high
        path = f"M{x:g} {y:g}h{region.width * CELL:g}v{region.height * high:g}h{-region.width * CELL:g}Z"
        yield DrawnRegion(f"Enlarge the part around {region.name.upper()}", path, near(region.name))


def _edges(sheet: _Sheet) -> Iterator[Shape]:
    """Draw a line along each edge that has a colour, with a white one behind it that stands out from the frame."""
    for colour, points in zip(sheet.picture.edges, _around(sheet) if sheet.picture.edges else (), strict=True):
        line = f"M{'L'.join(f'{round(x, 1):g} {round(y, 1):g}' for x, y in points)}"
        yield Shape(line, stroke=_FRAME_INK, width=_EDGE_LINE + 5)
        yield Shape(line, stroke=PALETTE[colour].fill, width=_EDGE_LINE)


def _around(sheet: _Sheet) -> Iterator[list[Point]]:
    """Return the corners of the cells along the edges of a rhombus: top, right, bottom, left."""
    left, right = list[Point](), list[Point]()
    ends = list[tuple[float, float, float]]()  # of each row: its left end, its right end, its middle
    for row, cells in enumerate(sheet.picture.rows):
        start, y = sheet.left + _indent(sheet.picture, row), sheet.top + _middle(sheet.picture, row)
        end = start + len(cells) * CELL
        ends.append((start, end, y))
        left += [(start, y - _SIDE / 2), (start, y + _SIDE / 2), (start + CELL / 2, y + _SIDE)]
        right += [(end - CELL / 2, y - _SIDE), (end, y - _SIDE / 2), (end, y + _SIDE / 2)]
    yield _zigzag(*ends[0], -1)
    yield right[1:]
    yield _zigzag(*ends[-1], 1)
    yield left[:-1]


def _zigzag(start: float, end: float, y: float, side: int) -> list[Point]:
    """Return the corners above (`side` -1) or below (1) a row, from the left."""
    halves = range(round((end - start) / CELL * 2) + 1)
    return [(start + half * CELL / 2, y + side * _SIDE / (2 - half % 2)) for half in halves]


def _indent(picture: Picture, row: int) -> float:
    """Return how far right of the board a row begins."""
    return picture.offsets[row] * CELL / 2 if picture.hexes else 0


def _label(name: str, middle: Point, room: float, sheet: _Sheet) -> Lettering:
    return lettering(name, middle, room, sheet.small, sheet.small, _FRAME_INK)


def _middle(picture: Picture, row: int) -> float:
    """Return how far below the top of the board the middle of a row is."""
    return CELL * (1 / sqrt(3) + row * sqrt(3) / 2) if picture.hexes else CELL * (row + 0.5)


def _cells(sheet: _Sheet) -> Iterator[DrawnCell]:
    picture = sheet.picture
    for i, row in enumerate(picture.rows):
        y = sheet.top + _middle(picture, i) - CELL / 2
        for j, cell in enumerate(row):
            if cell:
                yield _drawn(cell, sheet.left + _indent(picture, i) + j * CELL, y, sheet)


def _drawn(cell: Cell, x: float, y: float, sheet: _Sheet) -> DrawnCell:
    hue, corners = PALETTE[cell.ground], _HEXAGON if sheet.picture.hexes else _SQUARE
    parts: list[Part] = [Shape(polygon(corners), hue.fill, _LINES, 1.5)]
    if cell.mark:
        parts += outline(cell.mark, corners)
    middle, size = ((50, 37), 30) if cell.text else ((50, 50), 45)
    parts += arrows(cell.arrows, middle, size, size * 0.55 if cell.pieces else 0, hue.ink)
    parts += _things(cell, sheet.small)
    name = cell.name or cell.of
    uri = sheet.links.get(name, "")
    letters = tuple(part for part in parts if isinstance(part, Lettering))
    says = _says(cell, sheet.in_words)
    return DrawnCell(
        says=", ".join(filter(None, (says, *_seen(cell, letters)))) if uri else says,
        shapes=tuple(part for part in parts if isinstance(part, Shape)),
        letters=letters,
        x=round(x, 1),
        y=round(y, 1),
        name=name,
        uri=uri,
        is_part=bool(cell.of),
    )


def _things(cell: Cell, small: float) -> Iterator[Part]:
    """Draw the pieces, signs and text of a cell: pieces alone as a pile, otherwise all of it one below the other."""
    ink = PALETTE[cell.ground].ink
    pieces = [piece for piece in cell.pieces if piece.colour]
    signs = "".join(piece.label for piece in cell.pieces if not piece.colour)
    if pieces and not signs and not cell.text:
        yield from _pieces_alone(pieces, bool(cell.arrows), small)
        return
    above, middle, below = _thirds(bool(signs), bool(pieces), bool(cell.text))
    if signs:
        yield lettering(signs, (50, above), 84, 34 if pieces else 48 if cell.text else 64, small, ink)
    if pieces:
        yield from discs(pieces, (50, middle), max(15, small * 0.66), small)
    if cell.text and not signs and not pieces and not cell.arrows:
        yield from lines_of(cell.text, (50, 50), 88, small * 1.4, small, ink)
    elif cell.text:
        yield lettering(cell.text, (50, below), 86, small, small, ink)


def _thirds(signs: bool, pieces: bool, text: bool) -> tuple[float, float, float]:
    """Return the heights of the middles of what is in a cell: signs, pieces, text."""
    if signs and pieces:
        return (20, 52, 82) if text else (30, 74, 0)
    return (37, 37, 81) if text else (50, 50, 0)


def _pieces_alone(pieces: Sequence[Piece], arrows: bool, small: float) -> Iterator[Part]:
    first = pieces[0]
    if arrows:
        yield from discs(pieces, (50, 50), 21 if len(pieces) == 1 else 17, small)
    elif any(piece.count for piece in pieces):
        yield from pile(pieces, small)
    elif len(pieces) == 1 and (first.sign.isdecimal() or first.sign == "+"):
        yield from card(first.sign, PALETTE[first.colour], small)
    else:
        yield from discs(pieces, (50, 50), 39 if len(pieces) == 1 else 22, small)


def _says(cell: Cell, in_words: Mapping[str, str]) -> str:
    """Return what is on a cell in words, with its name."""
    things = [piece.in_ascii for piece in cell.pieces] + [cell.text] * bool(cell.text)
    words = in_words.get(cell.name) or ", ".join(things) or "empty"
    return f"{cell.name}: {words}" if cell.name else words


def _seen(cell: Cell, letters: Iterable[Lettering]) -> tuple[str, str]:
    """Return what one sees on a cell that is a link: its mark and its letters. People say them to touch it."""
    return SAID.get(cell.mark, ""), " ".join(part.text for part in letters)


def _tray(tray: Tray, sheet: _Sheet) -> Drawing:
    """Draw the cells of a tray beside each other, without a frame. Raises ValueError if there are none."""
    count = len(tray.cells)
    if not count:
        raise ValueError("a tray without cells")
    width = CELL * count
    small = SMALLEST * max(width / NARROWEST, CELL / _TRAY_CELL)
    inside = _Sheet(Picture((tray.cells,)), sheet.links, sheet.in_words, small, 0, 0, count)
    return Drawing(
        width=width,
        height=CELL,
        frame=_rectangle(width, CELL),
        labels=(),
        cells=tuple(_cells(inside)),
        says=tray.says,
        pixels=round(_TRAY_CELL * count),
    )


def _rectangle(width: float, height: float) -> str:
    return f"M0 0h{width:g}v{height:g}h{-width:g}Z"


def _tall(picture: Picture) -> Iterator[str]:
    """Say how to read stacks in columns, and in words what is in those that have no room for signs."""
    stacks = [cell for cell in picture.cells if len(cell.pieces) > MOST_IN_ONE and all(p.count for p in cell.pieces)]
    if stacks:
        yield "A stack in several columns goes on in the next column: the lowest man is at the bottom left."
    for cell in stacks:
        if len(cell.pieces) > 2 * IN_COLUMN:
            yield f"{cell.name.upper()}, from the bottom: {' '.join(piece.label for piece in cell.pieces)}"


_SQUARE: Sequence[Point] = ((0, 0), (CELL, 0), (CELL, CELL), (0, CELL))
_SIDE = CELL / sqrt(3)
#: Standing on a corner, in a box of 100 by 100: its corners above and below are outside of the box.
_HEXAGON: Sequence[Point] = tuple(
    (50 + x, 50 + y)
    for x, y in ((0, -_SIDE), (50, -_SIDE / 2), (50, _SIDE / 2), (0, _SIDE), (-50, _SIDE / 2), (-50, -_SIDE / 2))
)
