"""What to keep of a throw: exactly what is best on average, when something says what dice are worth at last."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import combinations, product

from pbmserv.games.families.dice.dice_row import CREW, MORE, BoxRow, Dice

_LEAST = 1e-9  #: of more than that, sums of fractions are sure


@cache
def throws(count: int) -> Sequence[tuple[Dice, float]]:
    """Return all throws of so many dice, each with its probability."""
    ways = Counter(tuple(sorted(dice)) for dice in product(range(1, 7), repeat=count))
    return tuple((dice, number / 6**count) for dice, number in sorted(ways.items()))


@cache
def parts(dice: Dice) -> Sequence[Dice]:
    """Return what can be taken of some dice: nothing first, and all of them last."""
    return sorted({part for n in range(len(dice) + 1) for part in combinations(dice, n)}, key=lambda p: (len(p), p))


def holds(dice: Dice, part: Dice) -> bool:
    """Return whether all dice of a part are there."""
    return not Counter(part) - Counter(dice)


@cache
def keeps(rule: str, dice: Dice, kept: Dice) -> Sequence[Dice]:
    """Return what can be kept before the others are thrown again. `kept`: what was kept before that throw."""
    some = parts(dice)[:-1]
    if rule == MORE:
        return [part for part in some if len(part) > len(kept) and holds(part, kept)]
    if rule == CREW:
        first = next((n for n, f in enumerate((6, 5, 4)) if f not in dice), 3)
        crew = tuple(range(7 - first, 7))
        return [part for part in some if part == crew or (first == 3 and holds(part, crew))]
    return some


class Plan:
    """What to keep for some boxes: who goes for them wants the most points above `usual`, by box, at last."""

    def __init__(self, row: BoxRow, usual: Mapping[str, float]) -> None:
        self._row, self._usual = row, usual
        self._worth, self._expected, self._value = cache(self._gain), cache(self._expect), cache(self._best_value)

    def best(self, dice: Dice, kept: Dice, left: int) -> Dice | None:
        """Return the dice to keep, or None to stop. `kept`: before this throw; `left`: throws that are left."""
        ways = keeps(self._row.keeps, dice, kept) if left else []
        part = max(ways, key=lambda way: self._expected(way, left - 1), default=())
        return part if ways and self._expected(part, left - 1) > self._worth(dice)[0] + _LEAST else None

    def box(self, dice: Dice) -> str:
        """Return the box to write these dice into."""
        return self._worth(dice)[1]

    @cached_property
    def average(self) -> float:
        """What a turn brings."""
        return sum(p * self._value(dice, (), self._row.throws - 1) for dice, p in throws(self._row.dice))

    def _gain(self, dice: Dice) -> tuple[float, str]:
        sign = -1 if self._row.low else 1
        return max((sign * self._row.boxes[box](dice) - usual, box) for box, usual in self._usual.items())

    def _expect(self, part: Dice, left: int) -> float:
        kept = part if self._row.keeps == MORE else ()
        new = throws(self._row.dice - len(part))
        return sum(p * self._value(tuple(sorted(part + dice)), kept, left) for dice, p in new)

    def _best_value(self, dice: Dice, kept: Dice, left: int) -> float:
        again = [self._expected(part, left - 1) for part in keeps(self._row.keeps, dice, kept)] if left else []
        return max([self._worth(dice)[0], *again])


@cache
def plan_for(row: BoxRow, box: str) -> Plan:
    """Return the plan of who goes for one box."""
    return Plan(row, {box: 0.0})


@lru_cache(maxsize=16)  # each keeps some 200 kB, and is made in milliseconds
def plan_of(row: BoxRow, boxes: tuple[str, ...]) -> Plan:
    """Return a plan for the most points above what each box brings on average."""
    return Plan(row, {box: plan_for(row, box).average for box in boxes})
