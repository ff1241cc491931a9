"""Text diagrams of pictures, for games that bring no diagram of their own: which characters stand in which cell.

The templates boards/any-squares.txt and boards/any-hexes.txt put them together.
"""

from collections.abc import Sequence
from dataclasses import replace
from textwrap import wrap
from typing import NamedTuple

from pbmserv.games.base import Cell, Picture, Tray
from pbmserv.games.base.grid import COMPASS_NAMES
from pbmserv.letters.text.blocks import WIDTH
from pbmserv.letters.text.translations import Say

_STROKES = dict(zip(COMPASS_NAMES, "|/-\\|/-\\", strict=True))
_AROUND = (("NW", "N", "NE"), ("W", "", "E"), ("SW", "S", "SE"))
_LABEL = 2  #: columns for the label of a row, at least
_MOST = 8  #: characters of a line in a cell
_PADDING = 2  #: spaces in a cell with a fence around it, if there is room

Lines = tuple[str, ...]  #: the lines of a cell


class Row(NamedTuple):
    """A row of cells: the lines of text, each with a string for each cell, and how far the row is moved in."""

    label: str
    lines: tuple[tuple[str, ...], ...]
    indent: int
    end: str = ""  #: the label on the right

    @property
    def middle(self) -> int:
        """The line that has the label."""
        return (len(self.lines) - 1) // 2


class Sketch(NamedTuple):
    """A diagram: its rows, the columns of a cell, and whether there are fences between the cells."""

    rows: tuple[Row, ...]
    width: int
    fenced: bool
    above: tuple[str, ...]  #: the labels above the top row; empty if they do not belong there
    below: tuple[str, ...]  #: the same for the bottom row
    margin: int  #: columns of the labels on the left
    gap: int  #: columns between two cells, or for a line of a fence

    def centred(self, texts: Sequence[str]) -> list[str]:
        """Return what stands in a line of cells, each as wide as a cell. A loop in a template takes longer."""
        return [text.center(self.width) for text in texts]


def sketched(picture: Picture, say: Say = str) -> Sketch:
    """Return the diagram of a picture, in the widest form that fits a letter. `say` translates the texts of cells."""
    picture = replace(picture, rows=tuple(tuple(cell and _said(cell, say) for cell in row) for row in picture.rows))
    for form in ((False, True), (True, True), (False, False), (True, False)):
        sketch = _sketch(picture, *form)
        if _columns(sketch) <= WIDTH:
            break
    return sketch


def _said(cell: Cell, say: Say) -> Cell:
    return replace(cell, text=say(cell.text)) if cell.text and not cell.in_corner else cell


def sketched_tray(tray: Tray, say: Say = str) -> Sketch:
    """Return the diagram of the cells of a tray, with their names below."""
    names = tuple(cell.name for cell in tray.cells)
    return sketched(Picture((tray.cells,), files=names if any(names) else ()), say)._replace(above=())


def _sketch(picture: Picture, narrow: bool, fenced: bool) -> Sketch:
    """Return the diagram. `narrow`: each piece of a stack has a line of its own."""
    fenced = fenced and not picture.hexes
    above, below = _files(picture)
    named = picture.hexes and not above
    dots = not fenced or any(cell is None for row in picture.rows for cell in row)
    blocks = [[_block(cell, narrow, named=named, dot="." * dots) for cell in row] for row in picture.rows]
    longest = max((len(line) for row in blocks for block in row for line in block), default=1)
    width = max(longest + _PADDING * fenced, 1, *map(len, above))
    if picture.hexes:
        width += 2 - width % 2  # so that half a cell is a whole number of columns, with a space between two cells
    ranks = picture.ranks or ("",) * len(blocks)
    offsets = picture.offsets or (0,) * len(blocks)
    ends = picture.ends or ("",) * len(blocks)
    rows = tuple(
        Row(rank, _lines(row), offset * width // 2, end)
        for rank, row, offset, end in zip(ranks, blocks, offsets, ends, strict=True)
    )
    margin = max(_LABEL, *map(len, ranks)) if picture.ranks else 0
    return Sketch(rows, width, fenced, above, below, margin, gap=0 if picture.hexes else 1)


def _files(picture: Picture) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels above and below. Hexagons have them only where a row has a cell for each."""
    top, bottom = (len(picture.rows[end]) == len(picture.files) for end in (0, -1))
    return picture.files if top else (), picture.files if bottom and not picture.ends else ()


def _block(cell: Cell | None, narrow: bool, *, named: bool, dot: str) -> Lines:
    """Return the lines of a cell. `dot`: what an empty one has; with `named` it is the cell's name."""
    if cell is None:
        return ("",)
    labels = [piece.in_ascii for piece in cell.pieces]
    text = (cell.text,) if cell.text and cell.text not in labels else ()
    if cell.arrows:
        return (*_arrows(cell.arrows, " ".join(labels) or "o"), *text)
    line = " ".join(labels)
    lines = labels[::-1] if narrow else [line] * bool(line) if len(line) <= _MOST else wrap(line, _MOST)
    return (*lines, *text) or ((cell.name if named else "") or dot,)


def _arrows(arrows: Sequence[int], middle: str) -> Lines:
    """Return a stroke for each direction around what stands on the cell."""
    shown = {COMPASS_NAMES[direction] for direction in arrows}
    strokes = {name: stroke if name in shown else " " for name, stroke in _STROKES.items()}
    rows = ((strokes[left], strokes.get(centre, middle), strokes[right]) for left, centre, right in _AROUND)
    return tuple(f"{left}{centre.center(len(middle))}{right}" for left, centre, right in rows)


def _lines(blocks: Sequence[Lines]) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a row, the blocks standing on its lowest line, except for those with arrows."""
    height = max(map(len, blocks), default=1)
    return tuple(zip(*(("",) * (height - len(block)) + block for block in blocks), strict=True))


def _columns(form: Sketch) -> int:
    """Return how wide a diagram is."""
    ends = [row.indent + max(map(len, row.lines)) * (form.width + form.gap) for row in form.rows]
    return form.margin + form.gap + max(ends, default=0)
