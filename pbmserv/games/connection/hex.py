"""Hex: connect your two edges. The game of Piet Hein (1942) and John Nash (1948).

Cells are named as players of the game do: a1 is the sharp corner at the top on the left.
"""

from functools import cache
from math import tanh

from pbmserv.games.base import Cell, Info, Note, Numbers, Option, Picture, Piece, Seat, Step, View, with_swap
from pbmserv.games.base.pie import offers
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.base.words import SWAP
from pbmserv.games.connection.distance import missing
from pbmserv.games.connection.hexagons import EMPTY, Lattice, Place, Position, Stones
from pbmserv.games.formats.sgf import BLACK_FIRST, Dialect, Properties, stones

#: To the neighbours of a cell, clockwise from the east. Each row begins half a cell further right.
_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
_PIECES = {"R": (Piece("red", "R"),), "B": (Piece("blue", "B"),), EMPTY: ()}
_EDGES = ("red", "blue", "red", "blue")
_GOAL = "Red connects top and bottom, Blue connects left and right."


def _root(sheet: Sheet) -> Properties:
    return {"SZ": [str(_side(len(sheet.first.cells)))]}


def _setup(position: Position) -> Properties:
    return stones({"R": "AB", "B": "AW"}, zip(position.cells, _rhombus(len(position.cells)).names, strict=True))


def _move(ply: Ply) -> Properties:
    """Return a cell by its name, or that the men exchange their places and colours."""
    return {BLACK_FIRST[ply.seat]: ["swap-pieces" if ply.text == SWAP else ply.text]}


class Hex(Stones):
    """Two players, no chance, nothing hidden. A full board has exactly one winner, so there are no draws."""

    info = with_swap(
        Info(
            key="hex",
            name="Hex",
            kind="connection",
            summary="Connect your two edges of the board before your opponent connects the others.",
            seats=(2,),
            pattern="[a-s](?:1[0-9]|[1-9])",
            endings={"connected": "a chain from edge to edge"},
            credit="a game of Piet Hein (1942) and John Nash (1948).",
            options=(Option("size", "cells of a side from 3 to 19, if not 11", numbers=Numbers(3, 19), usual="11"),),
            agreements=frozenset({"undo"}),
        )
    )
    men = "RB"
    formats = (Dialect(11, _root, _setup, _move).format,)

    def empty_cells(self, size: int) -> int:
        return size * size

    def lattice(self, cells: str) -> Lattice:
        return _rhombus(len(cells))

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("Red", "Blue")

    def reached(self, lattice: Lattice, cells: str, last: int) -> str:
        side = _side(len(cells))
        group = lattice.group(cells, last)
        along = {lattice.places[cell][cells[last] == self.men[0]] for cell in group}  # its rows for Red, else columns
        return "connected" if {0, side - 1} <= along else ""

    def worth(self, position: Position, seat: Seat) -> float:
        """Return whose chain needs fewer men, and whose turn it is."""
        cells, side = position.cells, _side(len(position.cells))
        needed = [missing(cells, side, man, down=man == "R", steps=_STEPS) for man in self.men]
        tempo = 0.5 if position.turn == seat else -0.5
        return tanh((needed[1 - seat] - needed[seat] + tempo) / 3)

    def from_middle(self, cells: str, place: Place) -> float:
        middle = (_side(len(cells)) - 1) / 2
        return abs(place[0] - middle) + abs(place[1] - middle)

    def exchanged(self, position: Position) -> Step[Position]:
        """The stone moves to its mirror image, which is as far from Blue's edges as it was from Red's."""
        lattice = self.lattice(position.cells)
        first = position.cells.index(self.men[0])
        x, y = lattice.places[first]
        target = lattice.numbers[f"{chr(97 + y)}{x + 1}"]
        old, new = lattice.names[first], lattice.names[target]
        says = f"The stone on {old} is Blue's now." if old == new else f"The stone on {old} is now a blue one on {new}."
        return Step(self.taken_over(position, first, target), (Note(says),))

    def picture(self, view: View[Position]) -> Picture:
        position = view.position
        side, names = _side(len(position.cells)), self.lattice(position.cells).names
        cells = [_cell(name, man) for name, man in zip(names, position.cells, strict=True)]
        return Picture(
            rows=tuple(tuple(cells[row * side : (row + 1) * side]) for row in range(side)),
            files=tuple(chr(65 + column) for column in range(side)),
            ranks=tuple(str(row + 1) for row in range(side)),
            offsets=tuple(range(side)),
            edges=_EDGES,
            lines=(_GOAL, *offers(position)),
        )


@cache
def _side(cells: int) -> int:
    return next(side for side in range(cells + 1) if side * side == cells)


@cache
def _rhombus(cells: int) -> Lattice:
    side = _side(cells)
    return Lattice.of(((x, y) for y in range(side) for x in range(side)), _STEPS)


@cache
def _cell(name: str, man: str) -> Cell:
    return Cell(name, "sand", _PIECES[man])
