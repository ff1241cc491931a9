"""The areas of an image: what can be touched there, and their HTML."""

from collections.abc import Collection, Mapping
from functools import cached_property
from math import ceil
from typing import NamedTuple

from markupsafe import escape

_FINGER = 24  #: CSS pixels that WCAG 2.2 (success criterion 2.5.8) demands of what is touched
_REGION = 5  #: cells along the side of a region, at most

Box = tuple[float, float, float, float]  #: left, top, right, bottom in CSS pixels


class Area(NamedTuple):
    """A place that can be touched. `shape`: "rect" (left, top, right, bottom) or "poly" (x and y of each corner)."""

    cell: str
    shape: str
    coords: tuple[int, ...]  #: CSS pixels


class Areas(tuple[Area, ...]):
    """The areas of an image. What follows from them is kept: most images of a game share them."""

    @cached_property
    def are_fine(self) -> bool:
        """Whether cells are too small to be touched."""
        return any(min(right - left, bottom - top) < _FINGER for left, top, right, bottom in self._boxes)

    def regions(self, live: Collection[str]) -> "Areas":
        """Return rectangles that together cover all cells on which something begins (`live`).

        Each has the name of the cell in its middle.
        """
        return Areas(region for region, cells in self._regions if not cells.isdisjoint(live))

    @cached_property
    def _regions(self) -> list[tuple[Area, frozenset[str]]]:
        """All rectangles that have cells, with the names of these."""
        if not self:
            return []
        left, top = (min(box[n] for box in self._boxes) for n in (0, 1))
        right, bottom = (max(box[n] for box in self._boxes) for n in (2, 3))
        side = _REGION * min(box[2] - box[0] for box in self._boxes)
        across, down = ceil((right - left) / side), ceil((bottom - top) / side)
        wide, high = (right - left) / across, (bottom - top) / down
        corners = [(left + column * wide, top + row * high) for row in range(down) for column in range(across)]
        made = (self._region((x, y, x + wide, y + high)) for x, y in corners)
        return [region for region in made if region]

    def _region(self, place: Box) -> tuple[Area, frozenset[str]] | None:
        left, top, right, bottom = place
        x, y = (left + right) / 2, (top + bottom) / 2
        middles = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in self._boxes]
        inside = [n for n, middle in enumerate(middles) if left <= middle[0] < right and top <= middle[1] < bottom]
        if not inside:
            return None
        nearest = min(inside, key=lambda n: (middles[n][0] - x) ** 2 + (middles[n][1] - y) ** 2)
        return Area(self[nearest].cell, "rect", tuple(map(round, place))), frozenset(self[n].cell for n in inside)

    @cached_property
    def _boxes(self) -> list[Box]:
        return [_box(area) for area in self]

    def html(self, uris: Mapping[str, str]) -> str:
        """Return the HTML of the areas that lead somewhere. `uris`: by cell, as they stand in HTML."""
        return "".join([f'{start}{uri}" {end}\n' for cell, start, end in self._tags if (uri := uris.get(cell))])

    @cached_property
    def _tags(self) -> list[tuple[str, str, str]]:
        """What stands before and behind the link of each area."""
        return [(area.cell, *_tag(area)) for area in self]


def _box(area: Area) -> Box:
    x, y = area.coords[::2], area.coords[1::2]
    return min(x), min(y), max(x), max(y)


def _tag(area: Area) -> tuple[str, str]:
    place = ",".join(map(str, area.coords))
    return f'<area shape="{area.shape}" coords="{place}" href="', f'alt="{escape(area.cell.upper())}">'
