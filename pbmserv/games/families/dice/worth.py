"""What dice are worth in boxes, and when points of a turn are at stake."""

from collections import Counter
from functools import cache

from pbmserv.games.families.dice.dice_row import Dice, Worth


def face(number: int) -> Worth:
    """The sum of the dice with this face."""
    return lambda dice: number * dice.count(number)


FACES = {
    name: face(number) for number, name in enumerate(("ones", "twos", "threes", "fours", "fives", "sixes"), start=1)
}


def alike(count: int, points: int = 0, *, whole: bool = False) -> Worth:
    """So many alike, the highest: these points, or the sum of these dice, or (`whole`) of all."""

    def worth(dice: Dice) -> int:
        best = max((f for f in dice if dice.count(f) >= count), default=0)
        return best and (points or (sum(dice) if whole else count * best))

    return worth


def groups(*sizes: int, points: int = 0) -> Worth:
    """Groups of dice that are alike, of other faces each, such as 3 and 2: these points, or the sum of these dice."""

    def worth(dice: Dice) -> int:
        best, total = sorted(Counter(dice).items(), key=lambda f: (-min(f[1], sizes[0]), -f[0])), 0
        if [min(n, size) for (_, n), size in zip(best, sizes, strict=False)] != list(sizes):
            return 0
        total = sum(f * size for (f, _), size in zip(best, sizes, strict=False))
        return points or total

    return worth


def exactly(*faces: int, points: int) -> Worth:
    """All these faces among the dice."""
    return lambda dice: points if set(faces) <= set(dice) else 0


def run(length: int, points: int) -> Worth:
    """So many faces in a row."""
    return lambda dice: points * any(set(range(n, n + length)) <= set(dice) for n in range(1, 8 - length))


def thirteen(points: int, *, pair: bool) -> Worth:
    """A sum of 13, with a pair or without."""
    return lambda dice: points * (sum(dice) == 13 and (len(set(dice)) < 3 or not pair))


def cargo(dice: Dice) -> int:
    """The sum of all but a ship, a captain and a crew."""
    return sum(dice) - 15 if {4, 5, 6} <= set(dice) else 0


def low(dice: Dice) -> int:
    """The sum; threes are nothing."""
    return sum(f for f in dice if f != 3)


def pig(dice: Dice) -> int:
    """The sum; a one loses the turn, and two ones lose all."""
    return -(dice.count(1) // 2) if 1 in dice else sum(dice)


def big_pig(dice: Dice) -> int:
    """The sum, of doubles twice, and 25 for two ones; a single one loses the turn."""
    one, other = dice
    return 25 if one == other == 1 else 0 if one == 1 else sum(dice) * (1 + (one == other))


@cache  # of 923 throws and parts of them
def farkle(dice: Dice) -> int:
    """The points of dice that are set aside; 0 if one of them counts nothing."""
    if len(dice) == 6 and (len(set(dice)) == 6 or all(n % 2 == 0 for n in Counter(dice).values())):
        return max(1500, _sets(dice))
    return _sets(dice)


def _sets(dice: Dice) -> int:
    """Three alike and more, single ones and fives."""
    total = 0
    for f, n in Counter(dice).items():
        if n >= 3:
            total += (1000 if f == 1 else 100 * f) << (n - 3)
        elif f in (1, 5):
            total += n * (100 if f == 1 else 50)
        else:
            return 0
    return total
