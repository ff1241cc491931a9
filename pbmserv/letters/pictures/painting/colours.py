"""The few colours of an image. They follow from the colours of its drawing alone, so equal boards have equal bytes."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from pbmserv.letters.pictures.shapes.base import mixed

MOST = 16  #: colours with which a pixel has four bits
_FEW = 3  #: colours with which a look needs others to have smooth edges
_ASIDE = 0.05  #: how far beside the line from one colour to another a colour of edges may be, of its length, squared
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")

Rgb = tuple[int, int, int]


class Colours:
    """Colours in their order. Two are equal only if they are the same object, so they are kept."""

    def __init__(self, colours: Sequence[Rgb]) -> None:
        self._colours = colours
        self._numbers = {colour: number for number, colour in enumerate(colours)}
        self.bytes = bytes(part for colour in colours for part in colour)  #: as in a PLTE chunk of PNG

    def few(self, named: frozenset[str]) -> dict[Rgb, int]:
        """Return the colours for a drawing in these, with their numbers.

        Edges have no others, which would need a third more bytes; if these are few, edges have what is between two.
        """
        near = {self._nearest(_rgb(name)) for name in named}
        if len(named) <= _FEW:
            near.update(*(self._between(one, other) for one, other in combinations(sorted(named), 2)))
        return {colour: self._numbers[colour] for colour in sorted(near)}

    def _between(self, one: str, other: str) -> list[Rgb]:
        """Return the colour that is nearest to the middle of two; none if it has a hue that neither has."""
        near = self._nearest(_rgb(mixed(one, other, 0.5)))
        whole, begin, end = (_distance(*pair) for pair in combinations((_rgb(one), _rgb(other), near), 2))
        return [near] * _is_between(whole, begin, end)

    def _nearest(self, colour: Rgb) -> Rgb:
        return colour if colour in self._numbers else min(self._colours, key=lambda other: _distance(other, colour))


def named_in(svg: str) -> frozenset[str]:
    """Return the colours that SVG names."""
    return frozenset(_COLOUR.findall(svg))


@lru_cache(maxsize=256)
def colours_for(named: frozenset[str], grounds: frozenset[str]) -> Colours:
    """Return the colours for a drawing with these, as `#rrggbb`. `grounds`: those of large areas, which are kept."""
    pure, kept = [_rgb(name) for name in sorted(named)], {_rgb(name) for name in grounds}
    while len(pure) > MOST:
        pairs = (pair for pair in combinations(pure, 2) if not kept.issuperset(pair))
        one, other = min(pairs, key=lambda pair: _distance(*pair), default=pure[-2:])
        pure.remove(other if one in kept or (other not in kept and _extreme(one) >= _extreme(other)) else one)
    return _kept(tuple(pure))


@lru_cache(maxsize=256)
def _kept(colours: tuple[Rgb, ...]) -> Colours:
    return Colours(colours)


def _rgb(name: str) -> Rgb:
    red, green, blue = bytes.fromhex(name[1:])
    return red, green, blue


def _distance(one: Rgb, other: Rgb) -> int:
    """Return how different two colours look; eyes see green best and blue worst."""
    red, green, blue = ((a - b) ** 2 for a, b in zip(one, other, strict=True))
    return 3 * red + 4 * green + 2 * blue


def _is_between(whole: int, begin: int, end: int) -> bool:
    """Return whether a colour is near the line between two. Their distance, and its distances from them, as above."""
    along = (begin + whole - end) / (2 * whole)
    return 0 <= along <= 1 and begin - along**2 * whole <= _ASIDE * whole


def _extreme(colour: Rgb) -> int:
    """Return how far a colour is from grey in the middle: black, white and strong colours are kept."""
    return sum(abs(part - 128) for part in colour)
