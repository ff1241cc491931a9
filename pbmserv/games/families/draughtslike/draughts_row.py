"""A game like draughts as a row of data."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from pbmserv.games.base import Seat
from pbmserv.games.capture.draughts.jumping import EMPTY, Move, Path
from pbmserv.games.capture.draughts.style import Position, Style, is_third
from pbmserv.games.families import GameRow

_MOST = 7  #: men on a board of which endings are counted
_THREE = 3
_TIRED = 3  #: moves of a king after which another man must move


class DrawnAfter(NamedTuple):
    """An ending that is drawn after so many plies with the same men.

    `men`: a pattern of these, as `DraughtsRow.few` writes them. `says`: the same in words for the help page.
    """

    plies: int
    men: str
    says: str


@dataclass(frozen=True, slots=True)
class RowPosition(Position):
    """A position that also knows the last moves of kings: by seat, the square of the king and how many there were."""

    runs: tuple[tuple[int, int], ...] = ((-1, 0), (-1, 0))


@dataclass(frozen=True, eq=False, repr=False)
class DraughtsRow(GameRow, Style):
    """What is special about a game. What is not named is as in Russian draughts, but men become kings at the end only.

    The facts of `Moving` and `Style` that are fields here say how men move. Besides:

    `best`: which captures go before others, the first rule first: those of the "most" men or "kings", by a "king", of
    an "early" king, or of the highest "worth", where a king is one man and a half. `gap`: empty rows behind the men at
    the start. `loses`: who has no man or no move left has won. `first_king` wins. `tires`: while its side has men, a
    king moves three times in a row at most. `quiet`: the game is drawn after so many plies without a capture or a step
    of a man to another row. `limits`: endings in which it is drawn earlier. `letters`: squares are named as in chess;
    `from_below`: numbers begin at the bottom, on the right.
    """

    pdn: str = ""
    family: str = field(default="draughts", kw_only=True)
    page: str = field(default="draughtslike", kw_only=True)
    width: int = 8
    rows: int = 3
    gap: int = 0
    colours: str = "wb"
    king: float = 3.5
    flies: bool = True
    captures_back: bool = True
    captures_straight: bool = False
    fills_board: bool = False
    is_mirrored: bool = False
    crowns_on_way: bool = False
    spares_kings: bool = False
    best: tuple[str, ...] = ()
    loses: bool = False
    first_king: bool = False
    tires: bool = False
    quiet: int = 50
    limits: tuple[DrawnAfter, ...] = ()
    letters: bool = False
    from_below: bool = False
    hub: str = ""

    @property
    def captures_most(self) -> bool:  # type: ignore[override]  # it follows from another fact
        """Whether not any capture will do."""
        return bool(self.best)

    @cached_property
    def names(self) -> Sequence[str]:  # type: ignore[override]  # it is made when the game is first played
        """The names of the squares."""
        if self.letters:
            return tuple(map(self._in_letters, range(self.size)))
        numbers = tuple(map(str, range(1, self.size + 1)))
        return numbers[::-1] if self.from_below else numbers

    def _in_letters(self, square: int) -> str:
        row, place = divmod(square, self.per_row)
        column = place if self.fills_board else 2 * place + (row + 1 + self.is_mirrored) % 2
        return f"{chr(97 + column)}{self.width - row}"

    def opening(self) -> RowPosition:
        gap, men = EMPTY * (self.gap * self.per_row), self.rows * self.per_row
        between = self.size - 2 * men - 2 * len(gap)
        return RowPosition(f"{gap}{'b' * men}{EMPTY * between}{'w' * men}{gap}")

    def rank(self, board: str, path: Path, captured: Path) -> tuple[int, ...]:
        kings = [place for place, square in enumerate(captured) if board[square].isupper()]
        ranks = {
            "most": len(captured),
            "kings": len(kings),
            "king": board[path[0]].isupper(),
            "early": -kings[0] if kings else 0,
            "worth": 2 * len(captured) + len(kings),
        }
        return tuple([int(ranks[rule]) for rule in self.best])

    def moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        """Return the legal moves. A king that is tired rests, unless nothing else can move."""
        moves = super().moves(position, seat)
        if not self.tires or not isinstance(position, RowPosition) or self.colours[seat] not in position.board:
            return moves
        square, count = position.runs[seat]
        others = [move for move in moves if move.captured or move.source != square]
        return tuple(others) or moves if count >= _TIRED else moves

    def steps_on(self, position: Position, seat: Seat, path: Path) -> Sequence[Move]:
        steps = super().steps_on(position, seat, path)
        return [move for move in self.moves(position, seat) if move in steps] if steps and self.tires else steps

    def after(self, position: Position, move: Move) -> Position:
        now = super().after(position, move)
        if not self.tires or not isinstance(position, RowPosition):
            return now
        square, count = position.runs[position.turn]
        is_run = position.board[move.source].isupper() and not move.captured
        runs = list(position.runs)
        runs[position.turn] = (move.target, 1 + count * (square == move.source)) if is_run else (-1, 0)
        return replace(now, runs=tuple(runs))  # type: ignore[call-arg]  # it is of the same class

    @property
    def variant(self) -> str:  # type: ignore[override]  # it follows from another fact
        """The name in PDN."""
        return self.name

    @property
    def too_few(self) -> str:
        """What is wrong with a capture if another one must be made."""
        return super().too_few if self.best[:1] in ((), ("most",)) else "another capture goes before this one"

    def few(self, board: str) -> str:
        """Return the men of both sides if this ending is counted, the weaker side first: `K:KKm`, else "".

        A `/` stands before a king alone against three if it holds the main road, from the corner a1, and nobody else
        is there, in games where that matters.
        """
        if board.count(EMPTY) < self.size - _MOST:
            return ""
        sides = ["K" * board.count(man.upper()) + "m" * board.count(man) for man in "bw"]
        weak, strong = sorted(sides, key=lambda side: (len(side), side))
        has_road = any("/" in limit.men for limit in self.limits)
        men = f"{'/' * (has_road and len(strong) == _THREE and weak == 'K' and self._holds_road(board))}{weak}:{strong}"
        return men if self._limit(men) else ""

    def _holds_road(self, board: str) -> bool:
        corner = self.size - self.per_row
        there = [board[square] for square in (corner, *self.rays[corner][1]) if board[square] != EMPTY]
        return len(there) == 1 and board.lower().count(there[0].lower()) == 1

    def _limit(self, men: str) -> int:
        """Return after how many plies with these men the game is drawn; 0: it is not."""
        return next((limit.plies for limit in self.limits if re.fullmatch(limit.men, men)), 0)

    def ended(self, position: Position) -> str:
        board = position.board
        if self.first_king and ("W" in board or "B" in board):
            return "crowned"
        if not self.can_move(board, self.colours[position.turn]):
            return "lost" if self.loses else "nomove"
        if is_third(position):
            return "threefold"
        if position.quiet >= self.quiet:
            return "quiet"
        return "few" if 0 < self._limit(self.few(board)) <= position.few else ""

    def claim(self, position: Position) -> str:
        return ""
