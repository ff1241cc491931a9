"""Pictures as vector drawings: where the cells are and what is in them. templates/web/picture.svg writes the SVG.

A cell is 100 units wide. The frame, the grounds and the pieces have their own colours, so a drawing is the same in
light and dark windows (ADR 34).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markupsafe import Markup, escape

from pbmserv.games.base import Cell, Picture, Tray
from pbmserv.games.base.values import at_once
from pbmserv.letters.pictures.diagrams import lines_below
from pbmserv.letters.pictures.palette import SAID
from pbmserv.letters.pictures.parts import regions
from pbmserv.letters.pictures.plan import FRAME, LARGEST_CELL, BoardPlan, Spot, plan_of, tray_cell, tray_of
from pbmserv.letters.pictures.shapes.base import CELL, Artwork, Part, markup, polygon
from pbmserv.letters.pictures.shapes.cells import CellRoom, look, seen, seen_as, texts
from pbmserv.letters.pictures.shapes.curve import HIGH, CurveStrip, curve
from pbmserv.letters.text.translations import Say

_WIDEST = 580.0  #: pixels of a drawing
_SMALLEST_CELL = 29.0  #: pixels of a cell of a wide board, if there is room; then it can be touched
_VERY_WIDE = 2050.0  #: the width of a drawing of more than nineteen columns, in its own units


@dataclass(frozen=True)
class DrawnCell:
    """A cell with its parts, in the order in which they are painted.

    `says`: its name and what is on it, if a cell of the drawing is a link.
    """

    says: str
    parts: tuple[Part, ...]
    svg: str  #: what it looks like
    x: float
    y: float
    uri: str = ""
    is_part: bool = False  #: of another cell, which has the same link and says what is there
    reach: str = ""  #: the outline of what a touch belongs to, if that is more than the cell

    @property
    def plain(self) -> str:
        """Return it in a drawing without links."""
        return f"<g {self._place}>{self.svg}</g>"

    @property
    def linked(self) -> str:
        """Return it in a drawing with links."""
        if self.uri and self.is_part:
            return self._link(self.svg)
        says = f'aria-label="{escape(self.says)}" {self._place}>{self.svg}'
        return f'<a href="{escape(self.uri)}" {says}</a>' if self.uri else f'<g role="img" {says}</g>'

    @property
    def reached(self) -> str:
        """Return what else of a drawing with links can be touched; "" if that is no more than the cell."""
        return self._link(f'<path d="{self.reach}" fill="none" pointer-events="all"/>') if self.reach else ""

    def _link(self, svg: str) -> str:
        """Return a link to what another one leads to, which says what is there."""
        return f'<a tabindex="-1" aria-hidden="true" href="{escape(self.uri)}" {self._place}>{svg}</a>'

    @property
    def _place(self) -> str:
        return f'transform="translate({self.x:g} {self.y:g})"'


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
    around: tuple[Part, ...]  #: coloured edges, labels and titles, painted before the cells
    cells: tuple[DrawnCell, ...]
    says: str  #: all of it in words
    pixels: int = 0  #: how wide it is if there is room
    trays: tuple[tuple[str, "Drawing"], ...] = ()  #: what is beside the board: what each says, and its cells
    lines: tuple[str, ...] = ()  #: to be shown above
    below: tuple[str, ...] = ()  #: to be shown below the trays
    colour: str = FRAME  #: of the frame
    regions: tuple[DrawnRegion, ...] = ()  #: painted upon the cells, for narrow windows only

    @property
    def widest(self) -> bool:
        """Whether its cells are too small to be touched also in many wide windows."""
        return self.width > _VERY_WIDE

    @property
    def linked(self) -> bool:
        """Whether a cell of the board is a link."""
        return any(cell.uri for cell in self.cells)

    @property
    def art(self) -> Mapping[str, Markup]:
        """The drawings that cells share, by their ids."""
        looks = {id(cell.parts): cell.parts for cell in self.cells}.values()
        drawn = (part for parts in looks for part in parts if isinstance(part, Artwork) and part.id)
        return {part.id: Markup(part.svg) for part in drawn}  # noqa: S704 - our own drawings

    @property
    def cells_svg(self) -> Markup:
        """The cells. A template takes six times as long for hundreds of them."""
        cells = [cell.plain for cell in self.cells]
        if self.linked:
            cells = [cell.linked for cell in self.cells] + [cell.reached for cell in self.cells if cell.reach]
        return Markup("\n".join(cells))  # noqa: S704 - texts are escaped there

    @property
    def around_svg(self) -> Markup:
        """What is around the cells."""
        return Markup(markup(self.around))  # noqa: S704 - texts are escaped there


@dataclass(frozen=True, slots=True)
class _Reader:
    """What depends on who reads: the links by cell, what is on a cell in words, by its name, and the language."""

    links: Mapping[str, str]
    in_words: Mapping[str, str]
    say: Say


def drawing(
    picture: Picture,
    links: Mapping[str, str] | None = None,
    spoken: Iterable[str] = (),
    near: Callable[[str], str] | None = None,
    *,
    told: Iterable[str] = (),
    say: Say = str,
) -> Drawing:
    """Draw a picture. `links`: cell -> URI. `spoken`: what is on its cells in words, a fact to a line.

    `told`: all of it in words; without that, it is `spoken`.
    `near`: cell -> URI of a page with the part around it, enlarged. It is for wide boards only.
    `say`: translates what this module says of cells; all else is translated already.
    """
    facts = list(spoken)
    in_words = {name: rest for fact in facts for name, colon, rest in [fact.partition(": ")] if colon}
    reader, plan = _Reader(links or {}, in_words, say), plan_of(picture)
    board = [cell for row in picture.rows for cell in row if cell]
    return Drawing(
        width=plan.width,
        height=plan.height,
        frame=_rectangle(plan.width, plan.height),
        around=(*plan.edges, *plan.labels),
        cells=tuple(_cells(board, plan, reader)),
        says=sentences(told or facts),
        pixels=round(
            min(plan.width * LARGEST_CELL / CELL, max(_WIDEST, plan.width * _SMALLEST_CELL / CELL)),
        ),
        trays=tuple((tray.says, _tray(tray, reader)) for tray in picture.beside),
        lines=picture.lines,
        below=lines_below(picture),
        regions=tuple(_regions(picture, plan, near, say)) if near else (),
    )


def curve_of(values: Sequence[int], dots: Collection[int]) -> Drawing:
    """Draw who stood better when, without a board. `values`: in percent, from the first ply."""
    strip = CurveStrip(0, 0, _WIDEST, _WIDEST * HIGH)
    around = tuple(curve(values, dots, strip))
    return Drawing(strip.width, strip.height, _rectangle(*strip[2:]), around, (), "", pixels=round(_WIDEST))


def sentences(facts: Iterable[str]) -> str:
    """Join facts to one text, as a screen reader speaks it."""
    return " ".join(
        fact if fact.endswith((".", ":", "!", "?")) else f"{fact}." for fact in map(str.strip, facts) if fact
    )


def _regions(picture: Picture, plan: BoardPlan, near: Callable[[str], str], say: Say) -> Iterator[DrawnRegion]:
    """Draw the outlines of the regions of a wide board."""
    bottom = max(spot.y + spot.room.height / 2 for spot in plan.spots)
    high = (bottom - plan.top) / len(picture.rows)
    for region in regions(picture):
        x, y = plan.left + region.x * CELL, plan.top + region.y * high
        path = f"M{x:g} {y:g}h{region.width * CELL:g}v{region.height * high:g}h{-region.width * CELL:g}Z"
        yield DrawnRegion(say(f"Enlarge the part around {region.name.upper()}"), path, near(region.name))


def _cells(cells: Sequence[Cell], plan: BoardPlan, reader: _Reader) -> Iterator[DrawnCell]:
    return (_drawn(cell, spot, reader) for cell, spot in zip(cells, plan.spots, strict=True))


def _drawn(cell: Cell, spot: Spot, reader: _Reader) -> DrawnCell:
    parts, svg = _look(*seen(cell), spot.room)
    uri = says = reach = ""
    if reader.links:  # on wide boards most of the time is spent here
        uri, says = reader.links.get(cell.name or cell.of, ""), _says(cell, reader)
    if uri:
        says = ", ".join(filter(None, (says, *_seen(cell, parts, reader.say))))
        reach = polygon(spot.room.touched) if spot.room.touched != spot.room.corners else ""
    return at_once(
        DrawnCell,
        says=says,
        parts=parts,
        svg=svg,
        x=round(spot.x - CELL / 2, 1),
        y=round(spot.y - CELL / 2, 1),
        uri=uri,
        is_part=bool(cell.of),
        reach=reach,
    )


@lru_cache(maxsize=8192)
def _look(what: tuple[Any, ...], is_part: bool, room: CellRoom) -> tuple[tuple[Part, ...], str]:
    """Return the parts of a cell, and what they look like. On a board of Go, 361 cells have ten looks."""
    parts = look(seen_as(what, is_part), room)
    return parts, markup(parts, shared=True)


def _says(cell: Cell, reader: _Reader) -> str:
    """Return what is on a cell in words, with its name."""
    things = [piece.in_ascii for piece in cell.pieces] + [cell.text] * bool(cell.text)
    words = reader.in_words.get(cell.name) or ", ".join(things) or reader.say("empty")
    name = reader.say(cell.name) if " " in cell.name else cell.name  # a bar or a sea: the others are coordinates
    return f"{name}: {words}" if name else words


def _seen(cell: Cell, parts: Sequence[Part], say: Say) -> tuple[str, str, str]:
    """Return what one sees on a cell that is a link: its marks and its letters. People say them to touch it."""
    return say(SAID.get(cell.state, "")), say(SAID.get(cell.mark, "")), " ".join(texts(parts))


def _tray(tray: Tray, reader: _Reader) -> Drawing:
    """Draw the cells of a tray beside each other, without a frame."""
    plan = tray_of(tray)
    return Drawing(
        width=plan.width,
        height=plan.height,
        frame=_rectangle(plan.width, plan.height),
        around=(),
        cells=tuple(_cells(tray.cells, plan, reader)),
        says=tray.says,
        pixels=round(tray_cell(tray) * len(tray.cells)),
    )


def _rectangle(width: float, height: float) -> str:
    return f"M0 0h{width:g}v{height:g}h{-width:g}Z"
