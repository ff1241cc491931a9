"""What a row lets men do: steps, whole turns, and ends. Dice are used as far as possible; of two, rather the higher."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from operator import itemgetter

from pbmserv.games.families.tables.tables_row import BLOCK, HALF, HIT, PIN_DOWN, START, Table
from pbmserv.games.race.backgammon.legs import Leg, Step, Steps, written
from pbmserv.games.race.backgammon.places import BAR, HOME, OFF, PIN, Dice, Men, all_off
from pbmserv.games.race.backgammon.throws import Throw

_SIX, _TWO = 6, 2  #: points of a block, and the dice of most games
Both = tuple[Men, Men]  #: of who moves, and of the other
_HELD = bytes([0, *[1] * 255])  #: for each number of men, whether there are any
_BLOCK = bytes([1] * _SIX)
_Ways = Mapping[int, Sequence[Step]]  #: for each die, from where to where it may lead
_ALL = {die: [(place, max(place - die, OFF)) for place in range(BAR, OFF, -1)] for die in range(1, _SIX + 1)}
_Level = Mapping[tuple[Men, Men, Dice], set[Steps]]  #: men and the dice that are left -> the steps that led there


class TableRules:
    """The rules of one row."""

    def __init__(self, row: Table) -> None:
        self.row, self._facing = row, row.facing
        self._across = itemgetter(*row.facing[:BAR])
        self._closes_more = row.meets == PIN_DOWN or row.hits_from_home

    def dice_of(self, dice: Dice) -> Dice:
        """Return a number for each man that can move."""
        return dice[:1] * self.row.doubles if len(dice) == _TWO and len(set(dice)) == 1 else dice

    def can_move(self, both: Both, dice: Sequence[int]) -> bool:
        """Return whether any of these dice can be used."""
        throw = Throw(*both, tuple(dice))
        return any(True for die in dice for _ in self._steps(throw, *both, die))

    def results(self, throw: Throw) -> Mapping[Both, set[Steps]]:
        """Return the men after each legal turn, with the different steps that lead there; none if none is possible."""
        *_, last = self.levels(throw)
        return self._merged(throw, last)

    def meanings(self, throw: Throw, legs: Sequence[Leg]) -> list[str]:
        """Return the legal turns that these legs can mean, as `backgammon.throws.meanings` does."""
        aim, shown = _gone(throw.own, legs), {place for leg in legs for place in leg.path[1:]}
        stars = {place for leg in legs for place in leg.stars}
        if self.row.meets == HIT:
            stars |= {place for place in shown if throw.other[self._facing[place]] == 1 and place}
        parts = [part for leg in legs for part in pairwise(leg.path)]
        ends = {
            both: ways
            for both, ways in self._merged(throw, self._last(throw, legs)).items()
            if both[0][: BAR + 1] == aim and any(_has(way, parts) for way in ways)
        }
        texts = {text: hits for text, _, hits in self._told(throw, ends) if stars <= hits}
        return [text for text, hits in texts.items() if hits <= shown] or list(texts)

    def _last(self, throw: Throw, legs: Sequence[Leg]) -> _Level:
        """Return what uses the most dice: of the steps that belong to these legs, if they use all."""
        *_, last = self.levels(throw, self._near(throw, legs))
        if any(not left for _, _, left in last):
            return last
        *_, last = self.levels(throw)
        return last

    def dice_used(self, throw: Throw, legs: Sequence[Leg]) -> int:
        """Return how many dice these legs use; 0 if the dice do not allow them."""
        aim = _gone(throw.own, legs)
        levels = enumerate(self.levels(throw, self._near(throw, legs)))
        return max((n for n, level in levels for own, _, _ in level if own[: BAR + 1] == aim), default=0)

    def _near(self, throw: Throw, legs: Sequence[Leg]) -> _Ways:
        """Return the steps of each die that can be part of these legs."""
        dice, aim, must = self.dice_of(throw.dice), _gone(throw.own, legs), 0
        lows = [OFF] * (BAR + 1)  #: how far down: nobody may pass a place that fewer men have passed in the end
        passing = [must := must + throw.own[place] - aim[place] for place in range(BAR, OFF, -1)]
        for place in range(1, BAR + 1):
            lows[place] = place if passing[BAR - place] < 1 else lows[place - 1]
        ends, near = [(leg.path[0], leg.path[-1]) for leg in legs], dict[int, list[Step]]()
        for die, others in _choices(dice):
            rest = _sums(others)
            places = {first - total for first, _ in ends for total in rest}
            goals = {last + total for _, last in ends for total in rest}
            if any(last == OFF for _, last in ends):
                goals.update(range(max(rest) + 1))  # a man may go off with more than it needs
            steps = [(place, max(place - die, OFF)) for place in sorted(places, reverse=True) if place > OFF]
            near[die] = [step for step in steps if lows[step[0]] <= step[1] in goals]
        return near

    def texts(self, throw: Throw) -> Iterator[tuple[str, set[Steps]]]:
        """Yield all legal turns, and the different steps that lead to the same position."""
        yield from ((text, ways) for text, ways, _ in self._told(throw, self.results(throw)))

    def after(self, throw: Throw, legs: Sequence[Leg]) -> Both:
        """Return the men after a turn. `legs`: of its canonical text."""
        own, other = list(throw.own), list(throw.other)
        own[: BAR + 1] = _gone(own, legs)
        for place in {leg.path[0] for leg in legs}:
            self._leave(own, other, place)
        landings = {leg.path[-1] for leg in legs} if self.row.meets == PIN_DOWN else set[int]()
        for place in landings.union(*(leg.stars for leg in legs)):
            self._land(other, place)
        return tuple(own), tuple(other)

    def over(self, both: Both) -> str:
        """Return how the game is over after the turn of who has the first of these men; "" if it goes on."""
        own, other = both
        if all_off(own):
            return "single" if other[OFF] else "gammon"
        if self.row.mother and other[PIN + START]:
            return "mothers" if own[PIN + START] else "" if own[START] else "mother"
        return ""

    def levels(self, throw: Throw, near: _Ways = _ALL) -> Iterator[_Level]:
        """Yield what can be done with no die, with one, with two … `near`: the steps that may be part of it."""
        level: _Level = {(throw.own, throw.other, self.dice_of(throw.dice)): {()}}
        while level:
            yield level
            then = dict[tuple[Men, Men, Dice], set[Steps]]()
            for (own, other, left), ways in level.items():
                for die, rest in _choices(left):
                    for place, there, both in self._steps(throw, own, other, die, near):
                        step = (place, there)
                        then.setdefault((*both, rest), set()).update([_with(way, step) for way in ways])
            level = then

    def _merged(self, throw: Throw, last: _Level) -> Mapping[Both, set[Steps]]:
        dice, ends = self.dice_of(throw.dice), dict[Both, set[Steps]]()
        if len(dice) == _TWO and any(left == dice[1:] for _, _, left in last):
            last = {key: ways for key, ways in last.items() if key[2] == dice[1:]}
        for (own, other, left), ways in last.items():
            if left != dice:
                ends.setdefault((own, other), set()).update(ways)
        return ends

    def _told(self, throw: Throw, ends: Mapping[Both, set[Steps]]) -> Iterator[tuple[str, set[Steps], frozenset[int]]]:
        """Yield the text of each turn with its steps, and where it hits or pins."""
        for both, ways in ends.items():
            stars = self._stars(throw, both[1], min(ways))
            yield min(written(steps, stars) for steps in ways), ways, stars

    def _stars(self, throw: Throw, other: Men, steps: Steps) -> frozenset[int]:
        points = {there for _, there in steps if there}
        if self.row.meets == HIT:
            return frozenset(point for point in points if throw.other[self._facing[point]] == 1)
        pins = {place: PIN + self._facing[place] for place in points} if self.row.meets == PIN_DOWN else {}
        return frozenset(place for place, pin in pins.items() if other[pin] > throw.other[pin])

    def _steps(
        self, throw: Throw, own: Men, other: Men, die: int, near: _Ways = _ALL
    ) -> Iterator[tuple[int, int, Both]]:
        """Yield each step with a die: from where, to where, and the men after it."""
        row, waits, facing = self.row, own[BAR], self._facing
        for place, there in near[die]:
            if not own[place] or (waits and place < BAR and not row.half_waits):
                continue
            if there == OFF:
                if not self._may_bear_off(own, place, die):
                    continue
            elif other[facing[there]] >= row.holds or (self._closes_more and self._is_closed(own, other, there)):
                continue
            if (place == START and not self._may_leave_start(throw, own)) or (
                waits and there <= HALF and row.half_waits
            ):
                continue
            both = self._moved(own, other, place, there)
            if not (row.meets == BLOCK and self._blocks_too_much(*both)):
                yield place, there, both

    def _is_closed(self, own: Men, other: Men, there: int) -> bool:
        """Return whether a point is closed although the opponent does not hold it: over a pin, or too early to hit."""
        if self.row.meets == PIN_DOWN:
            return own[PIN + there] > 0
        return self.row.hits_from_home and other[self._facing[there]] > 0 and not any(own[1 : HOME + 1])

    def _may_bear_off(self, own: Men, place: int, die: int) -> bool:
        if any(own[HOME + 1 : BAR + 1]) or any(own[PIN + HOME + 1 :]):
            return False
        return place == die or not (any(own[place + 1 : HOME + 1]) or any(own[PIN + place + 1 :]))

    def _may_leave_start(self, throw: Throw, own: Men) -> bool:
        row, all_men = self.row, self.row.start.get(START, 0)
        if row.scout and own[START] == all_men - 1 and not any(own[:HALF]):
            return False
        is_twice = throw.own[START] == all_men and throw.dice[0] == throw.dice[1] and throw.dice[0] in row.head_twice
        return not row.head or throw.own[START] - own[START] < row.head + is_twice

    def _blocks_too_much(self, own: Men, other: Men) -> bool:
        row = self.row
        if len(own) - own.count(0) < _SIX:
            return False
        if row.no_block_at_start and all(own[START - _SIX + 1 : START + 1]):
            return True
        ours = bytes(self._across(own)).translate(_HELD)  #: by the opponent's numbers
        low = ours.find(_BLOCK, 1)
        while low > 0:
            is_behind = row.no_block_behind and not any(other[:low])
            if is_behind or (row.no_block_at_start and other[low + _SIX] == sum(other)):
                return True
            low = ours.find(_BLOCK, low + 1)
        return False

    def _moved(self, own: Men, other: Men, place: int, there: int) -> Both:
        men = list(own)
        men[place] -= 1
        men[there] += 1
        if self.row.meets == BLOCK or (self.row.meets == HIT and other[self._facing[there]] != 1):
            return tuple(men), other  # the usual case
        others = list(other)
        self._leave(men, others, place)
        self._land(others, there)
        return tuple(men), tuple(others)

    def _leave(self, own: list[int], other: list[int], place: int) -> None:
        """Free the man who was pinned on a place, if nobody is left there."""
        if self.row.meets == PIN_DOWN and not own[place] and other[PIN + (point := self._facing[place])]:
            other[PIN + point] = 0
            other[point] = 1

    def _land(self, other: list[int], there: int) -> None:
        """Hit or pin the man who is alone on a point."""
        point = self._facing[there]
        if there and other[point] == 1 and self.row.meets != BLOCK:
            other[point] = 0
            other[BAR if self.row.meets == HIT else PIN + point] += 1


@lru_cache(maxsize=256)  # a letter needs the list for its example, its links and the word `moves`
def plays(rules: TableRules, throw: Throw) -> Mapping[str, tuple[Steps, ...]]:
    """Return all legal turns, each with the different steps that lead to the same position."""
    return {text: tuple(sorted(ways)) for text, ways in sorted(rules.texts(throw), reverse=True)}


def _gone(own: Sequence[int], legs: Sequence[Leg]) -> Men:
    """Return where the men are after some legs, without those who are pinned."""
    men = list(own[: BAR + 1])
    for leg in legs:
        men[leg.path[0]] -= 1
        men[leg.path[-1]] += 1
    return tuple(men)


def _has(steps: Steps, parts: Sequence[Step]) -> bool:
    """Return whether these steps are all that lead from the first to the second place of each part."""
    if not parts:
        return not steps
    (place, there), *others = parts
    if place == there:
        return _has(steps, others)
    return any(
        _has((*steps[:at], *steps[at + 1 :]), [(then, there), *others])
        for at, (begin, then) in enumerate(steps)
        if begin == place and then >= there
    )


@lru_cache(maxsize=256)
def _sums(dice: Dice) -> frozenset[int]:
    """Return how far one man can go with some of these dice."""
    sums = {0}
    for die in dice:
        sums |= {total + die for total in sums}
    return frozenset(sums)


@cache  # fewer than 500 dice
def _choices(dice: Dice) -> tuple[tuple[int, Dice], ...]:
    """Return each of the dice, with the others."""
    return tuple((die, dice[: (at := dice.index(die))] + dice[at + 1 :]) for die in set(dice))


def _with(steps: Steps, step: tuple[int, int]) -> Steps:
    return tuple(sorted((*steps, step), reverse=True))
