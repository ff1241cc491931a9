"""Shapes, letters and drawings, and how each of them is written in SVG. A usual cell is 100 wide."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import combining, east_asian_width

from markupsafe import escape

from pbmserv import paths
from pbmserv.letters.pictures.palette import PALETTE, Hue
from pbmserv.letters.pictures.shapes.font import pen

CELL = 100.0  #: the width of a usual cell, and of a hexagon from side to side
MIDDLE = (50.0, 50.0)

_PEN = 0.073  #: a tenth of the height of a capital letter, in units of the size of letters
_CRISP, _SMOOTH = (f' shape-rendering="{edges}"' for edges in ("crispEdges", "geometricPrecision"))
_EMOJI = "\N{VARIATION SELECTOR-16}"
#: The drawings, by name. They are read now, because an upgrade may put others there while the program runs.
_FILES = {
    file.stem: file.read_text("utf-8").replace("\n", "") for file in (paths.data("templates") / "pieces").glob("*.svg")
}
_DRAWINGS = {f"{name}-down": f'<g transform="rotate(180 50 50)">{svg}</g>' for name, svg in _FILES.items()} | _FILES

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Shape:
    """A path. An empty `stroke` is no line; `dash`: the lengths of dashes and gaps."""

    path: str
    fill: str = "none"
    stroke: str = ""
    width: float = 0
    dash: str = ""
    crisp: bool = False  #: without smooth edges, so that nothing is seen between two of them
    thin: bool = False  #: on boards of many cells less than a pixel, so it needs smooth edges to have no holes


@dataclass(frozen=True, slots=True)
class Lettering:
    """A short text: its middle and its base line. `squeezed`: the width into which it is pressed, or 0."""

    text: str
    x: float
    y: float
    size: float
    fill: str
    squeezed: float = 0
    plain: str = ""  #: the same in letters that we can draw ourselves, if it has others


@dataclass(frozen=True, slots=True)
class Artwork:
    """SVG in a box of 100 by 100, at another place and of another size. `id`: of what many cells share, or ""."""

    svg: str
    x: float = 0
    y: float = 0
    scale: float = 1
    id: str = ""

    @property
    def place(self) -> str:
        """The attribute that moves it there; "" if it is there."""
        moved = (self.x, self.y, self.scale) != (0, 0, 1)
        return f' transform="translate({self.x:g} {self.y:g}) scale({self.scale:g})"' if moved else ""


Part = Shape | Lettering | Artwork


def has_art(name: str) -> bool:
    """Return whether there is a drawing of this name, or none is asked for."""
    return not name or name in _DRAWINGS


@lru_cache(maxsize=256)
def fragment(name: str, hue: Hue) -> str:
    """Return a drawing of templates/pieces in the colours of a hue; "" if there is none of this name."""
    return _DRAWINGS.get(name, "").replace("{fill}", hue.fill).replace("{line}", hue.line).replace("{shade}", hue.shade)


#: The middle and the size of a pit whose name stands above it in its cell.
BELOW_NAME: tuple[Point, float] = ((50, 59), 80)


def art(name: str, colour: str, middle: Point = MIDDLE, size: float = CELL) -> list[Part]:
    """Return a drawing of templates/pieces; [] if there is none of this name."""
    svg = fragment(name, PALETTE[colour])
    x, y = (round(at - size / 2, 1) for at in middle)
    return [Artwork(svg, x, y, round(size / CELL, 3), f"{name}-{colour}")] if svg else []


def markup(parts: Iterable[Part], *, own_letters: bool = False, shared: bool = False) -> str:
    """Write parts as SVG. `own_letters`: texts become paths, so that no font is needed.

    Thin lines have smooth edges then, even if all else in the image has none.
    `shared`: drawings with an id are elsewhere in the SVG.
    """
    return "".join(
        _lines(part)
        if own_letters and isinstance(part, Lettering)
        else f'<use href="#{part.id}"{part.place}/>'
        if shared and isinstance(part, Artwork) and part.id
        else _markup(part, _SMOOTH * own_letters)
        for part in parts
    )


def _markup(part: Part, thin: str) -> str:
    """`thin`: an attribute of thin lines."""
    if isinstance(part, Artwork):
        return f"<g{part.place}>{part.svg}</g>"
    if isinstance(part, Lettering):
        squeezed = f' textLength="{part.squeezed:g}" lengthAdjust="spacingAndGlyphs"' if part.squeezed else ""
        at = f'x="{part.x:g}" y="{part.y:g}" font-size="{part.size:g}" fill="{part.fill}"'
        return f"<text {at}{squeezed}>{escape(part.text)}</text>"
    line = f' stroke="{part.stroke}" stroke-width="{part.width:g}"' if part.stroke else ""
    dash = f' stroke-dasharray="{part.dash}"' if part.dash else ""
    edges = _CRISP if part.crisp else thin if part.thin else ""
    return f'<path d="{part.path}" fill="{part.fill}"{line}{dash}{edges}/>'


def _lines(text: Lettering) -> str:
    """Write a text as paths, as wide as a browser would."""
    lines, wide = pen(text.plain or text.text)
    high = text.size * _PEN
    room = min(pen_width(text.plain or text.text, text.size), text.squeezed or math.inf)
    across = room / wide if wide else high
    place = f"translate({text.x - room / 2:.1f} {text.y - 10 * high:.1f}) scale({across:.3f} {high:.3f})"
    look = 'fill="none" stroke-linecap="round" stroke-linejoin="round" stroke-width="1.6"'
    return f'<g transform="{place}" {look} stroke="{text.fill}">{lines}</g>'


def pen_width(text: str, size: float) -> float:
    """Return how wide a text is if it is written as paths."""
    return min(pen(text)[1] * _PEN, width_of(text)) * size


def lettering(
    text: str, middle: Point, room: float, largest: float, smallest: float, fill: str, plain: str = ""
) -> Lettering:
    """Write a text as large as it fits into a width, in letters of at least `smallest`."""
    ems = width_of(text)
    size = max(min(largest, room / ems if ems else largest), smallest)
    squeezed = room if ems * size > room * 1.02 else 0
    x, y = middle
    return Lettering(text, round(x, 1), round(y + size * 0.365, 1), round(size, 1), fill, round(squeezed, 1), plain)


def width_of(text: str) -> float:
    """Return about how wide a bold text is, in units of the size of its letters."""
    coloured = text.count(_EMOJI)  # a sign that becomes an emoji by a selector is wider than without it
    return sum(map(_width, text)) + 0.4 * coloured


def polygon(corners: Sequence[Point]) -> str:
    """Return the path of a polygon."""
    return f"M{'L'.join(map(at, corners))}Z"


def circle(middle: Point, radius: float) -> str:
    """Return the path of a circle."""
    return ellipse(middle, radius, radius)


def ellipse(middle: Point, rx: float, ry: float) -> str:
    """Return the path of an ellipse."""
    return f"{front(middle, rx, ry)}a{rx:g} {ry:g} 0 0 0 {-2 * rx:g} 0Z"


def front(middle: Point, rx: float, ry: float) -> str:
    """Return the path of the lower half of an ellipse."""
    return f"M{at((middle[0] - rx, middle[1]))}a{rx:g} {ry:g} 0 0 0 {2 * rx:g} 0"


def at(point: Point) -> str:
    """Write a point."""
    return f"{round(point[0], 1):g} {round(point[1], 1):g}"


def mixed(one: str, other: str, share: float) -> str:
    """Return a colour between two; `share`: of the other, from 0 to 1."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return f"#{bytes(round(a + (b - a) * share) for a, b in pairs).hex()}"


def _width(character: str) -> float:
    if combining(character) or character == _EMOJI:
        return 0
    if not character.isascii():
        return 1.3 if east_asian_width(character) == "W" else 0.9
    if character in " .,:;'|!iljtfr()":
        return 0.4
    return 0.76 if character.isupper() or character in "mw@+" else 0.66
