"""A picture as the PNG of a letter, drawn as the web draws it, and where its cells are in it (ADR 64, ADR 73)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from math import ceil, floor
from typing import NamedTuple

import PIL.Image

from pbmserv.games.base import Picture
from pbmserv.letters.pictures.linking.areas import Area, Areas
from pbmserv.letters.pictures.painting.colours import Colours, colours_for, named_in
from pbmserv.letters.pictures.painting.png import PAD, Strip, png, strip
from pbmserv.letters.pictures.painting.sprites import CellLook, Painting, Size, looked, mask, painted, sprite
from pbmserv.letters.pictures.plan import FRAME, FRAME_INK, BoardPlan, Spot, plan_of, tray_cell, tray_of
from pbmserv.letters.pictures.shapes.base import CELL, Artwork, markup
from pbmserv.letters.pictures.shapes.cells import CellRoom

WIDEST = 304  #: CSS pixels of an image: an area map does not shrink with its image, so it fits a window of 320
_LARGEST, _LARGEST_OF_FEW = 44, 56  #: CSS pixels of a cell, and of one of a few columns: more cells cost more bytes
_FEW = 5.5 * CELL  #: the width of a board of few columns
_HIGHEST = 2000  #: CSS pixels of an image
_GAP = 8  #: CSS pixels between the board and a tray
_DENSITY = 2  #: pixels to a CSS pixel
_LOWEST_STRIP = 100  #: pixels of a strip
_CANVASES, _STRIPS = 24, 5000


@dataclass(frozen=True, slots=True)
class Image:
    """A board with its trays below it, which can be touched, too. What trays say, and `lines`, are text of the letter.

    The PNG has twice as many pixels in each direction as it has CSS pixels.
    """

    png: bytes
    width: int  #: CSS pixels, at most WIDEST
    height: int
    areas: Areas


class _Place(NamedTuple):
    """Where the sprite of a cell is on its layer, in pixels."""

    room: CellRoom
    x: int
    y: int
    size: Size

    def is_between(self, top: int, bottom: int) -> bool:
        """Whether something of it is."""
        return self.y < bottom and self.y + self.size.height > top


@dataclass(frozen=True, eq=False)
class _Layer:
    """A board or a tray, as wide as the image: one of them can be kept while others change.

    `scale`: pixels of a unit of its plan; `x`: where it begins; `size`: with the gap below it; all in pixels.
    """

    plan: BoardPlan
    scale: float
    x: int
    size: Size

    @cached_property
    def places(self) -> Sequence[_Place]:
        """The places of its cells."""
        return [_place(self, spot) for spot in self.plan.spots]

    @cached_property
    def bands(self) -> Sequence["_Band"]:
        """Its strips. Rows of cells share one, because fewer strips take fewer bytes."""
        ends = [0]
        for top in sorted({place.y for place in self.places})[1:]:
            ends += [top] * (top >= ends[-1] + _LOWEST_STRIP)
        return [
            _Band(self, top, bottom, tuple(i for i, place in enumerate(self.places) if place.is_between(top, bottom)))
            for top, bottom in pairwise([*ends, self.size.height])
        ]

    @cached_property
    def around(self) -> frozenset[str]:
        """The colours of what is around the cells."""
        return named_in(markup(self.plan.edges)) | {FRAME, *[FRAME_INK] * bool(self.plan.labels)}


@dataclass(frozen=True, eq=False)
class _Band:
    """A strip of a layer, and the numbers of the cells of which something is on it."""

    layer: _Layer
    top: int
    bottom: int
    cells: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Layout:
    """A board with its trays below it: the same for all positions of a game with as many trays. It is kept."""

    layers: tuple[_Layer, ...]

    @cached_property
    def size(self) -> Size:
        """The size of the image in pixels."""
        return Size(self.layers[0].size.width, sum(layer.size.height for layer in self.layers))

    @cached_property
    def rooms(self) -> Sequence[CellRoom]:
        """The rooms of all cells."""
        return [place.room for layer in self.layers for place in layer.places]

    @cached_property
    def around(self) -> frozenset[str]:
        """The colours of what is around the cells."""
        return frozenset().union(*(layer.around for layer in self.layers))


def image(picture: Picture) -> Image:
    """Return the image of a picture. Raises ValueError if it would be much too high for a letter."""
    board = plan_of(picture)
    beside = tuple((tray_of(tray, _room(board)), tray_cell(tray)) for tray in picture.beside)
    layout = _layout(board, beside)
    cells = picture.cells
    looks = list(map(looked, cells, layout.rooms))
    grounds = frozenset([FRAME, *[look.ground for look in looks]])
    colours = colours_for(layout.around.union(*[look.palette for look in looks]), grounds)
    width, height = (side // _DENSITY for side in layout.size)
    return Image(
        png(layout.size, colours.bytes, list(_strips(layout, colours, looks))),
        width,
        height,
        _areas(layout, tuple([cell.name or cell.of for cell in cells])),
    )


def _strips(layout: _Layout, colours: Colours, looks: Sequence[CellLook]) -> Iterator[Strip]:
    """Yield the strips of an image. `looks`: of all cells."""
    first = 0
    for layer in layout.layers:
        for band in layer.bands:
            yield _strip(band, colours, tuple([looks[first + i] for i in band.cells]))
        first += len(layer.places)


@lru_cache(_STRIPS)
def _strip(band: _Band, colours: Colours, looks: tuple[CellLook, ...]) -> Strip:
    """Return a strip with cells that look like this."""
    rows = _canvas(band.layer, colours).crop((0, band.top, band.layer.size.width + PAD, band.bottom))
    for i, look in zip(band.cells, looks, strict=True):
        room, x, y, size = band.layer.places[i]
        rows.paste(sprite(look, room, size, colours), (x, y - band.top), mask(room, size))
    return strip(rows)


@lru_cache(maxsize=256)
def _layout(board: BoardPlan, trays: tuple[tuple[BoardPlan, float], ...]) -> _Layout:
    """`trays`: each with the CSS pixels of its cells. Raises ValueError if all is much too high."""
    scale = _scale(board, WIDEST, _LARGEST if board.width > _FEW else _LARGEST_OF_FEW)
    left = board.left * scale
    below = [(tray, _scale(tray, WIDEST - floor(2 * left / _DENSITY), largest)) for tray, largest in trays]
    parts = [(board, scale, 0, 0), *((tray, small, round(left), _GAP * _DENSITY) for tray, small in below)]
    width = _even(max(x + ceil(plan.width * scale) for plan, scale, x, _ in parts))
    layers = (_layer(*part, min(width, WIDEST * _DENSITY)) for part in parts)
    layout = _Layout(tuple(layers))
    if layout.size.height > _HIGHEST * _DENSITY:
        raise ValueError(f"an image of {layout.size.height} pixels")
    return layout


@lru_cache(maxsize=256)
def _layer(plan: BoardPlan, scale: float, x: int, gap: int, width: int) -> _Layer:
    """`gap`: below it, in pixels."""
    return _Layer(plan, scale, x, Size(width, _even(ceil(plan.height * scale) + gap)))


def _even(pixels: int) -> int:
    return pixels + pixels % _DENSITY


def _room(board: BoardPlan) -> int:
    """Return how many CSS pixels there are beside the left margin of a board."""
    return floor(
        (board.width - board.left)
        * _scale(board, WIDEST, _LARGEST if board.width > _FEW else _LARGEST_OF_FEW)
        / _DENSITY
    )


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
    return _Place(spot.room, PAD + layer.x + left, top, size)


def _pixel(units: float, scale: float) -> int:
    return floor(units * scale + 0.5)


@lru_cache(maxsize=_CANVASES)
def _canvas(layer: _Layer, colours: Colours) -> PIL.Image.Image:
    """Return an image with what is around the cells."""
    width, height = layer.size
    lines = markup((*layer.plan.edges, *layer.plan.labels), own_letters=True)
    inside = markup([Artwork(lines, layer.x, 0, layer.scale)])
    canvas = PIL.Image.new("P", (width + PAD, height))
    around = Painting(inside, f"0 0 {width} {height}", layer.size, FRAME)
    canvas.paste(painted(around, layer.around, colours), (PAD, 0))
    return canvas


@lru_cache(maxsize=64)
def _areas(layout: _Layout, names: tuple[str, ...]) -> Areas:
    """Return the areas of the cells that have a name. They are the same for most positions of a game."""
    tops = accumulate((layer.size.height for layer in layout.layers), initial=0)
    places = ((layer, top, spot) for layer, top in zip(layout.layers, tops, strict=False) for spot in layer.plan.spots)
    return Areas(_area(name, *place, layout.size) for name, place in zip(names, places, strict=True) if name)


def _area(name: str, layer: _Layer, top: int, spot: Spot, size: Size) -> Area:
    """`top`: where the layer begins, in pixels."""
    corners = spot.room.touched
    is_square = corners == spot.room.corners and not spot.room.hexagon
    shown = (corners[0], corners[2]) if is_square else corners
    coords = (
        round(min(max(0, begin + (middle + along - CELL / 2) * layer.scale), end) / _DENSITY)
        for corner in shown
        for begin, middle, along, end in zip((layer.x, top), (spot.x, spot.y), corner, size, strict=True)
    )
    return Area(name, "rect" if is_square else "poly", tuple(coords))
