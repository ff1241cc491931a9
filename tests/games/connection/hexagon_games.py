"""Two more games of the family of Hex: what a game of it has to say."""

from collections.abc import Iterable

from pbmserv.games.base import Info, Numbers, Option, Seat, with_swap
from pbmserv.games.connection.hex import Hex
from pbmserv.games.connection.hexagons import Lattice, Place, Position, Stones


class Y(Stones):
    """A chain that touches all three sides of a triangle wins. The game of Charles Titus and Craige Schensted, 1953."""

    info = with_swap(
        Info(
            key="y",
            name="Y",
            kind="connection",
            summary="Connect the three sides of a triangle.",
            seats=(2,),
            pattern="[a-s](?:1[0-9]|[1-9])",
            endings={"connected": "a chain of three sides"},
            credit="a game of Charles Titus and Craige Schensted (1953).",
            options=(Option("size", "cells of a side, if not 11", numbers=Numbers(3, 19), usual="11"),),
            agreements=frozenset({"undo"}),
        )
    )
    pieces, names = "WB", ("White", "Black")

    def places(self, size: int) -> Iterable[Place]:
        return ((x, y) for y in range(size) for x in range(y + 1))

    def reached(self, lattice: Lattice, cells: str, last: int) -> str:
        chain, low = [lattice.places[cell] for cell in lattice.group(cells, last)], len(lattice.rows) - 1
        sides = {side for x, y in chain for side, on in enumerate((x == 0, x == y, y == low)) if on}
        return "connected" if len(sides) == 3 else ""


class MisereHex(Hex):
    """Who connects his edges has lost."""

    def winner(self, position: Position) -> Seat:
        return position.turn

    def evaluate(self, position: Position, seat: Seat) -> float:
        return -super().evaluate(position, seat)
