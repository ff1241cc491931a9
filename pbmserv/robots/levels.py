"""How well robots play: levels, whom each suits, and what it may do.

Weak levels see less far, and choose among moves that seem nearly as good, as people do. All but the weakest leave no
piece where it can be taken for nothing because of a choice: moves among which they choose differ by less than that.
They look at each move, even if that takes more positions than they have, unless those are fewer than there are moves.
The weakest overlooks moves, too, so that a beginner wins about as often as it (ADR 123).
"""

from itertools import count
from typing import NamedTuple

from pbmserv.games.base import AnyGame

#: Whom each level suits, by how many levels there are: five where three leave a gap.
SUITS = {
    3: ("a child", "somebody who knows the rules", "somebody who plays often"),
    5: (
        "a child",
        "somebody who knows the rules",
        "somebody who plays now and then",
        "somebody who plays often",
        "a club player",
    ),
}
#: By how much less than the best a chosen move may be worth where the game does not say it (`Level.near`).
_NEAR = {3: (0.04, 0.0, 0.0), 5: (0.1, 0.03, 0.03, 0.0, 0.0)}


class Level(NamedTuple):
    """A level of a game.

    `nodes`: how many positions it may make for a move, so it plays alike on every machine; `near`: by how much less, of
    a value from -1 to 1, a move may be worth than the best, to be chosen as well; `suits`: whom.
    """

    number: int
    nodes: int
    near: float
    suits: str


def levels(game: AnyGame) -> tuple[Level, ...]:
    """Return the levels of a game, the weakest first."""
    info, many = game.info, len(game.info.nodes)
    return tuple(map(Level, count(info.lowest_level), info.nodes, info.near or _NEAR[many], SUITS[many]))


def level_of(game: AnyGame, number: int) -> Level:
    """Return a level of a game by its number; the highest if the game has fewer than when the robot was made."""
    there = levels(game)
    return next((level for level in there if level.number >= number), there[-1])


def strongest(game: AnyGame) -> int:
    """Return the number of the highest level of a game."""
    return levels(game)[-1].number
