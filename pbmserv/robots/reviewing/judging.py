"""What a judge says of one position of a game. Our own search can be one, or an engine of the operator."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pbmserv.errors import MoveError
from pbmserv.games.base import AnyGame, Options, Seat
from pbmserv.games.base.evaluation import Choice
from pbmserv.rng import NoChance, Rng
from pbmserv.robots import levels, thinking
from pbmserv.robots.engines import CannotPlay, EngineFault, Engines, Line, NoEngine, PlayedSoFar
from pbmserv.robots.reviewing.accuracy import later
from pbmserv.robots.thinking import AnyProblem, Problem
from pbmserv.robots.tree import MOST_VALUE, SOONER, WON, Task, drawn, evaluate, mover, values

_THROWS = 12  #: with which a move is weighed if chance or guesses decide what follows
_ROLLS = 36  #: with which a throw is compared
_NO_CHANCE = NoChance()
_REPLIES = 40  #: moves that are looked at for a reply
_AS_GOOD = 0.06  #: by which a value may be less to be as good: 3 % of the chance to win, a third of a pawn in chess
_NEAR = 0.2  #: by which a value may seem to be less at first
MOST_OTHERS = 4  #: that are looked at; whether there are more, nobody knows
_LINES = 40  #: moves whose values an engine is asked for where chance decides what follows


class Judged(NamedTuple):
    """What a judge says of a position.

    `best`: the text of the best move; `value`: what it is worth to the seat that moves, None if there is no choice.
    `played`: what the move is worth that was played, if that does not follow from the position after it. `luck`: by how
    much the throw was better than throws are on average. `others`: moves that are as good as the best, if asked for.
    """

    best: str
    value: float | None
    played: float | None = None
    luck: float = 0.0
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """A position that a judge is asked about.

    `positions`: the first of the board, and that after each of `moves`, which are canonical texts with the seats that
    made them; `seat`: who is to move; `played`: the move that was made then, "" if none was; `past`: the keys of
    earlier positions; `better`: the best move, if it is asked which others are as good, else "".
    """

    game: AnyGame
    options: Options
    seats: int
    positions: tuple[Any, ...] = field(repr=False)
    moves: tuple[tuple[Seat, str], ...] = field(repr=False)
    seat: Seat
    played: str = ""
    past: frozenset[Any] = field(default=frozenset(), repr=False)
    better: str = ""

    @property
    def position(self) -> Any:
        """The position."""
        return self.positions[-1]

    def after(self, text: str, position: Any) -> "Question":
        """Return the question about the position after a move."""
        seat = mover(Task(self.game, position, self.seat, self.seats), position)
        track = (*self.positions, position), (*self.moves, (self.seat, text))
        return Question(self.game, self.options, self.seats, *track, seat, past=self.past)

    @property
    def is_open(self) -> bool:
        """Whether what a move is worth follows from the position after it: two see all, and chance decides nothing."""
        return self.seats == 2 and not self.game.info.chance and not self.game.info.hidden

    @property
    def has_luck(self) -> bool:
        """Whether dice were thrown for this move that was played."""
        info = self.game.info
        return bool(self.moves and self.played) and info.chance and not info.hidden and self.seats <= 2

    @property
    def problem(self) -> AnyProblem:
        """What its player knew."""
        view = self.game.view(self.position, self.seat)
        return Problem(self.game, view, self.options, self.seats, self.past)


class OwnSearch:
    """Our own search at its highest level. `rng`: for its choices, and for what chance may bring."""

    def __init__(self, game: AnyGame, rng: Rng) -> None:
        self._level = levels.strongest(game)
        self.rng = rng

    @property
    def name(self) -> str:
        """What letters call it."""
        return f"a robot of level {self._level}"

    def choose(self, question: Question) -> Choice:
        """Return the best move and its value."""
        return thinking.choose(question.problem, self._level, self.rng)

    def nearly_best(self, question: Question) -> list[str]:
        """Return moves that may be as good as the best, and perhaps that one, where nothing is left to chance."""
        return thinking.nearly_best(question.problem, self._level, self.rng, _NEAR)

    def weigh(self, question: Question, texts: Sequence[str]) -> list[float]:
        """Return what moves are worth where chance or guesses decide what follows."""
        return _weighed(question, texts, self.rng)

    def luck(self, question: Question) -> float:
        """Return how much better the throw is than throws are on average, as a value."""
        return _luck(question, self.rng)


class EngineJudge(OwnSearch):
    """An engine of the operator. What it does not say, or cannot now, our own search does."""

    def __init__(self, game: AnyGame, rng: Rng, engines: Engines, engine: str) -> None:
        super().__init__(game, rng)
        self._engines = engines
        self._engine = engine

    @property
    def name(self) -> str:
        return f"the engine {self._engine}"

    def choose(self, question: Question) -> Choice:
        lines = self._lines(question, 1)
        return Choice(lines[0].moves[0], _value(lines[0]), 0) if lines else super().choose(question)

    def nearly_best(self, question: Question) -> list[str]:
        lines = self._lines(question, 1 + MOST_OTHERS)
        near = [line.moves[0] for line in lines if _value(line) >= _value(lines[0]) - _NEAR]
        return near if len(lines) > 1 else super().nearly_best(question)

    def weigh(self, question: Question, texts: Sequence[str]) -> list[float]:
        known: Mapping[str, float] = {line.moves[0]: _value(line) for line in self._lines(question, _LINES)}
        return [known[text] for text in texts] if known.keys() >= set(texts) else super().weigh(question, texts)

    def luck(self, question: Question) -> float:
        try:
            return self._engines.luck(self._engine, _record(question)) if question.moves else 0.0
        except (NoEngine, CannotPlay, EngineFault):
            return super().luck(question)

    def _lines(self, question: Question, count: int) -> list[Line]:
        """Return ways to go on; [] if the engine cannot say any now."""
        try:
            lines = self._engines.analyse(self._engine, _record(question), count)
        except (NoEngine, CannotPlay, EngineFault):
            return []
        return [line for line in lines if line.moves]


def judge_of(game: AnyGame, rng: Rng, engines: Engines) -> OwnSearch:
    """Return the judge of a game: an engine of the operator if one knows the game, else our own search."""
    name = engines.for_game(game)
    return EngineJudge(game, rng, engines, name) if name else OwnSearch(game, rng)


def judged(question: Question, judge: OwnSearch) -> Judged:
    """Ask a judge."""
    if question.better:
        return Judged(question.better, None, others=tuple(_as_good(question, judge)))
    game = question.game
    luck = judge.luck(question) if question.has_luck else 0.0
    legal = game.legal_moves(question.position, question.seat)
    if len(legal) == 1:
        return Judged(game.format(legal[0]), None, luck=luck)
    if agreed := game.agreement(question.problem.view, judge.rng):  # such as a count: what is right is agreed on
        return Judged(agreed[0], None, luck=luck)
    choice = judge.choose(question)
    if not question.played or choice.text == question.played:
        return Judged(choice.text, choice.value, luck=luck)
    if question.is_open:
        return Judged(choice.text, _seen_as_deep(question, choice.text, judge))
    best, played = judge.weigh(question, (choice.text, question.played))
    return Judged(choice.text, max(best, played), played, luck)


def _record(question: Question) -> PlayedSoFar:
    return PlayedSoFar(question.game, question.options, question.positions, question.moves)


def _value(line: Line) -> float:
    """Return the value of a way to go on as our searches count it: a win by force is worth more the sooner it comes."""
    if line.mate is None:
        return MOST_VALUE * line.value
    plies = 2 * abs(line.mate) - (line.mate > 0)
    return (WON - SOONER * (plies - 1)) * (1 if line.mate > 0 else -1)


def _seen_as_deep(question: Question, text: str, judge: OwnSearch) -> float:
    """Return what a move is worth by a look at the position after it, because the played one is judged like that, too.

    Else a search would see one move deeper than the other, and whoever moves always seems to be better.
    """
    game, seat, then = question.game, question.seat, question
    legal = [game.parse(question.position, seat, text)]
    while len(legal) == 1:
        position = game.apply(then.position, then.seat, legal[0], _NO_CHANCE).position
        if outcome := game.outcome(position):
            return values(_task(question), position, outcome)[seat]
        then = then.after(game.format(legal[0]), position)
        legal = list(game.legal_moves(position, then.seat))
    value = judge.choose(then).value
    return value if then.seat == seat else -later(value)


def _as_good(question: Question, judge: OwnSearch) -> Iterator[str]:
    """Yield moves that are as good as the best one, by a look at the position after each of them."""
    others = [text for text in judge.nearly_best(question) if text != question.better][:MOST_OTHERS]
    least = _seen_as_deep(question, question.better, judge) - _AS_GOOD if others else 0.0
    yield from (text for text in others if _seen_as_deep(question, text, judge) >= least)


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
    position, (seat, text) = question.positions[-2], question.moves[-1]
    task, sums = _task(question), 0.0
    move = task.game.parse(position, seat, text)
    for _ in range(_ROLLS):
        luck = f"{rng.randrange(1 << 62):x}"
        sums += _looks(task, drawn(task, position, seat, move, Rng(luck, 0)), question.seat, luck)
    return _looks(task, question.position, question.seat, luck) - sums / _ROLLS
