"""King of the Hill, as a variant of chess: a king on one of the four squares in the middle wins, too."""

from dataclasses import replace
from typing import ClassVar

from pbmserv.games.base import Seat, Step
from pbmserv.games.capture.chess import Chess
from pbmserv.games.capture.chess.laws import Laws
from pbmserv.games.capture.chess.pieces import GRID, SIDES, Move, Position
from pbmserv.rng import Rng

HILL = {GRID.square(name) for name in ("d4", "e4", "d5", "e5")}


def is_on_hill(position: Position) -> bool:
    """Return whether the king that has just moved is on the hill."""
    return position.board.index(SIDES[1 - position.turn][5]) in HILL


class HillLaws(Laws):
    def ended(self, position: Position) -> str:
        return "hill" if is_on_hill(position) else super().ended(position)

    def can_win(self, position: Position, seat: Seat) -> bool:
        """A king alone can walk to the hill."""
        return True


class KingOfTheHill(Chess):
    info = replace(
        Chess.info,
        key="hill",
        name="King of the Hill",
        endings={**Chess.info.endings, "hill": "the king is on the hill"},
    )
    laws: ClassVar[Laws] = HillLaws()


class DeadHill(KingOfTheHill):
    """As one writes it without a look at the laws: two kings alone are a draw, and a king alone cannot win."""

    info = replace(KingOfTheHill.info, key="deadhill")
    laws = Chess.laws

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        then = super().apply(position, seat, move, rng).position
        return Step(replace(then, over="hill") if is_on_hill(then) else then)
