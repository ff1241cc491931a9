"""Xiangqi: moves as its books write them, `C2=5`: a man, its file, the way, and the new file or how many points.

Files count from the right of who moves. `+` is forward, `-` backward, `=` (or `.`) to the side. Of two men on one
file `+` or `-` in place of the file names the one in front or behind: `C+-2`. Of more soldiers there, or of two on
each of two files, a number from the front stands in place of the man: `25=4` (rules of the World Xiangqi Federation).
Chinese books write `炮二平五`.
"""

import re
from collections import Counter
from collections.abc import Mapping

from pbmserv.games.families.chesslike.army import Man
from pbmserv.games.families.chesslike.placing import Move, Position
from pbmserv.games.families.chesslike.row_rules import RowRules

PATTERN = "(?:[KAEHRCP][1-9+-]|[1-5][1-9])[=+-][1-9]"
_WRITTEN = re.compile(r"([+-])?(?:p?([1-5])(?=[1-9])|([kaehrcpn]))([1-9+-]?)([.=+-])([1-9])", re.IGNORECASE)
_WAYS = {"+": "forward", "-": "back", "=": "to"}
_BACK = "−"  #: in words that are said, where a dash is to
_CHINESE = str.maketrans(
    "车車俥马馬傌炮砲包兵卒相象仕士帅帥将將前后後进進退平一二三四五六七八九", "rrrhhhcccppeeaakkkk+--++-.123456789"
)


def normal(text: str) -> str:
    """Return a text in the form in which moves are compared; "" if it is not one of these."""
    if not (written := _WRITTEN.fullmatch(text.translate(_CHINESE))):
        return ""
    place, number, man, file, way, goal = written.groups("")
    if bool(place) == bool(file):
        return ""
    return f"{number or man.upper().replace('N', 'H')}{place or file}{way.replace('.', '=')}{goal}"


def as_written(words: str) -> str:
    """Return the text of a move that is said."""
    return words.replace("-", "=").replace(_BACK, "-")


def written(rules: RowRules, position: Position, move: Move) -> str:
    """Return a move as books write it."""
    columns, man = rules.grid.columns, position.board[move.source]
    ranks, file, end = _parts(rules, position, move)
    alike = [square for square, other in enumerate(position.board) if other == man]
    others = [s for s in alike if s % columns == move.source % columns and s != move.source]
    ahead = sum(ranks[other] > ranks[move.source] for other in others)
    is_many = sum(count > 1 for count in Counter(s % columns for s in alike).values()) > 1
    if man.lower() == "p" and len(others) >= 2 - is_many:
        return f"{ahead + 1}{file}{end}"
    step = ranks[move.target] - ranks[move.source]
    if len(others) == 1 and not is_many and 1 <= ranks[others[0]] + step <= rules.grid.rows:
        return f"{man.upper()}{'-' if ahead else '+'}{end}"
    return f"{man.upper()}{file}{end}"


def names_of(rules: RowRules, position: Position, move: Move) -> set[str]:
    """Return how books can write a move, in normal form."""
    man, (ranks, file, end) = position.board[move.source], _parts(rules, position, move)
    others = [
        square
        for square in range(move.source % rules.grid.columns, rules.grid.size, rules.grid.columns)
        if position.board[square] == man and square != move.source
    ]
    places = [str(file)] if not others or man.lower() in "ae" else []  # the way tells which of two is meant
    if len(others) == 1:
        places.append("+" if ranks[move.source] > ranks[others[0]] else "-")
    return {*(f"{man.upper()}{place}{end}" for place in places), normal(written(rules, position, move))}


def _parts(rules: RowRules, position: Position, move: Move) -> tuple[list[int], int, str]:
    """Return the ranks from the side of who moves, the file of the man, and what stands behind it in normal form."""
    columns, ranks = rules.grid.columns, rules.ranks[position.turn]
    file, goal = (columns - s % columns if position.turn == 0 else s % columns + 1 for s in (move.source, move.target))
    ahead = ranks[move.target] - ranks[move.source]
    return ranks, file, f"{'+-'[ahead < 0] if ahead else '='}{abs(ahead) if file == goal else goal}"


def spoken(men: Mapping[str, Man], text: str) -> str:
    """Return in words what `written` returned: `cannon 2 to 5`, `chariot front back 1`, `soldier 2 on 5 to 4`."""
    who, place, way, goal = tuple(normal(text))
    name = men["p" if who.isdigit() else who.lower()].name.split()[-1]
    place = {"+": "front", "-": "rear"}.get(place, f"{who} on {place}" if who.isdigit() else place)
    return f"{name} {place} {_WAYS[way]} {goal}"


#: What is said besides men and numbers.
SAID_SIGNS = {
    **dict.fromkeys(("front", "vorn", "forward", "vor", "tấn"), "+"),
    **dict.fromkeys(("rear", "hinten", "back", "zurück", "thoái"), _BACK),
    "bình": "-",
    **dict.fromkeys(("on", "auf"), ""),
}
