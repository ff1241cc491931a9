"""Pieces without a drawing: piles of chips, discs with signs, cards and arrows; and texts. A cell is 100 wide."""

import math
from collections.abc import Iterator, Sequence

from pbmserv.games.base.grid import COMPASS
from pbmserv.games.base.picture import Piece
from pbmserv.letters.pictures.palette import PALETTE, Hue
from pbmserv.letters.pictures.shapes.base import (
    CELL,
    MIDDLE,
    Lettering,
    Part,
    Point,
    Shape,
    art,
    at,
    circle,
    ellipse,
    front,
    lettering,
    polygon,
    width_of,
)

MOST_DRUMS = 9  #: chips of a stack that are drawn; below them, a grey one counts the pieces that are left out
IN_COLUMN = 3  #: chips on top of each other in a stack of several columns
MOST_IN_ONE = 4  #: chips of a stack that has only one column


def pile(pieces: Sequence[Piece], small: float) -> Iterator[Part]:
    """Draw a stack of counted pieces as chips on top of each other, the lowest first. `small`: the smallest letters."""
    if len(pieces) == 1:
        yield from _single(pieces[0], small)
        return
    signs = len(pieces) <= 2 * IN_COLUMN  # in three columns there is room for the numbers only
    drums = [(PALETTE[piece.colour], piece.label if signs else str(piece.count or piece.sign)) for piece in pieces]
    if len(drums) > MOST_DRUMS:
        hidden = pieces[: len(pieces) - MOST_DRUMS + 1]
        drums = [(PALETTE["grey"], f"+{sum(piece.count or 1 for piece in hidden)}"), *drums[len(hidden) :]]
    tall = len(drums) if len(drums) <= MOST_IN_ONE else IN_COLUMN
    columns = [drums[i : i + tall] for i in range(0, len(drums), tall)]
    for i, column in enumerate(columns):
        yield from _column(column, i, len(columns), small)


def discs(pieces: Sequence[Piece], middle: Point, radius: float, small: float) -> Iterator[Part]:
    """Draw pieces beside each other, their middles on one line around a point."""
    step = min(2 * radius + 2, (CELL - 8 - 2 * radius) / max(len(pieces) - 1, 1))
    x, y = middle[0] - step * (len(pieces) - 1) / 2, middle[1]
    for i, piece in enumerate(pieces):
        yield from man(piece, (x + i * step, y), radius, small)


def man(piece: Piece, middle: Point, radius: float, small: float) -> Iterator[Part]:
    """Draw one piece: its drawing, with a number if there are several, or a disc with its sign."""
    hue = PALETTE[piece.colour or "white"]
    if piece.art and (drawn := art(piece.art, piece.colour or "white", middle, radius * CELL / 39)):
        yield from drawn
        if piece.count:
            yield from _number(str(piece.count), (middle[0] + radius * 0.8, middle[1] + radius * 0.8), radius, small)
        return
    yield Shape(circle(middle, radius), hue.fill, hue.ink, 2)
    if piece.label:
        yield lettering(piece.label, middle, 1.7 * radius, 1.15 * radius, small, hue.ink, piece.in_ascii)


def _number(says: str, middle: Point, radius: float, small: float) -> Iterator[Part]:
    size = max(radius * 0.62, small * 0.9)
    yield Shape(circle(middle, size * 0.62), PALETTE["white"].fill, PALETTE["white"].line, 2)
    yield lettering(says, middle, size * 1.15, size, small * 0.8, PALETTE["white"].ink)


def arrows(directions: Sequence[int], middle: Point, radius: float, start: float, ink: str) -> Iterator[Shape]:
    """Draw arrows around a point. They begin at a distance of it; one that is alone begins on the other side."""
    for direction in directions:
        east, north = COMPASS[direction]
        tip = radius if not east or not north else radius * 1.25
        yield from _arrow(direction, middle, -tip if len(directions) == 1 and not start else start, tip, ink)


def card(says: str, hue: Hue, small: float) -> Iterator[Part]:
    """Draw a card with a number."""
    yield Shape(
        "M20 8h60a12 12 0 0 1 12 12v60a12 12 0 0 1-12 12h-60a12 12 0 0 1-12-12v-60a12 12 0 0 1 12-12Z",
        hue.fill,
        hue.ink,
        2,
    )
    yield lettering(says, MIDDLE, 74, 50, small, hue.ink)


def lines_of(text: str, middle: Point, room: float, largest: float, small: float, ink: str) -> Iterator[Lettering]:
    """Write a text on one line, or on two if it has two words and is too wide."""
    words = text.split(" ", 1)
    if len(words) == 1 or width_of(text) * small <= room:
        yield lettering(text, middle, room, largest, small, ink)
        return
    for word, side in zip(words, (-0.55, 0.55), strict=True):
        yield lettering(word, (middle[0], middle[1] + side * small), room, small, small, ink)


def _arrow(direction: int, middle: Point, start: float, tip: float, ink: str) -> Iterator[Shape]:
    east, north = COMPASS[direction]
    length = math.hypot(east, north)
    dx, dy, (x, y) = east / length, -north / length, middle
    neck = tip - 15
    base = (x + dx * neck, y + dy * neck)
    sides = [(base[0] - dy * 10, base[1] + dx * 10), (base[0] + dy * 10, base[1] - dx * 10)]
    yield Shape(f"M{at((x + dx * start, y + dy * start))}L{at(base)}", stroke=ink, width=6)
    yield Shape(polygon([(x + dx * tip, y + dy * tip), *sides]), ink)


def _single(piece: Piece, small: float) -> Iterator[Part]:
    """Draw equal pieces as one pile, seen from above: the more, the higher; what it says stands on the top one."""
    hue, rx, ry, thick = PALETTE[piece.colour], 39.0, 25.0, 6.0
    layers = min(max(piece.count, 1), 6)
    top = 50 - layers * thick / 2
    yield Shape(_drum((50, top), rx, ry, layers * thick), hue.fill, hue.ink, 2.5)
    for layer in range(1, layers):
        yield Shape(front((50, top + layer * thick), rx, ry), stroke=hue.ink, width=1.5)
    yield Shape(ellipse((50, top), rx, ry), hue.fill, hue.ink, 2.5)
    if piece.label:
        yield lettering(piece.label, (50, top), 62, 36, small, hue.ink, piece.in_ascii)


def _column(drums: Sequence[tuple[Hue, str]], column: int, columns: int, small: float) -> Iterator[Part]:
    """Draw chips on top of each other from the side, each with what it says on its front."""
    rows = IN_COLUMN if columns > 1 else len(drums)
    room = (CELL - 8) / columns
    rx, ry = min(room / 2 - 2, 39.0), {4: 3.0, 3: 5.0}.get(rows, 9.0)
    high = {4: 22.5, 3: 27.0}.get(rows, 33.0)
    x, floor = 4 + room * (column + 0.5), 50 + rows * high / 2
    for i, (hue, label) in enumerate(drums):
        middle = (x, floor - (i + 1) * high)
        yield Shape(_drum(middle, rx, ry, high), hue.fill, hue.ink, 2)
        yield Shape(ellipse(middle, rx, ry), hue.fill, hue.ink, 2)
        yield lettering(label, (x, middle[1] + high / 2 + ry), 2 * rx - 6, high, small, hue.ink)


def _drum(top: Point, rx: float, ry: float, high: float) -> str:
    x, y = top
    return f"M{at((x - rx, y))}v{high:g}a{rx:g} {ry:g} 0 0 0 {2 * rx:g} 0v{-high:g}Z"
