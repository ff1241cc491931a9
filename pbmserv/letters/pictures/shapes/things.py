"""What stands on a cell: how its pieces, signs and text are arranged."""

from collections.abc import Iterator
from typing import NamedTuple

from pbmserv.games.base import Cell, Piece
from pbmserv.letters.pictures.palette import PALETTE
from pbmserv.letters.pictures.shapes.base import BELOW_NAME, MIDDLE, Part, Point, lettering
from pbmserv.letters.pictures.shapes.men import discs, lines_of, man
from pbmserv.letters.pictures.shapes.pile import pile

_MOST_IN_CORNER = 35.0  #: the size of letters in a corner: in ten columns of a small telephone they can be read
_BESIDE_CORNER = (59, 60)  #: the middle of a man that hides nothing of them


class _CellContent(NamedTuple):
    """What is to be arranged. `signs` are those without a disc, `plain` the same in ASCII."""

    cell: Cell
    pieces: list[Piece]
    signs: str
    plain: str
    text: str
    ink: str
    small: float  #: the size of the smallest letters


def things(cell: Cell, small: float) -> Iterator[Part]:
    """Draw the pieces, signs and text of a cell. `small`: the size of the smallest letters."""
    ink = PALETTE[cell.ground].ink
    pieces = [piece for piece in cell.pieces if piece.colour or piece.art]
    others = [piece for piece in cell.pieces if piece not in pieces and not cell.lines]  # lines are drawn, not written
    signs, plain = "".join(piece.label for piece in others), "".join(piece.in_ascii for piece in others)
    text = "" if cell.in_corner else cell.text
    yield from _arranged(_CellContent(cell, pieces, signs, plain, text, ink, small))
    if cell.in_corner:
        size = min(small * 0.96, _MOST_IN_CORNER)
        place = (50.0, 10.0) if cell.art else (3 + size * 0.5, 2 + size * 0.45)  # a pit has no corner without its rim
        yield lettering(cell.text, place, size, size, size, ink)


def _arranged(content: _CellContent) -> Iterator[Part]:
    pieces = content.pieces
    if pieces and pieces[0].art and not pieces[0].colour and len(content.cell.pieces) > 1:
        return _with_company(content)
    if pieces and not content.signs and not content.text:
        return _alone(content)
    return _below_each_other(content)


def _with_company(content: _CellContent) -> Iterator[Part]:
    """Draw a thing with what belongs to it: what it is worth beside it, who is there below it, and a text."""
    first, *others = content.pieces
    small = content.small
    yield from man(first, (34, 34) if content.text else (40, 46), 22 if content.text else 26, small)
    if content.signs:
        yield lettering(content.signs, (80, 17), 38, 26, small * 0.96, content.ink)
    yield from discs(others, (50, 63 if content.text else 82), max(15, small * 0.6), small * 0.96)
    if content.text:
        yield lettering(content.text, (50, 84), 90, small, small * 0.96, content.ink)


def _alone(content: _CellContent) -> Iterator[Part]:
    """Draw pieces: beside each other, on top of each other, or one that fills the cell."""
    cell, pieces, small = content.cell, content.pieces, content.small
    is_one = len(pieces) == 1
    if cell.arrows:
        yield from discs(pieces, MIDDLE, 16, small)
    elif all(piece.art for piece in pieces):
        middle, radius = _room_for_men(cell)
        for piece in pieces:
            yield from man(piece, middle, radius, small)
    elif any(piece.count and not piece.art for piece in pieces):
        yield from pile(pieces, small)
    else:
        yield from discs(pieces, MIDDLE, 39 if is_one else 22, small)


def _room_for_men(cell: Cell) -> tuple[Point, float]:
    """Return the middle and the radius of men that fill a cell: whole, in a pit, or beside a name in its corner."""
    if not cell.in_corner or not cell.text:
        return MIDDLE, 39
    return (BELOW_NAME[0], 0.39 * BELOW_NAME[1]) if cell.art else (_BESIDE_CORNER, 35)


def _below_each_other(content: _CellContent) -> Iterator[Part]:
    cell, pieces, signs, plain, text, ink, small = content
    above, middle, below = _thirds(bool(signs), bool(pieces), bool(text))
    if signs:
        yield lettering(signs, (50, above), 84, 34 if pieces else 48 if text else 64, small, ink, plain)
    if pieces and not signs and len(pieces) == 1 and pieces[0].art:
        yield from man(pieces[0], (50, 38), 28, small)
    elif pieces:
        yield from discs(pieces, (50, middle), max(15, small * 0.66), small)
    if text and not (signs or pieces or cell.arrows or cell.art):
        yield from lines_of(text, MIDDLE, 88, small * 1.4, small, ink)
    elif text:
        yield lettering(text, (50, below), 86, small, small, ink)


def _thirds(signs: bool, pieces: bool, text: bool) -> tuple[float, float, float]:
    """Return the heights of the middles of what is in a cell: signs, pieces, text."""
    if signs and pieces:
        return (20, 52, 82) if text else (30, 74, 0)
    return (37, 37, 81) if text else (50, 50, 0)
