"""Draughts: games as PDN, the Portable Draughts Notation, version 3.0."""

from typing import Any

from pbmserv.games.base.sheet import Format, Sheet
from pbmserv.games.capture.draughts.jumping import EMPTY
from pbmserv.games.capture.draughts.style import Position, Style
from pbmserv.games.formats.tags import CHESS_SCORES, Scores, roster, score, written

#: The number of the game, who begins, width and height, numbers as names of squares, and in which corner they begin.
_ENGLISH, _INTERNATIONAL = "21,B,8,8,N1,0", "20,W,10,10,N2,0"
_POINTS: Scores = ("2-0", "1-1", "0-2")  #: in international draughts a win counts two


def _write(sheet: Sheet) -> str:
    is_large = "international" in sheet.options
    scores = _POINTS if is_large else CHESS_SCORES
    tags = [*roster(sheet, scores), ("GameType", _INTERNATIONAL if is_large else _ENGLISH)]
    game: Any = sheet.game
    style: Style = game.style(sheet.first)  # a variant has its own
    if sheet.first != style.opening():
        tags += [("SetUp", "1"), ("FEN", _fen(style, sheet.first))]
    return written(sheet, tags, [ply.text for ply in sheet.plies], score(sheet, scores))


def _fen(style: Style, position: Position) -> str:
    """Return a position: who is to move, then the squares of each side, kings with a K."""
    sides = [f"{side}{','.join(_squares(position.board, side))}" for side in "WB"]
    return f"{style.colours[position.turn].upper()}:{':'.join(sides)}"


def _squares(board: str, side: str) -> list[str]:
    men = [(number, man) for number, man in enumerate(board, start=1) if man != EMPTY and man.upper() == side]
    return [f"{'K' * man.isupper()}{number}" for number, man in men]


PDN = Format("pdn", "application/x-draughts-pdn", _write)
