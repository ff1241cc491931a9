"""Areas of the image of a board, and rows of links, as HTML."""

from collections.abc import Container, Iterable, Mapping, Sequence
from math import ceil

from markupsafe import escape

from pbmserv.letters.pictures.image import Area

_FINGER = 24  #: CSS pixels that WCAG 2.2 (success criterion 2.5.8) demands of what is touched
_REGION = 5  #: cells along the side of a region, at most

Box = tuple[float, float, float, float]  #: left, top, right, bottom in CSS pixels


def regions(areas: Sequence[Area], live: Container[str]) -> list[Area]:
    """Return rectangles that together cover all cells on which something begins (`live`).

    Each has the name of the cell in its middle.
    """
    if not areas:
        return []
    boxes = [_box(area) for area in areas]
    left, top = (min(box[n] for box in boxes) for n in (0, 1))
    right, bottom = (max(box[n] for box in boxes) for n in (2, 3))
    side = _REGION * min(box[2] - box[0] for box in boxes)
    across, down = ceil((right - left) / side), ceil((bottom - top) / side)
    wide, high = (right - left) / across, (bottom - top) / down
    corners = [(left + column * wide, top + row * high) for row in range(down) for column in range(across)]
    made = (_region(areas, boxes, live, (x, y, x + wide, y + high)) for x, y in corners)
    return [region for region in made if region]


def _region(areas: Sequence[Area], boxes: Sequence[Box], live: Container[str], place: Box) -> Area | None:
    left, top, right, bottom = place
    x, y = (left + right) / 2, (top + bottom) / 2
    middles = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for box in boxes]
    inside = [n for n, middle in enumerate(middles) if left <= middle[0] < right and top <= middle[1] < bottom]
    if not any(areas[n].cell in live for n in inside):
        return None
    nearest = min(inside, key=lambda n: (middles[n][0] - x) ** 2 + (middles[n][1] - y) ** 2)
    return Area(areas[nearest].cell, "rect", tuple(map(round, place)))


def are_fine(areas: Sequence[Area]) -> bool:
    """Return whether cells are too small to be touched."""
    boxes = map(_box, areas)
    return any(min(right - left, bottom - top) < _FINGER for left, top, right, bottom in boxes)


def _box(area: Area) -> Box:
    x, y = area.coords[::2], area.coords[1::2]
    return min(x), min(y), max(x), max(y)


def html_map(areas: Sequence[Area], uris: Mapping[str, str]) -> str:
    """Return the HTML of the areas that lead somewhere. `uris`: by cell, as they stand in HTML."""
    return "".join(_area(area, uri) for area in areas if (uri := uris.get(area.cell)))


def _area(area: Area, uri: str) -> str:
    place, name = ",".join(map(str, area.coords)), escape(area.cell.upper())
    return f'<area shape="{area.shape}" coords="{place}" href="{uri}" alt="{name}">\n'


def row(links: Iterable[str]) -> str:
    """Return a row of links; "" if there are none."""
    inside = "".join(links)
    return f'<div class="ways" style="line-height:38px">{inside}</div>\n' if inside else ""


def link(uri: str, text: str) -> str:
    """Return a link of a row. `uri`: as it stands in HTML."""
    return f'<a style="padding:9px 6px;color:inherit;white-space:nowrap" href="{uri}">{escape(text)}</a>\n'


def named(cell: str) -> str:
    """Return the beginning of the row with the moves of a cell, to which `#cell` leads."""
    return f'<a name="{escape(cell)}"><b>{escape(cell.upper())}</b></a> &#8594;\n'
