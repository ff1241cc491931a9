"""How many pieces chains of Havannah lack for a fork or a bridge. Robots ask it for every position they think about.

Sets of cells are whole numbers with a bit for each cell, as in `distance`. Between the rows there is room for two cells
that nobody can have, so a step off the board leads nowhere.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from pbmserv.games.connection.hexagons import EMPTY, Lattice

_FAR = 9  #: pieces: more than a chain lacks to what it can reach
_NO_CHAIN = 20.0  #: pieces that are lacking without a chain
_OTHER = 0.1  #: what the way that is longer counts, to a fork or a bridge
_SECOND = 0.05  #: what the second chain counts


class Reach(NamedTuple):
    """A board of one size. `rows`: the room before each row, as noughts, and where its cells begin and end.

    `corners`: all together, as each is one cell.
    """

    width: int
    rows: tuple[tuple[str, int, int], ...]
    edges: tuple[int, ...]
    corners: int

    @classmethod
    def of(cls, lattice: Lattice, edges: Mapping[int, int], corners: frozenset[int]) -> "Reach":
        """Make it for a board. `edges`: the number of the edge that cells are on, corners left out."""
        width = len(lattice.rows) + 2
        at = [y * width + x for x, y in lattice.places]
        bits = [1 << at[-1] - place for place in at]
        begins = [row[0] for row in lattice.rows]
        rooms = [0, *(at[begin] - at[begin - 1] - 1 for begin in begins[1:])]
        rows = zip(rooms, pairwise((*begins, len(at))), strict=True)
        return cls(
            width,
            tuple(("0" * room, begin, end) for room, (begin, end) in rows),
            tuple(sum(bits[cell] for cell, on in edges.items() if on == edge) for edge in range(6)),
            sum(bits[corner] for corner in corners),
        )

    def lacking(self, cells: str, piece: str) -> float:
        """Return how many pieces the better of the two largest chains of a side lacks, and a little for the other."""
        text = "".join([room + cells[begin:end] for room, begin, end in self.rows])
        chains = _Chains(self, _bits(text, piece), _bits(text, EMPTY))
        first, second, *_ = sorted([*map(chains.lacking, chains.largest(2)), _NO_CHAIN, _NO_CHAIN])
        return first + _SECOND * second


class _Chains:
    """The chains of a side, in which bridges connect as neighbours do."""

    def __init__(self, board: Reach, own: int, empty: int) -> None:
        self._board, self._own, self._empty = board, own, empty
        right, down, both = empty >> 1, empty >> board.width, empty >> board.width + 1
        self._bridges = (
            right & both,
            both & down,
            down & empty << 1,
        )  #: the cells from which one leads, in each of three ways

    def largest(self, count: int) -> list[int]:
        """Return the largest chains."""
        left, chains = self._own, list[int]()
        while left:
            chain = fresh = left & -left
            while fresh:
                fresh = self._around(fresh) & left & ~chain
                chain |= fresh
            left &= ~chain
            chains.append(chain)
        return sorted(chains, key=int.bit_count)[-count:]

    def lacking(self, chain: int) -> float:
        """Return how many pieces a chain lacks for a fork or a bridge, and a little for the other one."""
        edges, corners = list[int](), list[int]()  # how many pieces it lacks to the nearest, and to others
        for pieces, reached in enumerate(self._reached(chain)):
            edges += [pieces] * (sum(bool(reached & edge) for edge in self._board.edges) - len(edges))
            corners += [pieces] * ((reached & self._board.corners).bit_count() - len(corners))
            if len(edges) > 2 and len(corners) > 1:
                break
        few, many = sorted((sum([*edges, _FAR, _FAR, _FAR][:3]), sum([*corners, _FAR, _FAR][:2])))
        return few + _OTHER * many

    def _reached(self, chain: int) -> Iterator[int]:
        """Yield the cells that a chain reaches when no piece is added, one piece, and more."""
        reached = layer = chain
        while layer:
            fresh, beyond = layer, 0
            while fresh:
                near = self._around(fresh) & ~reached
                beyond |= near & self._empty
                fresh = near & self._own
                reached |= fresh
            yield reached
            layer = beyond & ~reached
            reached |= layer

    def _around(self, cells: int) -> int:
        """Return the cells to which a step or a bridge leads."""
        width, (one, two, three) = self._board.width, self._bridges
        return (
            (cells << 1 | cells >> 1 | cells << width | cells >> width | cells << width + 1 | cells >> width + 1)
            | ((cells & one) << width + 2 | (cells >> width + 2) & one)
            | ((cells & two) << 2 * width + 1 | (cells >> 2 * width + 1) & two)
            | ((cells & three) << width - 1 | (cells >> width - 1) & three)
        )


def _bits(text: str, piece: str) -> int:
    return int(text.translate(_ONES[piece]), 2)


_ONES = {piece: str.maketrans({other: "01"[other == piece] for other in "WB."}) for piece in "WB."}
