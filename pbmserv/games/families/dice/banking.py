"""Dice games with points in the pot: throw until you stop and keep the points of the turn, or lose them."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import ClassVar

from pbmserv.games.base import Cell, Note, Options, Picture, Seat, Step, View
from pbmserv.games.base.evaluation import Choice
from pbmserv.games.base.grid import replaced
from pbmserv.games.base.values import changed
from pbmserv.games.families.dice.at_table import AtTable, Table, thrown, told
from pbmserv.games.families.dice.dice_row import Dice, PotRow
from pbmserv.games.families.dice.keeping import REST, kept_by
from pbmserv.games.families.dice.planning import holds, parts, throws
from pbmserv.rng import Rng

ROLL, BANK, TO = "roll", "bank", "to"
#: Words for what is done with the dice that are not set aside, and words beside them.
_SAID_ENDS = {
    BANK: frozenset(("bank", "stop", "stay", "finish", "banken", "sichern", "aufhören", "stopp")),
    ROLL: frozenset(("roll", "throw", "again", "continue", "würfeln", "weiter", "weiterwürfeln")),
}
_BESIDE_ENDS = frozenset(
    ("and", "then", "und", "dann", "i", "i'll", "ich", "it", "them", "take", "nehme", "set", "aside", "please", "bitte")
)
_BEFORE_DICE = frozenset(("the", "my", "keep", "hold", "points", "die", "behalte", "punkte"))
_ALL_DICE = frozenset(("all", "everything", "alle", "alles"))
_LEAST_POINTS = 50  #: of what somebody names by its points: the 500
MOST_ROUNDS = 100  #: then the leader wins
_MOST_TOLD = 24  #: dice in a note
_GOALS = tuple(f"{TO}{n}" for n in range(100, 3001, 50))  #: of dice that are set aside
_FEW, _SOME = 60, 600  #: nodes of levels 1 and 2


class OnPot(AtTable):
    """`row`: what is in the pot, and when it is lost. Here whole throws count."""

    row: ClassVar[PotRow]
    kind = "pot"

    def setup(self, options: Options, seats: int, rng: Rng) -> Table:
        return changed(self.laid(seats, 1, rng), goal=self.row.target // (1 + ("short" in options)))

    def begun(self, step: Step[Table], rng: Rng) -> Step[Table]:
        return step

    def can_play(self, position: Table, seat: Seat) -> bool:
        return position.rounds + (seat <= position.turn) < MOST_ROUNDS

    def legal_moves(self, position: Table, seat: Seat) -> Sequence[str]:
        stop = [BANK] if position.pot else []
        return [ROLL, *stop, *(f"{TO}{n}" for n in range(position.pot + 1, 101) if n > 1)]

    def is_legal(self, position: Table, seat: Seat, text: str) -> bool:
        if text.startswith(TO):
            return max(position.pot, 1) < int(text[len(TO) :]) <= 100
        return text == ROLL or position.pot > 0

    def apply(self, position: Table, seat: Seat, move: str, rng: Rng) -> Step[Table]:
        if move == BANK:
            return self._kept(Step(position), rng)
        missing = position.goal - position.sheets[seat][0]
        least = missing if move == ROLL else min(missing, int(move[len(TO) :]))
        pot, seen = position.pot, list[Dice]()
        while True:
            seen.append(thrown(self.row.dice, rng))
            points = self.row.worth(seen[-1])
            pot += max(points, 0)
            if points <= 0 or pot >= least or move == ROLL:
                break
        note = Note(f"Threw {' '.join('-'.join(map(str, dice)) for dice in seen[-_MOST_TOLD:])}.")
        then = changed(position, dice=seen[-1], pot=pot)
        if points <= 0:
            return self._lost(then, points, note, rng)
        step = Step(then, (note, Note(f"There are {pot} in the pot.")))
        return self._kept(step, rng) if pot >= least else step

    def _kept(self, step: Step[Table], rng: Rng) -> Step[Table]:
        """Add the points in the pot to those of the seat."""
        position = step.position
        total = position.sheets[position.turn][0] + position.pot
        then = changed(position, sheets=replaced(position.sheets, position.turn, (total,)))
        notes = (*step.notes, Note(f"Player {position.turn + 1} keeps {position.pot} and has {total}."))
        return self._counted(Step(then, notes), total, rng)

    def _counted(self, step: Step[Table], total: int, rng: Rng) -> Step[Table]:
        """Enough points win at once."""
        if total < step.position.goal:
            return self.passed(step, rng)
        return Step(changed(step.position, dice=(), pot=0, over="done"), step.notes, step.missed)

    def _lost(self, position: Table, points: int, note: Note, rng: Rng) -> Step[Table]:
        """End a turn without points; with -1 all earlier ones are lost, too."""
        if points < 0:
            position = changed(position, sheets=replaced(position.sheets, position.turn, (0,)))
        lost = Note(f"The pot of {position.pot} is lost." if points == 0 else "All points are lost.")
        return self.passed(Step(position, (note, lost)), rng)

    def obstacle(self, position: Table, text: str) -> str:
        if text == BANK:
            return "nothing is in the pot yet"
        return f"name a number from {max(2, position.pot + 1)} to 100"

    def repeats(self, position: Table, move: str) -> bool:
        return move.startswith(TO) and move not in ("to15", "to20", "to25", "to100", "to300", "to500", "to1000")

    def example(self, position: Table, seat: Seat) -> str:
        return f"{TO}20" if position.pot < 20 else BANK

    def picture(self, view: View[Table]) -> Picture:
        position = view.position
        at_stake = ["" if s != position.turn else str(position.pot) for s in range(len(position.sheets))]
        rows = [(Cell(text="pot"), at_stake), (Cell(text="total"), list(map(str, self.scores(position))))]
        return self.drawn(position, rows, f"Dice of player {position.turn + 1}")

    def choice(self, position: Table, seat: Seat, nodes: int, rng: Rng) -> Choice | None:
        """Level 1 stops early, level 2 at 20 (which is best for the most points), level 3 looks at the others."""
        own, least = position.sheets[seat][0], 6 if nodes <= _FEW else 20
        if nodes > _SOME:  # "keep pace and end race", T. W. Neller and C. G. M. Presser, 2010
            best = max(sheet[0] for s, sheet in enumerate(position.sheets) if s != seat)
            least = 100 if max(own, best) >= position.goal * 0.71 else max(2, 21 + round((best - own) / 8))
        text = BANK if position.pot >= least else f"{TO}{min(least, 100)}"
        return Choice(text, self.evaluate(position, seat), 1)


class Aside(OnPot):
    """Dice that count are set aside, and the others are thrown again: `115roll`, `115bank`."""

    kind = "aside"
    swing = 3000.0

    def begun(self, step: Step[Table], rng: Rng) -> Step[Table]:
        dice = thrown(self.row.dice, rng)
        note = Note(f"Player {step.position.turn + 1} throws {told(dice)}.")
        return self._thrown(Step(changed(step.position, dice=dice), (*step.notes, note), step.missed), rng)

    def _thrown(self, step: Step[Table], rng: Rng) -> Step[Table]:
        position = step.position
        if self._ways(position.dice):
            return step
        lost = Note(f"Nothing counts, and the pot of {position.pot} is lost.")
        missed = step.missed if position.kept else (*step.missed, position.turn)
        return self.passed(Step(position, (*step.notes, lost), missed), rng)

    def _ways(self, dice: Dice) -> list[Dice]:
        """Return what can be set aside, the most points last."""
        return _counting(self.row, dice)

    def legal_moves(self, position: Table, seat: Seat) -> Sequence[str]:
        return list(self._moves(position))

    def is_legal(self, position: Table, seat: Seat, text: str) -> bool:
        if text.startswith(TO):
            return text in _GOALS
        way = tuple(map(int, text[: -len(ROLL)]))
        is_way = way in self._ways(position.dice)
        return is_way and (text.endswith(ROLL) or self._may_stop(position, self._points(position, way)))

    def _moves(self, position: Table) -> Iterator[str]:
        for way in self._ways(position.dice):
            faces = "".join(map(str, way))
            yield f"{faces}{ROLL}"
            if self._may_stop(position, self._points(position, way)):
                yield f"{faces}{BANK}"
        yield from _GOALS

    def _points(self, position: Table, way: Dice) -> int:
        """Return the points of the turn when dice are set aside."""
        return position.pot + self.row.worth(way)

    def _may_stop(self, position: Table, points: int) -> bool:
        return points >= self.row.entry or position.sheets[position.turn][0] > 0

    def apply(self, position: Table, seat: Seat, move: str, rng: Rng) -> Step[Table]:
        if not move.startswith(TO):
            way = tuple(map(int, move[: -len(ROLL)]))
            return self._aside(Step(position), way, rng, stops=move.endswith(BANK))
        least, step, turn = int(move[len(TO) :]), Step(position), position.rounds
        while (now := step.position).turn == seat and now.rounds == turn and not now.over:
            way = self._ways(now.dice)[-1]
            points = self._points(now, way)
            step = self._aside(step, way, rng, stops=points >= least and self._may_stop(now, points))
        return step

    def _aside(self, step: Step[Table], way: Dice, rng: Rng, *, stops: bool) -> Step[Table]:
        position, points = step.position, self.row.worth(way)
        pot = position.pot + points
        if stops:
            return self._kept(Step(changed(position, pot=pot), step.notes, step.missed), rng)
        dice = thrown(len(position.dice) - len(way) or self.row.dice, rng)
        note = Note(f"Set {told(way)} aside for {points}, threw {told(dice)}.")
        then = changed(position, dice=dice, pot=pot, kept=way)
        return self._thrown(Step(then, (*step.notes, note), step.missed), rng)

    def _counted(self, step: Step[Table], total: int, rng: Rng) -> Step[Table]:
        """Enough points begin the last round."""
        position = step.position
        if total >= position.goal and position.last < 0:
            note = Note("That is enough: everybody else has one more turn.")
            step = Step(changed(position, last=position.turn), (*step.notes, note))
        return self.passed(step, rng)

    def obstacle(self, position: Table, text: str) -> str:
        faces = tuple(sorted(int(c) for c in text if c.isdigit()))
        if text.startswith(TO):
            return "name a number from 100 to 3000 in steps of 50"
        if not faces and text == BANK and not any(move.endswith(BANK) for move in self._moves(position)):
            return f"the first points that count are {self.row.entry}"
        if not faces:
            return "say also which dice you set aside"
        if not holds(position.dice, faces):
            return f"the dice are {told(position.dice)}"
        return (
            f"the first points that count are {self.row.entry}"
            if self.row.worth(faces)
            else "one of these counts nothing"
        )

    def named(self, position: Table, seat: Seat, text: str) -> Sequence[str]:
        faces = "" if text.startswith(TO) else text[: -len(ROLL)]
        return super().named(position, seat, "".join(sorted(faces)) + text[len(faces) :])

    def foreign(self, position: Table, text: str) -> Sequence[str]:
        """Return the moves with dice in words, or with their points: keep the fives and bank, the 500 and stop."""
        words = [word.strip(",.;:!") for word in text.split()]
        ends = [end for end, known in _SAID_ENDS.items() if not known.isdisjoint(words)]
        told = [word for word in words if word not in _BESIDE_ENDS.union(*_SAID_ENDS.values())]
        if len(ends) != 1:
            return ()
        at = next(at for at, word in enumerate(words) if word in _SAID_ENDS[ends[0]])
        kept, thrown = ({*some}.intersection(told) - _BEFORE_DICE - REST for some in (words[:at], words[at:]))
        if kept and thrown:  # keep 1, roll the five
            return ()
        return [f"{''.join(map(str, way))}{ends[0]}" for way in self._said(position, told)]

    def _said(self, position: Table, words: Sequence[str]) -> list[Dice]:
        """Return what words may set aside; all that can be, if they say nothing of it."""
        ways, bare = self._ways(position.dice), [word for word in words if word not in _BEFORE_DICE]
        if not bare:
            return ways
        if _ALL_DICE.issuperset(bare):
            return ways[-1:]
        if len(bare) == 1 and bare[0].isdecimal() and int(bare[0]) >= _LEAST_POINTS:
            return [way for way in ways if int(bare[0]) in (self.row.worth(way), self._points(position, way))]
        kept = kept_by(f"keep {' '.join(words)}", position.dice)
        return [way for way in ways if "".join(map(str, way)) in kept]

    def example(self, position: Table, seat: Seat) -> str:
        faces = "".join(map(str, self._ways(position.dice)[-1]))
        return next(move for move in self._moves(position) if move in (f"{faces}{BANK}", f"{faces}{ROLL}"))

    def caption(self, position: Table, move: str) -> str:
        return f"{told(map(int, move[: -len(ROLL)]))} {move[-len(ROLL) :]}" if move[0].isdigit() else move

    def choice(self, position: Table, seat: Seat, nodes: int, rng: Rng) -> Choice | None:
        """Level 1 wants too much, level 2 stops at 350, level 3 compares with what one more throw brings on average."""
        ways = self._ways(position.dice)[0 if nodes > _SOME else -1 :]
        best = max(((*self._judged(position, way, nodes), way) for way in ways), key=lambda judged: judged[:2])
        return Choice("".join(map(str, best[2])) + (BANK if best[1] else ROLL), self.evaluate(position, seat), 1)

    def _judged(self, position: Table, way: Dice, nodes: int) -> tuple[float, bool]:
        """Return what it is worth to set dice aside, and whether to stop then."""
        points = self._points(position, way)
        sure, more = _again(self.row, len(position.dice) - len(way) or self.row.dice)
        again, stops = sure * points + more, self._may_stop(position, points)
        if nodes <= _SOME:
            return again, stops and points >= (350 if nodes > _FEW else 1500)
        return max(again, points * stops), stops and points >= again


@cache
def _counting(row: PotRow, dice: Dice) -> list[Dice]:
    return sorted((part for part in parts(dice) if row.worth(part)), key=lambda part: (row.worth(part), len(part)))


@cache
def _again(row: PotRow, count: int) -> tuple[float, float]:
    """Return the probability that a throw of so many dice counts, and how many points it has on average."""
    best = [(p, max(map(row.worth, parts(dice)))) for dice, p in throws(count)]
    return sum(p for p, points in best if points), sum(p * points for p, points in best)
