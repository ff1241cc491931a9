"""Games that are played to their end nearly at random: who is in atari is saved or taken, and nobody fills an eye.

The idea is that of B. Brügmann, "Monte Carlo Go", 1993; what is played beside the last move, and why, is from S. Gelly
and others, 2006 (see `shapes`).
"""

from collections.abc import Iterable
from typing import TypeVar

from pbmserv.games.base import Seat
from pbmserv.games.territory.go.thinking.field import NOBODY, NOWHERE, Field, each
from pbmserv.games.territory.go.thinking.shapes import Shapes
from pbmserv.rng import Rng

T = TypeVar("T")
_MASK = (1 << 48) - 1
_MULTIPLIER, _STEP = 0x5DEECE66D, 11  #: of the linear congruential generator that POSIX calls drand48
_PARTS = 16  #: chances are parts of so many
_SAVE, _SHAPE, _CAREFUL = 14, 15, 9  #: chances to look for an atari, for a shape, and to leave a point in atari alone
_LONGEST = 3  #: moves of a game for each point of the board


class Dice:
    """Random numbers that are the same on every machine, and cost much less than those of a board."""

    __slots__ = ("_state",)

    def __init__(self, rng: Rng) -> None:
        self._state = rng.randrange(_MASK + 1)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self._state = self._state * _MULTIPLIER + _STEP & _MASK
        return self._state * n >> 48

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return all of `items` in random order."""
        return sorted(items, key=lambda _: self.below(_MASK))


class Playout:
    """One game to the end. `field`: the board; `moves`: how many were made; `first`: who was first on each point."""

    __slots__ = ("_dice", "_open", "_shapes", "field", "first", "moves")

    def __init__(self, field: Field, dice: Dice, shapes: Shapes, first: dict[int, Seat]) -> None:
        self.field, self._dice, self._shapes, self.first = field, dice, shapes, first
        self._open = list(each(field.free))
        self.moves = 0

    def play(self, seat: Seat, last: int) -> None:
        """Play to the end. `last`: the move before."""
        field, first, passed = self.field, self.first, 0
        for _ in range(_LONGEST * len(field.ground.points)):
            point = self.next(seat, last)
            if point:
                passed = 0
                first.setdefault(point, seat)
                self.moves += 1
                if taken := field.put(seat, point):
                    self._open.extend(each(taken))
            elif passed:
                break
            else:
                passed = 1
            last, seat = point, 1 - seat

    def next(self, seat: Seat, last: int) -> int:
        """Return a move; NOWHERE if there is none that fills no eye. `last`: the move before."""
        if last:
            luck, field = self._dice.below(_PARTS * _PARTS), self.field
            points = saving(field, seat, last) if luck % _PARTS < _SAVE else []
            if points and (point := self._drawn(points, seat)):
                return point
            points = self._shapes.around(field, last) if luck < _PARTS * _SHAPE else []
            if points and (point := self._drawn(points, seat)):
                return point
        return self._anywhere(seat)

    def _drawn(self, points: list[int], seat: Seat) -> int:
        """Return one of these points where a stone would not be taken at once; NOWHERE if there is none."""
        field = self.field
        while points:
            point = points.pop(self._dice.below(len(points)))
            if field.may(seat, point) and not field.is_soon_taken(seat, point):
                return point
        return NOWHERE

    def _anywhere(self, seat: Seat) -> int:
        """Return any point; NOWHERE if only eyes are left, or suicide."""
        points, field, below = self._open, self.field, self._dice.below
        owner, count, free, beside, ko = field.owner, len(points), field.free, field.ground.beside, field.ko
        while count:
            drawn = below(count)
            point = points[drawn]
            count -= 1
            if owner[point] != NOBODY:  # somebody has moved there since: forget it
                points[drawn] = points[count]
                points[count] = points[-1]
                points.pop()
                continue
            points[drawn], points[count] = points[count], point
            near = beside[point] & free
            if near & near - 1 and point != ko:  # two liberties: there is nothing to ask
                return point
            if self._is_good(seat, point):
                return point
        return NOWHERE

    def _is_good(self, seat: Seat, point: int) -> bool:
        """Return whether a stone may stand on a point, fills no eye, and is not taken at once, as a rule."""
        field = self.field
        if not field.may(seat, point) or field.is_eye(seat, point):
            return False
        return not field.is_soon_taken(seat, point) or self._dice.below(_PARTS) >= _CAREFUL


def saving(field: Field, seat: Seat, last: int) -> list[int]:
    """Return the moves that take the stone that was put down last, or save a chain which that has put in atari."""
    owner, head, liberties = field.owner, field.head, field.liberties
    points = list[int]()
    left = liberties[head[last]]
    if not left & left - 1:
        points.append(left.bit_length() - 1)
    for there in field.ground.neighbours[last]:
        if owner[there] == seat:
            left = liberties[head[there]]
            if not left & left - 1:
                points += ways_out(field, seat, head[there])
    return points


def ways_out(field: Field, seat: Seat, chain: int) -> list[int]:
    """Return the moves that save a chain in atari: it gets longer, or takes one that surrounds it."""
    points, liberties = list[int](), field.liberties
    for enemy in field.touching(field.members[chain], 1 - seat):
        left = liberties[enemy]
        if not left & left - 1:
            points.append(left.bit_length() - 1)
    last = liberties[chain].bit_length() - 1
    breath = field.breath(seat, last)
    if breath & breath - 1:
        points.append(last)
    return points
