"""Two more games of the family of Hex: Y, and Hex in which the chain loses."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from math import tanh

from pbmserv.games.base import Info, Numbers, Option, Seat, with_swap
from pbmserv.games.base.sheet import Ply, Sheet
from pbmserv.games.connection.distance import edges_of, joining
from pbmserv.games.connection.hex import SGF, Hex
from pbmserv.games.connection.hexagons import LEFTWARDS, Lattice, Place, Position, Stones
from pbmserv.games.families.lines.lines_helping import worked_turn
from pbmserv.games.formats.sgf import WHITE_FIRST, Dialect, Properties, stones

_BEYOND = "#"  #: fills up a triangle to a rhombus


def _size(least: int, usual: int) -> Option:
    text = f"cells of a side from {least} to 19, if not {usual}"
    return Option("size", text, numbers=Numbers(least, 19), usual=str(usual))


class MisereHex(Hex):
    """Whoever connects two edges has lost. Boards are nearly full then, so the usual one is small."""

    info = replace(
        Hex.info,
        key="miserehex",
        name="Misère Hex",
        summary="Who connects both own edges of the board loses.",
        aliases=("reversehex", "rex"),
        family="hex",
        page="chains",
        endings={"connected": "the other player made a chain from edge to edge"},
        options=(_size(3, 7), *Hex.info.options[1:]),
    )
    lines = ("Red must not connect top and bottom, Blue must not connect left and right.",)
    formats = (replace(SGF, number="miserehex").format,)

    def winner(self, position: Position) -> Seat:
        return position.turn

    def evaluate(self, position: Position, seat: Seat) -> float:
        return -super().evaluate(position, seat)

    def help_facts(self) -> Mapping[str, object]:
        return worked_turn(self, lambda _, __, step: self.end(step.position), size="5", noswap="")


def _root(sheet: Sheet) -> Properties:
    return {"SZ": [str(_side(len(sheet.first.cells)))]}


def _setup(position: Position) -> Properties:
    names = Y().lattice(position.cells).names
    return stones({"W": "AW", "B": "AB"}, zip(position.cells, names, strict=True))


def _move(ply: Ply) -> Properties:
    return {WHITE_FIRST[ply.seat]: [ply.text]}


class Y(Stones):
    """A chain that touches all three sides of a triangle wins. A full board has exactly one winner."""

    info = with_swap(
        Info(
            key="y",
            name="Y",
            kind="connection",
            family="hex",
            page="chains",
            summary="Connect the three sides of a triangle.",
            seats=(2,),
            pattern="[a-s](?:1[0-9]|[1-9])",
            endings={"connected": "a chain of three sides"},
            credit="Claude Shannon, then Charles Titus and Craige Schensted, 1953.",
            options=(_size(3, 11),),
            agreements=frozenset({"undo"}),
        )
    )
    pieces, names = "WB", ("White", "Black")
    formats = (Dialect("y", _root, _setup, _move, colours=lambda _: WHITE_FIRST).format,)

    def places(self, size: int) -> Iterable[Place]:
        return ((x, y) for y in range(size) for x in range(y + 1))

    def reached(self, lattice: Lattice, cells: str, last: int) -> str:
        chain, low = [lattice.places[cell] for cell in lattice.group(cells, last)], len(lattice.rows) - 1
        sides = {side for x, y in chain for side, on in enumerate((x == 0, x == y, y == low)) if on}
        return "connected" if len(sides) == 3 else ""

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Return whose chain needs fewer pieces, and whose turn it is."""
        side, rows = _side(len(position.cells)), self.lattice(position.cells).rows
        cells = "".join("".join(position.cells[c] for c in row).ljust(side, _BEYOND) for row in rows)
        needed = [joining(cells, side, piece, _edges(side), LEFTWARDS) for piece in self.pieces]
        tempo = 0.5 if position.turn == seat else -0.5
        return tanh((needed[1 - seat] - needed[seat] + tempo) / 3)

    def help_facts(self) -> Mapping[str, object]:
        return worked_turn(self, lambda _, __, step: self.end(step.position), size="5", noswap="")


GAMES = (MisereHex(), Y())


@cache
def _edges(side: int) -> tuple[int, int, int]:
    """Return the three sides as cells of the rhombus, with a bit for each."""
    return edges_of(side, False)[0], edges_of(side, True)[1], sum(1 << (side + 1) * cell for cell in range(side))


@cache
def _side(cells: int) -> int:
    """Return how many cells a side of a triangle has."""
    return next(side for side in range(cells + 1) if side * (side + 1) == 2 * cells)
