"""Draughts: games as PDN, the Portable Draughts Notation, version 3.0."""

from typing import Any

from pbmserv.games.base.sheet import Format, Sheet
from pbmserv.games.capture.draughts.jumping import EMPTY
from pbmserv.games.capture.draughts.style import INTERNATIONAL, Position, Style
from pbmserv.games.formats.tags import CHESS_SCORES, Scores, roster, score, written

_POINTS: Scores = ("2-0", "1-1", "0-2")  #: in international draughts a win counts two


def _write(sheet: Sheet) -> str:
    game: Any = sheet.game
    style: Style = game.style(sheet.first)  # a variant has its own
    scores = _POINTS if style.pdn == INTERNATIONAL.pdn else CHESS_SCORES
    tags = [*roster(sheet, scores), ("GameType", style.pdn)]
    if style.variant:
        tags.append(("Variant", style.variant))
    if sheet.first != style.opening():
        tags += [("SetUp", "1"), ("FEN", _fen(style, sheet.first))]
    return written(sheet, tags, [ply.text for ply in sheet.plies], score(sheet, scores))


def _fen(style: Style, position: Position) -> str:
    """Return a position: who is to move, then the squares of each side, kings with a K."""
    sides = [f"{side}{','.join(_squares(style, position.board, side))}" for side in "WB"]
    return f"{style.colours[position.turn].upper()}:{':'.join(sides)}"


def _squares(style: Style, board: str, side: str) -> list[str]:
    men = [(name, man) for name, man in zip(style.names, board, strict=False) if man != EMPTY and man.upper() == side]
    return [f"{'K' * man.isupper()}{name}" for name, man in men]


PDN = Format("pdn", "application/x-draughts-pdn", _write)
