"""Random numbers that anybody can compute again from the seed: BLAKE2b over seed, ply and a counter.

We do not use Python's `random`: only its `random()` promises the same numbers in every version, and boards must replay
for years.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from hashlib import blake2b, sha256
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")
_SPAN = 1 << 64


def commitment(seed: str) -> str:
    """Return the sha256 of the seed in hexadecimal, which the first letter of a board prints."""
    return sha256(seed.encode()).hexdigest()


def shared_seed(secret: str, words: Sequence[str]) -> str:
    """Return the seed of a board with shared dice: the sha256 of the server's secret and the word of each seat.

    Each is a line of its own, without a line end after the last. The line of a seat that left without a word is empty.
    """
    return sha256("\n".join([secret, *words]).encode()).hexdigest()


class Rng:
    """The random numbers of one ply. `occasion`: "" for a move, else what happens between plies (ADR 7)."""

    def __init__(self, seed: str, ply: int, occasion: str = "") -> None:
        self._key = f"{seed}/{ply}/{occasion}/" if occasion else f"{seed}/{ply}/"
        self.drawn = 0

    def randrange(self, n: int) -> int:
        """Return a uniform integer in 0..n-1; for 1, nothing is drawn. Raises ValueError unless n is in 1..2**64."""
        if not 1 <= n <= _SPAN:
            raise ValueError(f"no number can be drawn from 0..{n - 1}")
        if n == 1:
            return 0
        while True:
            x = int.from_bytes(blake2b(f"{self._key}{self.drawn}".encode(), digest_size=8).digest())
            self.drawn += 1
            if x < _SPAN - _SPAN % n:  # larger values would make small numbers more likely
                return x % n

    def choice(self, items: Sequence[T]) -> T:
        """Return one of `items`, each equally likely."""
        return items[self.randrange(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """Return an index into `weights`, with probability by its weight. Raises ValueError if all are 0."""
        return bisect_right(list(accumulate(weights)), self.randrange(sum(weights)))

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return all of `items` in random order (Fisher-Yates from the end)."""
        deck = list(items)
        for i in range(len(deck) - 1, 0, -1):
            j = self.randrange(i + 1)
            deck[i], deck[j] = deck[j], deck[i]
        return deck


class ChanceNeeded(Exception):
    """Something was drawn from `NoChance`."""


class NoChance(Rng):
    """The random numbers of a preview: none, so that nobody can use a preview to learn future draws."""

    def __init__(self) -> None:
        super().__init__("", 0)

    def randrange(self, n: int) -> int:
        """Return 0 if n is 1; otherwise raise ChanceNeeded."""
        if n == 1:
            return 0
        raise ChanceNeeded
