"""A tree of moves above games that are nearly random: UCT with the moves of whole games (RAVE) and first opinions.

The formulas are those of S. Gelly and D. Silver, "Monte-Carlo Tree Search and Rapid Action Value Estimation in Computer
Go", 2011.
"""

from collections.abc import Collection
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.territory.go.thinking.field import NOWHERE, Field
from pbmserv.games.territory.go.thinking.opinion import Adviser
from pbmserv.games.territory.go.thinking.playout import Dice, Playout
from pbmserv.games.territory.go.thinking.shapes import Shapes
from pbmserv.rng import Rng

_RAVE = 3000  #: games after which the games in which a move was made later count for as much as its own
_RIPE = 6  #: games of a move until the moves after it have places in the tree
_OFTEN = 0.1  #: part of the games of the best move from which on a move may be as good
_MARGIN = 0.05  #: part of a game's value that tells by how much it was won


class Node:
    """A move. `games`: those that began with it, with its first opinion; `met`: those in which it was made later, too.

    `won` and `liked`: what these games were worth together to the seat that makes it, 0 to 1 each; `lead`: by how many
    points Black won the first ones, together.
    """

    __slots__ = ("children", "games", "guessed", "lead", "liked", "met", "point", "won")

    def __init__(self, point: int, guessed: float = 0.0, won: float = 0.0) -> None:
        self.point, self.guessed = point, guessed
        self.games, self.won, self.met, self.liked, self.lead = guessed, won, 0, 0.0, 0.0
        self.children = list[Node]()

    def promise(self) -> float:
        """Return how much this move deserves the next game."""
        games, met = self.games, self.met
        mean = self.won / games
        if not met:
            return mean
        weight = met / (met + games + met * games / _RAVE)
        return mean + weight * (self.liked / met - mean)

    @property
    def tried(self) -> float:
        """How many games began with it."""
        return self.games - self.guessed


class Thought(NamedTuple):
    """A move, NOWHERE for a pass; which part of the games it wins, by how many points, and how many stones it took.

    `others`: stones that were tried often, too, the most often first.
    """

    point: int
    wins: float
    lead: float
    stones: int
    others: tuple[int, ...]


class Tree:
    """One search. `last`: where the opponent has just moved; `komi`: what White has more at the end."""

    def __init__(self, field: Field, seat: Seat, last: int, komi: float, rng: Rng) -> None:
        self._field, self._seat, self._komi = field, seat, komi
        self._shapes = Shapes(field.ground.size)
        self._adviser = Adviser(self._shapes)
        self._dice = Dice(rng)
        self._stones = self._games = 0
        self.root = Node(last, 1.0)

    def think(self, moves: Collection[int], stones: int) -> Thought:
        """Put down about so many stones, and return the best of the moves; a pass if all of them fill eyes."""
        self._grow(self.root, self._field, self._seat)
        children = [child for child in self.root.children if child.point in moves]
        self.root.children = children = children or [Node(NOWHERE, 1.0)]
        if len(children) > 1:
            while self._spent < stones and not self._is_decided(stones):
                self._once()
        best, *others = sorted(children, key=lambda child: -child.tried)
        lead = best.lead / max(best.tried, 1) * (1 if self._seat == 0 else -1)
        often = tuple(child.point for child in others if child.point and child.tried > _OFTEN * best.tried)
        return Thought(best.point, best.won / best.games, lead, self._spent, often)

    @property
    def _spent(self) -> int:
        return self._stones + self._adviser.stones

    def _is_decided(self, stones: int) -> bool:
        """Return whether the games that are left cannot make another move the best."""
        if self._games % 32 or not self._games:
            return False
        first, second = sorted(child.tried for child in self.root.children)[:-3:-1]
        return first - second > (stones - self._spent) * self._games / self._spent

    def _once(self) -> None:
        """Go down the tree to a leaf, play on to the end, and count the result on the way."""
        node, field, seat = self.root, self._field.copy(), self._seat
        way, first = [node], dict[int, Seat]()
        while node.children:
            node = max(node.children, key=Node.promise)
            way.append(node)
            if node.point:
                field.put(seat, node.point)
                first.setdefault(node.point, seat)
            else:
                field.ko = NOWHERE
            seat = 1 - seat
            if not node.children and node.tried >= _RIPE:
                self._grow(node, field, seat)
        playout = Playout(field, self._dice, self._shapes, first)
        playout.play(seat, node.point)
        self._stones += playout.moves + len(way) - 1
        self._games += 1
        black, white = field.areas()
        self._count(way, first, black.bit_count() - white.bit_count() - self._komi)

    def _grow(self, node: Node, field: Field, seat: Seat) -> None:
        opinions = self._adviser.opinions(field, seat, node.point)
        node.children = [Node(point, games, won) for point, (games, won) in self._dice.shuffled(opinions.items())]

    def _count(self, way: list[Node], first: dict[int, Seat], lead: float) -> None:
        """Count a game that Black won by so many points for all moves on its way, and those beside it."""
        black = self._worth(lead)
        worth, seat = (black, 1 - black), 1 - self._seat
        for node in way:
            node.games += 1
            node.won += worth[seat]
            node.lead += lead
            seat = 1 - seat
            value = worth[seat]
            for child in node.children:
                if first.get(child.point) == seat:
                    child.met += 1
                    child.liked += value

    def _worth(self, lead: float) -> float:
        """Return what a lead at the end is worth to Black, from 0 to 1."""
        sign = (lead > 0) - (lead < 0)
        value = 0.5 + sign * (0.5 - _MARGIN) + _MARGIN * lead / len(self._field.ground.points)
        return min(max(value, 0.0), 1.0)
