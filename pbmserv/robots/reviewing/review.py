"""A review: how well each side played, who stood better when, and the moves that decided the game.

It is made in steps. Each asks a judge about one position, and what all steps have answered is the whole state: so the
work goes on after any of them, in whatever process.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from pbmserv.games.base import AnyGame, Options, Outcome, Seat
from pbmserv.rng import ChanceNeeded, NoChance
from pbmserv.robots.reviewing.accuracy import accuracy, mean, share, wins_in
from pbmserv.robots.reviewing.judging import Judged, Question
from pbmserv.robots.reviewing.verdict_words import Fall, why
from pbmserv.robots.thinking import key_of
from pbmserv.robots.tree import MOST_VALUE, Task, values

MOMENTS = 3
LINE = 4  #: moves of a line
_LEAST = 0.08  #: a move that lost less of the chance to win decided nothing
_NO_CHANCE = NoChance()


class Moment(NamedTuple):
    """A move that decided much. `ply`: of the position before it; `played`, `better`: canonical texts.

    `line`: the better move and what follows it; `reply`: what follows the move that was played; both as players write
    moves. `chance`: of its player to win, in percent, with the better move and with that one; in a solitaire, points.
    `others`: moves that are as good as the better one, where two see all, as canonical texts.
    """

    ply: int
    seat: Seat
    played: str
    better: str
    line: tuple[str, ...]
    reply: tuple[str, ...]
    why: str
    chance: tuple[int, int]
    others: tuple[str, ...] = ()

    @property
    def right(self) -> tuple[str, ...]:
        """The better move, and those that are as good."""
        return self.better, *self.others


class Review(NamedTuple):
    """A finished review.

    `accuracy`: by seat, in percent, None without a choice. `curve`: the chance of the first seat at each ply, in
    percent; empty if more than two play. `luck`: by seat, in percent of a chance to win, or in points; empty without
    dice. `agreement`: by seat, which part of the moves the judge would have made. `judge`: who it was.
    """

    accuracy: tuple[float | None, ...]
    curve: tuple[int, ...]
    moments: tuple[Moment, ...]
    luck: tuple[float, ...] = ()
    agreement: tuple[float | None, ...] = ()
    judge: str = ""

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "Review":
        """Return what was stored as JSON, perhaps before a moment had as much to say."""
        moments = (Moment(*map(_from_json, m)) for m in plain["moments"])
        rest = {name: tuple(plain[name]) for name in ("accuracy", "curve", "luck", "agreement")}
        return cls(**rest, moments=tuple(moments), judge=plain["judge"])


def _from_json(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class PlayedGame:
    """A finished game: its positions, the last one too, and who made which move between them."""

    game: AnyGame
    options: Options
    seats: int
    positions: tuple[Any, ...] = field(repr=False)
    moves: tuple[tuple[Seat, str], ...] = field(repr=False)

    @cached_property
    def judged(self) -> int:
        """How many positions are judged: all in which somebody is to move."""
        return len(self.positions) - (self.end is not None)

    @cached_property
    def end(self) -> Outcome | None:
        """How the game ended by its rules; None if it ended otherwise, such as by resignation."""
        return self.game.outcome(self.positions[-1])

    @cached_property
    def keys(self) -> tuple[Any, ...]:
        """The keys of the positions."""
        return tuple(key_of(self.game, position) for position in self.positions)

    def question(self, ply: int) -> Question:
        """Return what is asked about a position of the game."""
        position = self.positions[ply]
        seat, played = self.moves[ply] if ply < len(self.moves) else (min(self.game.to_move(position)), "")
        track = self.positions[: ply + 1], self.moves[:ply]
        return Question(*(self.game, self.options, self.seats, *track, seat, played), past=frozenset(self.keys[:ply]))


class _Unanswered(Exception):
    def __init__(self, question: Question) -> None:
        self.question = question


def next_step(played: PlayedGame, verdicts: Sequence[Judged], judge: str = "") -> Question | Review:
    """Return the next question, or the review if all are answered. `verdicts`: the answers so far, in their order."""
    if len(verdicts) < played.judged:
        return played.question(len(verdicts))
    try:
        return _Reviewing(played, verdicts).review()._replace(judge=judge)
    except _Unanswered as e:
        return e.question


class _Reviewing:
    def __init__(self, played: PlayedGame, verdicts: Sequence[Judged]) -> None:
        self._played = played
        self._verdicts = verdicts[: played.judged]
        self._more = iter(verdicts[played.judged :])
        self._task = Task(played.game, played.positions[0], 0, played.seats)
        self._values = self._all_values()
        known = [value for _, value in self._values]
        self._top = max([1.0, *known]) if played.seats == 1 else 0.0

    def review(self) -> Review:
        """Return the review. Raises _Unanswered."""
        seats = range(self._played.seats)
        choices = [ply for ply in range(len(self._played.moves)) if self._verdicts[ply].value is not None]
        by_seat = [[ply for ply in choices if self._played.moves[ply][0] == seat] for seat in seats]
        moments = [self._moment(ply) for ply in self._decisive(choices)]
        info = self._played.game.info
        has_luck = info.chance and not info.hidden and len(seats) <= 2
        return Review(
            accuracy=tuple(mean([accuracy(self._loss(ply)) for ply in plies]) for plies in by_seat),
            curve=tuple(self._curve()) if len(seats) <= 2 else (),
            moments=tuple(moment._replace(others=self._others(moment)) for moment in moments),
            luck=tuple(map(self._luck, seats)) if has_luck else (),
            agreement=tuple(mean([float(self._agrees(ply)) for ply in plies]) for plies in by_seat),
        )

    def _all_values(self) -> list[tuple[Seat, float]]:
        """Return what each position is worth, and to whom. That of a forced move is that of the position after it."""
        worths = list[tuple[Seat, float]]()
        if self._played.end:
            worth = values(self._task, self._played.positions[-1], self._played.end)
            worths.append((0, worth[0]))
        for ply in reversed(range(self._played.judged)):
            question, verdict = self._played.question(ply), self._verdicts[ply]
            value = verdict.value
            if value is None:
                value = self._for(question.seat, worths[-1]) if worths else self._static(question)
            worths.append((question.seat, value))
        return worths[::-1]

    def _static(self, question: Question) -> float:
        return question.game.evaluate(question.position, question.seat) or 0.0

    def _for(self, seat: Seat, worth: tuple[Seat, float]) -> float:
        """Return what a position is worth to a seat that is worth so much to another one."""
        return worth[1] if worth[0] == seat else -worth[1]

    def _share(self, value: float) -> float:
        return share(value, self._top)

    def _after(self, ply: int) -> float:
        """Return what the move of a ply was worth to who made it."""
        seat, verdict = self._played.moves[ply][0], self._verdicts[ply]
        if verdict.played is not None:
            return verdict.played
        return self._for(seat, self._values[ply + 1])

    def _best(self, ply: int) -> float:
        value = self._verdicts[ply].value
        return self._after(ply) if value is None else value

    def _agrees(self, ply: int) -> bool:
        return self._verdicts[ply].best == self._played.moves[ply][1]

    def _loss(self, ply: int) -> float:
        """Return which part of the chance to win a move lost. Who makes the judge's move loses nothing."""
        return 0.0 if self._agrees(ply) else max(self._share(self._best(ply)) - self._share(self._after(ply)), 0.0)

    def _decisive(self, choices: Sequence[int]) -> list[int]:
        """Return the plies that lost most, in their order."""
        losses = sorted(((self._loss(ply), -ply) for ply in choices), reverse=True)[:MOMENTS]
        return sorted(-ply for loss, ply in losses if loss >= _LEAST)

    def _curve(self) -> Iterator[int]:
        """Yield the chance of the first seat. Whoever moves seems to be better, so each is the mean of two plies."""
        chances = [share if seat == 0 else 1 - share for seat, value in self._values for share in [self._share(value)]]
        for one, other in zip(chances, [*chances[1:], chances[-1]], strict=True):
            yield round(50 * (one + other))

    def _luck(self, seat: Seat) -> float:
        scale = 50 if self._played.seats > 1 else 1
        moved = (ply for ply in range(self._played.judged) if self._played.question(ply).seat == seat)
        return round(scale * sum(self._verdicts[ply].luck for ply in moved), 1)

    def _moment(self, ply: int) -> Moment:
        seat, text = self._played.moves[ply]
        best, after = self._best(ply), self._after(ply)
        better = self._line(ply, [self._verdicts[ply].best])
        reply = self._line(ply, [text, *self._known_reply(ply)])
        chance = (best, after) if self._played.seats == 1 else (100 * self._share(best), 100 * self._share(after))
        fall = self._fall(ply, better, reply)
        return Moment(
            *(ply, seat, text, self._verdicts[ply].best, better.written, reply.written[1:], why(fall)),
            (round(chance[0]), round(chance[1])),
        )

    def _others(self, moment: Moment) -> tuple[str, ...]:
        """Return the moves that are as good as the better one. Raises _Unanswered."""
        question = self._played.question(moment.ply)
        return tuple(self._answer(replace(question, better=moment.better)).others) if question.is_open else ()

    def _known_reply(self, ply: int) -> list[str]:
        return [self._verdicts[ply + 1].best] if ply + 1 < self._played.judged else []

    def _line(self, ply: int, known: Sequence[str]) -> "_Line":
        """Return how the game could go on. Raises _Unanswered. It ends where chance decides what follows."""
        then, written, left = self._played.question(ply), list[str](), list(known)
        game = then.game
        while len(written) < LINE and not game.outcome(then.position):
            text = left.pop(0) if left else self._answer(then).best
            written.append(game.written(then.position, then.seat, text))
            try:
                move = game.parse(then.position, then.seat, text)
                position = game.apply(then.position, then.seat, move, _NO_CHANCE).position
            except ChanceNeeded:
                break
            if game.outcome(position):
                return _Line(tuple(written), position)
            then = then.after(text, position)
        return _Line(tuple(written), then.position)

    def _answer(self, question: Question) -> Judged:
        verdict = next(self._more, None)
        if verdict is None:
            raise _Unanswered(question)
        return verdict

    def _fall(self, ply: int, better: "_Line", reply: "_Line") -> Fall:
        """Return the facts of a move that lost something."""
        played, seat = self._played, self._played.moves[ply][0]
        best, after = self._best(ply), self._after(ply)
        names = played.game.names_of_seats(played.options, played.seats)
        others = [other for other in range(played.seats) if other != seat]
        is_open = played.question(ply).is_open
        return Fall(
            *(played.game, names[others[0]] if others else "", self._share(best), self._share(after)),
            missed=wins_in(best) if is_open else 0,
            allowed=wins_in(-after) if is_open and wins_in(-best) == 0 else 0,
            lost=self._men_off([seat], better.end, reply.end),
            taken=self._men_off(others, better.end, reply.end),
            missed_men=self._men_off(others, reply.end, better.end),
            points=self._points(best, after),
        )

    def _men_off(self, seats: Sequence[Seat], there: Any, gone: Any) -> Counter[str]:
        """Return the men of some seats that are there in one position and not in another."""
        game = self._played.game
        off = (Counter(game.men(there, seat)) - Counter(game.men(gone, seat)) for seat in seats)
        return sum(off, Counter[str]())

    def _points(self, best: float, after: float) -> float | None:
        if self._played.seats == 1:
            return best - after
        one, other = map(self._played.game.in_points, (best / MOST_VALUE, after / MOST_VALUE))
        return None if one is None or other is None else one - other


class _Line(NamedTuple):
    """Moves as players write them, and the position after them."""

    written: tuple[str, ...]
    end: Any
