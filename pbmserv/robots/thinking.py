"""How a robot decides on a move. It is given what the player of its seat sees, and random numbers of its own."""

from collections import Counter
from collections.abc import Hashable
from typing import Any

from pbmserv.games.base import AnyGame, Options, View
from pbmserv.rng import Rng
from pbmserv.robots.alphabeta import AlphaBeta
from pbmserv.robots.expectation import Expectation
from pbmserv.robots.playouts import Playouts
from pbmserv.robots.tree import Budget, Task

#: Nodes of each level: positions that are made for one decision. So a level means the same on every machine.
LEVELS = {1: 60, 2: 600, 3: 5000}
_GUESSES = 5  #: at what is hidden, each with its part of the nodes


def choose(
    game: AnyGame,
    view: View[Any],
    options: Options,
    seats: int,
    level: int,
    rng: Rng,
    past: frozenset[Hashable] = frozenset(),
) -> str:
    """Return the canonical text of the move that a robot makes. `view`: of its own seat, whose turn it is.

    `past`: the keys (tree.key) of earlier positions of the board; the search takes a repeated one for a draw.
    """
    seat = view.seat
    if seat is None:
        raise ValueError("a spectator has no move to choose")
    guesses = _GUESSES if game.info.hidden else 1
    votes = Counter[str]()
    for _ in range(guesses):
        task = Task(game, game.guess(view, rng), seat, seats, past)
        budget = Budget(LEVELS[level] // guesses)
        votes[game.format(_search(task, options, budget, rng).run())] += 1
    return votes.most_common(1)[0][0]


def _search(task: Task, options: Options, budget: Budget, rng: Rng) -> AlphaBeta | Expectation | Playouts:
    game = task.game
    if game.worth(task.position, task.seat) is None:
        return Playouts(task, budget, rng)
    if task.seats == 2 and not game.info.chance:
        return AlphaBeta(task, budget, rng)
    return Expectation(task, budget, rng)
