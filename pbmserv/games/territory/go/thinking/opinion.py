"""What moves look like at first sight, as if they had been tried in a few games already."""

from collections import defaultdict
from collections.abc import Iterable

from pbmserv.games.base import Seat
from pbmserv.games.territory.go.thinking.field import NOWHERE, Field, each, spread
from pbmserv.games.territory.go.thinking.ladders import LadderReading
from pbmserv.games.territory.go.thinking.playout import ways_out
from pbmserv.games.territory.go.thinking.shapes import Shapes

_EVEN = 10  #: games for each move, of which it wins half
_CATCH, _EACH, _MOST_STONES = 15, 5, 6  #: games for a move that takes or saves a chain, more for each of its stones
_SHAPE = 10
_NEAR, _LESS_NEAR = 16, 8  #: games for a move beside the last one, or two steps away
_IN_ATARI = 20  #: lost games of a stone that can be taken at once
_EDGE = 10  #: lost games of a move on the first line far from all stones
_GOOD_LINES = (3, 4)  #: where games begin
_SMALL, _SIDE, _CORNER = 8, 20, 30  #: games for a move there far from all stones, on 9x9, and on greater boards
_SMALL_BOARD = 9
_PASS = (20, 4)  #: games for a pass, and how many of them it wins

Opinions = dict[int, list[float]]  #: games by move, and how many of them it wins


class Adviser:
    """Judges moves on boards of one size. `stones`: how many it has put down to read ladders."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self.stones = 0

    def opinions(self, field: Field, seat: Seat, last: int) -> Opinions:
        """Return the moves of a seat that fill no eye, and a pass, with what it thinks of them."""
        free = [point for point in each(field.free) if field.may(seat, point) and not field.is_eye(seat, point)]
        opinions: Opinions = {point: [_EVEN, _EVEN / 2] for point in free}
        for point in free:
            self._look(field, seat, point, opinions[point])
        for point, games in self._fights(field, seat).items():
            if point in opinions:
                _won(opinions[point], games)
        if last:
            self._near(field, last, opinions)
        opinions[NOWHERE] = list(_PASS)
        return opinions

    def _look(self, field: Field, seat: Seat, point: int, opinion: list[float]) -> None:
        if field.is_soon_taken(seat, point):
            opinion[0] += _IN_ATARI
        elif self._shapes.sees(field, point):
            _won(opinion, _SHAPE)
        elif _is_alone(field, point):
            line, other = field.ground.lines[point]
            if line == 1:
                opinion[0] += _EDGE
            elif line in _GOOD_LINES:
                is_small = field.ground.size <= _SMALL_BOARD
                _won(opinion, _SMALL if is_small else _CORNER if other in _GOOD_LINES else _SIDE)

    def _near(self, field: Field, last: int, opinions: Opinions) -> None:
        around = field.ground.around[last]
        for points, games in ((around, _NEAR), (_wider(field, around) & ~around, _LESS_NEAR)):
            for point in each(points & field.free):
                if point in opinions:
                    _won(opinions[point], games)

    def _fights(self, field: Field, seat: Seat) -> dict[int, int]:
        """Return the moves that take or save chains, and how much each counts."""
        moves = defaultdict[int, int](int)
        for owner in range(2):
            for chain in list(field.chains(field.stones[owner])):
                count = field.liberties[chain].bit_count()
                if count > 2:
                    continue
                worth = _CATCH + _EACH * min(field.members[chain].bit_count(), _MOST_STONES)
                points = self._saves(field, chain, count) if owner == seat else self._takes(field, chain, count)
                for point in points:
                    moves[point] += worth
        return moves

    def _takes(self, field: Field, chain: int, count: int) -> Iterable[int]:
        """Return the moves by which the enemy takes a chain with one or two liberties."""
        liberties = list(each(field.liberties[chain]))
        return liberties if count == 1 else [point for point in liberties if self._catches(field, chain, point)]

    def _saves(self, field: Field, chain: int, count: int) -> Iterable[int]:
        """Return the moves that save a chain which would be taken now, or in a ladder."""
        if count == 1:
            seat = field.owner[chain]
            return [p for p in ways_out(field, seat, chain) if field.may(seat, p) and not self._fails(field, chain, p)]
        liberties = list(each(field.liberties[chain]))
        if not any(self._catches(field, chain, point) for point in liberties):
            return []
        return [point for point in liberties if field.breath(field.owner[chain], point).bit_count() > 2] or liberties

    def _catches(self, field: Field, chain: int, point: int) -> bool:
        ladder = LadderReading()
        caught = ladder.catches(field, chain, point)
        self.stones += ladder.stones
        return caught

    def _fails(self, field: Field, chain: int, point: int) -> bool:
        """Return whether a chain in atari is caught nevertheless after a move that seems to save it."""
        ladder = LadderReading()
        fails = not ladder.gets_away(field, chain, point)
        self.stones += ladder.stones
        return fails


def _won(opinion: list[float], games: float) -> None:
    opinion[0] += games
    opinion[1] += games


def _is_alone(field: Field, point: int) -> bool:
    """Return whether no stone is near: within two steps on 9x9, three on 13x13 and four on 19x19."""
    near = field.ground.around[point]
    for _ in range(field.ground.size // 5):
        if near & ~field.free:
            return False
        near = _wider(field, near)
    return not near & ~field.free


def _wider(field: Field, points: int) -> int:
    """Return the points of a set, and those around them."""
    return (points | spread(points, field.ground.width)) & field.ground.whole
