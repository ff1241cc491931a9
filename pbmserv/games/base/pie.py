"""The pie rule: one cuts the pie, the other chooses. The second player may take over the first move with `swap`.

The seats stay who they are. The position changes as if the second player had made the first move, so turns, times,
ratings and letters know nothing of it. A game asks for this by being a `PieRule` (docs/adr/0039-the-pie-rule.md).
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pbmserv.errors import IllegalMove, MoveError
from pbmserv.games.base.game import Game
from pbmserv.games.base.values import Info, Option, Options, Seat, Step
from pbmserv.games.base.words import SWAP
from pbmserv.rng import Rng

UNCUT, CUT, SHARED = 2, 1, 0
NO_SWAP = Option("noswap", "the second player cannot swap")
_WHY_NOT = "'swap' is possible only for the second player, right after the first move, and not with the option -noswap."
_OFFER = "Instead of moving, the second player can take over this move with: swap"


@dataclass(frozen=True, slots=True, kw_only=True)
class PiePosition:
    """The base of positions. `pie`: UNCUT before the first move, CUT while swap is possible, SHARED afterwards."""

    pie: int = SHARED


P = TypeVar("P", bound=PiePosition)


def with_swap(info: Info) -> Info:
    """Return the facts of a game with what the pie rule adds: the word swap, and the option -noswap."""
    return replace(info, pattern=f"{info.pattern}|{SWAP}", options=(*info.options, NO_SWAP))


def offers(position: PiePosition) -> tuple[str, ...]:
    """Return the line of the picture that says that swap is possible; none if it is not."""
    return (_OFFER,) if position.pie == CUT else ()


class PieRule(Game[P, str]):
    """A game of two with the pie rule. Its moves are their canonical texts, and its `info` is made by `with_swap`.

    The methods `opening`, `moves`, `moved` and `exchanged` are for the game. They need not look at `pie`.
    """

    @abstractmethod
    def opening(self, options: Options, seats: int, rng: Rng) -> P:
        """Return the position before the first move, as `setup` of a game without this rule."""

    @abstractmethod
    def moves(self, position: P, seat: Seat) -> Sequence[str]:
        """Return the legal moves but for swap, as `legal_moves` of a game without this rule."""

    @abstractmethod
    def moved(self, position: P, seat: Seat, move: str, rng: Rng) -> Step[P]:
        """Return the position after such a move, as `apply` of a game without this rule."""

    @abstractmethod
    def exchanged(self, position: P) -> Step[P]:
        """Return the position as if seat 1 had made the first move. Seat 0 is to move. A note says what has changed."""

    def setup(self, options: Options, seats: int, rng: Rng) -> P:
        opening = self.opening(options, seats, rng)
        return opening if NO_SWAP.name in options else replace(opening, pie=UNCUT)

    def legal_moves(self, position: P, seat: Seat) -> Sequence[str]:
        moves = self.moves(position, seat)
        return [*moves, SWAP] if position.pie == CUT else moves

    def apply(self, position: P, seat: Seat, move: str, rng: Rng) -> Step[P]:
        step = self.exchanged(position) if move == SWAP else self.moved(position, seat, move, rng)
        if not position.pie:
            return step
        return replace(step, position=replace(step.position, pie=SHARED if move == SWAP else position.pie - 1))

    def format(self, move: str) -> str:
        return move

    def illegal(self, position: P, seat: Seat, text: str) -> MoveError:
        if text == SWAP:
            return IllegalMove(_WHY_NOT, self._advice(position, seat))
        return super().illegal(position, seat, text)
