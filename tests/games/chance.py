"""Chance that a test decides."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from pbmserv.rng import Rng

T = TypeVar("T")


class Numbers(Rng):
    """Draws these numbers, one after the other. Like the real one, a choice among one draws nothing."""

    def __init__(self, *numbers: int) -> None:
        super().__init__("numbers", 0)
        self.left = list(numbers)

    def randrange(self, n: int) -> int:
        """The next number, which has to be in 0..n-1."""
        if n == 1:
            return 0
        assert self.left, f"a draw among {n} more than the test expects"
        number = self.left.pop(0)
        assert 0 <= number < n, f"{number} cannot be drawn from {n}"
        self.drawn += 1
        return number


class Script(Rng):
    """Draws what the test lists, in that order: the item itself for `choice`, its index for `weighted`.

    Like the real one, a choice among one draws nothing. An item that cannot be drawn, or a draw that nobody
    listed, fails the test.
    """

    def __init__(self, *draws: Any) -> None:
        super().__init__("script", 0)
        self.left = list(draws)

    def randrange(self, n: int) -> int:
        if n == 1:
            return 0
        number = self._next()
        assert 0 <= number < n, f"{number} cannot be drawn from {n}"
        return int(number)

    def choice(self, items: Sequence[T]) -> T:
        if len(items) == 1:
            return items[0]
        wanted = self._next()
        assert wanted in items, f"{wanted} is not among {items}"
        return items[items.index(wanted)]

    def weighted(self, weights: Sequence[int]) -> int:
        number = self._next()
        assert weights[number] > 0
        return int(number)

    def _next(self) -> Any:
        assert self.left, "one draw more than the test expects"
        self.drawn += 1
        return self.left.pop(0)


class Unshuffled(Rng):
    """No chance at all: every draw gives the first, and nothing is shuffled."""

    def __init__(self) -> None:
        super().__init__("unshuffled", 0)

    def randrange(self, n: int) -> int:
        self.drawn += n > 1
        return 0

    def shuffled(self, items: Iterable[T]) -> list[T]:
        return list(items)
