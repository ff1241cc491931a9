"""Games of tables: the game of a row."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, make_dataclass, replace
from functools import cache, partial
from itertools import product
from math import tanh
from typing import ClassVar

from pbmserv.games.base import Note, Options, Seat, Step, View
from pbmserv.games.base.sheet import Format
from pbmserv.games.families.tables.table_helping import help_facts
from pbmserv.games.families.tables.table_refusals import obstacle
from pbmserv.games.families.tables.table_worth import worth
from pbmserv.games.families.tables.tables_row import AGAINST, HALF, HIT, PIN_DOWN, ROUND, Table
from pbmserv.games.families.tables.tables_rules import Both, TableRules, plays
from pbmserv.games.race.backgammon import Backgammon, sides
from pbmserv.games.race.backgammon.judgement.standing import standing
from pbmserv.games.race.backgammon.legs import PATTERN, legs_of
from pbmserv.games.race.backgammon.on_points import OnPoints
from pbmserv.games.race.backgammon.places import BAR, PIN, Dice, digits, numbers
from pbmserv.games.race.backgammon.sgf import sgf
from pbmserv.games.race.backgammon.situation import NAMES, Position
from pbmserv.games.race.backgammon.throws import Throw, in_orders
from pbmserv.rng import Rng

_FACES = range(1, 7)
_SCALE = 40  #: pips that are a clear lead
_NODES = (12, 600, 5000)  #: level 1 errs more than in backgammon, where less is left to luck
_ENDINGS = {
    "single": "all men are off",
    "gammon": "a gammon",
    "mother": "the mother is pinned",
    "mothers": "both mothers are pinned",
    "blocked": "nobody can move any more",
}


def game_of(row: Table) -> OnPoints:
    """Return the game of a row. Its class has the row's name."""
    info = replace(Backgammon.info, **row.told)
    if not row.cube:
        endings = {reason: text for reason, text in _ENDINGS.items() if row.mother or not reason.startswith("mother")}
        info = replace(info, pattern=PATTERN, endings=endings, options=(), nodes=_NODES, lowest_level=1)
    facts = {"across": row.facing, "rules": TableRules(row), "variation": row.gnubg}
    base: type[OnPoints] = WithCube if row.cube else Tables
    return row.game(base, info, **facts, position_type=property(lambda _: _kind_of_position(row)))


@cache
def _kind_of_position(row: Table) -> type[Position]:
    """Return the class of the positions, which is made when the game is first played."""
    men = digits(row.opening)
    fields, named = [("men", tuple[str, str], field(default=(men, men)))], {"variation": row.gnubg}
    return make_dataclass(row.key, fields, bases=(Position,), namespace=named, frozen=True, slots=True)


class WithCube(Backgammon):
    """A game that is like backgammon when it has begun."""

    rules: ClassVar[TableRules]

    def help_facts(self) -> Mapping[str, object]:
        return help_facts(self, self.rules)


