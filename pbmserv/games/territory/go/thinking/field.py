"""A fast board, on which robots put thousands of stones for one move. The rules themselves are in `stones`.

A set of points is a whole number with a bit for each point, as in `pbmserv.games.base.bits`. A point is the number of
its bit. Between two rows, below the first and above the last are bits that are no points.
"""

from collections.abc import Iterator
from functools import cache
from math import isqrt
from typing import NamedTuple, Self

from pbmserv.games.base import Seat
from pbmserv.games.territory.go.stones import EMPTY, SIGNS

NOBODY = 2  #: who owns an empty point
NOWHERE = 0  #: no point: a pass, or no ko


class Ground(NamedTuple):
    """What never changes on a board of one size.

    `width`: bits from a point to the one above it; `points`: by their number in a position, and `numbers` the other way
    round; `bit`, `beside`, `corners`, `around`: sets by point: itself, its neighbours, those across its corners, and
    both; `neighbours` and `ring`: `beside` and `around` as points; `lines`: counted from 1, from the edges;
    `tolerated`: how many of the enemy's stones can stand across the corners of an eye.
    """

    size: int
    width: int
    whole: int
    points: tuple[int, ...]
    numbers: dict[int, int]
    bit: tuple[int, ...]
    beside: tuple[int, ...]
    corners: tuple[int, ...]
    around: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    ring: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, int], ...]
    tolerated: tuple[int, ...]


@cache
def ground(size: int) -> Ground:
    """Return what never changes on a board with so many points on each side."""
    width = size + 1
    points = tuple((row + 1) * width + column + 1 for row in range(size) for column in range(size))
    whole, all_bits = sum(1 << point for point in points), range((size + 2) * width + 1)
    beside = [spread(1 << point, width) & whole if point in points else 0 for point in all_bits]
    around = [_block(point, width) & whole if point in points else 0 for point in all_bits]
    corners = [near & ~side for near, side in zip(around, beside, strict=True)]
    return Ground(
        size=size,
        width=width,
        whole=whole,
        points=points,
        numbers={point: number for number, point in enumerate(points)},
        bit=tuple(1 << point for point in all_bits),
        beside=tuple(beside),
        corners=tuple(corners),
        around=tuple(around),
        neighbours=tuple(tuple(each(side)) for side in beside),
        lines=tuple(_lines(point, size) if point in points else (0, 0) for point in all_bits),
        ring=tuple(tuple(each(near)) for near in around),
        tolerated=tuple(int(corner.bit_count() == 4) for corner in corners),
    )


def spread(points: int, width: int) -> int:
    """Return the neighbours of a set of points, and others that are not on the board."""
    return points << 1 | points >> 1 | points << width | points >> width


def _lines(point: int, size: int) -> tuple[int, int]:
    """Return on which line a point is, counted from the nearest edge, and from the nearer edge of the other two."""
    row, column = (min(n, size - 1 - n) + 1 for n in divmod(point - size - 2, size + 1))
    return min(row, column), max(row, column)


def _block(point: int, width: int) -> int:
    """Return the eight bits around one."""
    row = 7 << point - 1
    return (row | row << width | row >> width) ^ 1 << point


def each(points: int) -> Iterator[int]:
    """Yield the points of a set."""
    while points:
        low = points & -points
        yield low.bit_length() - 1
        points ^= low


