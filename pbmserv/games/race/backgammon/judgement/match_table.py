"""Match equity: how probable it is to win a match from a score, between equal players. We compute it.

A part of all wins are gammons. Nobody doubles in the Crawford game, and after it the player behind doubles each game at
once. In other games the cube is worth something between a dead one, which nobody turns any more, and a live one, which
is always turned just when the opponent can as well drop (R. Janowski, "Take-Points in Money Games", 1993).

This is an approximation. Up to 7 points no value differs by more than 0.01 from the table of N. Kazaross, nor by more
than 0.015 from that of K. Woolsey and H. Heinrich, both in hundredths and as we know them by heart: we had no copy at
hand. `_LIVE` was chosen to be near them.
"""

from functools import cache

_GAMMONS = 0.26  #: part of all wins that count twice; triple ones are rare
_LIVE = 0.85  #: how much of the way from a dead to a live cube players get out of it


@cache
def equity(need: int, other: int, *, after_crawford: bool = False) -> float:
    """Return the chance to win a match for who needs so many points, before a game; the opponent needs `other`."""
    if need <= 0 or other <= 0:
        return float(need <= 0)
    if need == other:
        return 0.5
    if need < other:
        return 1 - equity(other, need, after_crawford=after_crawford)
    if other > 1:
        return _with_cube(need, other)
    return 0.5 * _won(need, other, 2 if after_crawford else 1, after_crawford=True)


def _won(need: int, other: int, stake: int, *, after_crawford: bool = False) -> float:
    """Return the chance to win the match after a game that was won for so many points, or twice as many."""
    single, gammon = (equity(need - stake * times, other, after_crawford=after_crawford) for times in (1, 2))
    return (1 - _GAMMONS) * single + _GAMMONS * gammon


def _with_cube(need: int, other: int) -> float:
    """Return the chance to win the match before a game in which both may double."""
    dead = (_won(need, other, 1) + 1 - _won(other, need, 1)) / 2
    low, high = 1 - _cash_point(other, need, 1), _cash_point(need, other, 1)
    worst, best = 1 - equity(other - 1, need), equity(need - 1, other)
    live = worst + (best - worst) * (0.5 - low) / (high - low)
    return _LIVE * live + (1 - _LIVE) * dead


def _cash_point(need: int, other: int, stake: int) -> float:
    """Return the chance to win a game from which on the opponent drops a double of this stake."""
    best, cash = _won(need, other, 2 * stake), equity(need - stake, other)
    if other > 2 * stake:  # who takes may double again
        low, worst = 1 - _cash_point(other, need, 2 * stake), 1 - equity(other - 2 * stake, need)
    else:
        low, worst = 0.0, 1 - _won(other, need, 2 * stake)
    return low + (1 - low) * min((cash - worst) / (best - worst), 1)
