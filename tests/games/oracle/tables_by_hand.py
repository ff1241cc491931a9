"""Games of tables a second time, to compare: points are stacks of letters on a ring, and every order of dice is tried.

Written from the sentences of the rules, in another style than the program. A place is where a man is on its own way: 0
is outside, 1 is the first point, 24 the last one. The points themselves are numbered from 0 along White's way.
"""

from collections.abc import Iterator
from itertools import permutations

State = tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]  #: men on points from the lowest up, outside, off
Dice = tuple[int, ...]

_MEN = "WB"
#: Key: how Black goes, what becomes of a single man, moves of a double.
GAMES = {
    "portes": ("against", "hit", 4),
    "irish": ("against", "hit", 2),
    "dutch": ("against", "hit", 4),
    "plakoto": ("against", "pin", 4),
    "tapa": ("against", "pin", 4),
    "fevga": ("round", "none", 4),
    "longnard": ("round", "none", 4),
    "tabula": ("alike", "hit", 1),
}


class Turn:
    """A player's turn with some dice."""

    def __init__(self, key: str, state: State, seat: int, dice: Dice) -> None:
        self.key, self.first, self.seat, self.dice = key, state, seat, dice
        self.runs, self.meets, self.times = GAMES[key]
        self.me, self.foe = _MEN[seat], _MEN[1 - seat]

    def ends(self) -> set[State]:
        """Return what it can lead to: what uses the most dice, or of two the higher one."""
        is_double = len(self.dice) == 2 and self.dice[0] == self.dice[1]
        orders = {self.dice[:1] * self.times} if is_double else set(permutations(self.dice))
        lines = [line for order in orders for line in self._lines(self.first, order)]
        most = max(len(used) for used, _ in lines)
        best = [(used, end) for used, end in lines if len(used) == most]
        if most == 1 and len(self.dice) == 2:
            high = max(used for used, _ in best)
            best = [(used, end) for used, end in best if used == high]
        return {end for _, end in best} if most else set()

    def _lines(self, state: State, dice: Dice) -> Iterator[tuple[Dice, State]]:
        yield (), state
        for place in range(25) if dice else ():
            then = self._step(state, place, dice[0])
            if then:
                for used, end in self._lines(then, dice[1:]):
                    yield (dice[0], *used), end

    def _point(self, seat: int, place: int) -> int:
        if seat == 0:
            return place - 1
        return {"against": 24 - place, "round": (place + 11) % 24, "alike": place - 1}[self.runs]

    def _way(self, state: State, seat: int) -> list[str]:
        """Return the stacks along a way; there is none at 0."""
        return ["", *(state[0][self._point(seat, place)] for place in range(1, 25))]

    def _step(self, state: State, place: int, die: int) -> State | None:
        """Return what moving the man on top by one die leads to; None if it may not."""
        way, outside, target = self._way(state, self.seat), state[1][self.seat], place + die
        if not (way[place].endswith(self.me) if place else outside):
            return None
        if outside and (target > 12 if self.key == "tabula" else place > 0):
            return None
        if self._is_shut(way, target) or not self._may_leave(way, outside, place, target):
            return None
        if place == 1 and not self._may_leave_head(way, state):
            return None
        then = self._moved(state, place, target)
        return None if self._blocks_too_much(then) else then

    def _is_shut(self, way: list[str], target: int) -> bool:
        if target > 24 or not way[target].endswith(self.foe):
            return False
        if way[target] != self.foe or self.meets == "none":
            return True
        return self.key == "dutch" and self.me not in "".join(way[19:])

    def _may_leave(self, way: list[str], outside: int, place: int, target: int) -> bool:
        if target < 25:
            return True
        is_home = not outside and self.me not in "".join(way[:19])
        return is_home and (target == 25 or self.me not in "".join(way[:place]))

    def _may_leave_head(self, way: list[str], state: State) -> bool:
        if self.key == "longnard":
            begun = len(self._way(self.first, self.seat)[1])
            is_special = begun == 15 and self.dice in ((3, 3), (4, 4), (6, 6))
            return begun - len(way[1]) < (2 if is_special else 1)
        if self.key == "fevga" and len(way[1]) == 14:
            return self.me in "".join(way[14:]) or state[2][self.seat] > 0
        return True

    def _moved(self, state: State, place: int, target: int) -> State:
        points, outside, off = list(state[0]), list(state[1]), list(state[2])
        if place:
            here = self._point(self.seat, place)
            points[here] = points[here][:-1]
        else:
            outside[self.seat] -= 1
        if target > 24:
            off[self.seat] += 1
            return tuple(points), tuple(outside), tuple(off)
        there = self._point(self.seat, target)
        if points[there] == self.foe and self.meets == "hit":
            points[there] = ""
            outside[1 - self.seat] += 1
        points[there] += self.me
        return tuple(points), tuple(outside), tuple(off)

    def _blocks_too_much(self, state: State) -> bool:
        """Long nard: six in a row need an enemy before them. Fevga: none at the start, none before all the enemies."""
        if self.key not in ("fevga", "longnard"):
            return False
        if self.key == "fevga" and all(self.me in stack for stack in self._way(state, self.seat)[1:7]):
            return True
        theirs = self._way(state, 1 - self.seat)
        for place in range(1, 20):
            if all(self.me in stack for stack in theirs[place : place + 6]):
                ahead = "".join(theirs[place + 6 :])
                if self.key == "longnard" and self.foe not in ahead and not state[2][1 - self.seat]:
                    return True
                if self.key == "fevga" and theirs[place - 1].count(self.foe) == 15:
                    return True
        return False