class Tables(OnPoints):
    """Two players and dice that the server rolls. A move is the canonical text of a whole turn."""

    rules: ClassVar[TableRules]
    draws = frozenset({"mothers", "blocked"})

    @property
    def formats(self) -> tuple[Format, ...]:
        return (sgf(self.info.name, self.across, partial(plays, self.rules)),)

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        """Each player rolls a die. The higher one begins, and rolls all dice."""
        while True:
            white, black = _roll(rng, 1), _roll(rng, 1)
            if white != black:
                return self._rolled(self.position_type(turn=int(black > white)), rng).position

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[str]:
        return list(plays(self.rules, position.throw))

    def apply(self, position: Position, seat: Seat, move: str, rng: Rng) -> Step[Position]:
        then = self._settled(position, self.rules.after(position.throw, legs_of(move)))
        return Step(then) if then.won else self._rolled(then, rng)

    def _settled(self, position: Position, both: Both) -> Position:
        """Return the position when a turn is over, before the opponent rolls. `both`: the men, first the mover's."""
        stored, won = tuple(map(digits, both)), self.rules.over(both)
        men = (stored[0], stored[1]) if position.turn == 0 else (stored[1], stored[0])
        return self.position_type(men, 1 - position.turn, won=won)

    def _rolled(self, position: Position, rng: Rng) -> Step[Position]:
        """Roll for the player to move. Who can use none of the dice misses the turn."""
        notes, missed = list[Note](), list[Seat]()
        while not position.won:
            seat, dice = position.turn, _roll(rng, self.rules.row.dice)
            both = position.of(seat), position.of(1 - seat)
            if self.rules.can_move(both, dice):
                notes.append(Note(f"{NAMES[seat]} rolls {numbers(dice)}."))
                rolled = self.position_type(position.men, seat, dice)
                return Step(rolled, tuple(notes), tuple(missed))
            notes.append(Note(f"{NAMES[seat]} rolls {numbers(dice)} and cannot move."))
            missed.append(seat)
            is_stuck = not any(self.rules.can_move(men, _FACES) for men in (both, both[::-1]))
            position = replace(position, turn=1 - seat, won="blocked" * is_stuck)
        return Step(position, tuple(notes), tuple(missed))

    def evaluate(self, position: Position, seat: Seat) -> float:
        row = self.rules.row
        if row.meets == HIT and row.runs == AGAINST:
            return standing(position, seat)
        return tanh(worth(row, position.of(seat), position.of(1 - seat)) / _SCALE)

    def turns(self, position: Position) -> Mapping[str, Position]:
        """Return the position after each legal turn, before the opponent does anything."""
        throw = position.throw
        return {
            text: self._settled(position, self.rules.after(throw, legs_of(text))) for text in plays(self.rules, throw)
        }

    def throws(self, position: Position) -> Iterator[tuple[float, Sequence[Position]]]:
        """Yield each throw of the player to move, as its probability and what it can lead to."""
        own, other, count = position.of(position.turn), position.of(1 - position.turn), self.rules.row.dice
        often = Counter(tuple(sorted(dice, reverse=True)) for dice in product(_FACES, repeat=count))
        for dice, times in often.items():
            ends = self.rules.results(Throw(own, other, dice)) or [(own, other)]
            yield times / len(_FACES) ** count, [self._settled(position, both) for both in ends]

    def end(self, position: Position) -> str:
        return position.won

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[str]:
        """Read the legs of a turn, whatever their order and the points on the way."""
        legs = legs_of(text)
        return self.rules.meanings(position.throw, legs) if legs else ()

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        legs = legs_of(text)
        reason = obstacle(self.rules, position.throw, legs) if legs else "a turn moves at most four men"
        return f"'{text}' is not possible: {reason}."

    def touch_orders(self, position: Position, move: str) -> Iterable[tuple[str, ...]]:
        """Return the places from where and to where each die moves a man, whichever man moves first."""
        held = HALF if self.rules.row.half_waits else BAR
        for steps in in_orders(position.throw.own, plays(self.rules, position.throw)[move], held):
            yield tuple(sides.cell_name(place) for step in steps for place in step)

    def lines(self, view: View[Position]) -> tuple[str, ...]:
        """Tell also who is pinned, and which way men run if both run the same way."""
        return (*super().lines(view), *_pins(self.rules.row, view), *_ways(self.rules.row))

    def help_facts(self) -> Mapping[str, object]:
        return help_facts(self, self.rules)


def _roll(rng: Rng, count: int) -> Dice:
    """Return dice, the highest first."""
    return tuple(sorted((1 + rng.randrange(len(_FACES)) for _ in range(count)), reverse=True))


def _pins(row: Table, view: View[Position]) -> Iterator[str]:
    """Yield where men are pinned, by the reader's numbers."""
    side = view.seat or 0
    for seat in (0, 1) if row.meets == PIN_DOWN else ():
        men = view.position.of(seat)
        points = [place if seat == side else row.facing[place] for place in range(1, BAR) if men[PIN + place]]
        if points:
            yield f"Pinned men of {NAMES[seat]}: {', '.join(map(str, sorted(points)))}"


def _ways(row: Table) -> Iterator[str]:
    if row.runs != AGAINST:
        yield "Both run the same way: from 24 to 13 above, then from 12 to 1 below."
    if row.runs == ROUND:
        yield "You begin on 24, your opponent on your 12."
