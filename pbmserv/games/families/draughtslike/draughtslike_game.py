"""Games like draughts: the game of a row."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from pbmserv.games.base import Options, Picture, Seat, View
from pbmserv.games.capture.draughts import Draughts
from pbmserv.games.capture.draughts.jumping import Move
from pbmserv.games.capture.draughts.style import Position
from pbmserv.games.families.draughtslike.draughts_row import DraughtsRow, RowPosition
from pbmserv.games.families.draughtslike.draughtslike_helping import help_facts
from pbmserv.rng import Rng

_SQUARE = re.compile(r"[a-h]\d")
_NAMES = {"w": "White", "b": "Black"}
_ENDINGS = {
    "nomove": "the opponent cannot move",
    "threefold": "the same position stood for the third time",
    "quiet": "too many moves with kings only and without a capture",
}


def game_of(row: DraughtsRow) -> "DraughtsLike":
    """Return the game of a row. Its class has the row's name."""
    square = "[a-h][1-8]" if row.letters else r"\d{1,2}"
    pattern = f"{square}(?:[-x]{'?' * row.letters}{square})+"
    info = row.info(pattern=pattern, endings=_endings(row), repetition=Draughts.info.repetition)
    return row.game(DraughtsLike, info, names=tuple(_NAMES[colour] for colour in row.colours))


class DraughtsLike(Draughts):
    """Two players, no chance, nothing hidden."""

    position_type = RowPosition
    draws = frozenset({"threefold", "quiet", "few"})
    row: ClassVar[DraughtsRow]

    @property
    def squares(self) -> Sequence[str]:  # type: ignore[override]  # they are made when the game is first played
        """The names of the squares."""
        return self.row.names

    def setup(self, options: Options, seats: int, rng: Rng) -> Position:
        return self.row.opening()

    def style(self, position: Position) -> DraughtsRow:
        return self.row

    def names_of_seats(self, options: Options, seats: int) -> tuple[str, ...]:
        return self.names

    def winner(self, position: Position) -> Seat | None:
        return position.turn if position.over == "lost" else super().winner(position)

    def normalise(self, text: str) -> str:
        normal = super().normalise(text)
        return normal.replace(":", "x") if ":" in normal else normal

    def named(self, position: Position, seat: Seat, text: str) -> Sequence[Move]:
        """Squares with letters can stand without a sign between them."""
        if "-" in text or "x" in text:
            return super().named(position, seat, text)
        squares = _SQUARE.findall(text)
        return super().named(position, seat, "-".join(squares)) or super().named(position, seat, "x".join(squares))

    def why_not(self, position: Position, seat: Seat, text: str) -> str:
        has_sign = "-" in text or "x" in text
        return super().why_not(position, seat, text if has_sign else "-".join(_SQUARE.findall(text)))

    def _obstacle(self, position: Position, seat: Seat, text: str) -> str:
        """Return why a move is not possible: perhaps it would be, if its king had not moved so often."""
        if any(self.format(move) == text for move in self.row.legal(position.board, self.row.colours[seat])):
            return "this king has moved three times in a row, so move another man, or capture"
        return super()._obstacle(position, seat, text)

    def evaluate(self, position: Position, seat: Seat) -> float:
        value = super().evaluate(position, seat)
        return -value if self.row.loses else value

    def help_facts(self) -> Mapping[str, object]:
        return help_facts(self, self.row)

    def picture(self, view: View[Position]) -> Picture:
        """A board whose squares have letters has them at its edges. A board on whose squares all stand is chequered."""
        picture = super().picture(view)
        if not self.row.letters:
            return picture
        grounds = ("light", "dark") if self.row.fills_board else ("", "")
        rows = tuple(
            tuple(
                cell and replace(cell, text="", ground=grounds[(y + x) % 2] or cell.ground)
                for x, cell in enumerate(row)
            )
            for y, row in enumerate(picture.rows)
        )
        return replace(picture, rows=rows, files=tuple("ABCDEFGH"), ranks=tuple("87654321"))


def _endings(row: DraughtsRow) -> Mapping[str, str]:
    """Return the endings that the row can have."""
    if row.first_king:
        return {"nomove": _ENDINGS["nomove"], "crowned": "a man has become a king"}
    endings = _ENDINGS | {"few": "too many moves with few men"} if row.limits else dict(_ENDINGS)
    return {"lost": "no man is left that can move", **endings} if row.loses else endings
