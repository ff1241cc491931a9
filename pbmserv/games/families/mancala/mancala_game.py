"""Mancala games: the game of a row."""

from collections.abc import Mapping, Sequence
from math import tanh
from typing import ClassVar

from pbmserv.games.base import Cell, Info, InTurn, Note, Option, Options, Picture, Seat, Step, View, moves_of
from pbmserv.games.base.in_turn import leader
from pbmserv.games.capture.oware import HIGH, OF_SOUTH, captured, number_said, pit, seeds_said
from pbmserv.games.families.mancala.mancala_row import Move, Position, Sowing, Turn
from pbmserv.games.families.mancala.one_row import OneRow
from pbmserv.games.families.mancala.two_rows import TwoRows
from pbmserv.rng import Rng

_NAMES = ("South", "North")
_PLIES = 6  #: before the worked turn
_AGAIN = ("South moves again.", "North moves again.")
_TUZDYK = "* Tuzdyk: seeds that fall here go to the other side."
_HOUSE = "* House (nyumba): six or more seeds have its rights."
_ENDINGS = {
    "half": "more than half of the seeds are captured",
    "equal": "each has captured half of the seeds",
    "empty": "one side is empty",
    "front": "a front row is empty",
    "nomove": "there is no allowed move left",
}


def game_of(row: Sowing) -> "Mancala":
    """Return the game of a row. Its class has the row's name."""
    rules = OneRow(row) if row.rows == 1 else TwoRows(row)
    return row.game(Mancala, _info(row), rules=rules)


