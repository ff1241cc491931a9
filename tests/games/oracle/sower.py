"""Mancala games once more, from the sentences of their help pages: pits are names, and ways around them lists of names.

It checks `pbmserv.games.families.mancala`, with which it shares nothing but the names of pits.
"""

from collections.abc import Iterator

_STOPS = 300  #: sowings of a turn
#: What a game has; its pits in a row and the seeds of each.
_AROUND = {
    "kalah": ({"store", "opposite", "last", "early"}, 6, 4),
    "mangala": ({"store", "stays", "opposite", "last", "even", "early", "finisher"}, 6, 4),
    "congkak": ({"store", "relay", "opposite", "last", "misses"}, 7, 7),
    "ohvalhu": ({"store", "relay", "opposite", "last", "misses"}, 8, 8),
    "toguz": ({"stays", "even", "tuzdyk", "half"}, 9, 9),
    "ayoayo": ({"relay", "skips", "opposite", "half", "feeds"}, 6, 4),
}


class Around:
    """Two rows; `at`: the seeds of pits a, b, … and of the stores S and N. `won`: S, N, "-" or "" while it goes on."""

    def __init__(self, key: str) -> None:
        self.has, width, each = _AROUND[key]
        letters = "abcdefghijklmnopqr"[: 2 * width]
        self.at = dict.fromkeys(letters, each) | {"S": 0, "N": 0}
        self.sides = {"S": letters[:width], "N": letters[width:]}
        self.mover, self.won, self.tuzdyk = "S", "", dict[str, str]()

    @property
    def _foe(self) -> str:
        return "N" if self.mover == "S" else "S"

    def _left(self, side: str) -> int:
        return sum(self.at[pit] for pit in self.sides[side])

    def texts(self) -> set[str]:
        """Return the moves."""
        own = {pit for pit in self.sides[self.mover] if self.at[pit]}
        return own if "feeds" not in self.has or self._left(self._foe) else set(filter(self._gives, own))

    def _gives(self, pit: str) -> bool:
        kept = self.at.copy()
        self._sowing(pit)
        gives = self._left(self._foe) > 0
        self.at = kept
        return gives

    def _way(self) -> str:
        """Return all holes in the order of sowing."""
        south, north = self.sides.values()
        if "store" not in self.has:
            return south + north
        return f"{south}S{north}" if self.mover == "S" else f"{south}{north}N"

    def _sowing(self, pit: str) -> str:
        """Sow, and return where the last seed is."""
        for _ in range(_STOPS):
            hand, self.at[pit] = self.at[pit], 0
            way = self._way()
            walk = way[way.index(pit) + 1 :] + way[: way.index(pit) + 1]
            if "skips" in self.has:
                walk = walk[:-1]
            if "stays" in self.has and hand > 1:
                walk = walk[-1] + walk[:-1]
            fall = (walk * (hand // len(walk) + 1))[:hand]
            for hole in fall:
                owner = next((side for side, mine in self.tuzdyk.items() if mine == hole), hole)
                self.at[owner] += 1
            pit = fall[-1]
            if "relay" not in self.has or pit in "SN" or self.at[pit] == 1:
                break
        return pit

    def play(self, text: str) -> None:
        """Make a move."""
        last, mover = self._sowing(text), self.mover
        own, theirs = self.sides[mover], self.sides[self._foe]
        if last in theirs:
            number, other = theirs.index(last), self.tuzdyk.get(self._foe, "")
            if self.at[last] == 3 and "tuzdyk" in self.has and mover not in self.tuzdyk and last != theirs[-1]:
                if not other or own.index(other) != number:
                    self.tuzdyk[mover] = last
                    self._take(last)
            elif self.at[last] % 2 == 0 and "even" in self.has:
                self._take(last)
        if last in own and self.at[last] == 1 and "opposite" in self.has:
            across = theirs[::-1][own.index(last)]
            if self.at[across]:
                self._take(across)
                self._take(last if "last" in self.has else "")
        if last not in "SN":
            self.mover = self._foe
        self._finish()

    def _take(self, pit: str) -> None:
        if pit:
            self.at[self.mover] += self.at[pit]
            self.at[pit] = 0

    def _finish(self) -> None:
        south, north = self._left("S"), self._left("N")
        half = (south + north + self.at["S"] + self.at["N"]) / 2
        if not south + north or ("half" in self.has and max(self.at["S"], self.at["N"]) > half):
            return self._count()
        if "early" in self.has and not (south and north):
            if "finisher" in self.has:
                south, north = north, south
        elif self.texts():
            return None
        elif "misses" in self.has:
            self.mover = self._foe
            return None
        self.at["S"] += south
        self.at["N"] += north
        return self._count()

    def _count(self) -> None:
        ahead = self.at["S"] - self.at["N"]
        self.won = "S" if ahead > 0 else "N" if ahead < 0 else "-"


class Across:
    """Four rows; `at`: the seeds of the pits a1 to h4. `home`: who still has a house, `enter`: seeds to come."""

    def __init__(self, key: str) -> None:
        self.key, self.mover, self.won, self.barred = key, "S", "", ""
        clockwise = [f"{f}2" for f in "abcdefgh"] + [f"{f}1" for f in "hgfedcba"]
        self.loops = {"S": clockwise, "N": [f"{f}3" for f in "hgfedcba"] + [f"{f}4" for f in "abcdefgh"]}
        self.enter = dict.fromkeys("SN", 22 if key == "bao" else 0)
        self.home = {"S": "e2", "N": "d3"} if key == "bao" else {}
        self.at = {pit: 2 for loop in self.loops.values() for pit in loop}
        if key == "bao":
            self.at = dict.fromkeys(self.at, 0) | {"e2": 6, "f2": 2, "g2": 2, "d3": 6, "c3": 2, "b3": 2}
        if key == "hus":
            self.at |= dict.fromkeys(("a2", "b2", "c2", "d2", "h3", "g3", "f3", "e3"), 0)

    @property
    def _foe(self) -> str:
        return "N" if self.mover == "S" else "S"

    def _front(self, side: str) -> list[str]:
        return [pit for pit in self.loops[side][:8] if self.at[pit]]

    def _before(self, pit: str) -> str:
        """Return the pit opposite, if it has seeds."""
        other = {"2": "3", "3": "2"}.get(pit[1], "")
        return pit[0] + other if other and self.at[pit[0] + other] else ""

    def _begins(self) -> Iterator[tuple[str, str, int]]:
        """Yield the turns that begin with a capture: the pit, where sowing begins, and which way around."""
        loop = self.loops[self.mover]
        for number, pit in enumerate(loop):
            if self.enter[self.mover]:
                if number < 8 and self.at[pit] and self._before(pit):
                    yield from [(pit, loop[0], 1)] * (number < 6) + [(pit, loop[7], -1)] * (number > 1)
                continue
            for step in (1, -1):
                last = loop[(number + step * self.at[pit]) % 16]
                if 1 < self.at[pit] < 16 and self.at[last] and self._before(last):
                    yield pit, loop[(number + step) % 16], step

    def _takasa(self) -> Iterator[tuple[str, str, int]]:
        loop, front = self.loops[self.mover], self._front(self.mover)
        house = self.home.get(self.mover, "")
        stands = bool(house) and self.at[house] >= 6
        several = [pit for pit in front if self.at[pit] > 1 and pit != self.barred]
        if self.enter[self.mover] and stands:
            pits = [pit for pit in front if pit != house] or [house]
        elif self.enter[self.mover]:
            pits = several or front
        else:
            pits = several or [pit for pit in loop[8:] if self.at[pit] > 1]
        for pit in pits:
            for step in (1, -1):
                first = loop[(loop.index(pit) + step) % 16]
                if front != [pit] or first[1] in "23":
                    yield pit, first, step

    def _all(self) -> dict[str, tuple[str, int, bool, bool]]:
        """Return by text: the pit, the way, whether it captures, and whether it is a safari."""
        if self.key == "hus":
            return {pit: (pit, -1, True, False) for pit in self.loops[self.mover] if self.at[pit] > 1}
        moves = dict[str, tuple[str, int, bool, bool]]()
        for pit, first, step in self._begins():
            text = pit + first * (first != pit)
            moves[text] = (pit, step, True, False)
            kept = self.at.copy(), dict(self.home), self.enter.copy()
            if self._turn(*moves[text]):
                moves[f"{text}s"] = (pit, step, True, True)
            self.at, self.home, self.enter = kept
        return moves or {pit + first: (pit, step, False, False) for pit, first, step in self._takasa()}

    def texts(self) -> set[str]:
        """Return the moves."""
        return set(self._all())

    def _lift(self, pit: str) -> int:
        seeds, self.at[pit] = self.at[pit], 0
        self.home = {side: house for side, house in self.home.items() if house != pit}
        return seeds

    def _turn(self, pit: str, step: int, captures: bool, safari: bool) -> bool:
        """Make a turn. Return whether it ended at the own house with the choice to go on."""
        loop, house = self.loops[self.mover], self.home.get(self.mover)
        place, entered = loop.index(pit) + step, self.enter[self.mover] > 0
        self.enter[self.mover] -= entered
        if entered and pit == house and self.at[pit] >= 6 and not captures:
            self.at[pit] -= 1  # one that is entered, two that are sown
            seeds = 2
        else:
            self.at[pit] += entered
            seeds, step, place = self._capture(pit, step) if entered and captures else (self._lift(pit), step, place)
        for _ in range(_STOPS):
            for _ in range(seeds):
                here = loop[place % 16]
                self.at[here] += 1
                place += step
            if self.at[here] == 1 or (self.key != "hus" and not self._front(self._foe)):
                return False
            if captures and self._before(here):
                if self.key == "hus":
                    seeds = self._lift(self._before(here)) + self._lift(here[0] + {"2": "4", "3": "1"}[here[1]])
                else:
                    seeds, step, place = self._capture(here, step)
            elif here == self.home.get(self.mover) and self.at[here] >= 6 and not (captures and safari):
                return captures
            else:
                seeds = self._lift(here)
        return False

    def _capture(self, pit: str, step: int) -> tuple[int, int, int]:
        """Return the seeds of the pit opposite, and from which end of the front row they are sown."""
        number = self.loops[self.mover].index(pit)
        step = 1 if number < 2 else -1 if number > 5 else step
        return self._lift(self._before(pit)), step, 0 if step == 1 else 7

    def play(self, text: str) -> None:
        """Make a move."""
        move, entered = self._all()[text], self.enter[self.mover] > 0
        self._turn(*move)
        self.barred = "" if move[2] or entered else self._threatened()
        mover, self.mover = self.mover, self._foe
        if self.key != "hus" and not (self._front("S") and self._front("N")):
            self.won = mover if self._front(mover) else self.mover
        elif not self._all():
            self.won = mover

    def _threatened(self) -> str:
        """Return the pit that is takasia for the opponent, "" if there is none."""
        loop, front = self.loops[self.mover], self._front(self._foe)
        threats = {self._before(loop[(loop.index(p) + step * self.at[p]) % 16]) for p, _, step in self._begins()}
        if len(threats) != 1:
            return ""
        (pit,) = threats
        is_house = pit == self.home.get(self._foe) and self.at[pit] >= 6
        is_only = front == [pit] or [p for p in front if self.at[p] > 1] == [pit]
        return "" if is_house or is_only else pit
