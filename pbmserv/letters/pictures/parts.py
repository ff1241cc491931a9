"""Wide boards on narrow screens: where a part of a board can be enlarged, and that part as a picture of its own.

In a window of 320 pixels, the cells of a board of more than twelve columns are smaller than 24 pixels, which WCAG 2.2
(success criterion 2.5.8) demands of what is touched. So a reader touches a region, then one of its cells (ADR 42).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from operator import itemgetter
from typing import NamedTuple

from pbmserv.games.base import Cell, Picture

MOST_COLUMNS = 12  #: of a board whose cells are large enough in the narrowest window
_REGION = 5  #: cells along the side of a region, at most
_REACH = 3  #: cells that an enlarged part has on each side of its middle; so it is larger than a region


class Region(NamedTuple):
    """A rectangle of a board. `name`: of the cell in its middle; the rest is in cells, from the top left."""

    name: str
    x: float
    y: float
    width: float
    height: float


def columns_of(picture: Picture) -> float:
    """Return how many cells wide a board is; rows of hexagons can begin half a cell further right."""
    if picture.widths:
        return sum(picture.widths) / 100
    halves = picture.offsets or (0,) * len(picture.rows)
    return max((offset / 2 + len(row) for offset, row in zip(halves, picture.rows, strict=True)), default=0)


def regions(picture: Picture) -> list[Region]:
    """Return the regions of a wide board, which cover all of it; [] for other boards."""
    width, height = columns_of(picture), len(picture.rows)
    if width <= MOST_COLUMNS:
        return []
    across, down = ceil(width / _REGION), ceil(height / _REGION)
    wide, high = width / across, height / down
    inside: dict[tuple[float, float], list[tuple[float, str]]] = {}
    for name, cx, cy in _placed(picture):
        x, y = cx // wide * wide, cy // high * high
        off = (cx - x - wide / 2) ** 2 + (cy - y - high / 2) ** 2
        inside.setdefault((y, x), []).append((off, name))
    return [Region(min(cells, key=itemgetter(0))[1], x, y, wide, high) for (y, x), cells in sorted(inside.items())]


def part(picture: Picture, name: str) -> Picture:
    """Return the part of a board around the cell of this name; all of it if there is no such cell.

    Hexagons that are empty show their names, because the labels around the board are not beside them.
    """
    at = next(((x, y) for place, x, y in _placed(picture) if place == name), None)
    if at is None:
        return picture
    x, y = (_moved_in(middle, room) for middle, room in zip(at, (columns_of(picture), len(picture.rows)), strict=True))
    kept = [i for i in range(len(picture.rows)) if abs(i + 0.5 - y) <= _REACH]
    shifts = {i: picture.offsets[i] / 2 if picture.hexes else 0.0 for i in kept}
    places = {
        i: [j for j in range(len(picture.rows[i])) if abs(shifts[i] + j + 0.5 - x) <= _REACH + picture.hexes / 2]
        for i in kept
    }
    kept = [i for i in kept if places[i]]
    starts = [round(2 * (shifts[i] + places[i][0])) for i in kept]
    rows = [[_named(picture, picture.rows[i][j]) for j in places[i]] for i in kept]
    return replace(
        picture,
        rows=tuple(_with_names(rows)),
        files=() if picture.hexes or not picture.files else tuple(picture.files[j] for j in places[kept[0]]),
        ranks=tuple(picture.ranks[i] for i in kept) if picture.ranks and not picture.hexes else (),
        offsets=tuple(start - min(starts) for start in starts) if picture.hexes else (),
        edges=(),
        ends=(),
        widths=tuple(picture.widths[j] for j in places[kept[0]]) if picture.widths else (),
        heights=tuple(picture.heights[i] for i in kept) if picture.heights else (),
        titles=_titles(picture, kept),
    )


def _with_names(rows: Sequence[Sequence[Cell | None]]) -> Iterator[tuple[Cell | None, ...]]:
    """Give the name of what can be touched to the first of its cells, if the cell that has it is outside.

    A screen reader says only the cell with the name, and a keyboard reaches no other.
    """
    named = {"", *(cell.name for row in rows for cell in row if cell)}
    for row in rows:
        cells = list(row)
        for at, cell in enumerate(cells):
            if cell and cell.of not in named:
                named.add(cell.of)
                cells[at] = replace(cell, name=cell.of, of="")
        yield tuple(cells)


def _titles(picture: Picture, kept: Sequence[int]) -> tuple[str, ...]:
    """Return the titles above these rows. The first row has that of its part, which may begin higher up."""
    if not picture.titles:
        return ()
    first = next((title for title in reversed(picture.titles[: kept[0] + 1]) if title), "")
    return (first, *(picture.titles[i] for i in kept[1:]))


def _placed(picture: Picture) -> Iterator[tuple[str, float, float]]:
    """Yield what can be touched, by name, with the places of the middles of all its cells."""
    halves = picture.offsets or (0,) * len(picture.rows)
    for i, (offset, row) in enumerate(zip(halves, picture.rows, strict=True)):
        for j, cell in enumerate(row):
            if cell and (cell.name or cell.of):
                yield cell.name or cell.of, offset / 2 + j + 0.5, i + 0.5


def _moved_in(middle: float, room: float) -> float:
    """Move the middle of a part so far that the part does not reach over the edge of the board."""
    return max(min(middle, room - _REACH - 0.5), min(_REACH + 0.5, room / 2))


def _named(picture: Picture, cell: Cell | None) -> Cell | None:
    is_empty = cell and not (cell.pieces or cell.text or cell.arrows)
    return replace(cell, text=cell.name) if cell and is_empty and picture.hexes else cell
