"""Games like shogi: how moves are written.

The canonical text is `7g7f`, `8h2b+` for a man that is promoted, and `p*5e` for one from the hand. Letters write as
Western books do: `P-7f`, `Bx2b+`, `+R5h-4h`, `P*5e`. `P'5e` is read, too, and figures for ranks: `P76`.
Where a man may be promoted, a text with its letter and without a sign can be both moves; `8h2b` never is.
Japanese books and programs write `☗７六歩`, `5五桂打`, `2二角成` and `7776FU`.
"""

import re
from collections.abc import Sequence
from functools import cache

from pbmserv.games.families.chesslike.placing import DECLARED, Move, Position
from pbmserv.games.families.chesslike.row import EMPTY, Variant
from pbmserv.games.families.chesslike.row_rules import RowRules

_FIGURES = re.compile("([1-9])([1-9])")
_KANJI = dict(zip("一二三四五六七八九", "123456789", strict=True))
_MEN = dict(zip("王玉飛角馬竜龍金銀桂香歩と", "kkrbhddgsnlpt", strict=True)) | {"成銀": "z", "成桂": "m", "成香": "y"}
_JAPANESE = re.compile(rf"[▲△▼▽☗☖]?([1-9])([1-9{''.join(_KANJI)}])({'|'.join(_MEN)})(成|不成|打)?")
_PLAIN = dict(zip("tymzhd", "plnsbr", strict=True))
_WAYS = {"成": "+", "不成": "=", "打": "", "": ""}
_OF_PROGRAMS = re.compile("[+-]?([1-9][1-9])([1-9][1-9])(?:fu|ky|ke|gi|ki|ka|hi|ou)")
_DECLARED = ("declare", "win", "kachi")


def pattern(row: Variant) -> str:
    """Return the pattern of all texts in normal form."""
    square, kinds = f"[1-{row.grid.columns}][a-{chr(96 + row.grid.rows)}]", "".join(row.kinds)
    with_man = rf"[{kinds.upper()}](?:{square})?{square}[+=]?"
    texts = [rf"{square}[+=]?", rf"{square}{square}\+?", with_man, rf"[{kinds}]\*{square}"]
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
    bare = _OF_PROGRAMS.sub(r"\1-\2", _JAPANESE.sub(_from_japanese, bare))
    match = _written(row).fullmatch(_FIGURES.sub(lambda pair: pair[1] + chr(96 + int(pair[2])), bare))
    if not match:
        return bare
    promoted, man, drop, source, target, sign = match.groups("")
    if drop or not man:
        sign = sign.strip("=" * bool(drop or source))
        return f"{man}{'*' * bool(drop)}{source}{target}{sign}"
    man = row.falls_back.get(man, "?") if promoted else man
    needs_man = man != row.pawn or source  # a pawn on 2h is no rook there
    return f"{man.upper() if needs_man else ''}{source}{target}{sign}"


def _from_japanese(written: re.Match[str]) -> str:
    """Return `p-76` for `7六歩`; a promoted man has a plus before the letter of what it was."""
    file, rank, name, way = written.groups("")
    man = _MEN[name]
    plain = _PLAIN.get(man, "")
    return f"{'+' * bool(plain)}{plain or man}{'*' if way == '打' else '-'}{file}{_KANJI.get(rank, rank)}{_WAYS[way]}"


def letters(rules: RowRules, man: str) -> str:
    """Return how a man is called in letters: `p`, `+P`, as large or small as it is on the board."""
    plain = rules.falls.get(man.lower())
    return man if plain is None else f"+{plain.upper() if man.isupper() else plain}"


def for_players(text: str) -> str:
    """Return a canonical text as players write it."""
    return text[0].upper() + text[1:] if "*" in text else text


def western(rules: RowRules, position: Position, move: Move, moves: Sequence[Move]) -> str:
    """Return one of these legal moves as Western books write it: `P-7f`, `Bx2b+`, `S-3c=` for a man that stays plain.

    The square from which the man comes stands there if another man of its kind could go to the same one.
    """
    if move == DECLARED:
        return "declare"
    target = rules.names[move.target]
    if move.drop:
        return f"{move.drop.upper()}*{target}"
    man = position.board[move.source]
    alike = [m for m in moves if m.target == move.target and m.source >= 0 and position.board[m.source] == man]
    is_alone = all(m.source == move.source for m in alike if m.promotion == move.promotion)
    source = "" if is_alone else rules.names[move.source]
    sign = "+" if move.promotion else "=" * any(m.promotion and m.source == move.source for m in alike)
    return f"{letters(rules, man.upper())}{source}{'-' if position.board[move.target] == EMPTY else 'x'}{target}{sign}"
