"""What a robot answers: a move, a draw offer, that it resigns, or yes or no to a draw offer or a move to take back.

It knows no more than its seat.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pbmserv.games.base.evaluation import Choice
from pbmserv.games.base.log import Kind
from pbmserv.rng import Rng
from pbmserv.robots.engines.told import RESIGNS
from pbmserv.robots.thinking import AnyProblem, choose

EVEN = 0.02  #: what a board is worth, at most, to a robot that offers a draw
WORSE = -0.1  #: what it is worth, at most, to a robot that accepts a draw while things still change
LONG = 200  #: plies after which a robot also offers a draw when no position has come back
OFTEN = 20  #: plies between two such offers
MOST_TAKEN_BACK = 5  #: how often a robot lets the others take a move back on one board
Chooser = Callable[[AnyProblem], Choice | None]
_GUESSES = 8  #: at what is hidden, to judge a board without a search


@dataclass(frozen=True)
class Situation:
    """All that a robot may know when it is asked: the view of its seat, and what everybody knows about the board.

    `offer`: the kind of an open proposal that it has not answered; `undos`: how often the others have asked to take a
    move back; `came_back`: the position stood before, so nothing changes any more; `before`: what it knew at its turn
    before the opponent's last one, on boards of two where nothing is hidden.
    """

    problem: AnyProblem
    is_turn: bool
    offer: Kind | None = None
    rated: bool = True
    undos: int = 0
    ply: int = 0
    came_back: bool = False
    before: AnyProblem | None = None

    @property
    def has_draws(self) -> bool:
        """Whether players of the game can agree on a draw."""
        return "draw" in self.problem.game.info.agreements and self.problem.seats > 1

    @property
    def is_calm(self) -> bool:
        """Whether nothing has changed for long."""
        return self.came_back or (self.ply >= LONG and self.ply % OFTEN < self.problem.seats)


def answer(situation: Situation, level: int, rng: Rng, engine: Chooser | None = None) -> str:
    """Return the lines of the mail with which a robot answers. Raises ValueError if it is not asked anything.

    `engine`: who chooses its moves in place of our own search; None in place of a choice: it cannot now.
    """
    if situation.offer is Kind.UNDO and not situation.rated and situation.undos <= MOST_TAKEN_BACK:
        return "accept"
    if not situation.is_turn:
        return _to_offer(situation, rng)
    problem = situation.problem
    choice = engine(problem) if engine else None
    if choice is None and (agreed := problem.game.agreement(problem.view, rng)):
        return " ".join(agreed)

    def search(problem: AnyProblem) -> Choice:
        return (engine and engine(problem)) or choose(problem, level, rng)

    return _moved(situation, choice or choose(problem, level, rng), search)


def _moved(situation: Situation, choice: Choice, search: Callable[[AnyProblem], Choice]) -> str:
    """Return the lines with a choice, or what the robot does in place of it."""
    problem = situation.problem
    if choice.text == RESIGNS:
        return RESIGNS
    if situation.offer is Kind.PROPOSE and _is_glad(situation, choice.value):
        return "accept"
    if problem.seats == 1 or choice.value > EVEN:
        return choice.text
    if problem.game.claim(problem.view.position):
        return "propose"
    if choice.is_lost and situation.before and search(situation.before).is_lost:
        return RESIGNS  # the opponent has had a move to show that they see it
    offers = situation.has_draws and situation.is_calm and situation.offer is None
    return f"{choice.text}\npropose" if offers else choice.text


def any_move(situation: Situation, rng: Rng) -> str:
    """Return what a robot sends if its answer was not understood: any legal move, or no to a proposal."""
    if not situation.is_turn:
        return "reject"
    game, view = situation.problem.game, situation.problem.view
    position = game.determinize(view, rng) if game.info.hidden else view.position
    return game.format(rng.choice(game.legal_moves(position, view.seat or 0)))


def _to_offer(situation: Situation, rng: Rng) -> str:
    """Answer a proposal while it is the turn of another."""
    if situation.offer is None:
        raise ValueError("nobody has asked this robot anything")
    glad = situation.offer is Kind.PROPOSE and _is_glad(situation, _judged(situation.problem, rng))
    return "accept" if glad else "reject"


def _is_glad(situation: Situation, value: float) -> bool:
    """Return whether a draw is good enough: the robot is worse, or nothing changes and it is not better.

    Otherwise a weak player could take half of the points from any robot with the first move.
    """
    return value <= (EVEN if situation.is_calm else WORSE)


def _judged(problem: AnyProblem, rng: Rng) -> float:
    """Return what a board seems to be worth to the robot, without a search; much if its game has no opinion."""
    game, view = problem.game, problem.view
    guesses = [game.determinize(view, rng) for _ in range(_GUESSES)] if game.info.hidden else [view.position]
    values = [game.evaluate(position, view.seat or 0) for position in guesses]
    return sum(1.0 if value is None else value for value in values) / len(values)
