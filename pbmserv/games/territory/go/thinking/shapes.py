"""Shapes of three by three points around a move that players know: hane, cut, peep, and those at the edge.

That such shapes make games at random wiser is from S. Gelly, Y. Wang, R. Munos and O. Teytaud, "Modification of UCT
with Patterns in Monte-Carlo Go", 2006, which names most of these.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product

from pbmserv.games.territory.go.thinking.field import NOBODY, Field, ground

#: X and O are the two colours, . is empty, # is no point of the board, x and o are all but X and O, ? is anything. The
#: move is in the middle. A shape counts with both colours, turned and mirrored.
_SHAPES = (
    "XOX ... ???",  # hane on both sides
    "XO. ... ?.?",  # hane that does not cut
    "XO? X.. x.?",  # hane that bends
    ".O. X.. ...",  # attachment across a corner
    "XO? O.o ?o?",  # cut
    "XO? O.X ???",  # cut that was peeped
    "?X? O.O ooo",  # push between
    "OX? o.O ???",  # cut of a knight's move
    "X.? O.? ###",  # chase along the edge
    "OX? X.O ###",  # block of a cut at the edge
    "?X? x.O ###",  # block at the edge
    "?XO x.x ###",  # descent to the edge
    "?OX X.O ###",  # cut at the edge
)
_MEANS = {"X": "X", "O": "O", ".": ".", "#": "#", "x": "O.#", "o": "X.#", "?": "XO.#"}
_NEAR = 3  #: bits between the sets of both colours and that of what is no point, in a key


@cache
def known(size: int) -> frozenset[int]:
    """Return the keys of all shapes on boards of a size."""
    width = ground(size).width
    texts = {text for shape in _SHAPES for turned in _turned(shape.replace(" ", "")) for text in _meant(turned)}
    return frozenset(_key(text, width) for text in texts)


@cache
def _walls(size: int) -> tuple[int, ...]:
    """Return for each point which of the points around it are none, as a part of a key."""
    around = ground(size)
    block = _block(around.width)
    return tuple(
        (~around.whole >> point - around.width - 1 & block) << 2 * _NEAR if around.beside[point] else 0
        for point in range(len(around.bit))
    )


def _block(width: int) -> int:
    return 7 | 7 << width | 7 << 2 * width


def _key(text: str, width: int) -> int:
    """Return the number of a shape of nine signs, row by row."""
    return sum(
        1 << number // 3 * width + number % 3 + _NEAR * "XO#".index(sign)
        for number, sign in enumerate(text)
        if sign != "."
    )


def _turned(shape: str) -> Iterator[str]:
    for _ in range(4):
        shape = "".join(shape[i] for i in (6, 3, 0, 7, 4, 1, 8, 5, 2))
        mirrored = "".join(shape[i] for i in (2, 1, 0, 5, 4, 3, 8, 7, 6))
        for text in (shape, mirrored):
            yield from (text, text.translate(str.maketrans("XOxo", "OXox")))


def _meant(shape: str) -> Iterator[str]:
    return ("".join(signs) for signs in product(*(_MEANS[sign] for sign in shape)))


class Shapes:
    """The shapes on boards of one size."""

    def __init__(self, size: int) -> None:
        self._known, self._walls, around = known(size), _walls(size), ground(size)
        self._block, self._shift = _block(around.width), around.width + 1

    def sees(self, field: Field, point: int) -> bool:
        """Return whether a move on a point makes a shape that players know."""
        black, white = field.stones
        down, block = point - self._shift, self._block
        return (black >> down & block | (white >> down & block) << _NEAR | self._walls[point]) in self._known

    def around(self, field: Field, last: int) -> list[int]:
        """Return the points around a move where a move makes such a shape: `sees`, but asked for each stone."""
        (black, white), owner = field.stones, field.owner
        known, walls, shift, block = self._known, self._walls, self._shift, self._block
        return [
            p
            for p in field.ground.ring[last]
            if owner[p] == NOBODY
            and (black >> p - shift & block | (white >> p - shift & block) << _NEAR | walls[p]) in known
        ]
