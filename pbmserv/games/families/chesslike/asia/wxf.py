"""Xiangqi: moves as its books write them, `C2.5`: a man, its file, the way, and the new file or how many points.

Files count from the right of who moves. `+` is forward, `-` backward, `.` (or `=`) to the side. Of two men on one
file `+` or `-` in place of the file names the one in front or behind: `C+-2`.
"""

import re

from pbmserv.games.families.chesslike.placing import Move, Position
from pbmserv.games.families.chesslike.row_rules import RowRules

PATTERN = "[kaehrcp][1-9+-][.+-][1-9]"
_WRITTEN = re.compile(r"([kaehrcpn])([1-9+-])([.=+-])([1-9])", re.IGNORECASE)


def normal(text: str) -> str:
    """Return a text in the form in which moves are compared; "" if it is not one of these."""
    if not (written := _WRITTEN.fullmatch(text)):
        return ""
    man, file, way, goal = written.groups()
    return f"{man.lower().replace('n', 'h')}{file}{way.replace('=', '.')}{goal}"


def names_of(rules: RowRules, position: Position, move: Move) -> set[str]:
    """Return how books can write a move."""
    columns, turn, man = rules.grid.columns, position.turn, position.board[move.source]
    file, goal = (columns - s % columns if turn == 0 else s % columns + 1 for s in (move.source, move.target))
    ranks = rules.ranks[turn]
    ahead = ranks[move.target] - ranks[move.source]
    end = f"{'+-'[ahead < 0] if ahead else '.'}{abs(ahead) if file == goal else goal}"
    others = [s for s in range(move.source % columns, rules.grid.size, columns) if position.board[s] == man]
    others.remove(move.source)
    places = [str(file)] if not others else []
    if len(others) == 1:
        places.append("+" if ranks[move.source] > ranks[others[0]] else "-")
    if others and man.lower() in "ae":  # the way tells which of two is meant
        places.append(str(file))
    return {f"{man.lower()}{place}{end}" for place in places}