class Field:
    """Stones on a board. It changes with each move.

    `free`: the empty points; `stones`: by seat; `owner`: by point; `head`: of each stone, the point by which its chain
    is named; `members` and `liberties`: by the head of a chain; `ko`: where nobody may take back now.
    """

    __slots__ = ("free", "ground", "head", "ko", "liberties", "members", "owner", "stones")

    def __init__(self, points: str) -> None:
        self.ground = ground(isqrt(len(points)))
        count = len(self.ground.bit)
        self.free, self.stones, self.ko = self.ground.whole, [0, 0], NOWHERE
        self.owner = bytearray([NOBODY]) * count
        self.head, self.members, self.liberties = [0] * count, [0] * count, [0] * count
        for point, sign in zip(self.ground.points, points, strict=True):
            if sign in SIGNS:
                self.put(SIGNS.index(sign), point)

    def copy(self) -> Self:
        """Return a board of its own with the same stones."""
        twin = object.__new__(type(self))
        twin.ground, twin.free, twin.ko = self.ground, self.free, self.ko
        twin.stones, twin.owner = self.stones[:], self.owner[:]
        twin.head, twin.members, twin.liberties = self.head[:], self.members[:], self.liberties[:]
        return twin

    def put(self, seat: Seat, point: int) -> int:
        """Put a stone on an empty point where it may stand. Return the set of the stones that it takes."""
        ground, owner, head, liberties = self.ground, self.owner, self.head, self.liberties
        bit = ground.bit[point]
        self.free ^= bit
        self.stones[seat] |= bit
        owner[point] = seat
        head[point] = point
        self.members[point] = bit
        liberties[point] = ground.beside[point] & self.free
        taken = 0
        for there in ground.neighbours[point]:
            if owner[there] == seat:
                if head[there] != head[point]:
                    self._join(head[there], head[point], bit)
            elif owner[there] != NOBODY:
                chain = head[there]
                liberties[chain] &= ~bit
                if not liberties[chain]:
                    taken |= self._take(chain, seat)
        self.ko = NOWHERE
        if taken and not taken & taken - 1 and self.members[head[point]] == bit and liberties[head[point]] == taken:
            self.ko = taken.bit_length() - 1
        return taken

    def _join(self, one: int, other: int, bit: int) -> None:
        """Make one chain of two. `bit`: the stone between them, which is no liberty any more."""
        members, head = self.members, self.head
        if members[one].bit_count() < members[other].bit_count():
            one, other = other, one
        rest = members[other]
        members[one] |= rest
        self.liberties[one] = (self.liberties[one] | self.liberties[other]) & ~bit
        while rest:
            low = rest & -rest
            head[low.bit_length() - 1] = one
            rest ^= low

    def _take(self, chain: int, seat: Seat) -> int:
        """Take a chain off the board, which `seat` has surrounded."""
        taken, owner, head, liberties = self.members[chain], self.owner, self.head, self.liberties
        self.free |= taken
        self.stones[1 - seat] ^= taken
        for point in each(taken):
            owner[point] = NOBODY
            for there in self.ground.neighbours[point]:
                if owner[there] == seat:
                    liberties[head[there]] |= self.ground.bit[point]
        return taken

    def may(self, seat: Seat, point: int) -> bool:
        """Return whether a stone may stand on an empty point: no suicide, and no ko that is taken back at once."""
        ground = self.ground
        if ground.beside[point] & self.free:
            return point != self.ko
        bit, owner, head, liberties = ground.bit[point], self.owner, self.head, self.liberties
        for there in ground.neighbours[point]:
            if (liberties[head[there]] != bit) == (owner[there] == seat):
                return point != self.ko
        return False

    def is_eye(self, seat: Seat, point: int) -> bool:
        """Return whether only own stones are beside an empty point, and hardly any of the enemy across its corners."""
        ground = self.ground
        if ground.beside[point] & ~self.stones[seat]:
            return False
        return (ground.corners[point] & self.stones[1 - seat]).bit_count() <= ground.tolerated[point]

    def breath(self, seat: Seat, point: int) -> int:
        """Return the liberties that a stone on an empty point would have with its chain."""
        ground, owner, head, liberties = self.ground, self.owner, self.head, self.liberties
        bit = ground.bit[point]
        left = ground.beside[point] & self.free
        for there in ground.neighbours[point]:
            if owner[there] == seat:
                left |= liberties[head[there]]
            elif liberties[head[there]] == bit and owner[there] != NOBODY:
                left |= self.members[head[there]] & ground.beside[point]
        return left & ~bit

    def is_soon_taken(self, seat: Seat, point: int) -> bool:
        """Return whether a stone on an empty point would be in atari."""
        near = self.ground.beside[point] & self.free
        if near & near - 1:
            return False
        breath = self.breath(seat, point)
        return not breath & breath - 1

    def chains(self, points: int) -> Iterator[int]:
        """Yield the heads of the chains that have stones in a set of occupied points."""
        while points:
            head = self.head[points.bit_length() - 1]
            yield head
            points &= ~self.members[head]

    def touching(self, points: int, seat: Seat) -> Iterator[int]:
        """Yield the heads of the chains of a seat beside a set of points."""
        return self.chains(spread(points, self.ground.width) & self.stones[seat])

    def areas(self) -> tuple[int, int]:
        """Return the points that each seat owns: its stones, and what it alone surrounds."""
        black, white = (self._reached(seat) for seat in range(2))
        return black & ~white, white & ~black

    def _reached(self, seat: Seat) -> int:
        """Return the stones of a seat and the empty points that are connected with them."""
        reached, more, width = 0, self.stones[seat], self.ground.width
        while more != reached:
            reached, more = more, more | spread(more, width) & self.free
        return reached


def drawn(field: Field) -> str:
    """Return the points as a position has them."""
    signs = (*SIGNS, EMPTY)
    return "".join(signs[field.owner[point]] for point in field.ground.points)
