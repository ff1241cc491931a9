"""GNU Backgammon, asked through the Python inside of it what positions are worth. Dice and legal turns are ours.

A board without a match is a game whose gammons count no more than other wins, which is what gnubg calls a match to one
point. Equities in a match are those of money that are as good (EMG).
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from pbmserv.games.race.backgammon import Backgammon
from pbmserv.games.race.backgammon.cube import DOUBLE, DROP, ROLL, TAKE
from pbmserv.games.race.backgammon.legs import legs_of
from pbmserv.games.race.backgammon.places import BAR, Men, all_off, digits
from pbmserv.games.race.backgammon.situation import CRAWFORD, NOBODY, Position
from pbmserv.games.race.backgammon.throws import Throw, after, plays
from pbmserv.robots.engines import in_gnubg
from pbmserv.robots.engines.process import START, EngineFault, Process
from pbmserv.robots.engines.protocol import Protocol
from pbmserv.robots.engines.told import CannotPlay, EngineMove, EngineSettings, Line, PlayedSoFar, Strength

_PLIES = 2  #: that it looks ahead
#: Turns that seem best to our own evaluation, which it judges: each takes 10 ms. For dice that are not there, they are
#: fewer. Ahead it looks for the best of them only.
_MOST, _MOST_OF_OTHERS, _MOST_AHEAD = 20, 6, 5
_SETUP = "plies "
_DICE = tuple((high, low) for low, high in combinations_with_replacement(range(1, 7), 2))

Place = tuple[Any, ...]  #: what `in_gnubg` is asked about


class Gnubg(Protocol):
    """GNU Backgammon. Its only line of `setup` is such as `plies 1`."""

    games = (Backgammon,)
    words = ("-t", "-q", "-r", "-p", str(Path(in_gnubg.__file__).resolve()))

    def __init__(self, process: Process, settings: EngineSettings) -> None:
        super().__init__(process, settings)
        self._plies = _PLIES
        for line in settings.setup:
            if not line.startswith(_SETUP) or not line.removeprefix(_SETUP).isdecimal():
                raise EngineFault("its setup can only be such as: plies 1")
            self._plies = int(line.removeprefix(_SETUP))
        process.ask("", _is_ours, START)

    def check(self, limit: Strength) -> None:
        if limit.elo is not None or limit.nodes is not None:
            raise CannotPlay('gnubg knows neither Elo nor nodes: set in its table setup = ["plies 0"].')

    def choose(self, record: PlayedSoFar, limit: Strength) -> EngineMove:
        self.check(limit)
        best = self._ways(record)[0]
        return EngineMove(best.moves[0], best.value)

    def analyse(self, record: PlayedSoFar, limit: Strength, lines: int) -> list[Line]:
        return self._ways(record)[:lines]

    def luck(self, record: PlayedSoFar, limit: Strength) -> float:
        position: Position = record.position
        throw = position.throw
        if not throw.dice:
            raise CannotPlay("there are no dice")
        best = [max(self._values(record, throw._replace(dice=dice), _MOST_OF_OTHERS).values()) for dice in _DICE]
        times = [1 if high == low else 2 for high, low in _DICE]
        average = sum(value * count for value, count in zip(best, times, strict=True)) / sum(times)
        return best[_DICE.index((throw.dice[0], throw.dice[1]))] - average

    def _ways(self, record: PlayedSoFar) -> list[Line]:
        position: Position = record.position
        values = self._values(record, position.throw, _MOST) if position.dice else self._stakes(position)
        ways = sorted(values.items(), key=lambda way: -way[1])
        return [Line(max(-1.0, min(value, 1.0)), value, (text,)) for text, value in ways]

    def _values(self, record: PlayedSoFar, throw: Throw, most: int) -> Mapping[str, float]:
        """Return what the best turns are worth for who has thrown: by text, "" if no man can move."""
        position, seat = record.position, record.position.turn
        men = {text: after(throw, legs_of(text)) for text in plays(throw) or [""]}
        won = {text: 1.0 for text, (own, _) in men.items() if all_off(own)}
        if won:
            return won

        def seems(text: str) -> float:
            both = tuple(map(digits, men[text]))
            then = replace(position, men=both if seat == 0 else both[::-1], turn=1 - seat, dice=())
            return record.game.evaluate(then, seat) or 0.0

        best = sorted(men, key=seems, reverse=True)[:most]
        values = self._after(position, {text: men[text] for text in best}, 0)
        if most < _MOST or not self._plies or len(values) == 1:
            return values
        ahead = sorted(values, key=lambda text: -values[text])[:_MOST_AHEAD]
        return self._after(position, {text: men[text] for text in ahead}, self._plies)

    def _after(self, position: Position, men: Mapping[str, tuple[Men, Men]], plies: int) -> Mapping[str, float]:
        """Return what turns are worth that lead to these men of who moves and of the other one."""
        places = [_place(position, 1 - position.turn, other, own) for own, other in men.values()]
        return {text: -equity[0] for text, equity in zip(men, self._judged(places, plies), strict=True)}

    def _stakes(self, position: Position) -> Mapping[str, float]:
        """Return what the words about the cube are worth. Who has doubled is judged as before the double."""
        seat = 1 - position.turn if position.doubled else position.turn
        place = _place(position, seat, position.of(seat), position.of(1 - seat))
        _, without, taken, dropped = self._judged([place], self._plies)[0]
        if position.doubled:
            return {TAKE: -taken, DROP: -dropped}
        return {DOUBLE: min(taken, dropped), ROLL: without}

    def _judged(self, places: Sequence[Place], plies: int) -> Any:
        told = self.answer(json.dumps({"plies": plies, "places": places}), _is_ours)[-1]
        answer = json.loads(told.removeprefix(in_gnubg.WORD))
        if "judged" not in answer:
            raise EngineFault(f"it cannot judge: {answer}"[:200])
        return answer["judged"]


def _is_ours(line: str) -> bool:
    return line.startswith(in_gnubg.WORD)


def _place(position: Position, seat: int, own: Men, other: Men) -> Place:
    """Return a board on which a seat is to move, with its cube; gnubg calls this seat 1, and the other one 0."""
    owner = NOBODY if position.owner == NOBODY else int(position.owner == seat)
    score = (position.score[1 - seat], position.score[seat])
    stakes = (position.cube, owner, 1, position.goal or 1, score, int(position.crawford == CRAWFORD))
    return ([*_half(other)], [*_half(own)]), stakes


def _half(men: Men) -> Iterator[int]:
    """Yield the men on the points from 1, and on the bar."""
    return (men[place] for place in range(1, BAR + 1))
