"""How a robot decides on a move. It is given what the player of its seat sees, and random numbers of its own."""

from collections import defaultdict
from collections.abc import Hashable
from typing import Any, NamedTuple

from pbmserv.games.base import AnyGame, Options, View
from pbmserv.rng import Rng
from pbmserv.robots.alphabeta import AlphaBeta
from pbmserv.robots.expectation import Expectation
from pbmserv.robots.playouts import Playouts
from pbmserv.robots.tree import Nodes, Task, key

#: Nodes of each level: positions that are made for one decision. So a level means the same on every machine.
LEVELS = {1: 60, 2: 600, 3: 5000}
_GUESSES = 5  #: at what is hidden, each with its part of the nodes


class Problem(NamedTuple):
    """What a robot knows when it has to move.

    `view`: of its own seat; `past`: the keys (`key_of`) of earlier positions of the board, which the searches take for
    draws.
    """

    game: AnyGame
    view: View[Any]
    options: Options
    seats: int
    past: frozenset[Hashable] = frozenset()


class Choice(NamedTuple):
    """The canonical text of a move, and what it seems to be worth: from -1, lost, to 1, won."""

    text: str
    value: float


def choose(problem: Problem, level: int, rng: Rng) -> Choice:
    """Return the move that a robot makes. Raises ValueError for the view of a spectator."""
    game, view = problem.game, problem.view
    if view.seat is None:
        raise ValueError("a spectator has no move to choose")
    guesses = _GUESSES if game.info.hidden else 1
    values = defaultdict[str, list[float]](list)
    for _ in range(guesses):
        task = Task(game, game.guess(view, rng), view.seat, problem.seats, problem.past)
        search = _search(task, Nodes(LEVELS[level] // guesses), rng)
        values[game.format(search.run())].append(search.value)
    text = max(values, key=lambda move: (len(values[move]), sum(values[move])))
    return Choice(text, sum(values[text]) / len(values[text]))


def key_of(game: AnyGame, position: Any) -> Hashable:
    """Return what two positions have in common that are the same for a search."""
    return key(Task(game, position, 0, 0), position)


def _search(task: Task, budget: Nodes, rng: Rng) -> AlphaBeta | Expectation | Playouts:
    if task.game.worth(task.position, task.seat) is None:
        return Playouts(task, budget, rng)
    if task.seats == 2 and not task.game.info.chance:
        return AlphaBeta(task, budget, rng)
    return Expectation(task, budget, rng)
