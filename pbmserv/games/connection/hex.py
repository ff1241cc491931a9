"""Hex: connect your two edges. The game of Piet Hein (1942) and John Nash (1948).

Cells are named as players of the game do: a1 is the sharp corner at the top on the left.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from math import tanh

from pbmserv.games.base import FIVE_LEVELS, Info, Note, Numbers, Option, Seat, Step, with_swap
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.base.words import SWAP
from pbmserv.games.connection.distance import edges_of, missing
from pbmserv.games.connection.hexagons import RIGHTWARDS, Lattice, Place, Position, Stones
from pbmserv.games.formats.sgf import BLACK_FIRST, Dialect, Properties, stones


def _root(sheet: Sheet) -> Properties:
    return {"SZ": [str(_side(len(sheet.first.cells)))]}


def _setup(position: Position) -> Properties:
    names = (f"{chr(97 + x)}{y + 1}" for x, y in _rhombus(_side(len(position.cells))))
    return stones({"R": "AB", "B": "AW"}, zip(position.cells, names, strict=True))


def _move(ply: Ply) -> Properties:
    """Return a cell by its name, or that the pieces exchange their places and colours."""
    return {BLACK_FIRST[ply.seat]: ["swap-pieces" if ply.text == SWAP else ply.text]}


SGF = Dialect(11, _root, _setup, _move)


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
            nodes=FIVE_LEVELS,
            credit="a game of Piet Hein (1942) and John Nash (1948).",
            options=(Option("size", "cells of a side from 3 to 19, if not 11", numbers=Numbers(3, 19), usual="11"),),
            agreements=frozenset({"undo"}),
        )
    )
    pieces, names = "RB", ("Red", "Blue")
    steps = RIGHTWARDS
    edges = ("red", "blue", "red", "blue")
    lines = ("Red connects top and bottom, Blue connects left and right.",)
    formats = (SGF.format,)

    def places(self, size: int) -> Iterable[Place]:
        return _rhombus(size)

    def reached(self, lattice: Lattice, cells: str, last: int) -> str:
        side = _side(len(cells))
        group = lattice.group(cells, last)
        along = {lattice.places[cell][cells[last] == self.pieces[0]] for cell in group}  # its rows for Red
        return "connected" if {0, side - 1} <= along else ""

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Return whose chain needs fewer pieces, and whose turn it is."""
        cells, side = position.cells, _side(len(position.cells))
        needed = [missing(cells, side, piece, edges_of(side, piece == "R"), RIGHTWARDS) for piece in self.pieces]
        tempo = 0.5 if position.turn == seat else -0.5
        return tanh((needed[1 - seat] - needed[seat] + tempo) / 3)

    def exchanged(self, position: Position) -> Step[Position]:
        """The stone moves to its mirror image, which is as far from Blue's edges as it was from Red's."""
        lattice = self.lattice(position.cells)
        first = position.cells.index(self.pieces[0])
        x, y = lattice.places[first]
        target = lattice.numbers[f"{chr(97 + y)}{x + 1}"]
        old, new = lattice.names[first], lattice.names[target]
        says = f"The stone on {old} is Blue's now." if old == new else f"The stone on {old} is now a blue one on {new}."
        return Step(self.taken_over(position, first, target), (Note(says),))


@cache
def _side(cells: int) -> int:
    return next(side for side in range(cells + 1) if side * side == cells)


def _rhombus(side: int) -> Iterator[Place]:
    return ((x, y) for y in range(side) for x in range(side))
