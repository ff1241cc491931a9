"""Games like morris a second time, from sentences: points are places in the plane, and lines follow from squares.

It shares nothing with the engine. `game`: the key of a row.
"""

from itertools import combinations, product

Point = tuple[int, int]
Step = tuple[Point | None, Point, Point | None]  #: from, to, taken

#: Men, how many squares lie in each other, are the corners joined, is there a point in the middle
_GAMES = {
    "morris3": (3, 1, True, True),
    "nineholes": (3, 1, False, True),
    "morris5": (5, 2, False, False),
    "morris6": (6, 2, False, False),
    "morris12": (12, 3, True, False),
    "lasker": (10, 3, False, False),
}


class MorrisInWords:
    """A game that is being played. Points have the middle of the board as their origin."""

    def __init__(self, game: str) -> None:
        men, self.squares, self.slanted, self.middle = _GAMES[game]
        self.game, self.hand, self.turn, self.end = game, {"w": men, "b": men}, "w", ""
        ring = [p for p in product((-1, 0, 1), repeat=2) if p != (0, 0)]
        self.points = [(x * n, y * n) for n in range(1, self.squares + 1) for x, y in ring] + [(0, 0)] * self.middle
        self.men: dict[Point, str] = {}
        rows = [{*three} for three in combinations(self.points, 3) if self._is_row(three)]
        self.rows = [row for row in rows if row]

    def _is_row(self, three: tuple[Point, ...]) -> bool:
        """Three points on a side of a square, across squares, or through the middle."""
        (x1, y1), (x2, y2), (x3, y3) = sorted(three)
        straight = x1 == x3 or y1 == y3
        if (x2 - x1) * (y3 - y1) != (x3 - x1) * (y2 - y1):
            return False
        if not straight:  # corners only: of all squares, or through the middle
            is_corners = all(abs(x) == abs(y) for x, y in three)
            return self.slanted and is_corners and (self.middle or len({(x > 0, y > 0) for x, y in three}) == 1)
        if (0, 0) in three and self.middle:
            return True
        on_side = len({max(abs(x), abs(y)) for x, y in three}) == 1
        across = len({(x > 0, y > 0, x < 0, y < 0) for x, y in three}) == 1 and 0 in (x1 | x3, y1 | y3)
        return on_side or (across and self.squares == 3)

    def _beside(self, one: Point, other: Point) -> bool:
        """Return whether a man goes from one point to the other: one step on a side, across, or on a diagonal."""
        ring1, ring2 = (max(map(abs, p)) for p in (one, other))
        dx, dy = abs(one[0] - other[0]), abs(one[1] - other[1])
        if 0 in (ring1, ring2):
            return bool(ring1 or ring2) and (self.slanted or 0 in (dx, dy))
        if ring1 == ring2:
            return sorted((dx, dy)) == [0, ring1]
        is_beyond = all(a * ring2 == b * ring1 for a, b in zip(one, other, strict=True))
        return abs(ring1 - ring2) == 1 and is_beyond and (0 in one or self.slanted)

    def _mill(self, men: dict[Point, str], point: Point) -> bool:
        return any(point in row and all(men.get(p) == men[point] for p in row) for row in self.rows)

    def moves(self) -> set[Step]:
        """Return the moves of whose turn it is."""
        own = [p for p, man in self.men.items() if man == self.turn]
        empty = [p for p in self.points if p not in self.men]
        ways: list[tuple[Point | None, Point]] = [(None, p) for p in empty if self.hand[self.turn]]
        if not self.hand[self.turn] or self.game == "lasker":
            is_flying = self.game in ("lasker", "nineholes") and len(own) == 3 and not self.hand[self.turn]
            ways += [(s, t) for s in own for t in empty if is_flying or self._beside(s, t)]
        return {(s, t, prey) for s, t in ways for prey in self._prey(s, t)}

    def _prey(self, source: Point | None, target: Point) -> list[Point | None]:
        after = {p: man for p, man in self.men.items() if p != source} | {target: self.turn}
        if self.middle or not self._mill(after, target):
            return [None]
        enemies = [p for p, man in self.men.items() if man != self.turn]
        alone = [p for p in enemies if not self._mill(self.men, p)]
        return list(alone or enemies) or [None]

    def move(self, source: Point | None, target: Point, taken: Point | None) -> None:
        """Make a move, and see whether the game is over."""
        if source is None:
            self.hand[self.turn] -= 1
        else:
            del self.men[source]
        self.men[target] = self.turn
        if taken:
            del self.men[taken]
        self.turn = "b" if self.turn == "w" else "w"
        left = list(self.men.values()).count(self.turn) + self.hand[self.turn]
        if self.middle and self._mill(self.men, target):
            self.end = "row"
        elif left < 3:
            self.end = "few"
        elif len(self.men) == len(self.points):
            self.end = "full"
        elif not self.moves():
            self.end = "nomove"
