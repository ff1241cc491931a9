"""Notation of games in which a piece goes from a square to another, `a2-a3`, and captures where it lands, `a2xb3`."""

import re
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pbmserv.games.base import InTurn, Seat
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.in_turn import HasTurn
from pbmserv.games.base.notation import parts

GRID = Grid(8, 8)
MOVE = re.compile(r"([a-h][1-8])([-x]?)([a-h][1-8])")
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
    def moves_from(self, position: T, seat: Seat, source: int) -> Iterable[Move]:
        """Return the legal moves of the piece on a square; none if no piece of this seat is there."""

    def format(self, move: Move) -> str:
        return f"{GRID.name(move.source)}{'x' if move.captures else '-'}{GRID.name(move.target)}"

    def named(self, position: T, seat: Seat, text: str) -> Sequence[Move]:
        source, sign, target = parts_of(text)
        moves = self.moves_from(position, seat, source)
        return [move for move in moves if move.target == target and (move.captures or sign != "x")]


def parts_of(text: str) -> tuple[int, str, int]:
    """Return the first square of a move, its sign and the second square. Raises ValueError for other texts."""
    source, sign, target = parts(MOVE, text)
    return GRID.square(source), sign, GRID.square(target)
