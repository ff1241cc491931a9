"""A picture as the PNG of a letter, drawn as the web draws it, and where its cells are in it (ADR 64)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import sqrt
from typing import NamedTuple

import PIL.Image
import resvg_py
from markupsafe import escape

from pbmserv.letters.pictures.drawing import Drawing, DrawnCell, drawing
from pbmserv.letters.pictures.packing import unpack
from pbmserv.letters.pictures.shapes import CELL, Lettering, Shape

WIDEST = 328  #: CSS pixels of an image: an area map does not shrink with its image, so it fits a window of 360
_LARGEST = 48  #: CSS pixels of a cell
_TRAY_CELL = 44  #: the same of a tray
_GAP = 8  #: CSS pixels between the board and a tray
_DENSITY = 2  #: pixels to a CSS pixel
_COLOURS = 16
_KEPT = 256


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


@lru_cache(_KEPT)  # both seats often see the same, and a board has letters of several kinds
def image(packed: str) -> Image:
    """Return the image of a packed picture."""
    picture = unpack(packed)
    drawn = drawing(picture)
    scale = min(WIDEST / drawn.width, _LARGEST / CELL)
    placed = [(drawn, 0.0, 0.0, scale)]
    height = drawn.height * scale
    for _, tray in drawn.trays:
        small = min(_TRAY_CELL / CELL, WIDEST / tray.width)
        placed.append((tray, 0.0, height + _GAP, small))
        height += _GAP + tray.height * small
    width = max(round(d.width * s) for d, _, _, s in placed)
    areas = tuple(area for d, x, y, s in placed for area in _areas(d, x, y, s, hexes=picture.hexes and d is drawn))
    return Image(_painted(placed, width, round(height)), width, round(height), areas)


def _areas(drawn: Drawing, x: float, y: float, scale: float, *, hexes: bool) -> Iterator[Area]:
    for cell in drawn.cells:
        if not cell.name:
            continue
        side = CELL / sqrt(3)
        corners = (
            [
                (50, 50 - side),
                (100, 50 - side / 2),
                (100, 50 + side / 2),
                (50, 50 + side),
                (0, 50 + side / 2),
                (0, 50 - side / 2),
            ]
            if hexes
            else [(0, 0), (100, 100)]
        )
        coords = [round(v) for cx, cy in corners for v in (x + (cell.x + cx) * scale, y + (cell.y + cy) * scale)]
        yield Area(cell.name, "poly" if hexes else "rect", tuple(coords))


def _painted(placed: Iterable[tuple[Drawing, float, float, float]], width: int, height: int) -> bytes:
    inside = "".join(f'<g transform="translate({x:g} {y:g}) scale({s:g})">{_svg(d)}</g>' for d, x, y, s in placed)
    look = 'text-anchor="middle" font-weight="600" font-family="sans-serif"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {look}>{inside}</svg>'
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width * _DENSITY, background="#ffffff")
    small = PIL.Image.open(BytesIO(png)).convert("RGB").quantize(_COLOURS, dither=PIL.Image.Dither.NONE)
    out = BytesIO()
    small.save(out, "PNG")
    return out.getvalue()


def _svg(drawn: Drawing) -> str:
    parts = [Shape(drawn.frame, drawn.colour), *drawn.edges, *drawn.labels]
    return "".join(map(_part, parts)) + "".join(map(_cell, drawn.cells))


def _cell(cell: DrawnCell) -> str:
    inside = "".join(map(_part, (*cell.shapes, *cell.letters)))
    return f'<g transform="translate({cell.x:g} {cell.y:g})">{inside}</g>'


def _part(part: Shape | Lettering) -> str:
    if isinstance(part, Lettering):
        at = f'x="{part.x:g}" y="{part.y:g}" font-size="{part.size:g}"'
        return f'<text {at} fill="{part.fill}">{escape(part.text)}</text>'
    line = f' stroke="{part.stroke}" stroke-width="{part.width:g}"' if part.stroke else ""
    dash = f' stroke-dasharray="{part.dash}"' if part.dash else ""
    return f'<path d="{part.path}" fill="{part.fill}"{line}{dash}/>'
