"""Games about lines on points, as Gomoku is one: Renju, and those with other turns or rows, or with captures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from pbmserv.games.base import Note, Options, Seat, Step
from pbmserv.games.base.grid import Grid, replaced
from pbmserv.games.base.sheet import Ply
from pbmserv.games.connection import gomoku
from pbmserv.games.connection.gomoku import (
    BLACK,
    CHOOSE,
    EMPTY,
    SIGNS,
    THREE,
    WHITE,
    WORDS,
    InARow,
    sgf_colours,
    sgf_move,
    sgf_root,
    sgf_setup,
    stone_of,
)
from pbmserv.games.families.lines.forbidden import FIVE, FOURS, OVERLINE, THREES, forbidden_points, judged
from pbmserv.games.families.lines.lines_helping import help_facts
from pbmserv.games.families.lines.lines_row import LineRow
from pbmserv.games.formats.sgf import BLACK_FIRST, Dialect, Properties
from pbmserv.rng import Rng

OPENING, PASS = "opening", "pass"
_WHY = {
    OVERLINE: "Black would have more than five in a row",
    FOURS: "Black would make two fours at once",
    THREES: "Black would make two threes at once",
    OPENING: "the opening begins in the middle; the next two stones lie at most one and two points from it",
}
_TOLD = 12  #: forbidden points that a line below the board names
_OTHER = dict(zip(SIGNS, reversed(SIGNS), strict=True))


@dataclass(frozen=True, slots=True)
class PointsPosition(gomoku.Position):
    """`pairs`: how many each colour has captured; `passes`: how many moves before this one were passes, at most two."""

    pairs: tuple[int, int] = (0, 0)
    passes: int = 0


class OnPoints(InARow[PointsPosition]):
    """Two players, no chance, nothing hidden. A move is the name of a point; in Renju it can be `pass`."""

    row: ClassVar[LineRow]
    position_type = PointsPosition
    draws = frozenset({"full", "passes"})

    def setup(self, options: Options, seats: int, rng: Rng) -> PointsPosition:
        side = int(options.get("size", self.row.sides[0]))
        return PointsPosition(EMPTY * side * side, phase=THREE if OPENING in options else "")

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        return ("Player 1", "Player 2") if OPENING in options else self.seat_names(seats)

    def legal_moves(self, position: PointsPosition, seat: Seat) -> Sequence[str]:
        moves = super().legal_moves(position, seat)
        if not self.row.forbids or position.phase in WORDS:
            return moves
        if position.phase == THREE:
            return [move for move in moves if not self._forbidden(position, move)]
        banned = self._banned(position) if stone_of(position, seat) == SIGNS[0] else {}
        return [*(move for move in moves if move not in banned), PASS]

    def named(self, position: PointsPosition, seat: Seat, text: str) -> Sequence[str]:
        if text == PASS:
            return () if position.phase else (PASS,)
        return [move for move in super().named(position, seat, text) if not self._forbidden(position, move)]

    def why_not(self, position: PointsPosition, seat: Seat, text: str) -> str:
        if text == PASS or (text in (WHITE, BLACK) and not position.phase):
            return f"'{text}' is not possible now."
        if text not in WORDS[CHOOSE] and super().named(position, seat, text):
            return f"'{text}' is not possible: {_WHY[self._forbidden(position, text)]}."
        return super().why_not(position, seat, text)

    def example(self, position: PointsPosition, seat: Seat) -> str:
        has_points = position.phase or len(self.legal_moves(position, seat)) > 1
        return super().example(position, seat) if has_points else PASS

    def apply(self, position: PointsPosition, seat: Seat, move: str, rng: Rng) -> Step[PointsPosition]:
        if move == PASS:
            return Step(replace(position, turn=1 - seat, passes=position.passes + 1))
        return super().apply(position, seat, move, rng)

    def placed(self, after: PointsPosition, seat: Seat, point: int) -> Step[PointsPosition]:
        taken = _captured(after.grid, after.points, point) if self.row.pairs else ()
        points = "".join(EMPTY if p in taken else stone for p, stone in enumerate(after.points))
        black, white = replaced(after.pairs, seat, after.pairs[seat] + len(taken) // 2)
        after = replace(after, points=points, passes=0, pairs=(black, white))
        won = bool(self.rows_through(after, point)) or max(after.pairs) >= self.row.pairs > 0
        again = self.row.twice and not won and after.stones % 2 == 0
        note = Note(f"Captured: {' '.join(map(after.grid.name, taken))}.")
        return Step(replace(after, won=won, turn=seat if again else 1 - seat), (note,) if taken else ())

    def in_opening(self, position: PointsPosition) -> PointsPosition:
        after = super().in_opening(position)
        return replace(after, phase=CHOOSE) if after.phase != THREE else after

    def wins(self, position: PointsPosition, row: Sequence[int], beyond: str) -> bool:
        stone, length = position.points[row[0]], self.row.length
        if len(row) > length:
            return not (self.row.forbids and stone == SIGNS[0])
        is_closed = self.row.open and EMPTY not in beyond and len(beyond) > 1
        return len(row) == length and not is_closed

    def end(self, position: PointsPosition) -> str:
        if self.row.pairs and max(position.pairs) >= self.row.pairs:
            return "pairs"
        return "passes" if position.passes > 1 else super().end(position)

    def winner(self, position: PointsPosition) -> Seat | None:
        last = super().winner(position)
        return 1 - last if self.row.loses and last is not None else last

    def evaluate(self, position: PointsPosition, seat: Seat) -> float:
        """As in Gomoku, and the pairs."""
        value = super().evaluate(position, seat) + 0.1 * (position.pairs[seat] - position.pairs[1 - seat])
        return -value if self.row.loses else max(-0.99, min(0.99, value))

    def help_facts(self) -> Mapping[str, object]:
        return help_facts(self)

    def told(self, position: PointsPosition) -> tuple[str, ...]:
        return (*super().told(position), *self._facts(position))

    def _facts(self, position: PointsPosition) -> Sequence[str]:
        """Return what else there is to know before a move."""
        if self.row.pairs:
            return (f"Captured pairs: Black {position.pairs[0]}, White {position.pairs[1]}",)
        if self.row.twice and not self.end(position):
            return (f"Stones to put down in this turn: {1 + position.stones % 2}",)
        names = [name.upper() for name in self._banned(position)] if self.row.forbids and not position.won else []
        more = " …" * (len(names) > _TOLD)
        return (f"Forbidden for Black now: {' '.join(names[:_TOLD])}{more}",) if names else ()

    def _banned(self, position: PointsPosition) -> Mapping[str, str]:
        """Return the points that Black may not take, by name, and why not."""
        points = forbidden_points(position.points, position.grid)
        return {position.grid.name(point): reason for point, reason in points.items()}

    def _forbidden(self, position: PointsPosition, name: str) -> str:
        """Return why an empty point may not be taken, a key of _WHY; "" if it may."""
        if position.phase in WORDS:
            return ""
        grid = position.grid
        point, middle = grid.square(name), grid.columns // 2
        if position.phase == THREE:
            row, column = divmod(point, grid.columns)
            return OPENING * (max(abs(row - middle), abs(column - middle)) > position.stones)
        if not self.row.forbids or stone_of(position, position.turn) != SIGNS[0]:
            return ""
        return judged(position.points, grid, point).replace(FIVE, "")


def _captured(grid: Grid, points: str, last: int) -> tuple[int, ...]:
    """Return the pairs that the stone on `last` encloses with another one of its colour."""
    own, taken = points[last], list[int]()
    for direction in range(8):
        ray = grid.ray(last, direction)[:3]
        if len(ray) == 3 and points[ray[2]] == own and {points[ray[0]], points[ray[1]]} == {_OTHER[own]}:
            taken += ray[:2]
    return tuple(taken)


def sgf(row: LineRow) -> Dialect:
    """Return how a game is written in SGF, where only Renju shares the number of Gomoku; others have their names."""
    number = 4 if row.forbids else row.key
    return Dialect(number, lambda sheet: {**sgf_root(sheet), "RU": [row.name]}, sgf_setup, _sgf_move, sgf_colours)


def _sgf_move(ply: Ply) -> Properties:
    return {BLACK_FIRST[ply.seat != ply.position.black]: [""]} if ply.text == PASS else sgf_move(ply)
