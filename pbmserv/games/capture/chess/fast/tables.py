"""Chess: sets of squares as whole numbers, bit n for square n, and where pieces can go from each square.

What a rook or a bishop sees, and the moves to a set of squares, are worked out when they are asked for, and kept.
"""

from collections.abc import Iterable

from pbmserv.games.capture.chess import pieces
from pbmserv.games.capture.chess.pieces import LINES, RAYS, Squares

_MOST_KEPT = 20_000  #: sets of squares for which one table keeps an answer
ALL = (1 << 64) - 1
BIT = tuple(1 << square for square in range(64))
LAST_RANKS = 0xFF | 0xFF << 56
FILE = tuple(0x0101010101010101 << column for column in range(8))


def squares(bits: int) -> list[int]:
    """Return the squares of a set, the lowest first."""
    result = []
    while bits:
        lowest = bits & -bits
        result.append(lowest.bit_length() - 1)
        bits ^= lowest
    return result


def bits_of(places: Iterable[int]) -> int:
    """Return the set of these squares."""
    return sum(BIT[square] for square in set(places))


class Sight(dict[int, int]):
    """What a piece sees from one square along its lines, by the men on `mask`, all squares that can hide others."""

    def __init__(self, rays: tuple[Squares, ...]) -> None:
        super().__init__()
        self._rays = rays
        self.mask = bits_of(square for ray in rays for square in ray[:-1])

    def __missing__(self, men: int) -> int:
        seen = 0
        for ray in self._rays:
            for square in ray:
                seen |= BIT[square]
                if men & BIT[square]:
                    break
        self[men] = seen
        return seen


class Steps(dict[int, tuple[int, ...]]):
    """The moves from one square to each of a set of squares, as numbers: `source | target << 6`.

    With `back`, the moves of pawns that come from so many squares away.
    """

    def __init__(self, source: int = 0, back: int = 0) -> None:
        super().__init__()
        self._source, self._back = source, back

    def __missing__(self, targets: int) -> tuple[int, ...]:
        if len(self) > _MOST_KEPT:
            self.clear()
        back = self._back
        self[targets] = moves = tuple((t - back if back else self._source) | t << 6 for t in squares(targets))
        return moves


KNIGHT = tuple(map(bits_of, pieces.KNIGHT))
KING = tuple(map(bits_of, pieces.KING))
PAWN = tuple(tuple(map(bits_of, captures)) for captures in pieces.PAWN_CAPTURES)  #: what a pawn attacks, by seat
ROOK, BISHOP = (tuple(map(Sight, RAYS[kind])) for kind in "rb")
ROOK_MASK, BISHOP_MASK = (tuple(sight.mask for sight in sights) for sights in (ROOK, BISHOP))
ROOK_ALONE, BISHOP_ALONE = (tuple(sight[0] for sight in sights) for sights in (ROOK, BISHOP))
STEPS = tuple(map(Steps, range(64)))
PUSHES = tuple((Steps(back=step), Steps(back=2 * step)) for step in pieces.FORWARD)  #: one and two squares, by seat


def _between(one: int, other: int) -> int:
    """Return the squares between two on a line; none if they are not on one."""
    if other not in LINES[one]:
        return 0
    sights = ROOK if ROOK_ALONE[one] & BIT[other] else BISHOP
    return sights[one][BIT[other] & sights[one].mask] & sights[other][BIT[one] & sights[other].mask] & _line(one, other)


def _line(one: int, other: int) -> int:
    """Return all squares on the line through two squares, with both of them."""
    for ray in RAYS["q"][one]:
        if other in ray:
            opposite = next((r for r in RAYS["q"][one] if r[0] - one == one - ray[0]), ())
            return bits_of((one, *ray, *opposite))
    return 0


LINE = tuple(tuple(_line(one, other) for other in range(64)) for one in range(64))
BETWEEN = tuple(tuple(_between(one, other) for other in range(64)) for one in range(64))
