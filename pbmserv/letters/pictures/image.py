"""A picture as the PNG of a letter, drawn as the web draws it, and where its cells are in it (ADR 64)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

import PIL.Image

from pbmserv.games.base import Cell
from pbmserv.letters.pictures.packing import unpack
from pbmserv.letters.pictures.painting.colours import Colours, colours_for
from pbmserv.letters.pictures.painting.png import PAD, png
from pbmserv.letters.pictures.painting.sprites import Size, looked, mask, painted, sprite
from pbmserv.letters.pictures.plan import FRAME, FRAME_INK, Plan, Spot, plan_of, tray_cell, tray_of
from pbmserv.letters.pictures.shapes.base import CELL, markup

WIDEST = 328  #: CSS pixels of an image: an area map does not shrink with its image, so it fits a window of 360
_LARGEST = 48  #: CSS pixels of a cell
_GAP = 8  #: CSS pixels between the board and a tray
_DENSITY = 2  #: pixels to a CSS pixel
_KEPT, _CANVASES = 256, 24


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

    plan: Plan
    scale: float
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the board and the trays are on the canvas. It is the same for all positions of a game."""

    layers: tuple[_Layer, ...]
    size: Size
    places: tuple[tuple[Spot, tuple[int, int], Size], ...]  #: of all cells: where its sprite is on the canvas


@lru_cache(_KEPT)  # both seats often see the same, and a board has letters of several kinds
def image(packed: str) -> Image:
    """Return the image of a packed picture."""
    picture = unpack(packed)
    layout = _layout(plan_of(picture), tuple((tray_of(tray), tray_cell(tray)) for tray in picture.beside))
    cells = picture.cells
    looks = [looked(cell, spot.room) for cell, (spot, *_) in zip(cells, layout.places, strict=True)]
    grounds = frozenset([FRAME, *(look.ground for look in looks)])
    colours = colours_for(_around(layout).union(*[look.colours for look in looks]), grounds)
    canvas = _canvas(layout, colours).copy()
    for look, (spot, place, size) in zip(looks, layout.places, strict=True):
        canvas.paste(sprite(look, spot.room, size, colours), place, mask(spot.room, size))
    width, height = (side // _DENSITY for side in layout.size)
    return Image(png(canvas, colours.bytes), width, height, tuple(_areas(cells, layout)))


@lru_cache(maxsize=256)
def _layout(board: Plan, trays: tuple[tuple[Plan, float], ...]) -> _Layout:
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
    places = tuple(_place(layer, spot) for layer in layers for spot in layer.plan.spots)
    return _Layout(tuple(layers), Size(min(width, WIDEST * _DENSITY), height), places)


def _scale(plan: Plan, room: int, largest: float) -> float:
    """Return how many pixels a unit has: a usual cell is an even number of pixels wide, so that halves fit, too."""
    cell = min(room / plan.width * CELL, largest) * _DENSITY
    return floor(cell / 2) * 2 / CELL


def _place(layer: _Layer, spot: Spot) -> tuple[Spot, tuple[int, int], Size]:
    """Return where a sprite begins and how large it is. Squares touch each other exactly, hexagons are all equal."""
    across, down = spot.room.width / 2, spot.room.height / 2
    left, top = _pixel(spot.x - across, layer.scale), _pixel(spot.y - down, layer.scale)
    if spot.room.hexagon:
        size = Size(round(2 * across * layer.scale), ceil(2 * down * layer.scale))
    else:
        size = Size(_pixel(spot.x + across, layer.scale) - left, _pixel(spot.y + down, layer.scale) - top)
    return spot, (PAD + layer.x + left, layer.y + top), size


def _pixel(units: float, scale: float) -> int:
    return floor(units * scale + 0.5)


@lru_cache(maxsize=256)
def _around(layout: _Layout) -> frozenset[str]:
    """Return the colours of what is around the cells."""
    parts = [part for layer in layout.layers for part in (*layer.plan.edges, *layer.plan.labels)]
    return frozenset({FRAME, FRAME_INK, *(part.stroke for part in layout.layers[0].plan.edges)} if parts else {FRAME})


@lru_cache(maxsize=_CANVASES)
def _canvas(layout: _Layout, colours: Colours) -> PIL.Image.Image:
    """Return an image with what is around the cells."""
    width, height = layout.size
    inside = "".join(
        f'<g transform="translate({layer.x} {layer.y}) scale({layer.scale:g})">'
        f"{markup((*layer.plan.edges, *layer.plan.labels), own_letters=True)}</g>"
        for layer in layout.layers
    )
    canvas = PIL.Image.new("P", (width + PAD, height))
    canvas.paste(colours.reduced(painted(inside, f"0 0 {width} {height}", layout.size, FRAME)), (PAD, 0))
    return canvas


def _areas(cells: Sequence[Cell], layout: _Layout) -> Iterator[Area]:
    spots = ((layer, spot) for layer in layout.layers for spot in layer.plan.spots)
    for cell, (layer, spot) in zip(cells, spots, strict=True):
        if name := cell.name or cell.of:
            yield _area(name, layer, spot)


def _area(name: str, layer: _Layer, spot: Spot) -> Area:
    corners = spot.room.touched
    is_square = corners == spot.room.corners and not spot.room.hexagon
    shown = (corners[0], corners[2]) if is_square else corners
    coords = (
        max(0, round((begin + (middle + along - CELL / 2) * layer.scale) / _DENSITY))
        for corner in shown
        for begin, middle, along in zip((layer.x, layer.y), (spot.x, spot.y), corner, strict=True)
    )
    return Area(name, "rect" if is_square else "poly", tuple(coords))
