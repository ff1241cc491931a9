"""Dice games with a sheet: throw, keep, throw again, and write points into a box; each box once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from pbmserv.games.base import Cell, Note, Options, Picture, Seat, Step, View
from pbmserv.games.base.evaluation import Choice
from pbmserv.games.base.grid import replaced
from pbmserv.games.base.values import changed
from pbmserv.games.families.dice.at_table import OPEN, AtTable, Table, thrown, told
from pbmserv.games.families.dice.dice_row import BoxRow, Dice
from pbmserv.games.families.dice.keeping import ALL, kept_by
from pbmserv.games.families.dice.planning import holds, keeps, plan_for, plan_of
from pbmserv.games.families.dice.worth import FACES
from pbmserv.rng import Rng

FOR = "go-"  #: before a box: keep what is best for it on average, until no throw is left
#: Words beside the name of a box into which something is written, and those that may stand there besides.
_WRITING = frozenset(
    (
        "score",
        "write",
        "put",
        "enter",
        "fill",
        "into",
        "in",
        "box",
        "column",
        "row",
        "go",
        "for",
        "schreibe",
        "schreib",
        "eintragen",
        "trage",
        "feld",
        "spalte",
    )
)
_BESIDE_BOX = frozenset(("please", "pls", "plz", "bitte", "svp", "full", "straight", "straße", "a"))
#: Boxes, as other makers of sheets call them, with what ours may be called in their place.
_OTHER_NAMES = {
    **dict.fromkeys(("chance",), ("choice",)),
    **dict.fromkeys(("fullhouse", "vollhaus"), ("house",)),
    **dict.fromkeys(("smallstraight", "littlestraight", "lowstraight", "kleinestraße"), ("little", "run4")),
    **dict.fromkeys(("largestraight", "bigstraight", "highstraight", "großestraße"), ("big", "run5")),
    **dict.fromkeys(("threeofakind", "3ofakind", "dreierpasch"), ("3alike",)),
    **dict.fromkeys(("fourofakind", "4ofakind", "viererpasch"), ("4alike",)),
    **dict.fromkeys(("fiveofakind", "5ofakind"), ("yacht",)),
}
_OTHER_NAME = re.compile(f"(?:{'|'.join(_OTHER_NAMES)})$")
_FEW, _SOME = 60, 600  #: nodes of levels 1 and 2


class OnSheets(AtTable):
    """`row`: what is written where."""

    row: ClassVar[BoxRow]
    kind = "sheet"

    def setup(self, options: Options, seats: int, rng: Rng) -> Table:
        return self.laid(seats, len(self.row.boxes) * self.row.times, rng)

    def begun(self, step: Step[Table], rng: Rng) -> Step[Table]:
        dice = thrown(self.row.dice, rng)
        then = changed(step.position, dice=dice, left=self.row.throws - 1)
        return Step(then, step.notes, step.missed)

    def can_play(self, position: Table, seat: Seat) -> bool:
        return OPEN in position.sheets[seat]

    def points(self, sheet: Sequence[int]) -> int:
        return super().points(sheet) + self._bonus(sheet)

    def _bonus(self, sheet: Sequence[int]) -> int:
        least, more = self.row.bonus
        return more if least and sum(max(box, 0) for box in sheet[: len(FACES)]) >= least else 0

    def merit(self, position: Table, seat: Seat) -> int:
        return super().merit(position, seat) * (-1 if self.row.low else 1)

    def legal_moves(self, position: Table, seat: Seat) -> Sequence[str]:
        boxes = self._open(position)
        if not position.left:
            return boxes
        ways = keeps(self.row.keeps, position.dice, position.kept)
        return [*("".join(map(str, way)) or ALL for way in ways), *boxes, *(f"{FOR}{box}" for box in boxes)]

    def is_legal(self, position: Table, seat: Seat, text: str) -> bool:
        box = text.removeprefix(FOR)
        if box in self.row.boxes:
            return self._has_room(position, box) and (box == text or position.left > 0)
        ways = keeps(self.row.keeps, position.dice, position.kept) if position.left else ()
        return text != "keepall" and _dice(text) in ways

    def normalise(self, text: str) -> str:
        text = super().normalise(text)
        if text in ("keepeverything", "behaltealle", "allebehalten"):
            return "keepall"
        text = _OTHER_NAME.sub(lambda name: self._box(name[0]), text)
        box = text.removeprefix("go").removeprefix("-").removeprefix("for")
        return text.rstrip("rol") if text[0:1].isdigit() and text.endswith(ALL) else FOR + box if box != text else text

    def _box(self, name: str) -> str:
        return next((box for box in _OTHER_NAMES[name] if box in self.row.boxes), name)

    def named(self, position: Table, seat: Seat, text: str) -> Sequence[str]:
        """Read dice in any order."""
        return super().named(position, seat, "".join(sorted(text)) if text.isdigit() else text)

    def means(self, position: Table, line: str) -> bool:
        """Return whether a line does not wish to keep dice while throws are left: two fives are dice, and no box.

        Nor does it if it names dice to throw again, which a move never does.

        Of several moves, as in `roll / choice`, each one is looked at alone.
        """
        if "/" in line:
            return all(self.means(position, part) for part in line.split("/"))
        words = [word.strip(",.;:!?()") for word in line.split()]
        others = [word for word in words if word not in self.row.boxes]
        is_named = 0 < len(others) < len(words)
        is_kept = is_named and _WRITING.isdisjoint(others) and not _BESIDE_BOX.issuperset(others)
        is_of_dice = kept_by(line, position.dice) not in ((), (ALL,), (self.normalise(line),))
        return not (position.left and (is_kept or is_of_dice))

    def asks_back(self, position: Table, seat: Seat, text: str, line: str = "") -> str:
        """Return that a box gets no points while throws are left: `yacht!` may be a shout.

        So may the box of any sum be after the first throw of three, unless the line says that it is written.
        """
        box = self.row.boxes.get(text)
        if box is None or not position.left or self.row.low:
            return ""
        points = box(position.dice)
        is_early = box is sum and position.left > 1 and _WRITING.isdisjoint(line.split())
        is_odd = is_early or not points
        return (
            f"These dice are worth {points} points in {text}, and you have throws left, so nothing was done." * is_odd
        )

    def foreign(self, position: Table, text: str) -> Sequence[str]:
        """Return the dice that are kept: keep the fives, two fives, reroll everything except the fives."""
        return kept_by(text, position.dice)

    def _open(self, position: Table) -> tuple[str, ...]:
        """Return the boxes in which the seat to move has room."""
        return tuple(box for box in self.row.boxes if self._has_room(position, box))

    def _has_room(self, position: Table, box: str) -> bool:
        first = self.row.places[box]
        return OPEN in position.sheets[position.turn][first : first + self.row.times]

    def apply(self, position: Table, seat: Seat, move: str, rng: Rng) -> Step[Table]:
        step, box = Step(position), move.removeprefix(FOR)
        if box in self.row.boxes:
            return self._write(self._all_for(step, box, rng) if box != move else step, box, rng)
        step = self._again(step, _dice(move), rng)
        only = () if step.position.left else self._open(step.position)
        return self._write(step, only[0], rng) if len(only) == 1 else step

    def _all_for(self, step: Step[Table], box: str, rng: Rng) -> Step[Table]:
        best = plan_for(self.row, box).best
        while (keep := best(step.position.dice, step.position.kept, step.position.left)) is not None:
            step = self._again(step, keep, rng)
        return step

    def _again(self, step: Step[Table], keep: Dice, rng: Rng) -> Step[Table]:
        new = thrown(self.row.dice - len(keep), rng)
        then = changed(step.position, dice=tuple(sorted(keep + new)), kept=keep, left=step.position.left - 1)
        note = f"Kept {told(keep)}, threw {told(new)}." if keep else f"Threw {told(new)}."
        return Step(then, (*step.notes, Note(note)))

    def _write(self, step: Step[Table], box: str, rng: Rng) -> Step[Table]:
        position, row = step.position, self.row
        sheet, points = position.sheets[position.turn], row.boxes[box](position.dice)
        place = sheet.index(OPEN, row.places[box])
        then = changed(position, sheets=replaced(position.sheets, position.turn, replaced(sheet, place, points)))
        note = Note(f"Wrote {points} in {box}: {told(position.dice)}.")
        return self.passed(Step(then, (*step.notes, note)), rng)

    def obstacle(self, position: Table, text: str) -> str:
        box = text.removeprefix(FOR)
        if box in self.row.boxes and box not in self._open(position):
            return "this box is filled"
        if not position.left:
            return "no throw is left, so name a box"
        if text != "keepall" and not holds(position.dice, tuple(map(int, text if text.isdigit() else ""))):
            return f"the dice are {told(position.dice)}"
        return "these dice cannot be kept now" if self.row.keeps else "to keep all dice, name a box"

    def example(self, position: Table, seat: Seat) -> str:
        """Return what keeps the most equal dice, or the box with the most points."""
        ways = [move for move in self.legal_moves(position, seat) if move == ALL or move.isdigit()]
        if ways:
            return max(ways, key=lambda move: (len(set(move)) == 1, len(move)))
        return max(self._open(position), key=lambda box: self.row.boxes[box](position.dice))

    def cells_of(self, text: str) -> tuple[str, ...]:
        return (text,) if text in self.row.boxes else super().cells_of(text)

    def marked_cells(self, text: str, mover: Seat, reader: Seat | None) -> tuple[str, ...]:
        return self.cells_of(text.removeprefix(FOR))

    def caption(self, position: Table, move: str) -> str:
        return f"keep {told(map(int, move))}" if move.isdigit() else move

    def picture(self, view: View[Table]) -> Picture:
        position, times = view.position, self.row.times
        rows = [
            (Cell("" if again else box, text=box), [_shown(sheet[n * times + again]) for sheet in position.sheets])
            for n, box in enumerate(self.row.boxes)
            for again in range(times)
        ]
        if self.row.bonus[0]:
            rows.append((Cell(text="bonus"), [str(self._bonus(sheet)) for sheet in position.sheets]))
        rows.append((Cell(text="total"), [str(self.points(sheet)) for sheet in position.sheets]))
        says = f"Throw {self.row.throws - position.left} of {self.row.throws}, player {position.turn + 1}"
        return self.drawn(position, rows, says)

    def choice(self, position: Table, seat: Seat, nodes: int, rng: Rng) -> Choice | None:
        """Level 1 throws once more at most and keeps equal dice; level 2 looks at one throw, level 3 at all to come."""
        if nodes <= _FEW:
            again = position.left > 1
            text = self.example(replace(position, left=position.left * again), seat)
        else:
            plan = plan_of(self.row, self._open(position))
            keep = plan.best(position.dice, position.kept, position.left if nodes > _SOME else min(position.left, 1))
            text = plan.box(position.dice) if keep is None else "".join(map(str, keep)) or ALL
        return Choice(text, self.evaluate(position, seat), 1)


def _dice(move: str) -> Dice:
    """Return the dice that a move keeps."""
    return tuple(map(int, move.removeprefix(ALL)))


def _shown(box: int) -> str:
    return "" if box == OPEN else str(box)
