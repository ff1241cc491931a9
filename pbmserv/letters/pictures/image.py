"""A picture as the PNG of a letter, drawn as the web draws it, and where its cells are in it (ADR 64)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

import PIL.Image

from pbmserv.letters.pictures.packing import unpack
from pbmserv.letters.pictures.painting.colours import Colours, colours_for
from pbmserv.letters.pictures.painting.png import PAD, Strip, png, strip
from pbmserv.letters.pictures.painting.sprites import CellLook, Size, looked, mask, painted, sprite
from pbmserv.letters.pictures.plan import FRAME, FRAME_INK, BoardPlan, Spot, plan_of, tray_cell, tray_of
from pbmserv.letters.pictures.shapes.base import CELL, Artwork, markup
from pbmserv.letters.pictures.shapes.cells import CellRoom

WIDEST = 328  #: CSS pixels of an image: an area map does not shrink with its image, so it fits a window of 360
_LARGEST = 72  #: CSS pixels of a cell
_HIGHEST = 2000  #: CSS pixels of an image
_GAP = 8  #: CSS pixels between the board and a tray
_DENSITY = 2  #: pixels to a CSS pixel
_KEPT, _CANVASES, _STRIPS = 256, 24, 5000


class Area(NamedTuple):
    """A place that can be touched. `shape`: "rect" (left, top, right, bottom) or "poly" (x and y of each corner)."""

    cell: str
    shape: str
    coords: tuple[int, ...]  #: CSS pixels


@dataclass(frozen=True, slots=True)
class Image:
    """A board with its trays below it, which can be touched, too. What trays say, and `lines`, are text of the letter.

    The PNG has twice as many pixels in each direction as it has CSS pixels.
    """

    png: bytes
    width: int  #: CSS pixels, at most WIDEST
    height: int
    areas: tuple[Area, ...]


class _Layer(NamedTuple):
    """A board or a tray on the canvas. `scale`: pixels of a unit of its plan; `x`, `y`: where it begins, in pixels."""

    plan: BoardPlan
    scale: float
    x: int
    y: int


class _Place(NamedTuple):
    """Where the sprite of a cell is on the canvas, in pixels."""

    room: CellRoom
    x: int
    y: int
    size: Size

    def is_between(self, top: int, bottom: int) -> bool:
        """Whether something of it is."""
        return self.y < bottom and self.y + self.size.height > top


class _Band(NamedTuple):
    """A strip of the canvas, and the numbers of the cells of which something is on it."""

    top: int
    bottom: int
    cells: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Layout:
    """Where the board and the trays are on the canvas: the same for all positions of a game. It is kept."""

    layers: tuple[_Layer, ...]
    size: Size

    @cached_property
    def places(self) -> Sequence[_Place]:
        """The places of all cells."""
        return [_place(layer, spot) for layer in self.layers for spot in layer.plan.spots]

    @cached_property
    def bands(self) -> Sequence[_Band]:
        """The strips: each row of cells begins one."""
        tops = sorted({place.y for place in self.places})
        ends = [0, *tops[1:], self.size.height]
        return [
            _Band(
                top, bottom, tuple(i for i, p in enumerate(self.places) if p.y < bottom and p.y + p.size.height > top)
            )
            for top, bottom in pairwise(ends)
        ]

    @cached_property
    def around(self) -> frozenset[str]:
        """The colours of what is around the cells."""
        plans = [layer.plan for layer in self.layers]
        lines = (edge.stroke for plan in plans for edge in plan.edges)
        return frozenset({FRAME, *lines, *(FRAME_INK for plan in plans if plan.labels)})


@lru_cache(_KEPT)  # both seats often see the same, and a board has letters of several kinds
def image(packed: str) -> Image:
    """Return the image of a packed picture. Raises ValueError if it would be much too high for a letter."""
    picture = unpack(packed)
    board = plan_of(picture)
    beside = tuple((tray_of(tray, _room(board)), tray_cell(tray)) for tray in picture.beside)
    layout = _layout(board, beside)
    cells = picture.cells
    looks = [looked(cell, place.room) for cell, place in zip(cells, layout.places, strict=True)]
    grounds = frozenset([FRAME, *[look.ground for look in looks]])
    colours = colours_for(layout.around.union(*[look.colours for look in looks]), grounds)
    strips = [_strip(layout, band, colours, tuple([looks[i] for i in band.cells])) for band in layout.bands]
    width, height = (side // _DENSITY for side in layout.size)
    return Image(
        png(layout.size, colours.bytes, strips),
        width,
        height,
        _areas(layout, tuple([cell.name or cell.of for cell in cells])),
    )


@lru_cache(_STRIPS)
def _strip(layout: _Layout, band: _Band, colours: Colours, looks: tuple[CellLook, ...]) -> Strip:
    """Return a strip with cells that look like this."""
    rows = _canvas(layout, colours).crop((0, band.top, layout.size.width + PAD, band.bottom))
    for i, look in zip(band.cells, looks, strict=True):
        room, x, y, size = layout.places[i]
        rows.paste(sprite(look, room, size, colours), (x, y - band.top), mask(room, size))
    return strip(rows)


@lru_cache(maxsize=256)
def _layout(board: BoardPlan, trays: tuple[tuple[BoardPlan, float], ...]) -> _Layout:
    """`trays`: each with the CSS pixels of its cells."""
    scale = _scale(board, WIDEST, _LARGEST)
    left, y = board.left * scale, ceil(board.height * scale)
    layers = [_Layer(board, scale, 0, 0)]
    for tray, largest in trays:
        small = _scale(tray, WIDEST - floor(2 * left / _DENSITY), largest)
        layers.append(_Layer(tray, small, round(left), y))
        y += ceil(tray.height * small) + _GAP * _DENSITY
    widest = max(layer.x + ceil(layer.plan.width * layer.scale) for layer in layers)
    width, height = (side + side % _DENSITY for side in (widest, y))
    if height > _HIGHEST * _DENSITY:
        raise ValueError(f"an image of {height} pixels")
    return _Layout(tuple(layers), Size(min(width, WIDEST * _DENSITY), height))


def _room(board: BoardPlan) -> int:
    """Return how many CSS pixels there are beside the left margin of a board."""
    return floor((board.width - board.left) * _scale(board, WIDEST, _LARGEST) / _DENSITY)


def _scale(plan: BoardPlan, room: int, largest: float) -> float:
    """Return how many pixels a unit has: a usual cell is an even number of pixels wide, so that halves fit, too."""
    cell = min(room / plan.width * CELL, largest) * _DENSITY
    return floor(cell / 2) * 2 / CELL


def _place(layer: _Layer, spot: Spot) -> _Place:
    """Return where a sprite begins and how large it is. Squares touch each other exactly, hexagons are all equal."""
    across, down = spot.room.width / 2, spot.room.height / 2
    left, top = _pixel(spot.x - across, layer.scale), _pixel(spot.y - down, layer.scale)
    if spot.room.hexagon:
        size = Size(round(2 * across * layer.scale), ceil(2 * down * layer.scale))
    else:
        size = Size(_pixel(spot.x + across, layer.scale) - left, _pixel(spot.y + down, layer.scale) - top)
    return _Place(spot.room, PAD + layer.x + left, layer.y + top, size)


def _pixel(units: float, scale: float) -> int:
    return floor(units * scale + 0.5)


@lru_cache(maxsize=_CANVASES)
def _canvas(layout: _Layout, colours: Colours) -> PIL.Image.Image:
    """Return an image with what is around the cells."""
    width, height = layout.size
    around = (markup((*layer.plan.edges, *layer.plan.labels), own_letters=True) for layer in layout.layers)
    moved = (Artwork(svg, layer.x, layer.y, layer.scale) for svg, layer in zip(around, layout.layers, strict=True))
    inside = markup(moved)
    canvas = PIL.Image.new("P", (width + PAD, height))
    canvas.paste(colours.reduced(painted(inside, f"0 0 {width} {height}", layout.size, FRAME)), (PAD, 0))
    return canvas


@lru_cache(maxsize=64)
def _areas(layout: _Layout, names: tuple[str, ...]) -> tuple[Area, ...]:
    """Return the areas of the cells that have a name. They are the same for most positions of a game."""
    spots = [(layer, spot) for layer in layout.layers for spot in layer.plan.spots]
    return tuple(_area(name, *place, layout.size) for name, place in zip(names, spots, strict=True) if name)


def _area(name: str, layer: _Layer, spot: Spot, size: tuple[int, int]) -> Area:
    corners = spot.room.touched
    is_square = corners == spot.room.corners and not spot.room.hexagon
    shown = (corners[0], corners[2]) if is_square else corners
    coords = (
        round(min(max(0, begin + (middle + along - CELL / 2) * layer.scale), end) / _DENSITY)
        for corner in shown
        for begin, middle, along, end in zip((layer.x, layer.y), (spot.x, spot.y), corner, size, strict=True)
    )
    return Area(name, "rect" if is_square else "poly", tuple(coords))
