"""Games about lines on points, as Gomoku is one: Renju, and those with other turns or rows, or with captures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbmserv.games.base import Note, Options, Seat, Step
from pbmserv.games.base.grid import Grid, replaced
from pbmserv.games.connection.gomoku import CHOOSE, EMPTY, NO_STONE, SIGNS, THREE, WORDS, InARow, Position, stone_of
from pbmserv.games.families.lines.forbidden import FIVE, FOURS, OVERLINE, THREES, forbidden_points, judged
from pbmserv.games.families.lines.lines_row import OfRow
from pbmserv.rng import Rng

OPENING = "opening"
_WHY = {
    OVERLINE: "Black would have more than five in a row",
    FOURS: "Black would make two fours at once",
    THREES: "Black would make two threes at once",
    OPENING: "the opening begins in the middle; the next two stones lie at most one and two points from it",
}
_TOLD = 12  #: forbidden points that a line below the board names


@dataclass(frozen=True)
class PointsPosition(Position):
    """`pairs`: how many each colour has captured; `passes`: how many moves before this one were passes, at most two."""

    pairs: tuple[int, int] = (0, 0)
    passes: int = 0


class OnPoints(OfRow[PointsPosition], InARow[PointsPosition]):
    """Two players, no chance, nothing hidden. A move is the name of a point; in Renju it can be `pass`."""

    position_type = PointsPosition
    draws = frozenset({"full", "passes"})
    opening = OPENING

    def setup(self, options: Options, seats: int, rng: Rng) -> PointsPosition:
        side = int(options.get("size", self.row.sides[0]))
        return PointsPosition(EMPTY * side * side, phase=THREE if OPENING in options else "")

    def legal_moves(self, position: PointsPosition, seat: Seat) -> Sequence[str]:
        moves = super().legal_moves(position, seat)
        if position.phase:
            return [move for move in moves if not self._forbidden(position, move)]
        banned = self._banned(position) if stone_of(position, seat) == SIGNS[0] else {}
        return [*(move for move in moves if move not in banned), *[NO_STONE] * self.row.forbids]

    def named(self, position: PointsPosition, seat: Seat, text: str) -> Sequence[str]:
        if text == NO_STONE:
            return () if position.phase else (NO_STONE,)
        return [move for move in super().named(position, seat, text) if not self._forbidden(position, move)]

    def why_not(self, position: PointsPosition, seat: Seat, text: str) -> str:
        if super().named(position, seat, text):
            return f"'{text}' is not possible: {_WHY[self._forbidden(position, text)]}."
        return super().why_not(position, seat, text)

    def apply(self, position: PointsPosition, seat: Seat, move: str, rng: Rng) -> Step[PointsPosition]:
        if move == NO_STONE:
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
        if len(row) > self.row.length:
            return not (self.row.forbids and position.points[row[0]] == SIGNS[0])
        is_closed = self.row.open and EMPTY not in beyond and len(beyond) > 1
        return len(row) == self.row.length and not is_closed

    def end(self, position: PointsPosition) -> str:
        if self.row.pairs and max(position.pairs) >= self.row.pairs:
            return "pairs"
        return "passes" if position.passes > 1 else super().end(position)

    def evaluate(self, position: PointsPosition, seat: Seat) -> float:
        """As in Gomoku, and the pairs."""
        value = super().evaluate(position, seat) + 0.1 * (position.pairs[seat] - position.pairs[1 - seat])
        return max(-0.99, min(0.99, -value if self.row.loses else value))

    def shows(self, position: PointsPosition, move: str, step: Step[PointsPosition]) -> str:
        if self.row.forbids:
            return "banned" * (position.turn == 0 and bool(self._banned(position)))
        return "captures" * bool(step.notes) if self.row.pairs else super().shows(position, move, step)

    def told(self, position: PointsPosition) -> tuple[str, ...]:
        """Also what else there is to know before a move."""
        lines = list(super().told(position))
        if self.row.pairs:
            lines.append(f"Captured pairs: Black {position.pairs[0]}, White {position.pairs[1]}")
        if self.row.twice and not self.end(position):
            lines.append(f"Stones to put down in this turn: {1 + position.stones % 2}")
        if names := [name.upper() for name in self._banned(position)]:
            lines.append(f"Forbidden for Black now: {' '.join(names[:_TOLD])}{' …' * (len(names) > _TOLD)}")
        return tuple(lines)

    def _banned(self, position: PointsPosition) -> Mapping[str, str]:
        """Return the points that Black may not take in Renju, by name, and why not."""
        is_asked = self.row.forbids and not position.won
        points = forbidden_points(position.points, position.grid) if is_asked else {}
        return {position.grid.name(point): reason for point, reason in points.items()}

    def _forbidden(self, position: PointsPosition, name: str) -> str:
        """Return why an empty point may not be taken, a key of _WHY; "" if it may."""
        if position.phase in WORDS or not self.row.forbids:
            return ""
        grid = position.grid
        point = grid.square(name)
        if position.phase == THREE:
            return OPENING * (
                max(abs(place - grid.columns // 2) for place in divmod(point, grid.columns)) > position.stones
            )
        is_black = stone_of(position, position.turn) == SIGNS[0]
        return judged(position.points, grid, point).replace(FIVE, "") if is_black else ""


def _captured(grid: Grid, points: str, last: int) -> tuple[int, ...]:
    """Return the pairs that the stone on `last` encloses with another one of its colour."""
    own = points[last]
    rays = [ray for way in range(8) if len(ray := grid.ray(last, way)[:3]) == 3 and points[ray[2]] == own]
    return tuple(p for ray in rays if {points[ray[0]], points[ray[1]]}.isdisjoint({own, EMPTY}) for p in ray[:2])
