"""How a robot decides on a move. It is given what the player of its seat sees, and random numbers of its own."""

from collections import Counter, defaultdict
from collections.abc import Hashable
from typing import Any, Generic, NamedTuple

from pbmserv.games.base import Game, Options, View
from pbmserv.games.base.evaluation import Choice
from pbmserv.games.base.rules import M
from pbmserv.games.base.values import P
from pbmserv.rng import ChanceNeeded, Rng
from pbmserv.robots.alphabeta import AlphaBeta
from pbmserv.robots.engines.told import PlayedSoFar
from pbmserv.robots.expectation import Expectation
from pbmserv.robots.expectimax import Expectimax, Thrown
from pbmserv.robots.levels import level_of
from pbmserv.robots.playouts import Playouts
from pbmserv.robots.rollouts import Rollouts
from pbmserv.robots.tree import MOST_VALUE, Nodes, Search, Task, key

_NODES_OF_A_GUESS = 100  #: a guess at what is hidden has at least so many, if the level has them
_MOST_GUESSES = 50
#: Every level has so many if its opponent cannot win any more, as a king alone: so it gives mate. Whoever is far ahead
#: has ten times as many as usual, but not more than this.
_NODES_TO_FINISH = 600
_AHEAD = 0.85  #: from which value on a robot is far ahead


class Problem(NamedTuple, Generic[P, M]):
    """What a robot knows when it has to move.

    `view`: of its own seat; `past`: the keys (`key_of`) of earlier positions of the board, which the searches take for
    draws; `record`: the whole game for engines of others, None if something is hidden.
    """

    game: Game[P, M]
    view: View[P]
    options: Options
    seats: int
    past: frozenset[Hashable] = frozenset()
    record: PlayedSoFar | None = None


AnyProblem = Problem[Any, Any]


def choose(problem: Problem[P, M], level: int, rng: Rng) -> Choice:
    """Return the move that a robot makes. Raises ValueError for the view of a spectator."""
    game, view = problem.game, problem.view
    if view.seat is None:
        raise ValueError("a spectator has no move to choose")
    _, nodes, near, _ = level_of(game, level)
    if game.info.hidden:
        return _averaged(problem, nodes, rng)
    if problem.seats == 2 and not game.can_win(view.position, 1 - view.seat):
        nodes, near = max(nodes, _NODES_TO_FINISH), 0.0
    if own := game.choice(view.position, view.seat, nodes, rng):
        return own._replace(value=MOST_VALUE * own.value)
    is_thorough = level > game.info.lowest_level
    search = _searched(_task(problem, view.position), nodes, rng, near=near, is_thorough=is_thorough)
    if isinstance(search, AlphaBeta) and search.value > _AHEAD and nodes < _NODES_TO_FINISH:
        nodes = min(10 * nodes, _NODES_TO_FINISH)
        search = _searched(_task(problem, view.position), nodes, rng, is_thorough=is_thorough)
    is_lost = isinstance(search, AlphaBeta) and search.is_proven and search.value < 0
    return Choice(game.format(search.chosen()), search.value, nodes - search.budget.left, is_lost)


def nearly_best(problem: Problem[P, M], level: int, rng: Rng, near: float) -> list[str]:
    """Return the moves that a level finds worth less than the best by no more than this, the best first.

    Where two see all and nothing is left to chance.
    """
    game, view = problem.game, problem.view
    nodes = level_of(game, level).nodes
    if own := game.choice(view.position, view.seat or 0, nodes, rng):
        return [own.text, *own.others]
    search = AlphaBeta(_task(problem, view.position), Nodes(nodes), rng, near=near, is_patient=True).run()
    close = search.close()
    return [game.format(move) for move in sorted(close, key=lambda move: -close[move])]


def _averaged(problem: Problem[P, M], nodes: int, rng: Rng) -> Choice:
    """Return the move that is best on average over several guesses at what is hidden. Equal guesses are one."""
    game, view = problem.game, problem.view
    sums, seen, spent = defaultdict[str, float](float), Counter[str](), 0
    first = game.determinize(view, rng)
    if own := game.choice(first, view.seat or 0, nodes, rng):
        return own
    more = range(1, min(nodes // _NODES_OF_A_GUESS, _MOST_GUESSES))
    guesses = Counter([first, *(game.determinize(view, rng) for _ in more)])
    for position, times in guesses.items():
        search = _searched(_task(problem, position), nodes // len(guesses), rng, wide=len(guesses) > 1)
        spent += nodes // len(guesses) - search.budget.left
        if len(guesses) == 1:
            return Choice(game.format(search.best), search.value, spent)
        for move, value in (search.values or {search.best: search.value}).items():
            sums[game.format(move)] += value * times
            seen[game.format(move)] += times
    often = [text for text in seen if 2 * seen[text] >= max(seen.values())]  # one lucky guess must not decide
    text = max(often, key=lambda text: sums[text] / seen[text])
    return Choice(text, sums[text] / seen[text], spent)


def _task(problem: Problem[P, M], position: P) -> Task[P, M]:
    return Task(problem.game, position, problem.view.seat or 0, problem.seats, problem.past)


def key_of(game: Game[P, M], position: P) -> Hashable:
    """Return what two positions have in common that are the same for a search."""
    return key(Task(game, position, 0, 0), position)


def _searched(
    task: Task[P, M], nodes: int, rng: Rng, wide: bool = False, near: float = 0.0, is_thorough: bool = False
) -> Search[P, M]:
    """Return the search that suits a task, after its run. `wide`: the values of all moves are wanted.

    `near`: those of moves that are worth less than the best by so much; `is_thorough`: all moves are seen once.
    """
    budget = Nodes(nodes)
    if task.game.evaluate(task.position, task.seat) is None:
        return Playouts(task, budget, rng).run()
    if isinstance(task.game, Thrown) and task.game.turns(task.position):
        return Expectimax(task, budget, rng, task.game).run()
    if task.seats == 2:
        try:
            return AlphaBeta(task, budget, rng, wide, near, is_thorough=is_thorough).run()
        except ChanceNeeded:  # at once with dice; elsewhere perhaps after some plies, and half of the nodes are enough
            budget.left = max(budget.left, nodes // 2)
        return Rollouts(task, budget, rng).run()
    return Expectation(task, budget, rng).run()