class Mancala(InTurn[Position, Move]):
    """Two players, no chance, nothing hidden."""

    names = _NAMES
    position_type = Position
    said_signs = dict.fromkeys(("house", "pit", "haus", "mulde", "feld"), "")
    rules: ClassVar[OneRow | TwoRows]

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        lay = self.rules.row.lay
        return self.rules.start(options["seeds"] * len(lay) if "seeds" in options else lay)

    def legal_moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        return self.rules.legal(position)

    def apply(self, position: Position, seat: Seat, move: Move, rng: Rng) -> Step[Position]:
        turn = self.rules.after(position, move)
        return Step(turn.position, tuple(map(Note, self._notes(position, turn))), turn.missed)

    def _notes(self, before: Position, turn: Turn) -> Sequence[str]:
        notes, now = list[str](), turn.position
        if turn.captured:
            notes.append(f"Seeds captured: {turn.captured}.")
        if turn.endless:
            notes.append("The sowing would never end, so it was stopped.")
        if now.turn == before.turn and not now.ended and not turn.missed:
            notes.append(_AGAIN[now.turn])
        return notes

    def end(self, position: Position) -> str:
        return position.ended

    def winner(self, position: Position) -> Seat | None:
        return leader(*position.stores) if self.rules.row.rows == 1 else super().winner(position)

    def scores(self, position: Position) -> tuple[int, ...] | None:
        return position.stores if self.rules.row.rows == 1 else None

    def normalise(self, text: str) -> str:
        return text.strip().lower().replace("-", "")

    def format(self, move: Move) -> str:
        first = self.rules.name(move.first) if move.first not in (-1, move.pit) else ""
        return self.rules.name(move.pit) + first + "s" * move.safari

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """The pit alone is enough if only one move begins there. North's pits of one row also have South's letters."""
        moves, pit = moves_of(self, position, seat), self.rules.pit_of(text, seat)
        there = [move for move in moves if move.pit == pit]
        exact = [move for move in there if self.format(move) == text]
        return exact or [move for move in there if self.format(move).startswith(text) or self.rules.row.rows == 1]

    def asks_back(self, position: Position, seat: Seat, text: str, line: str = "") -> str:
        """Return that a letter is South's on the board: its writer may have mixed up the sides."""
        is_turned = seat == 1 and self.rules.row.rows == 1 and self.rules.name(self.rules.pit_of(text, seat)) != text
        return OF_SOUTH if is_turned else ""

    def foreign(self, position: Position, text: str) -> Sequence[str]:
        """Return the pit that a number means where pits have numbers: from the left of who moves.

        On the board, North's own left is on the right, so North may count from either end.
        """
        width = self.rules.width
        if seeds := seeds_said(text):
            half = len(position.pits) // 2
            own = range(position.turn * half, (position.turn + 1) * half)
            return [self.rules.name(pit) for pit in own if position.pits[pit] == seeds]
        text = number_said(text)
        if not (self.rules.row.rows == 1 and len(text) == 1 and text in "123456789"[:width]):
            return ()
        names = [self.rules.name(position.turn * width + pit) for pit in range(width)]
        there = names[int(text) - 1], names[-int(text)]
        return list(dict.fromkeys(there[: 1 + position.turn]))

    def cells_of(self, text: str) -> tuple[str, ...]:
        """Name the house at the end, if the sowing goes on from there."""
        if self.rules.row.rows == 1:
            return (text,) * self.is_move(text)
        cells = super().cells_of(text)
        return (*cells, "e2" if cells[0][1] in "12" else "d3") if cells and text.endswith("s") else cells

    def caption(self, position: Position, move: Move) -> str:
        told = self.format(move._replace(safari=False))[-2:].upper()
        return f"{told} safari" if move.safari else told

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        return f"'{text}' is not possible: {self.rules.obstacle(position, self.rules.pit_of(text, seat))}."

    def evaluate(self, position: Position, seat: Seat) -> float:
        """Captured seeds, and those on the own side, which count less where they are captured only later."""
        half = len(position.pits) // 2
        lead: float = sum(position.pits[:half]) - sum(position.pits[half:])
        if self.rules.row.rows == 1:
            lead = 2 * (position.stores[0] - position.stores[1]) + lead / 5
        return tanh((lead if seat == 0 else -lead) / 24)

    def picture(self, view: View[Position]) -> Picture:
        rows = [[self._pit(view.position, number) for number in row] for row in self.rules.drawn]
        if self.rules.row.through_store:
            stores = [pit("", seeds) for seeds in view.position.stores]
            rows = [[stores[1], *rows[0], None], [None, *rows[1], stores[0]]]
        ranks = ("N",) * self.rules.row.rows + ("S",) * self.rules.row.rows
        heights = (HIGH,) * len(rows)
        return Picture(
            tuple(map(tuple, rows)), ranks=ranks, lines=self._lines(view.position), top=(1,), heights=heights
        )

    def _pit(self, position: Position, number: int) -> Cell | None:
        name = self.rules.name(number)
        if number not in position.marked:
            return pit(name, position.pits[number])
        return pit(name, position.pits[number], f"{name.upper()}*", "sand")

    def _lines(self, position: Position) -> tuple[str, ...]:
        """Return what there is to know beside the pits."""
        row, (south, north) = self.rules.row, position.stores
        lines = [captured(position.stores)] if row.rows == 1 else []
        if row.rows == 2 and any(position.stores):
            lines.append(f"Seeds to enter: South {south}, North {north}")
        if max(position.marked) >= 0:
            lines.append(_TUZDYK if row.tuzdyk else _HOUSE)
        if position.barred >= 0:
            lines.append(f"Takasia: no turn may begin in {self.rules.name(position.barred).upper()}.")
        return tuple(lines)

    def scene(self, view: View[Position]) -> Mapping[str, object]:
        """Return for each side its pits from its own left, with their seeds."""
        pits = tuple((self.rules.name(number), seeds) for number, seeds in enumerate(view.position.pits))
        halves = (pits[: len(pits) // 2], pits[len(pits) // 2 :])
        sides = [{"name": name, "houses": half} for name, half in zip(_NAMES, halves, strict=True)]
        return {"sides": sides, "lines": self._lines(view.position)}

    def help_facts(self) -> Mapping[str, object]:
        """Return the row, and a drawn turn, which captures if there is such a one."""
        rules, luck = self.rules, Rng(f"help-{self.info.key}", 0)
        position = rules.start(rules.row.lay)
        for _ in range(_PLIES):
            position = rules.after(position, luck.choice(rules.legal(position))).position
        move = max(rules.legal(position), key=lambda move: rules.after(position, move).captured)
        turn = rules.after(position, move)
        return {
            "row": rules.row,
            "last": rules.name(len(position.pits) - 1).upper(),
            "position": position,
            "player": _NAMES[position.turn],
            "text": self.format(move),
            "pit": rules.name(move.pit).upper(),
            "seeds": position.pits[move.pit],
            "captured": turn.captured,
            "again": turn.position.turn == position.turn,
        }


def _info(row: Sowing) -> Info:
    """Return the facts about a game."""
    pattern = f"[a-{chr(96 + 2 * row.width)}]" if row.rows == 1 else f"(?:[a-{chr(96 + row.width)}][1-4]){{1,2}}s?"
    has = {"half": row.half, "equal": row.half, "empty": row.early, "front": row.front, "nomove": not row.early}
    usual = row.lay[0]
    option = Option("seeds", "seeds in each pit", tuple(sorted({usual, *row.choices})), usual=usual)
    endings = {reason: text for reason, text in _ENDINGS.items() if has[reason]}
    return row.info(pattern=pattern, endings=endings, options=(option,) if row.choices else (), repetition=3)
