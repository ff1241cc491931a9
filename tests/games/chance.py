"""Random numbers that a test chooses."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from pbmserv.rng import Rng

T = TypeVar("T")


class Numbers(Rng):
    """Draws these numbers, one after the other. As in `Rng`, a choice of one item draws nothing."""

    def __init__(self, *numbers: int) -> None:
        super().__init__("numbers", 0)
        self.left = list(numbers)

    def randrange(self, n: int) -> int:
        """Return the next number, which must be in 0..n-1."""
        if n == 1:
            return 0
        assert self.left, f"a draw among {n} more than the test expects"
        number = self.left.pop(0)
        assert 0 <= number < n, f"{number} cannot be drawn from {n}"
        self.drawn += 1
        return number


class Script(Rng):
    """Draws what the test lists, in that order: the item itself for `choice`, its index for `weighted`.

    As in `Rng`, a choice of one item draws nothing. The test fails if a listed item cannot be drawn, or if
    there is a draw after the end of the list.
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
    """Without chance: every draw gives the first item, and nothing is shuffled."""

    def __init__(self) -> None:
        super().__init__("unshuffled", 0)

    def randrange(self, n: int) -> int:
        self.drawn += n > 1
        return 0

    def shuffled(self, items: Iterable[T]) -> list[T]:
        return list(items)
