"""What a position of Go is worth at first sight: who seems to own which point while the game goes on."""

from collections.abc import Iterator
from functools import lru_cache
from math import atanh, isqrt, tanh

from pbmserv.games.base import Seat, bits
from pbmserv.games.territory.go.phases import Position
from pbmserv.games.territory.go.stones import EMPTY, SIGNS

_REACH = 4  #: steps from a stone to the last point that it seems to own
_IN_ATARI, _SHORT = 0.8, 0.15  #: parts of a chain that seem lost if it has one liberty, or two
_EYE = 0.4  #: points for an empty point whose neighbours are all of one colour, so that a robot does not fill it

_SCALE = 15  #: points of a lead that is nearly a win
_SURE = 0.999  #: a value beyond which a lead cannot be told


def of_points(lead: float) -> float:
    """Return the value of a lead, from -1 to 1."""
    return tanh(lead / _SCALE)


def in_points(value: float) -> float:
    """Return the lead that has a value."""
    return _SCALE * atanh(min(max(value, -_SURE), _SURE))


def evaluate(position: Position, seat: Seat) -> float:
    """Return how far a seat seems to lead, from -1 to 1."""
    value = of_points(_lead(position.points, position.turn) - position.komi / 2 - position.handicap)
    return value if seat == 0 else -value


@lru_cache(maxsize=1 << 14)
def _lead(points: str, turn: Seat) -> float:
    """Return how many points Black seems to have more than White."""
    size = isqrt(len(points))
    free, *pieces = (bits.of(points, size, sign) for sign in (EMPTY, *SIGNS))
    black, white = pieces
    owned = bits.lead(black, white, free, lambda near: bits.beside(near, size), _REACH)
    eyes = [(free & ~bits.beside(free | others, size)).bit_count() for others in (white, black)]
    lead = owned + black.bit_count() - white.bit_count() + _EYE * (eyes[0] - eyes[1])
    for seat, sign in enumerate((1, -1)):
        for stones, liberties in chains(pieces[seat], free, size):
            lost = _IN_ATARI if liberties == 1 else _SHORT if liberties == 2 else 0
            # Whoever moves can save one of the own chains.
            lead -= sign * 2 * stones * lost * (0.4 if turn == seat else 1)
    return lead


def chains(pieces: int, free: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the number of stones and of liberties of each chain of a colour."""
    while pieces:
        chain, more = 0, 1 << pieces.bit_length() - 1
        while more != chain:
            chain, more = more, (more | bits.beside(more, size)) & pieces
        pieces ^= chain
        yield chain.bit_count(), (bits.beside(chain, size) & free).bit_count()
