"""Havannah: build a ring, a bridge or a fork. The game of Christian Freeling (1979).

Cells are named as players of the game do. On a board with sides of eight cells, row 1 at the top has a1 to h1, the row
in the middle has a8 to o8, and row 15 at the bottom has h15 to o15.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from math import tanh
from typing import NamedTuple

from pbmserv.games.base import Info, Note, Numbers, Option, Seat, Step, with_swap
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.connection.hexagons import EMPTY, LEFTWARDS, NOWHERE, Lattice, Place, Position, Stones
from pbmserv.games.connection.reach import Reach
from pbmserv.games.formats.sgf import WHITE_FIRST, Dialect, Properties, stones

_IN_A_FORK = 3
_IN_A_BRIDGE = 2


class Hexagon(NamedTuple):
    """A board of six sides with `side` cells on each side. `corners` and `edges`: which of them each cell is on."""

    side: int
    lattice: Lattice
    corners: frozenset[int]
    edges: dict[int, int]
    reach: Reach


def _root(sheet: Sheet) -> Properties:
    return {"SZ": [str(hexagon_of(len(sheet.first.cells)).side)]}


def _setup(position: Position) -> Properties:
    names = hexagon_of(len(position.cells)).lattice.names
    return stones({"W": "AW", "B": "AB"}, zip(position.cells, names, strict=True))


def _move(ply: Ply) -> Properties:
    return {WHITE_FIRST[ply.seat]: [ply.text]}


class Havannah(Stones):
    """Two players, no chance, nothing hidden."""

    info = with_swap(
        Info(
            key="havannah",
            name="Havannah",
            kind="connection",
            summary="Build a ring, or connect two corners or three edges.",
            seats=(2,),
            pattern="[a-s](?:1[0-9]|[1-9])",
            endings={
                "ring": "a ring",
                "bridge": "a bridge between two corners",
                "fork": "a fork to three edges",
                "full": "the board is full",
            },
            nodes=(45, 180, 600, 1800, 5000),
            near=(0.1, 0.03, 0.0, 0.0, 0.0),  # level 3 would choose among moves whose answers it has not seen
            credit="a game of Christian Freeling (1979).",
            options=(Option("size", "cells of a side from 4 to 10, if not 8", numbers=Numbers(4, 10), usual="8"),),
        )
    )
    pieces, names = "WB", ("White", "Black")
    promising = 16
    #: SGF has no number for this game, so programs that know it write its name.
    formats = (Dialect("havannah", _root, _setup, _move, colours=lambda _: WHITE_FIRST).format,)

    def places(self, size: int) -> Iterable[Place]:
        return _hexagon(size)

    def lattice(self, cells: str) -> Lattice:
        return hexagon_of(len(cells)).lattice

    def reached(self, lattice: Lattice, cells: str, last: int) -> str:
        board = hexagon_of(len(cells))
        group = lattice.group(cells, last)
        if len(group & board.corners) >= _IN_A_BRIDGE:
            return "bridge"
        if len({board.edges[cell] for cell in group if cell in board.edges}) >= _IN_A_FORK:
            return "fork"
        return "ring" if _closes_ring(lattice, cells, last) else ""

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Return whose chains, bridges between pieces included, lack fewer pieces."""
        reach = hexagon_of(len(position.cells)).reach
        own, other = (reach.lacking(position.cells, self.pieces[n]) for n in (seat, 1 - seat))
        return tanh(0.2 * (other - own))

    def from_middle(self, cells: str, place: Place) -> float:
        x, y = (each - (hexagon_of(len(cells)).side - 1) for each in place)
        return max(abs(x), abs(y), abs(x - y))

    def exchanged(self, position: Position) -> Step[Position]:
        first = position.cells.index(self.pieces[0])
        note = Note(f"The stone on {self.lattice(position.cells).names[first]} is Black's now.")
        return Step(self.taken_over(position, first, first), (note,))

    def ground(self, cells: str, cell: int) -> str:
        board = hexagon_of(len(cells))
        return "dark" if cell in board.corners else "light" if cell in board.edges else "sand"


@cache
def hexagon_of(cells: int) -> Hexagon:
    """Return the board with this number of cells."""
    side = next(side for side in range(1, cells + 1) if _count(side) == cells)
    lattice = Lattice.of(_hexagon(side), LEFTWARDS)
    sides = {cell: _sides(place, side) for cell, place in enumerate(lattice.places)}
    corners = frozenset(cell for cell, on in sides.items() if len(on) > 1)
    edges = {cell: on[0] for cell, on in sides.items() if len(on) == 1}
    return Hexagon(side, lattice, corners, edges, Reach.of(lattice, edges, corners))


def _hexagon(side: int) -> Iterator[Place]:
    rows = range(2 * side - 1)
    return ((x, y) for y in rows for x in rows if abs(x - y) < side)


def _count(side: int) -> int:
    return 3 * side * (side - 1) + 1


def _sides(place: Place, side: int) -> list[int]:
    """Return which of the six sides of the board a place is on; a corner is on two."""
    x, y = place
    last = 2 * side - 2
    beyond = (y == 0, x - y == side - 1, x == last, y == last, y - x == side - 1, x == 0)
    return [number for number, is_on in enumerate(beyond) if is_on]


def _closes_ring(lattice: Lattice, cells: str, last: int) -> bool:
    """Return whether the stone on `last` closes a ring, which is a loop around at least one cell, whatever is on it.

    Then the stones beside it are of two parts that meet elsewhere, or it is one of the six around a cell.
    """
    parts = _parts(lattice, cells, last)
    if len(parts) > 1:
        without = cells[:last] + EMPTY + cells[last + 1 :]
        for number, part in enumerate(parts[:-1]):
            group = lattice.group(without, part)
            if any(other in group for other in parts[number + 1 :]):
                return True
    piece = cells[last]
    return any(
        all(cell != NOWHERE and cells[cell] == piece for cell in lattice.around[there]) for there in lattice.near[last]
    )


def _parts(lattice: Lattice, cells: str, last: int) -> list[int]:
    """Return one cell of each run of own stones around the stone on `last`."""
    piece, around = cells[last], lattice.around[last]
    own = [cell != NOWHERE and cells[cell] == piece for cell in around]
    return [cell for i, cell in enumerate(around) if own[i] and not own[i - 1]]
