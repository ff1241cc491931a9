"""The few colours of an image. They follow from the colours of its drawing alone, so equal boards have equal bytes."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import combinations

import PIL.Image

MOST = 16  #: colours with which a pixel has four bits
_MOST_PURE = 13  #: colours of the drawing itself; the others are between two of them, for smooth edges
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")

Rgb = tuple[int, int, int]


class Colours:
    """Colours in their order. Two are equal only if they are the same object, so they are kept."""

    def __init__(self, colours: Iterable[Rgb]) -> None:
        self.bytes = bytes(part for colour in colours for part in colour)  #: as in a PLTE chunk of PNG
        self._as_image = PIL.Image.new("P", (1, 1))
        self._as_image.putpalette(self.bytes)
        self._few = [i if i < MOST else 0 for i in range(256)]

    def reduced(self, image: PIL.Image.Image) -> PIL.Image.Image:
        """Return an image whose pixels are numbers of these colours."""
        found = image.convert("RGB").quantize(palette=self._as_image, dither=PIL.Image.Dither.NONE)
        return found.point(self._few)


def named_in(svg: str) -> frozenset[str]:
    """Return the colours that SVG names."""
    return frozenset(_COLOUR.findall(svg))


@lru_cache(maxsize=256)
def colours_for(named: frozenset[str], grounds: frozenset[str]) -> Colours:
    """Return the colours for a drawing with these, as `#rrggbb`. `grounds`: those of large areas, which are kept."""
    pure, kept = [_rgb(name) for name in sorted(named)], {_rgb(name) for name in grounds}
    while len(pure) > max(_MOST_PURE, len(kept)):
        pairs = (pair for pair in combinations(pure, 2) if not kept.issuperset(pair))
        one, other = min(pairs, key=lambda pair: _distance(*pair))
        pure.remove(other if one in kept or (other not in kept and _extreme(one) >= _extreme(other)) else one)
    found = pure[:MOST]
    between = [_between(one, other) for one, other in combinations(pure, 2)]
    while between and len(found) < MOST:
        found.append(max(between, key=lambda colour: min(_distance(colour, other) for other in found)))
        between.remove(found[-1])
    return Colours(found)


def _rgb(name: str) -> Rgb:
    red, green, blue = bytes.fromhex(name[1:])
    return red, green, blue


def _between(one: Rgb, other: Rgb) -> Rgb:
    red, green, blue = ((a + b) // 2 for a, b in zip(one, other, strict=True))
    return red, green, blue


def _distance(one: Rgb, other: Rgb) -> int:
    """Return how different two colours look; eyes see green best and blue worst."""
    red, green, blue = ((a - b) ** 2 for a, b in zip(one, other, strict=True))
    return 3 * red + 4 * green + 2 * blue


def _extreme(colour: Rgb) -> int:
    """Return how far a colour is from grey in the middle: black, white and strong colours are kept."""
    return sum(abs(part - 128) for part in colour)
