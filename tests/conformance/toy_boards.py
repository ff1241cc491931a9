"""Two tiny games that bring a picture and a help page, and no diagram: one on squares, and one on hexagons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbmserv.games.base import Cell, Game, Info, Options, Outcome, Picture, Piece, Seat, Step, Tray, View
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.picture import on_grid
from pbmserv.rng import Rng

GRID = Grid(3, 2)
PIECES = (Piece("black", "\N{BLACK CIRCLE}", letter="X"), Piece("white", "\N{WHITE CIRCLE}", letter="O"))
#: Rows of hexagons from the top, and where each begins.
COMB, OFFSETS = (("a1", "a2"), ("b1", "b2", "b3"), ("c1", "c2")), (1, 0, 1)


@dataclass(frozen=True)
class Position:
    """`cells`: a seat for each cell, or None; in the order of the names."""

    cells: tuple[int | None, ...]
    turn: Seat = 0


class Filling(Game[Position, str]):
    """Put a pebble on a free cell, in turn. Who puts the last one wins."""

    names: tuple[str, ...]
    position_type = Position

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return Position((None,) * len(self.names))

    def to_move(self, position: Position) -> frozenset[Seat]:
        return frozenset({position.turn}) if None in position.cells else frozenset()

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return [name for name, seat in zip(self.names, position.cells, strict=True) if seat is None]

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        at = self.names.index(move)
        cells = (*position.cells[:at], seat, *position.cells[at + 1 :])
        return Step(replace(position, cells=cells, turn=1 - seat))

    def outcome(self, position: Position) -> Outcome | None:
        if None in position.cells:
            return None
        return Outcome("full", (1, 2) if position.turn else (2, 1))

    def format(self, move: str) -> str:
        return move

    def at(self, view: View[Position], name: str) -> Cell:
        """Return a cell of the picture."""
        seat = view.position.cells[self.names.index(name)]
        return Cell(name, "wood", () if seat is None else (PIECES[seat],))


class Pebbles(Filling):
    """On squares, with a tray."""

    info = Info(
        key="pebbles",
        name="Pebbles",
        summary="Put the last pebble.",
        seats=(2,),
        pattern="[a-c][12]",
        endings={"full": "the board is full"},
        credit="Made for the tests of pbmserv.",
    )
    names = tuple(GRID.name(square) for square in range(GRID.size))

    def picture(self, view: View[Position]) -> Picture:
        cells = [self.at(view, name) for name in self.names]
        tray = Tray("Next pebble", (Cell(pieces=(PIECES[view.position.turn],)),))
        return on_grid(GRID, cells, (f"Free: {view.position.cells.count(None)}",), beside=(tray,))


class Comb(Filling):
    """On hexagons."""

    info = replace(Pebbles.info, key="comb", name="Comb", pattern="[a-c][1-3]")
    names = tuple(name for row in COMB for name in row)

    def picture(self, view: View[Position]) -> Picture:
        return Picture(tuple(tuple(self.at(view, name) for name in row) for row in COMB), offsets=OFFSETS)
