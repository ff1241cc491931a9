"""Stacks of men, seen from the side, so that each man and the order of the colours can be seen."""

from collections.abc import Iterator, Sequence

from pbmserv.games.base.picture import Piece
from pbmserv.letters.pictures.palette import PALETTE
from pbmserv.letters.pictures.shapes.base import Part, Point, Shape, at, ellipse, front
from pbmserv.letters.pictures.shapes.men import badge

MOST_DRAWN = 20  #: men of a stack that are drawn one by one; of more, the longest runs are drawn shorter
_COUNTED = 3  #: so many men are counted at a glance; of more, a number tells how many they are
_FLOOR, _ROOM, _THICKEST = 90.0, 74.0, 16.0  #: the foot of a stack; how high it can be, and a man
_RX, _RY = 33.0, 8.0


def pile(pieces: Sequence[Piece], small: float) -> Iterator[Part]:
    """Draw a stack, the lowest first. `small`: the size of the smallest letters."""
    men = _men(pieces)
    total = sum(piece.count or 1 for piece in pieces)
    thick, x = min(_THICKEST, _ROOM / len(men)), 50.0
    for i, colour in enumerate(men):
        hue, top = PALETTE[colour], (x, _FLOOR - _RY - (i + 1) * thick)
        yield Shape(_drum(top, thick), hue.fill, hue.line, 2)
        if i and men[i - 1] == colour == "black":
            yield Shape(front((x, top[1] + thick), _RX, _RY), stroke=hue.shade, width=2)
    yield Shape(ellipse(top, _RX, _RY), hue.fill, hue.shade if men[-1] == "black" else hue.line, 2)
    if total > _COUNTED:
        yield from badge(str(total), (84, 84), small)


def _men(pieces: Sequence[Piece]) -> list[str]:
    counts = [piece.count or 1 for piece in pieces]
    while sum(counts) > MOST_DRAWN and max(counts) > 1:
        counts[counts.index(max(counts))] -= 1
    return [piece.colour for piece, count in zip(pieces, counts, strict=True) for _ in range(count)]


def _drum(top: Point, high: float) -> str:
    x, y = top
    return f"M{at((x - _RX, y))}v{high:g}a{_RX:g} {_RY:g} 0 0 0 {2 * _RX:g} 0v{-high:g}Z"
