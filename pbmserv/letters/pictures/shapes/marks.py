"""What is drawn on a cell to tell something of it. Each mark has a form of its own, because not everybody sees hues."""

import math
from collections.abc import Iterator, Sequence

from pbmserv.games.base import Cell
from pbmserv.games.base.picture import CHECK, CHOSEN, DEAD, EARLIER, GOAL, LAST, LEFT, MADE, TAKEN, WIN
from pbmserv.letters.pictures.palette import MARKED, PALETTE, Hue
from pbmserv.letters.pictures.shapes.base import CELL, MIDDLE, Point, Shape, at, circle, mixed, polygon

_CASING = "#ffffff"  #: around marks, so that they stand out on every ground
_AMBER = "#f2a51f"
_OF_THE_LAST_TURN = (LAST, EARLIER, LEFT)
_RED, _GOLD, _INK = "#d3272c", "#ffc531", "#1b1b1b"


def tinted(cell: Cell, hue: Hue, *, small: bool) -> str:
    """Return the colour of a ground: that of the last move is warmer. `small`: the mark is in the middle alone."""
    is_warm = cell.mark == LAST or (cell.mark == LEFT and not cell.text)
    return mixed(hue.fill, _AMBER, 0.5) if is_warm and not small and _is_light(hue) else hue.fill


def _is_light(hue: Hue) -> bool:
    return hue.ink == _INK


def below(cell: Cell) -> Iterator[Shape]:
    """Draw what is seen behind the pieces: the star around a man in check."""
    if cell.state == CHECK:
        yield Shape(_star(47, 34, 14), _RED, _INK, 1.5)


def above(cell: Cell, corners: Sequence[Point], *, small: bool) -> Iterator[Shape]:
    """Draw what is seen upon the pieces. `small`: the last move is in the middle, as on a stone."""
    if cell.state == WIN:
        yield Shape(circle(MIDDLE, 41), stroke=_INK, width=15)
        yield Shape(circle(MIDDLE, 41), stroke=_GOLD, width=9)
    if cell.state == DEAD:
        yield from _cross(24, _RED, 11)
    if cell.mark in (LAST, EARLIER) and cell.line:
        return  # the line itself has another colour
    if cell.mark in _OF_THE_LAST_TURN and small and not any(piece.art and piece.letter for piece in cell.pieces):
        yield _middle(cell)
    elif cell.mark in _OF_THE_LAST_TURN:
        yield from _touched(cell, corners)
    elif cell.mark == GOAL and not cell.pieces and not cell.text and not cell.arrows:
        yield Shape(circle(MIDDLE, 17), MARKED[GOAL], _CASING, 5)
    elif cell.mark:
        yield from _outline(cell.mark, corners)


def _cross(begin: int, colour: str, width: float) -> Iterator[Shape]:
    """Draw a diagonal cross. `begin`: how far its ends are from the edges of the cell."""
    end = int(CELL) - begin
    path = f"M{begin} {begin}L{end} {end}M{begin} {end}L{end} {begin}"
    yield Shape(path, stroke=_CASING, width=width + 8)
    yield Shape(path, stroke=colour, width=width)


def _middle(cell: Cell) -> Shape:
    """Draw the last move on a point: a dot on the piece that came, small if earlier, or a thin ring where one left."""
    if cell.mark in (LAST, EARLIER) and any(piece.colour for piece in cell.pieces):
        return Shape(circle(MIDDLE, 20 if cell.mark == LAST else 11), _AMBER, _INK, 4)
    return Shape(circle(MIDDLE, 21), stroke=MARKED[LAST], width=5)


def _touched(cell: Cell, corners: Sequence[Point]) -> Iterator[Shape]:
    """Draw the last move on a square: brackets around what came, two of them if earlier; a thin line where it left."""
    if cell.of:
        return  # a part of a column is only tinted
    stroke = MARKED[LAST] if _is_light(PALETTE[cell.ground]) else _AMBER
    if cell.mark == EARLIER and cell.pieces:
        yield Shape(_brackets(corners, half=True), stroke=stroke, width=5)
    elif cell.mark == LAST and (cell.pieces or (cell.art and cell.in_corner)):  # a pit is emptied by its own move
        yield Shape(_brackets(corners, beside_text=cell.in_corner and not cell.art), stroke=stroke, width=7)
    else:
        width = 7 if cell.text and not cell.in_corner else 3  # what left a column is seen at its number alone
        yield Shape(_inside(corners, width / 2), stroke=stroke, width=width)


def _outline(mark: str, corners: Sequence[Point]) -> Iterator[Shape]:
    """Draw the line around a cell: that of a goal is dashed, that of a chosen one is thick. What was made has a dot."""
    if mark == MADE:
        yield Shape(circle((81, 19), 14), MARKED[MADE], _INK, 5)
        return
    if mark == TAKEN:
        yield from _cross(37, MARKED[TAKEN], 6)
        return
    width = 9.0 if mark == CHOSEN else 6.0
    yield Shape(_inside(corners, width / 2 + 1), stroke=_CASING, width=width + 2)
    yield Shape(_inside(corners, width / 2), stroke=MARKED[mark], width=width, dash="16 9" * (mark == GOAL))


def _brackets(corners: Sequence[Point], *, beside_text: bool = False, half: bool = False) -> str:
    """Return the path of the corners of a square. `beside_text`: without the one where its name is; `half`: of two."""
    (left, top), (right, bottom) = corners[0], corners[2]
    left, top, right, bottom = left + 4, top + 4, right - 4, bottom - 4
    side = min(20, (right - left) / 2, (bottom - top) / 2)
    first = "" if beside_text else f"M{left:g} {top + side:g}v{-side:g}h{side:g}"
    last = f"M{right:g} {bottom - side:g}v{side:g}h{-side:g}"
    if half:
        return first + last
    others = f"M{right - side:g} {top:g}h{side:g}v{side:g}M{left + side:g} {bottom:g}h{-side:g}v{-side:g}"
    return first + last + others


def _inside(corners: Sequence[Point], distance: float) -> str:
    """Return the path of a polygon whose corners are moved towards the middle."""
    share = distance * 2 / CELL
    middle = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
    return polygon([(x + (middle[0] - x) * share, y + (middle[1] - y) * share) for x, y in corners])


def _star(outer: float, inner: float, rays: int) -> str:
    turns = ((i * math.pi / rays, inner if i % 2 else outer) for i in range(2 * rays))
    return f"M{'L'.join(at((50 + r * math.sin(a), 50 - r * math.cos(a))) for a, r in turns)}Z"
