"""A picture as an HTML table for letters. templates/mail/picture.html has the look of its parts.

Mail programs drop style sheets, and some drop all CSS. So grounds and pieces have their colours as attributes, and
whatever differs in colour differs in its sign, too. All characters are ASCII: others are written as numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from pbmserv.games.base import Cell, Picture, Piece, Tray
from pbmserv.letters.pictures.packing import unpack
from pbmserv.letters.pictures.palette import MARKED, PALETTE, SAID, Hue
from pbmserv.letters.pictures.parts import MOST_COLUMNS, columns_of
from pbmserv.letters.text.templates import Renderer
from pbmserv.letters.text.translations import Say

NARROW = 270  #: pixels for the cells and the ranks in a window of 320 pixels, if the letter's style sheet is dropped
_WINDOW = 294  #: pixels for a table with its gaps in a window of 320 pixels
_WIDEST = 640  #: pixels that a wide board takes, whose cells would else be too small
_WIDE = 416  #: pixels that a board takes at most, if there is room
_LABEL = 16  #: pixels: the column of the ranks
_TRAY = 44  #: pixels: a cell of a tray
_BESIDE = 4  #: cells of a tray that leave room for its words beside them
_AROUND = 5  #: pixels: the line around a cell that is a link, and the gap beside it
_LARGEST, _TALLEST, _LOWEST = 56, 44, 36  #: pixels of a cell
_LOWEST_OF_WIDE = 32  #: of a cell of a wide board, which is much narrower than high in a narrow window
_TIGHT = 18  #: pixels: in narrower cells pieces are text, because so many tables are too long for a letter
_NAMED = 24  #: pixels: in narrower cells, what can be touched is a dot, because names do not fit
_MOST_ROWS = 12  #: of hexagons whose ranks are not wider than a cell
#: Arrows by direction, clockwise from north. The sign behind some of them keeps phones from showing a small picture.
_ARROWS = ("\u2191", "\u2197\ufe0e", "\u2192", "\u2198\ufe0e", "\u2193", "\u2199\ufe0e", "\u2190", "\u2196\ufe0e")
_NO_ARROW = "\u2002\u2005"  #: spaces, together nearly as wide as an arrow
_HERE = Markup("<uri>")  #: where a URI will stand; no other text is like it, because "<" is escaped


class _Sides(NamedTuple):
    """What stands before and behind the URI of a cell that is a link. Without a link, the first is the whole cell."""

    before: str
    behind: str = ""


class Tables:
    """Makes tables in one language. Cells, and tables without links, are kept for the next readers."""

    def __init__(self, renderer: Renderer) -> None:
        self._say: Say = renderer.say
        self._part = lru_cache(maxsize=None)(lambda name: renderer.macro("mail/picture.html", name))
        self._cell = lru_cache(maxsize=8192)(self._made_cell)
        self._untouched = lru_cache(maxsize=64)(lambda packed: self._table(unpack(packed), {}))

    def table(self, packed: str, links: Mapping[str, str]) -> str:
        """Return a table of a packed picture. `links`: the URIs of cells by their names, as they stand in HTML."""
        return self._table(unpack(packed), links) if links else self._untouched(packed)

    def _table(self, picture: Picture, links: Mapping[str, str]) -> str:
        size = _Size.of(picture)
        ranks = picture.ranks or ("",) * len(picture.rows)
        offsets = picture.offsets or (0,) * len(picture.rows)
        ends = picture.ends or ("",) * len(picture.rows)
        rows = [
            (rank, offset, "".join(self._cells(row, links, size.span, room=size.cell)), end)
            for rank, offset, row, end in zip(ranks, offsets, picture.rows, ends, strict=True)
        ]
        trays = [self._tray(tray, links) for tray in picture.beside]
        lines = [self._say(line) for line in picture.lines]
        label = self._say("The board")
        edges = [PALETTE[colour] for colour in picture.edges]
        tight = size.cell < _TIGHT
        made = self._part("table")(
            rows=rows, picture=picture, size=size, trays=trays, lines=lines, label=label, edges=edges, tight=tight
        )
        return made.encode("ascii", "xmlcharrefreplace").decode("ascii")

    def _tray(self, tray: Tray, links: Mapping[str, str]) -> tuple[str, str, int]:
        """Return what a tray says, its cells, and its width in pixels at most; 0: its words stand beside the cells."""
        count = len(tray.cells)
        cells = "".join(self._cells(tray.cells, links, 1, min(_TRAY, NARROW // count - _AROUND)))
        return self._say(tray.says), cells, _TRAY * count if count > _BESIDE else 0

    def _cells(
        self, row: Sequence[Cell | None], links: Mapping[str, str], span: int, wide: int = 0, *, room: int = _LARGEST
    ) -> Iterator[str]:
        """Yield the cells of a row. `room`: the width of a cell in a narrow window, in pixels."""
        for cell in row:
            uri = links.get(cell.name, "") if cell else ""
            before, behind = self._cell(cell, span, wide, room, bool(uri))
            yield f"{before}{uri}{behind}"

    def _made_cell(self, cell: Cell | None, span: int, wide: int, room: int, linked: bool) -> _Sides:
        if cell is None:
            return _Sides(self._part("no_cell")(span=span))
        chips = [_chip(piece) for piece in reversed(cell.pieces)]
        mark = cell.mark or ("goal" if linked and (chips or cell.arrows or cell.text) else "")
        made = self._part("cell")(
            cell=cell,
            span=span,
            wide=wide,
            hue=PALETTE[cell.ground],
            chips=chips,
            arrows=_arrows(cell),
            line=MARKED.get(mark, ""),
            told=self._say(SAID[cell.mark]) if cell.mark else "",
            uri=_HERE if linked else "",
            tight=room < _TIGHT,
            dots=room < _NAMED,
        )
        before, _, behind = made.partition(_HERE)
        return _Sides(before, behind)


class _Size(NamedTuple):
    """Measures of a table in pixels, and how many columns a cell takes."""

    cell: int
    height: int
    width: int
    columns: int
    span: int
    label: int  #: the width of a column for the ranks; 0: there is none
    beside: int  #: the columns for the rank of a row of hexagons, which stands right before its first cell
    above: int  #: the columns before the labels above the board
    below: int  #: the same for those below; -1: there are none

    @classmethod
    def of(cls, picture: Picture) -> "_Size":
        """Return measures with which the board fits a narrow window."""
        span = 2 if picture.hexes else 1
        offsets = picture.offsets or (0,) * len(picture.rows)
        ranks, edge = any(picture.ranks), span if picture.edges else 0
        beside = span if picture.hexes and ranks else 0
        if beside and len(picture.rows) > _MOST_ROWS:
            beside *= 2
        label = _LABEL if ranks and not beside else 0
        ends = [span * bool(end) for end in picture.ends] or [edge] * len(picture.rows)
        wide = (offset + span * len(row) + end for offset, row, end in zip(offsets, picture.rows, ends, strict=True))
        columns = beside + max(wide)
        across = -(-columns // span)
        is_wide = columns_of(picture) > MOST_COLUMNS
        rooms = (NARROW, _WIDEST if is_wide else _WIDE)
        cell, wide_cell = (min(_LARGEST, (room - label) // across) for room in rooms)
        if span > 1:  # there is a gap beside each half of a cell
            cell = min(cell, span * ((_WINDOW - columns) // columns))
        return cls(
            cell,
            height=max(_LOWEST_OF_WIDE if is_wide else _LOWEST, min(wide_cell, _TALLEST)),
            width=label + across * wide_cell,
            columns=columns,
            span=span,
            label=label,
            beside=beside,
            above=beside + _lead(picture, 0) + bool(picture.ends),
            below=-1 if picture.ends else beside + _lead(picture, -1),
        )


def _lead(picture: Picture, row: int) -> int:
    """Return how far right of the board the labels at a row begin, in halves of a cell."""
    return picture.offsets[row] if picture.hexes and len(picture.rows[row]) == len(picture.files) else 0


def _chip(piece: Piece) -> tuple[str, Hue | None]:
    """Return what stands on a piece, and its colours; None: it has no disc."""
    return piece.label, PALETTE[piece.colour] if piece.colour else None


def _arrows(cell: Cell) -> list[str]:
    """Return the eight places around the middle, clockwise from north; [] if the cell has no arrows."""
    if not cell.arrows:
        return []
    return [arrow if direction in cell.arrows else _NO_ARROW for direction, arrow in enumerate(_ARROWS)]
