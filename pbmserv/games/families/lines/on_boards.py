"""Nine boards in one: where you play in one of them says in which the other plays next."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from pbmserv.games.base import Seat, Step
from pbmserv.games.families.lines.lines_row import EMPTY, LineRow, lines_of, part_of
from pbmserv.games.families.lines.on_squares import OnSquares, SquaresPosition
from pbmserv.rng import Rng

FULL = "="  #: in place of the sign of who has a board, if it is full and nobody has
_LINES = tuple(lines_of({(x, y, 0): 3 * y + x for x, y in product(range(3), repeat=2)}, 3))
_PARTS = tuple(tuple(s for s in range(81) if part_of(s) == part) for part in range(9))  #: the squares of each board
_WORTH = 8.0  #: of a line of boards, in lines of squares
_SHOWN = 9  #: stones before the turn on the help page


class OnBoards(OnSquares):
    """A line of three inside a board wins it, and three boards in a line win."""

    def open_parts(self, position: SquaresPosition) -> Sequence[int]:
        """Return the boards in which the next stone can be."""
        if position.part >= 0:
            return (position.part,)
        return [part for part, owner in enumerate(_owners(self.row, position.squares)) if owner == EMPTY]

    def legal_moves(self, position: SquaresPosition, seat: Seat) -> Sequence[str]:
        grid, parts, squares = self.row.grid, self.open_parts(position), position.squares
        return [grid.name(s) for s, sign in enumerate(squares) if sign == EMPTY and part_of(s) in parts]

    def elsewhere(self, position: SquaresPosition, square: int) -> str:
        names = ", ".join(map(self._part, self.open_parts(position)))
        return f"the next mark goes to one of these boards: {names}"

    def apply(self, position: SquaresPosition, seat: Seat, move: str, rng: Rng) -> Step[SquaresPosition]:
        square, squares = self.row.grid.square(move), position.squares
        after = squares[:square] + self.row.signs[seat] + squares[square + 1 :]
        owners, part = _owners(self.row, after), square // 9 % 3 * 3 + square % 3
        won = any(all(owners[p] == self.row.signs[seat] for p in line) for line in _LINES)
        return Step(SquaresPosition(after, 1 - seat, won, part=part if owners[part] == EMPTY else -1))

    def worth(self, squares: str, lines: Sequence[tuple[int, ...]]) -> float:
        owners = _owners(self.row, squares)
        inside = [line for line in lines if owners[part_of(line[0])] == EMPTY]
        return super().worth(squares, inside) + _WORTH * super().worth("".join(owners), _LINES)

    def ground(self, position: SquaresPosition, square: int) -> str:
        return "grass" if not position.won and part_of(square) in self.open_parts(position) else "plain"

    def told(self, position: SquaresPosition) -> tuple[str, ...]:
        owners, signs = _owners(self.row, position.squares), self.row.signs
        boards = [" ".join(self._part(p) for p, owner in enumerate(owners) if owner == sign) for sign in signs]
        lines = tuple(f"Boards of {sign}: {has}" for sign, has in zip(signs, boards, strict=True) if has)
        where = self._part(position.part) if position.part >= 0 else "any open board"
        return lines if self.end(position) else (f"The next mark goes to: {where}", *lines)

    def winning(self, position: SquaresPosition) -> set[int]:
        """Return the squares of the lines with which boards were won."""
        squares = position.squares
        lines = (line for line in self.row.lines if squares[line[0]] != EMPTY)
        return {square for line in lines if len({squares[s] for s in line}) == 1 for square in line}

    def _part(self, part: int) -> str:
        """Return the first and the last square of a board, such as A1-C3."""
        return "-".join(self.row.grid.name(_PARTS[part][end]) for end in (0, -1)).upper()

    def shows(self, position: SquaresPosition, move: str, step: Step[SquaresPosition]) -> str:
        return "sends" * (81 - position.squares.count(EMPTY) >= _SHOWN and step.position.part >= 0)


@lru_cache(maxsize=4096)
def _owners(row: LineRow, squares: str) -> tuple[str, ...]:
    owners = [EMPTY if any(squares[s] == EMPTY for s in part) else FULL for part in _PARTS]
    for line in row.lines:
        if squares[line[0]] == squares[line[1]] == squares[line[2]] != EMPTY:
            owners[part_of(line[0])] = squares[line[0]]
    return tuple(owners)
