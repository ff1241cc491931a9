"""Two small neural nets, one for men who can still meet and one for races: how a game ends, by where the men are.

Their weights are in nets.txt, which `python -m benchmarks.backgammon.fit` has written. A net has one hidden layer. Its
inputs say of each place and each player whether one man is there, two or more, three or more, and how many more than
that. So what the men on a place add to the hidden layer depends on their number alone, and is known after the first
time.
"""

from base64 import b85decode
from collections.abc import Sequence
from functools import cache
from math import exp
from operator import mul
from pathlib import Path
from struct import unpack

from pbmserv.games.race.backgammon.places import Men

FILE = Path(__file__).with_name("nets.txt")
UNITS = 4  #: inputs of a place
OUTPUTS = 3
SCALE = 1024  #: the weights are stored as whole numbers of such parts of 1
Row = tuple[float, ...]
_STORED = FILE.read_text()  #: read at once: an upgrade may replace the file below a running server


def units(men: int) -> Row:
    """Return the inputs for a place with so many men."""
    return (float(men == 1), float(men > 1), float(men > 2), max(0, men - 3) / 2)


class Net:
    """One net. `rows`: the weights of each input to the hidden layer, its biases, then those of each output to it."""

    def __init__(self, rows: Sequence[Row], outputs: Sequence[Row]) -> None:
        self._rows, self._outputs, self._known = rows, outputs, dict[tuple[int, int], Row]()

    def __call__(self, own: Men, other: Men) -> Sequence[float]:
        """Return the outputs, each between 0 and 1. `own`: men of who is about to roll."""
        parts = [self._part(place, men) for place, men in enumerate(own + other) if men]
        hidden = [max(0.0, total) for total in map(sum, zip(self._rows[-1], *parts, strict=True))]
        return [1 / (1 + exp(-bias - sum(map(mul, hidden, weights)))) for bias, *weights in self._outputs]

    def _part(self, place: int, men: int) -> Row:
        """Return what the men on a place add to the hidden layer. `place`: those of the opponent come last."""
        if (place, men) not in self._known:
            weights = zip(*self._rows[UNITS * place : UNITS * (place + 1)], strict=True)
            self._known[place, men] = tuple(sum(map(mul, units(men), column)) for column in weights)
        return self._known[place, men]


@cache
def nets() -> Sequence[Net]:
    """Return the nets for contact and for races."""
    return [_net(part.split()) for part in _STORED.split("\n\n")]


def _net(lines: Sequence[str]) -> Net:
    rows = [_row(b85decode(line)) for line in lines]
    return Net(rows[:-OUTPUTS], rows[-OUTPUTS:])


def _row(stored: bytes) -> Row:
    return tuple(number / SCALE for number in unpack(f">{len(stored) // 2}h", stored))
