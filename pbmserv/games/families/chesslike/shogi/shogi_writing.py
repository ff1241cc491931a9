"""Games like shogi: how moves are written.

The canonical text is `7g7f`, `8h2b+` for a man that is promoted, and `p*5e` for one from the hand; in letters it is
`P*5e`. As in Western books, `P-7f`, `Bx2b+`, `+R5h-4h` and `P'5e` are read, too, and figures for ranks: `P76`.
"""

import re
from functools import cache

from pbmserv.games.families.chesslike.placing import DECLARED, Move, Position
from pbmserv.games.families.chesslike.row import EMPTY, Variant
from pbmserv.games.families.chesslike.row_rules import RowRules

_FIGURES = re.compile("([1-9])([1-9])")
_DECLARED = ("declare", "win", "kachi")


def pattern(row: Variant) -> str:
    """Return the pattern of all texts in normal form."""
    square, kinds = f"[1-{row.grid.columns}][a-{chr(96 + row.grid.rows)}]", "".join(row.kinds)
    texts = [rf"(?:{square})?{square}\+?", rf"[{kinds.upper()}](?:{square})?{square}\+?", rf"[{kinds}]\*{square}"]
    return "|".join(texts + ["declare"] * bool(row.entering))


@cache
def _written(row: Variant) -> re.Pattern[str]:
    square, kinds = "([1-9][a-i])", "".join(row.kinds)
    return re.compile(rf"(\+?)([{kinds}])?([*'@]?){square}?[-x:]?{square}([+=]?)", re.ASCII | re.IGNORECASE)


def normal(row: Variant, text: str) -> str:
    """Return a text in the form in which moves are compared: a promoted man has its own letter there."""
    bare = text.strip().lower().rstrip("#!?")
    if bare in _DECLARED:
        return "declare"
    match = _written(row).fullmatch(_FIGURES.sub(lambda pair: pair[1] + chr(96 + int(pair[2])), bare))
    if not match:
        return bare
    promoted, man, drop, source, target, sign = match.groups("")
    if drop or not man:
        return f"{man}{'*' * bool(drop)}{source}{target}{sign.strip('=')}"
    man = row.falls_back.get(man, "?") if promoted else man
    return f"{man.upper() if man != row.pawn else ''}{source}{target}{sign.strip('=')}"


def letters(rules: RowRules, man: str) -> str:
    """Return how a man is called in letters: `p`, `+P`, as large or small as it is on the board."""
    plain = rules.falls.get(man.lower())
    return man if plain is None else f"+{plain.upper() if man.isupper() else plain}"


def for_players(text: str) -> str:
    """Return a canonical text as players write it."""
    return text[0].upper() + text[1:] if "*" in text else text


def western(rules: RowRules, position: Position, move: Move) -> str:
    """Return a legal move as Western books write it, with the square from which the man comes."""
    if move == DECLARED:
        return "declare"
    target = rules.grid.name(move.target)
    if move.drop:
        return f"{move.drop.upper()}*{target}"
    man, source = letters(rules, position.board[move.source].upper()), rules.grid.name(move.source)
    return f"{man}{source}{'-' if position.board[move.target] == EMPTY else 'x'}{target}{'+' * bool(move.promotion)}"
