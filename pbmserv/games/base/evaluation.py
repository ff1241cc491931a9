"""What robots ask a game. None of it is needed: without it they play games at random to the end."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Generic, NamedTuple

from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P, Seat, View
from pbmserv.rng import Rng


class Choice(NamedTuple):
    """The canonical text of a move, what it seems to be worth, from -1, lost, to 1, won, and the nodes that it took.

    `is_lost`: the opponent wins whatever the seat does, as far as the search sees. `others`: moves of which a search of
    the game's own thinks nearly as much, for reviews.
    """

    text: str
    value: float
    nodes: int
    is_lost: bool = False
    others: tuple[str, ...] = ()


class Evaluation(Generic[P, M]):
    """What a position is worth, and what a robot may think of what it does not see."""

    #: What men are worth whose loss decides games, by their names in English, for reviews. Empty: such are not counted.
    men_worth: ClassVar[Mapping[str, int]] = MappingProxyType({})

    #: How many moves are looked at for more than a ply: those that are best at once, and others while all lose. 0: all.
    #: For games with so many moves that a search would hardly see the second ply.
    promising: ClassVar[int] = 0

    loud_is_forced: ClassVar[bool] = False  #: where there are loud moves, there are no others

    def evaluate(self, position: P, seat: Seat) -> float | None:
        """Return how good a position is for a seat, for robots; None if the game has no opinion.

        Positions that are over are not asked about. Between -1 (it will lose) and 1 (it will win); with two players,
        what is good for one is as bad for the other. In a solitaire: the points that it will have, as a finite number.
        """
        return None

    def loud(self, position: P, seat: Seat) -> Sequence[M]:
        """Return those legal moves after which a position is worth something else at once, such as captures.

        A robot does not judge a position before it has tried them; none by default. If one of them must be made,
        `loud_is_forced`, it judges no position in which there are some.
        """
        return ()

    def determinize(self, view: View[P], rng: Rng) -> P:
        """Return a position that agrees with all that a seat can see: what is hidden is drawn from `rng`.

        Robots think about such positions, because they never get the true one.
        """
        return view.position

    def choice(self, position: P, seat: Seat, nodes: int, rng: Rng) -> Choice | None:
        """Return the move that a search of the game's own finds; None if it has none, so that a usual one is asked.

        `nodes`: how many positions it may make. `position`: as `determinize` returns it.
        """
        return None

    def agreement(self, view: View[P], rng: Rng) -> Sequence[str]:
        """Return the moves that a robot sends at once where the rules ask players to agree on something.

        So it is fair whatever its level. Empty: there is nothing to agree on, and it thinks about its move. The first
        must be legal in the position, and each other one after the one before it.
        """
        return ()

    def men(self, position: P, seat: Seat) -> Mapping[str, int]:
        """Return how many men of each kind in `men_worth` a seat has, the most valuable first."""
        return {}

    def in_points(self, value: float) -> float | None:
        """Return a lead in points that `evaluate` gives this value; None in a game that is not about points."""
        return None
