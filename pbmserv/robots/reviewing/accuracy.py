"""How well moves were played, as parts of a chance to win.

The value of a position, from -1 to 1, is read as a chance: 0 is even. In chess this gives White 58 % for a pawn, and
Lichess, which has counted millions of games, gives 59 % (https://lichess.org/page/accuracy). In a solitaire a value is
a number of points, and the most that was ever in sight is a chance of 1.

The accuracy of a move follows from the chance that it lost, by the formula of the same page. That of a player is the
mean of all moves between which there was a choice, as in M. Guid and I. Bratko, "Computer Analysis of World Chess
Champions", ICGA Journal 29, 2006.
"""

from collections.abc import Sequence
from math import exp

from pbmserv.robots.tree import SOONER

_STEEP = 0.04354
_MOST, _LEAST = 103.1668, 3.1669
_FORCED = 1 - 64 * SOONER  #: a value from which on a win was seen to the end


def share(value: float, top: float = 0.0) -> float:
    """Return a value as a chance from 0 to 1. `top`: the most points in sight in a solitaire; 0: it is none."""
    return min(max(value / top if top else (1 + value) / 2, 0.0), 1.0)


def accuracy(loss: float) -> float:
    """Return the accuracy in percent of a move that lost so much of the chance to win, from 0 to 1."""
    return min(max(_MOST * exp(-_STEEP * 100 * loss) - _LEAST, 0.0), 100.0)


def mean(values: Sequence[float]) -> float | None:
    """Return the mean; None of nothing."""
    return sum(values) / len(values) if values else None


def wins_in(value: float) -> int:
    """Return in how many own moves a value wins by force; 0: it does not."""
    if value < _FORCED:
        return 0
    plies = round((1 - value) / SOONER) + 1
    return (plies + 1) // 2


def later(value: float) -> float:
    """Return what a value is worth one ply earlier: a win by force is better the sooner it comes."""
    return value - SOONER if value >= _FORCED else value + SOONER if value <= -_FORCED else value
