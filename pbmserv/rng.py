"""Chance that anybody can replay from the seed: BLAKE2b over seed, ply and a counter.

Python's `random` promises the same numbers in every version only for `random()`; a board must replay for years.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from hashlib import blake2b, sha256
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")
_SPAN = 1 << 64


def commitment(seed: str) -> str:
    """What the first letter of a board prints: sha256 of the seed, in hexadecimal."""
    return sha256(seed.encode()).hexdigest()


class Rng:
    """The chance of one ply. `occasion` tells apart what is not a move (a seat that retires between two plies)."""

    def __init__(self, seed: str, ply: int, occasion: str = "") -> None:
        self._key = f"{seed}/{ply}/" + (f"{occasion}/" if occasion else "")
        self.drawn = 0

    def randrange(self, n: int) -> int:
        """A uniform integer in 0..n-1. A choice among one draws nothing: it is no chance.

        Raises ValueError unless n is in 1..2**64.
        """
        if not 1 <= n <= _SPAN:
            raise ValueError(f"no number can be drawn from 0..{n - 1}")
        if n == 1:
            return 0
        while True:
            x = int.from_bytes(blake2b(f"{self._key}{self.drawn}".encode(), digest_size=8).digest())
            self.drawn += 1
            if x < _SPAN - _SPAN % n:  # the rest would favour the small numbers
                return x % n

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`, uniformly."""
        return items[self.randrange(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """An index into `weights`, each as likely as its share: 0-based, in their order. ValueError if all are 0."""
        return bisect_right(list(accumulate(weights)), self.randrange(sum(weights)))

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """All of `items` in random order (Fisher-Yates from the end)."""
        deck = list(items)
        for i in range(len(deck) - 1, 0, -1):
            j = self.randrange(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck


class ChanceNeeded(Exception):
    """A draw was asked of `NoChance`."""


class NoChance(Rng):
    """The chance of a preview: there is none, so a preview cannot be an oracle."""

    def __init__(self) -> None:
        super().__init__("", 0)

    def randrange(self, n: int) -> int:
        """0 for a choice among one; otherwise raises ChanceNeeded."""
        if n == 1:
            return 0
        raise ChanceNeeded
