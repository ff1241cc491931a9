"""Who stood better when: a strip below a board. The light part, from below, is the chance of the first seat to win."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pbmserv.letters.pictures.shapes.base import Point, Shape, circle, polygon

HIGH = 0.22  #: of the width of the board
_DARK, _LIGHT, _MIDDLE = "#57504a", "#faf8f3", "#a1968a"
_DOT, _RIM = "#c0392b", "#ffffff"


class CurveStrip(NamedTuple):
    """Where the curve is drawn."""

    left: float
    top: float
    width: float
    height: float

    def point(self, share: float, percent: float) -> Point:
        """Return the place of a value; `share`: how far it is from the left, from 0 to 1."""
        return self.left + self.width * share, self.top + self.height * (1 - percent / 100)


def curve(values: Sequence[int], dots: Collection[int], strip: CurveStrip) -> Iterator[Shape]:
    """Draw a curve. `values`: in percent, from the first ply; `dots`: the plies with a dot."""
    last = max(len(values) - 1, 1)
    points = [strip.point(ply / last, value) for ply, value in enumerate(values)]
    left, right = strip.left, strip.left + strip.width
    top, bottom, middle = (strip.point(0, percent)[1] for percent in (100, 0, 50))
    yield Shape(polygon([(left, top), (right, top), (right, bottom), (left, bottom)]), _DARK)
    yield Shape(polygon([(left, bottom), *points, (right, points[-1][1]), (right, bottom)]), _LIGHT)
    yield Shape(f"M{left:g} {middle:g}H{right:g}", stroke=_MIDDLE, width=strip.height / 40, thin=True)
    radius = strip.height / 11
    for ply in sorted(dots):
        if ply < len(points):
            x, y = points[ply]
            inside = (min(max(x, left + radius), right - radius), min(max(y, top + radius), bottom - radius))
            yield Shape(circle(inside, radius), _DOT, _RIM, radius / 3)
