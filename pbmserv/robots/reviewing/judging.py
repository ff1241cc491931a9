"""What a judge says of one position. Any search or engine can be one: it is asked what `thinking.choose` is asked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from pbmserv.errors import MoveError
from pbmserv.games.base import AnyGame, Options, Seat
from pbmserv.games.base.evaluation import Choice
from pbmserv.rng import NoChance, Rng
from pbmserv.robots.reviewing.accuracy import later
from pbmserv.robots.thinking import AnyProblem, Problem
from pbmserv.robots.tree import Task, drawn, evaluate, mover, values

Judge = Callable[[AnyProblem], Choice]

_THROWS = 12  #: with which a move is weighed if chance or guesses decide what follows
_ROLLS = 36  #: with which a throw is compared
_NO_CHANCE = NoChance()
_REPLIES = 40  #: moves that are looked at for a reply


class Verdict(NamedTuple):
    """What a judge says of a position.

    `best`: the text of the best move; `value`: what it is worth to the seat that moves, None if it is the only one.
    `played`: what the move is worth that was played, if that does not follow from the position after it. `luck`: by how
    much the throw was better than throws are on average.
    """

    best: str
    value: float | None
    played: float | None = None
    luck: float = 0.0


@dataclass(frozen=True)
class Question:
    """A position that a judge is asked about.

    `played`: the move that was made there, "" if none was; `before`: the position, the seat and the move that led to
    it; `past`: the keys of earlier positions.
    """

    game: AnyGame
    options: Options
    seats: int
    position: Any = field(repr=False)
    seat: Seat
    played: str = ""
    before: tuple[Any, Seat, str] | None = field(default=None, repr=False)
    past: frozenset[Any] = field(default=frozenset(), repr=False)

    @property
    def is_open(self) -> bool:
        """Whether what a move is worth follows from the position after it: two see all, and chance decides nothing."""
        return self.seats == 2 and not self.game.info.chance and not self.game.info.hidden

    @property
    def problem(self) -> AnyProblem:
        """What its player knew."""
        view = self.game.view(self.position, self.seat)
        return Problem(self.game, view, self.options, self.seats, self.past)


def judged(question: Question, judge: Judge, rng: Rng) -> Verdict:
    """Ask a judge. `rng`: for what chance may bring."""
    game, luck = question.game, _luck(question, rng)
    legal = game.legal_moves(question.position, question.seat)
    if len(legal) == 1:
        return Verdict(game.format(legal[0]), None, luck=luck)
    choice = judge(question.problem)
    if not question.played or choice.text == question.played:
        return Verdict(choice.text, choice.value, luck=luck)
    if question.is_open:
        return Verdict(choice.text, _seen_as_deep(question, choice.text, judge))
    best, played = _weighed(question, (choice.text, question.played), rng)
    return Verdict(choice.text, max(best, played), played, luck)


def _seen_as_deep(question: Question, text: str, judge: Judge) -> float:
    """Return what a move is worth by a look at the position after it, because the played one is judged like that, too.

    Else a search would see one move deeper than the other, and whoever moves always seems to be better.
    """
    game, seat, position = question.game, question.seat, question.position
    task, mover_now, legal = _task(question), seat, [game.parse(position, seat, text)]
    while len(legal) == 1:
        position = game.apply(position, mover_now, legal[0], _NO_CHANCE).position
        if outcome := game.outcome(position):
            return values(task, position, outcome)[seat]
        mover_now = mover(task, position)
        legal = list(game.legal_moves(position, mover_now))
    value = judge(replace(question, position=position, seat=mover_now).problem).value
    return value if mover_now == seat else -later(value)


def _task(question: Question) -> Task[Any, Any]:
    return Task(question.game, question.position, question.seat, question.seats)


def _weighed(question: Question, texts: Sequence[str], rng: Rng) -> list[float]:
    """Return what moves are worth after a reply, on average over throws that are the same for all of them."""
    sums, tried = [0.0] * len(texts), 0
    for _ in range(_THROWS):
        position = _guessed(question, rng)
        luck = f"{rng.randrange(1 << 62):x}"
        try:
            results = [_after(question, position, text, luck) for text in texts]
        except MoveError:  # what is hidden is guessed, and in this guess the move is not possible
            continue
        sums = [total + result for total, result in zip(sums, results, strict=True)]
        tried += 1
    return [total / max(tried, 1) for total in sums]


def _guessed(question: Question, rng: Rng) -> Any:
    game = question.game
    return game.determinize(question.problem.view, rng) if game.info.hidden else question.position


def _after(question: Question, position: Any, text: str, luck: str) -> float:
    """Return what a move is worth to its seat after the reply that looks best, all by this luck."""
    task, move = _task(question), question.game.parse(position, question.seat, text)
    return _looks(task, drawn(task, position, question.seat, move, Rng(luck, 0)), question.seat, luck)


def _looks(task: Task[Any, Any], position: Any, seat: Seat, luck: str) -> float:
    """Return how a position looks to a seat if the best reply is made."""
    if outcome := task.game.outcome(position):
        return values(task, position, outcome)[seat]
    who = mover(task, position)
    then = max(_replies(task, position, who, luck), key=lambda reply: _static(task, reply, who))
    return _static(task, then, seat)


def _replies(task: Task[Any, Any], position: Any, who: Seat, luck: str) -> Iterator[Any]:
    moves = task.game.legal_moves(position, who)
    few = moves if len(moves) <= _REPLIES else Rng(luck, 2).shuffled(moves)[:_REPLIES]
    return (drawn(task, position, who, move, Rng(luck, 1)) for move in few)


def _static(task: Task[Any, Any], position: Any, seat: Seat) -> float:
    outcome = task.game.outcome(position)
    return values(task, position, outcome)[seat] if outcome else evaluate(task, position, seat)


def _luck(question: Question, rng: Rng) -> float:
    """Return how much better the position is, once the dice are thrown, than on average over throws."""
    info = question.game.info
    if question.before is None or not info.chance or info.hidden or question.seats > 2:
        return 0.0
    position, seat, text = question.before
    task, sums = _task(question), 0.0
    move = task.game.parse(position, seat, text)
    for _ in range(_ROLLS):
        luck = f"{rng.randrange(1 << 62):x}"
        sums += _looks(task, drawn(task, position, seat, move, Rng(luck, 0)), question.seat, luck)
    return _looks(task, question.position, question.seat, luck) - sums / _ROLLS
