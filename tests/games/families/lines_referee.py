"""A second opinion about games of lines, from their rules as people tell them: stones by place, and rows by walking."""

from collections.abc import Iterator
from itertools import product

Place = tuple[int, int, int]

#: columns, rows, layers, and how many in a row decide
BOARDS = {
    "connectsix": (19, 19, 1, 6),
    "capturefive": (19, 19, 1, 5),
    "caro": (15, 15, 1, 5),
    "towerfour": (4, 4, 4, 4),
    "fallingfive": (9, 6, 1, 5),
    "trapdoor": (7, 6, 1, 4),
    "miserefour": (7, 6, 1, 4),
}
_DIRECTIONS = [d for d in product((-1, 0, 1), repeat=3) if any(d)]
_HALF = [d for d in _DIRECTIONS if d > (0, 0, 0)]  #: a row is found from one of its ends


class Referee:
    """Follows one game. Players are 0 and 1."""

    def __init__(self, key: str) -> None:
        self.key = key
        *self.size, self.length = BOARDS[key]
        self.stones: dict[Place, int] = {}
        self.turn, self.moves, self.pairs, self.pops = 0, 0, [0, 0], 0
        if key == "fallingfive":
            for row in range(6):
                self.stones[0, row, 0], self.stones[8, row, 0] = row % 2, 1 - row % 2

    def places(self) -> Iterator[Place]:
        """All places of the board."""
        columns, rows, layers = self.size
        yield from product(range(columns), range(rows), range(layers))

    def name(self, place: Place) -> str:
        """The layers stand side by side: two, and two above them."""
        x, y, z = place
        return "abcdefghijklmnopqrs"[x + 4 * (z & 1)] + str(y + 1 + 4 * (z >> 1))

    def legal(self) -> set[str]:
        """What the player can send whose turn it is."""
        free = [place for place in self.places() if place not in self.stones]
        if self.key == "towerfour":
            free = [(x, y, z) for x, y, z in free if z == 0 or (x, y, z - 1) in self.stones]
        elif self.key in ("fallingfive", "trapdoor", "miserefour"):
            free = [(x, y, z) for x, y, z in free if y == 0 or (x, y - 1, z) in self.stones]
        out = {f"x{self.name((x, 0, 0))}" for x in range(7) if self.stones.get((x, 0, 0)) == self.turn}
        return {self.name(place) for place in free} | (out if self.key == "trapdoor" else set())

    def play(self, move: str) -> int | None:
        """Make a move. Return who has won then, -1 for a draw, None if the game goes on."""
        me, place = self.turn, next(p for p in self.places() if self.name(p) == move.removeprefix("x"))
        self.moves += 1
        if move[0] == "x":
            self._take_out(place)
        else:
            self.stones[place] = me
        if self.key == "capturefive":
            self._capture(place)
        rows = [player for player in (me, 1 - me) if self._has_row(player)]
        if rows:
            return 1 - rows[0] if self.key == "miserefour" else rows[0]
        if self.pairs[me] >= 5:
            return me
        self.turn = me if self.key == "connectsix" and self.moves % 2 == 0 else 1 - me
        return -1 if self.pops == 60 or not self.legal() else None

    def _take_out(self, place: Place) -> None:
        x = place[0]
        self.pops += 1
        column = [self.stones.pop((x, y, 0)) for y in range(6) if (x, y, 0) in self.stones]
        self.stones |= {(x, y, 0): player for y, player in enumerate(column[1:])}

    def _capture(self, place: Place) -> None:
        for direction in _DIRECTIONS:
            (x, y, z), (dx, dy, dz) = place, direction
            one, two, far = ((x + n * dx, y + n * dy, z + n * dz) for n in (1, 2, 3))
            owners = [self.stones.get(p) for p in (one, two, far)]
            if owners == [1 - self.turn, 1 - self.turn, self.turn]:
                del self.stones[one], self.stones[two]
                self.pairs[self.turn] += 1

    def _has_row(self, player: int) -> bool:
        return any(
            self._wins(player, place, way) for place in self.stones for way in _HALF if self.size[2] > 1 or not way[2]
        )

    def _wins(self, player: int, place: Place, way: tuple[int, ...]) -> bool:
        """Whether a row begins here, goes this way, and decides."""

        def at(step: int) -> int | None:
            x, y, z = (a + step * d for a, d in zip(place, way, strict=True))
            return self.stones.get((x, y, z))

        if at(0) != player or at(-1) == player:
            return False
        long = 1
        while at(long) == player:
            long += 1
        if self.key == "caro" and long == self.length:
            return not at(-1) == at(long) == 1 - player
        return long >= self.length
