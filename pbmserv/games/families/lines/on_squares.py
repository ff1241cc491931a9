"""Games about lines on squares: on a small board, in several layers, or where stones fall."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import tanh
from typing import ClassVar, TypeVar

from pbmserv.games.base import Cell, Options, Picture, Piece, Seat, Step, View, moves_of
from pbmserv.games.base.picture import WIN, on_grid
from pbmserv.games.families.lines.lines_row import EMPTY, OfRow
from pbmserv.rng import Rng

T = TypeVar("T")

MOST_POPS = 60  #: stones that are taken out before the board is a draw
_UPRIGHT = "blue"  #: the ground of a board into which stones fall
_GAP = 35  #: the width between two parts of a board, in percent of a square
_PIECES = {
    "X": Piece("blue", "X", art="mark-cross"),
    "O": Piece("red", "O", art="mark-ring"),
    "R": Piece("red", "R", art="disc"),
    "Y": Piece("yellow", "Y", art="disc-star"),
}


@dataclass(frozen=True, slots=True)
class SquaresPosition:
    """`squares`: a sign for each, a1 b1 …; `won`: whether the last move decided it; `pops`: how many stones were taken
    out; `part`: of nine boards the one to play in, -1 any.
    """

    squares: str
    turn: Seat = 0
    won: bool = False
    pops: int = 0
    part: int = -1


class OnSquares(OfRow[SquaresPosition]):
    """Two players, no chance, nothing hidden. A move is the name of a square, with an x before a stone taken out."""

    position_type = SquaresPosition
    draws = frozenset({"full", "pops"})
    said_signs: ClassVar[Mapping[str, str]] = dict.fromkeys(("column", "row", "spalte", "reihe"), "")

    def setup(self, options: Options, seats: int, rng: Rng) -> SquaresPosition:
        return SquaresPosition(self.row.start)

    def position_key(self, position: SquaresPosition) -> str:
        return position.squares

    def legal_moves(self, position: SquaresPosition, seat: Seat) -> Sequence[str]:
        grid, squares, below = self.row.grid, position.squares, self.row.below
        free = [square for square, sign in enumerate(squares) if sign == EMPTY]
        out = [s for s in range(grid.columns) if self.row.pops and squares[s] == self.row.signs[seat]]
        puts = [grid.name(square) for square in free if square not in below or squares[below[square]] != EMPTY]
        return [*puts, *(f"x{grid.name(square)}" for square in out)]

    def format(self, move: str) -> str:
        return move

    def named(self, position: SquaresPosition, seat: Seat, text: str) -> Sequence[str]:
        """The move, or the letter or the number of the column into which a stone falls."""
        moves = moves_of(self, position, seat)
        return [m for m in moves if m == text or (m[0] != "x" and text in (m[0], str(ord(m[0]) - 96)))]

    def why_not(self, position: SquaresPosition, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {self._obstacle(position, text)}."

    def _obstacle(self, position: SquaresPosition, text: str) -> str:
        grid, name = self.row.grid, text.removeprefix("x")
        if name.isdigit() or len(name) == 1:
            return "there is no such column, or it is full"
        try:
            square = grid.square(name)
        except ValueError:
            return f"there is no square {name} on the board"
        if text != name:
            return "you can take out only a disc of your own, from row 1"
        return f"{name} is occupied" if position.squares[square] != EMPTY else self.elsewhere(position, square)

    def elsewhere(self, position: SquaresPosition, square: int) -> str:
        """Return why a stone cannot come to lie on an empty square."""
        grid, below = self.row.grid, self.row.below
        while (under := below.get(square)) is not None and position.squares[under] == EMPTY:
            square = under
        return f"the disc falls to {grid.name(square)}"

    def example(self, position: SquaresPosition, seat: Seat) -> str:
        """Return the move that is on most lines."""
        lines, grid = self.row.through, self.row.grid
        return max(moves_of(self, position, seat), key=lambda m: m[0] != "x" and len(lines[grid.square(m)]))

    def apply(self, position: SquaresPosition, seat: Seat, move: str, rng: Rng) -> Step[SquaresPosition]:
        square, squares, own = self.row.grid.square(move.removeprefix("x")), position.squares, self.row.signs[seat]
        if move[0] == "x":
            return Step(self._popped(position, seat, square))
        after = squares[:square] + own + squares[square + 1 :]
        won = any(all(after[s] == own for s in line) for line in self.row.through[square])
        return Step(replace(position, squares=after, turn=1 - seat, won=won))

    def _popped(self, position: SquaresPosition, seat: Seat, square: int) -> SquaresPosition:
        """Return the position without a stone. If both have a line then, who took it out has won."""
        columns, squares = self.row.grid.columns, position.squares
        column = squares[square::columns][1:] + EMPTY
        after = "".join(column[n // columns] if n % columns == square else sign for n, sign in enumerate(squares))
        lines = {after[line[0]] for line in self.row.lines if len({after[s] for s in line}) == 1} - {EMPTY}
        turn = 1 - seat if not lines or self.row.signs[seat] in lines else seat
        return replace(position, squares=after, turn=turn, won=bool(lines), pops=position.pops + 1)

    def end(self, position: SquaresPosition) -> str:
        if position.won:
            return "row"
        if position.pops >= MOST_POPS:
            return "pops"
        return "" if self.legal_moves(position, position.turn) else "full"

    def evaluate(self, position: SquaresPosition, seat: Seat) -> float:
        """Each line where only one player has stones counts, the more stones the more."""
        value = self.worth(position.squares, self.row.lines)
        return tanh((value if (seat == 0) != self.row.loses else -value) / 60)

    def worth(self, squares: str, lines: Sequence[tuple[int, ...]]) -> float:
        """Return how much more the stones of the first player have in these lines."""
        own, other = self.row.signs[0], self.row.signs[1]
        signs = ([squares[s] for s in line] for line in lines)
        counts = ((there.count(own), there.count(other)) for there in signs)
        return sum(first**3 - second**3 for first, second in counts if not (first and second))

    def picture(self, view: View[SquaresPosition]) -> Picture:
        grid, wins = self.row.grid, self.winning(view.position)
        signs = enumerate(view.position.squares)
        cells = [_cell(grid.name(s), self.ground(view.position, s), sign, s in wins) for s, sign in signs]
        return self.parted(on_grid(grid, cells, self.told(view.position)))

    def ground(self, position: SquaresPosition, square: int) -> str:
        """Return the colour of a square."""
        return _UPRIGHT if self.row.falls and self.row.size[2] == 1 else "plain"

    def shows(self, position: SquaresPosition, move: str, step: Step[SquaresPosition]) -> str:
        return "pops" * (move[0] == "x") if self.row.pops else super().shows(position, move, step)

    def told(self, position: SquaresPosition) -> tuple[str, ...]:
        """Return the lines below the board."""
        out = [m for m in self.legal_moves(position, position.turn) if m[0] == "x"] if not self.end(position) else []
        if out:
            return (f"A disc can be taken out instead: {' '.join(out)}",)
        return ("Layers from the lowest up: A1-D4 E1-H4 A5-D8 E5-H8",) if self.row.size[2] > 1 else ()

    def winning(self, position: SquaresPosition) -> set[int]:
        """Return the squares of the lines that were made."""
        squares, own = position.squares, self.row.signs[1 - position.turn]
        lines = self.row.lines if position.won else ()
        return {square for line in lines if all(squares[s] == own for s in line) for square in line}

    def parted(self, picture: Picture) -> Picture:
        """Return the picture with gaps between the layers, or between nine boards."""
        columns, rows, layers = self.row.size
        if layers == 1 and not self.row.nested:
            return picture
        across, down = (3, 3) if self.row.nested else (columns, rows)
        files, ranks = _gapped(picture.files, across, ""), _gapped(picture.ranks, down, "")
        gap = (None,) * len(files)
        return replace(
            picture,
            rows=_gapped(tuple(_gapped(row, across, None) for row in picture.rows), down, gap),
            files=files,
            ranks=ranks,
            widths=tuple(100 if file else _GAP for file in files),
            heights=tuple(100 if rank else _GAP for rank in ranks),
        )


def _gapped(items: Sequence[T], every: int, gap: T) -> tuple[T, ...]:
    """Return the items with a gap after each group of so many."""
    return tuple(one for n, item in enumerate(items) for one in ((gap, item) if n and n % every == 0 else (item,)))


@cache  # at most 81 squares on a board, and what can be there
def _cell(name: str, ground: str, sign: str, wins: bool) -> Cell:
    pieces = (_PIECES[sign],) if sign != EMPTY else ()
    return Cell(name, ground, pieces, state=WIN * wins, art="hole" * (ground == _UPRIGHT))
