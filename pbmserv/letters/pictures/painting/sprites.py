"""Cells as small images, painted once for each look and size, and put together on a canvas."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO
from typing import NamedTuple

import PIL.Image
import PIL.ImageDraw
import PIL.ImagePalette
import resvg_py

from pbmserv.games.base import Cell
from pbmserv.games.base.picture import LAST
from pbmserv.letters.pictures.painting.colours import Colours, Rgb, named_in
from pbmserv.letters.pictures.shapes.base import Shape, markup
from pbmserv.letters.pictures.shapes.cells import CellRoom, look

# Else the first image that is opened or saved imports this, and the files of a running server may be replaced.
PIL.Image.preinit()

_LOOKS, _SPRITES = 8192, 2000  #: that are kept; a sprite has six kilobytes or less
_PAINTED = 1000  #: sprites and canvases before their colours are numbered as those of a board


@dataclass(frozen=True, slots=True, eq=False)
class CellLook:
    """A cell as SVG, with the colours that it has. Equal looks are the same object.

    `palette`: its colours with the mark of the last move and without, so that a move brings no new ones.
    `behind`: the colour between cells. `ground`: that of most of it.
    """

    svg: str
    colours: frozenset[str]
    palette: frozenset[str]
    behind: str
    ground: str


class Size(NamedTuple):
    """Of a sprite, in pixels."""

    width: int
    height: int


class Painting(NamedTuple):
    """SVG, and what of it is painted. `behind`: the colour below it."""

    svg: str
    box: str  #: of the SVG, in its units
    size: Size
    behind: str


@lru_cache(maxsize=_LOOKS)
def looked(cell: Cell, room: CellRoom) -> CellLook:
    """Return how a cell is painted."""
    return _looked(replace(cell, name=cell.name and "a1"), room)


@lru_cache(maxsize=_LOOKS)
def _looked(cell: Cell, room: CellRoom) -> CellLook:
    """Return how a cell is painted, of whatever name; one without a name is marked otherwise."""
    ground = look(cell, room)[0]
    assert isinstance(ground, Shape)  # noqa: S101 - `look` begins with it
    svg, *either = (_svg(replace(cell, mark=mark), room) for mark in (cell.mark, "", LAST))
    colours = named_in(svg)
    return CellLook(svg, colours, colours.union(*map(named_in, either)), ground.stroke or ground.fill, ground.fill)


def _svg(cell: Cell, room: CellRoom) -> str:
    return markup(look(cell, room), own_letters=True)


@lru_cache(maxsize=_SPRITES)
def sprite(drawn: CellLook, room: CellRoom, size: Size, colours: Colours) -> PIL.Image.Image:
    """Return a cell as an image in these colours."""
    left, top = 50 - room.width / 2, 50 - room.height / 2
    box = f"{left:g} {top:g} {room.width:g} {room.height:g}"
    return painted(Painting(drawn.svg, box, size, drawn.behind), drawn.colours, colours)


@lru_cache(maxsize=64)
def mask(room: CellRoom, size: Size) -> PIL.Image.Image | None:
    """Return which pixels of a sprite are the cell; None: all of them."""
    if not room.hexagon:
        return None
    shape = PIL.Image.new("1", size)
    top = 50 - room.height / 2
    across, down = size.width / room.width, size.height / room.height
    corners = [(x * across, (y - top) * down) for x, y in room.corners]
    PIL.ImageDraw.Draw(shape).polygon(corners, fill=1)
    return shape


def painted(painting: Painting, named: frozenset[str], colours: Colours) -> PIL.Image.Image:
    """Paint something in these colours. `named`: those that the SVG has."""
    few = colours.few(named)
    return _painted(painting, tuple(few)).point([*few.values(), *[0] * (256 - len(few))])


@lru_cache(maxsize=_PAINTED)  # another piece on the board can change the numbers of its colours
def _painted(painting: Painting, few: Sequence[Rgb]) -> PIL.Image.Image:
    """Return it as an image whose pixels are numbers of these colours.

    Edges are sharp where the SVG says nothing else: smooth ones need a sixth more bytes (ADR 81).
    """
    svg, box, size, behind = painting
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{size.width}" height="{size.height}" viewBox="{box}"'
    whole = f'{head} preserveAspectRatio="none" shape-rendering="crispEdges">{svg}</svg>'
    png = resvg_py.svg_to_bytes(svg_string=whole, background=behind, skip_system_fonts=True)
    palette = PIL.Image.new("P", (1, 1))
    palette.putpalette([part for colour in few for part in colour])
    image = PIL.Image.open(BytesIO(png)).convert("RGB")
    return image.quantize(palette=palette, dither=PIL.Image.Dither.NONE)
