"""Pieces: drawings with numbers, discs with signs, cards and arrows; and texts. A cell is 100 wide."""

import math
from collections.abc import Iterator, Sequence

from pbmserv.games.base.grid import COMPASS
from pbmserv.games.base.picture import Piece
from pbmserv.letters.pictures.palette import PALETTE
from pbmserv.letters.pictures.shapes.base import (
    CELL,
    Lettering,
    Part,
    Point,
    Shape,
    art,
    at,
    circle,
    lettering,
    polygon,
    width_of,
)

_FACES = ("card", "cube")  #: drawings on which the sign of the piece is written
_FLAT = ("checker", "man")  #: drawings on which the number of pieces is written
_SEEDS = "seeds-"  #: how the names of drawings begin that have the sign beside them


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
        yield from _on_drawing(piece, middle, radius, small)
        return
    yield Shape(circle(middle, radius), hue.fill, hue.ink, 2)
    if piece.label:
        yield lettering(piece.label, middle, 1.7 * radius, 1.15 * radius, small, hue.ink, piece.in_ascii)


def _on_drawing(piece: Piece, middle: Point, radius: float, small: float) -> Iterator[Part]:
    """Write what a drawing does not say: the number of a card or cube, of seeds, or of equal pieces."""
    (x, y), number = middle, str(piece.count) if piece.count > 1 else ""
    if piece.art in _FACES:
        face, ink = piece.sign.removeprefix("x"), PALETTE[piece.colour].ink
        yield lettering(face, (x, y - radius * 0.1), 1.7 * radius, 1.2 * radius, small * 0.96, ink)
    elif piece.art.startswith(_SEEDS):
        yield from badge(piece.sign, (x + radius * 0.85, y + radius * 1.3), small, lowest=y + 70)
    if number and piece.art in _FLAT:
        yield lettering(number, middle, 1.6 * radius, 1.1 * radius, small * 0.96, PALETTE[piece.colour].ink)
    elif number:
        yield from badge(number, (x + radius * 0.85, y + radius * 0.85), max(radius * 0.62, small))


def badge(says: str, middle: Point, size: float, lowest: float = CELL) -> Iterator[Part]:
    """Write a number on a white disc, which stays in the cell. `size`: that of its letters; `lowest`: where it ends."""
    room = size * 0.62 + 1
    place = min(middle[0], CELL - room), min(middle[1], lowest - room)
    yield Shape(circle(place, size * 0.62), PALETTE["white"].fill, PALETTE["white"].line, 2)
    yield lettering(says, place, size * 1.15, size, size, PALETTE["white"].ink)


def arrows(directions: Sequence[int], middle: Point, radius: float, start: float, ink: str) -> Iterator[Shape]:
    """Draw arrows around a point. They begin at a distance of it; one that is alone begins on the other side.

    Where several begin at the point, it has a dot.
    """
    if len(directions) > 1 and not start:
        yield Shape(circle(middle, 8), ink)
    for direction in directions:
        east, north = COMPASS[direction]
        tip = radius if not east or not north else radius * 1.25
        yield from _arrow(direction, middle, -tip if len(directions) == 1 and not start else start, tip, ink)


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
