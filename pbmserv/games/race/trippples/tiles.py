"""The tiles of Trippples and where they lie. Clauses R1-R6, R24-R27 of the rules.

An arrow tile is named by the keypad digits of its arrows, clockwise from north: "863" is N E SE (section 7).
"""

from functools import cache
from itertools import combinations
from typing import NamedTuple

from pbmserv.games.base import bits
from pbmserv.games.base.grid import COMPASS_NAMES, Grid

GRID = Grid(8, 8)
KEYPAD = "89632147"  #: the digit of each direction, N first, clockwise
TRIPLES = tuple("".join(digits) for digits in combinations(KEYPAD, 3))  #: R2: the 56 arrow tiles

START, FINISH, NEUTRAL = "start", "finish", "neutral"
EMPTY, DOWN = "", "?"  #: no tile yet (p); a tile that the reader sees face down (h)

#: The directions a tile shows, as indices into COMPASS (R6: a start tile shows all).
ARROWS: dict[str, tuple[int, ...]] = {
    **{name: tuple(KEYPAD.index(digit) for digit in name) for name in TRIPLES},
    START: tuple(range(8)),
    **dict.fromkeys((FINISH, NEUTRAL, EMPTY, DOWN), ()),
}
#: The square next to each square in each direction, -1 off the board.
NEXT = tuple(tuple((*GRID.ray(square, d), -1)[0] for d in range(8)) for square in range(GRID.size))
SETS = bits.each(GRID)  #: each square as a set of squares


class Plan(NamedTuple):
    """Squares: the start and the finish of each seat, and the neutral tiles with a fixed place."""

    starts: tuple[int, ...]
    finishes: tuple[int, ...]
    neutrals: tuple[int, ...]

    @property
    def board(self) -> list[str]:
        """The tiles that have a fixed place; EMPTY elsewhere."""
        tiles = [EMPTY] * GRID.size
        for squares, tile in ((self.neutrals, NEUTRAL), (self.finishes, FINISH), (self.starts, START)):
            for square in squares:
                tiles[square] = tile
        return tiles

    @property
    def loose(self) -> tuple[str, ...]:
        """The tiles that have no fixed place, in a fixed order."""
        return TRIPLES + (NEUTRAL,) * (4 - len(self.neutrals))


def _squares(names: str) -> tuple[int, ...]:
    return tuple(GRID.square(name) for name in names.split())


_CENTRE = _squares("d4 e4 d5 e5")
_STANDARD = Plan(_squares("h1 a1"), _squares("a8 h8"), _CENTRE)  # R4, R5
_PLANS = {
    "d": Plan(_squares("h1 a8 a1 h8"), _squares("a8 h1 h8 a1"), _CENTRE),  # R27
    "e": Plan(_squares("g2 b2"), _squares("b7 g7"), _CENTRE),  # R24
    "i": Plan(_squares("h1 a1"), _squares("d5 e5"), ()),  # R25
    "h": _STANDARD._replace(neutrals=()),  # R26
}


@cache
def plan(options: str) -> Plan:
    """Return the plan for these option letters. At most one of d, e, i, h can be among them (R28)."""
    return next((_PLANS[letter] for letter in options if letter in _PLANS), _STANDARD)


def compass(tile: str) -> str:
    """The arrows of a tile in words: "N SE W", or "no arrows"."""
    return " ".join(COMPASS_NAMES[d] for d in ARROWS[tile]) or "no arrows"
