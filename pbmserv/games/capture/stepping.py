"""Notation of games in which a piece goes from a square to another, `a2-a3`, and captures where it lands, `a2xb3`."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from pbmserv.games.base import InTurn, Seat
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.in_turn import HasTurn

GRID = Grid(8, 8)
PATTERN = "[a-h][1-8][-x]?[a-h][1-8]"  #: of a move
_NAMES = tuple(map(GRID.name, range(GRID.size)))
_NUMBERS = {name: square for square, name in enumerate(_NAMES)}
T = TypeVar("T", bound=HasTurn)


@dataclass(frozen=True, slots=True)
class Move:
    """A piece goes from a square to another, and captures if an enemy is there."""

    source: int
    target: int
    captures: bool


class SteppingGame(InTurn[T, Move]):
    """Its moves can be written without their sign. An x says that there must be something to capture."""

    @abstractmethod
    def move_to(self, position: T, seat: Seat, source: int, target: int) -> Move | None:
        """Return the legal move of the piece on a square to another; none if no piece of this seat is there."""

    def format(self, move: Move) -> str:
        return f"{_NAMES[move.source]}{'x' if move.captures else '-'}{_NAMES[move.target]}"

    def named(self, position: T, seat: Seat, text: str) -> Sequence[Move]:
        source, sign, target = parts_of(text)
        move = self.move_to(position, seat, source, target)
        return (move,) if move and (move.captures or sign != "x") else ()


def parts_of(text: str) -> tuple[int, str, int]:
    """Return the first square of a move, its sign and the second square. `text` matches the pattern."""
    return _NUMBERS[text[:2]], text[2:-2], _NUMBERS[text[-2:]]
