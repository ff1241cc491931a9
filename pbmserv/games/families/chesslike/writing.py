"""Games like chess: how moves are written. As in chess: two squares, or the letter of the man and its goal.

The canonical text is `e2e4`, `e7e8q`, and `n*f3` for a man that comes on the board. In other texts the letter of a man
is large, because many letters are also files; a small one counts if no file has this letter.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from pbmserv.games.base import PASS
from pbmserv.games.base.grid import Grid
from pbmserv.games.base.notation import keeps_short
from pbmserv.games.capture.chess.san import PROMOTING
from pbmserv.games.capture.chess.san import SAID_SIGNS as CHESS_SIGNS
from pbmserv.games.families.chesslike.asia import wxf
from pbmserv.games.families.chesslike.placing import DECLARED, Move, Position
from pbmserv.games.families.chesslike.row import EMPTY, Variant
from pbmserv.games.families.chesslike.row_rules import RowRules
from pbmserv.games.families.chesslike.shogi import shogi_writing
from pbmserv.games.families.chesslike.shogi.shogi_squares import ShogiGrid

_CASTLING = re.compile(r"[o0]-?[o0](-?[o0])?", re.ASCII | re.IGNORECASE)
_PASSING = re.compile(r"e\.?p\.?$", re.ASCII | re.IGNORECASE)
_BEHIND = "+#!?"
_SAID_WAYS = {"x": "takes", "@": "dropped on", "*": "dropped on"}
_NO_CASTLING = "you cannot castle there now"
#: What is against moves that name no square.
_WORDS = {
    "o-o": _NO_CASTLING,
    "o-o-o": _NO_CASTLING,
    "declare": "your king, ten men and your points are not there yet",
}
_SAID_ENDS = {"+": ", promoted", "=": ", unpromoted"}
#: What is said besides men and squares.
SAID_SIGNS = {
    **CHESS_SIGNS,
    **wxf.SAID_SIGNS,
    **dict.fromkeys(("dropped", "eingesetzt"), "@"),
    **dict.fromkeys(PROMOTING, "+"),
    **dict.fromkeys(("unpromoted", "unbefördert"), "="),
}


class Parts(NamedTuple):
    """What a text in normal form says. `man`: the letter of what moves, "" if the squares tell it."""

    man: str
    file: str
    rank: str
    target: str
    becomes: str


def pattern(row: Variant) -> str:
    """Return the pattern of all texts in normal form."""
    if row.falls_back:
        return shogi_writing.pattern(row)
    file, rank, kinds = _file(row.grid), _rank(row.grid), "".join(row.kinds)
    becomes = _becomes(row)
    texts = [f"{file}{rank}{file}{rank}{becomes}"]
    if row.pawn in row.kinds:
        texts.append(f"{file}?{file}{rank}{becomes}")
    texts.append(f"[{kinds.upper()}]{file}?(?:{rank})?{file}{rank}{becomes}")
    if row.points:
        texts.append(PASS)
    if row.lays:
        texts += row.orders
    elif row.drops or row.sets_up:
        texts.append(rf"[{kinds}]\*{file}{rank}")
    if row.castles:
        texts.append("o-o(?:-o)?")
    if row.as_xiangqi:
        texts.append(wxf.PATTERN)
    return "|".join(texts)


@keeps_short
def normal(row: Variant, text: str) -> str:
    """Return a text in the form in which moves are compared."""
    if row.falls_back:
        return shogi_writing.normal(row, text)
    bare = _PASSING.sub("", text.strip().rstrip(_BEHIND)).rstrip(_BEHIND)  # a pattern of signs would be slow
    if castling := _CASTLING.fullmatch(bare):
        return "o-o-o" if castling[1] else "o-o"
    if row.as_xiangqi and (as_in_books := wxf.normal(bare)):
        return as_in_books
    written = _written(row).fullmatch(bare)
    if not written:
        return text.strip().lower()
    man, file, rank, target, becomes = written.groups("")
    if "@" in bare or "*" in bare:
        return f"{man}*{target}".lower()
    squares = f"{file}{rank}{target}{becomes}".lower()
    if not man:
        return squares
    if _squares(row).fullmatch(bare) and not (man.isupper() and file):
        return bare.lower().replace("-", "").replace("x", "").replace("=", "")
    needs_no_man = man.lower() == row.pawn and not (file and rank)  # a pawn on b1 is no knight there
    return squares if needs_no_man else man.upper() + squares


def _becomes(row: Variant) -> str:
    return f"[{row.becomes}]?" if row.becomes else ""


@cache
def _written(row: Variant) -> re.Pattern[str]:
    file, rank, kinds = _file(row.grid), _rank(row.grid), "".join(row.kinds)
    small = "".join(letter for letter in kinds if ord(letter) - 97 >= row.grid.columns)
    man = f"(?-i:([{kinds.upper()}{small}]))?"
    becomes = rf"(?:=?\(?([{row.becomes}])\)?)?" if row.becomes else "()"
    return re.compile(rf"{man}[@*]?({file})?({rank})?[-x:]?({file}{rank}){becomes}", re.ASCII | re.IGNORECASE)


@cache
def _squares(row: Variant) -> re.Pattern[str]:
    square = f"{_file(row.grid)}{_rank(row.grid)}"
    return re.compile(rf"{square}[-x]?{square}=?{_becomes(row)}", re.ASCII | re.IGNORECASE)


def _file(grid: Grid) -> str:
    if isinstance(grid, ShogiGrid):
        return "[1-9]"
    return f"[a-{chr(96 + grid.columns)}]"


def _rank(grid: Grid) -> str:
    if isinstance(grid, ShogiGrid):
        return "[a-i]"
    return f"[1-{grid.rows}]" if grid.rows < 10 else f"(?:1[0-{grid.rows - 10}]|[1-9])"


def canonical(rules: RowRules, move: Move) -> str:
    """Return the text of a move that is stored."""
    if move == DECLARED:
        return "declare"
    if is_word(rules, move):
        return move.drop or PASS
    target, becomes = rules.names[move.target], "+" if move.promotion and rules.falls else move.promotion
    return f"{move.drop}*{target}" if move.drop else f"{rules.names[move.source]}{target}{becomes}"


def is_word(rules: RowRules, move: Move) -> bool:
    """Return whether a move is a word: men are laid, or none moves."""
    return bool(rules.row.lays if move.drop else rules.row.points and move.source == move.target)


@lru_cache(maxsize=2_000)  # texts with the form of a move
def way_of(row: Variant, text: str) -> tuple[int, int]:
    """Return the squares from which and to which a text of two squares leads; -1 twice for another text."""
    told = None if "*" in text or text.startswith("o-o") else _told(row, text)
    if not (told and told.file and told.rank) or told.man:
        return -1, -1
    return row.grid.square(told.file + told.rank), row.grid.square(told.target)


def named(rules: RowRules, position: Position, text: str, moves: Sequence[Move]) -> list[Move]:
    """Return those of these legal moves that a text in normal form names."""
    if text.startswith("o-o"):
        return [move for move in moves if move.rook >= 0 and (move.rook < move.source) == (text == "o-o-o")]
    exact = [move for move in moves if canonical(rules, move) == text]
    if exact or "*" in text:
        return exact
    told = _told(rules.row, text)
    if not told and rules.row.as_xiangqi:
        return [move for move in moves if text in wxf.names_of(rules, position, move)]
    return [move for move in moves if told and _fits(rules, position, move, told)]


@cache
def _parts(row: Variant) -> re.Pattern[str]:
    file, rank = _file(row.grid), _rank(row.grid)
    return re.compile(rf"([A-Z])?({file})?({rank})?({file}{rank})([a-z+=])?")


def _told(row: Variant, text: str) -> Parts | None:
    match = _parts(row).fullmatch(text)
    return Parts(*(part or "" for part in match.groups())) if match else None


def _sign(rules: RowRules, move: Move) -> str:
    """Return what stands behind a move that says what the man becomes, or = for one that stays what it is."""
    return ("+" if move.promotion else "=") if rules.falls else move.promotion


def _fits(rules: RowRules, position: Position, move: Move, told: Parts) -> bool:
    if move.rook >= 0 or move.source < 0:
        return False
    source = rules.names[move.source]
    man = position.board[move.source].upper()
    has_squares = bool(told.file and told.rank)
    return (
        told.target == rules.names[move.target]
        and told.becomes in ("", _sign(rules, move))
        and (not told.file or told.file == source[0])
        and (not told.rank or told.rank == source[1:])
        and (told.man or (man if has_squares else rules.row.pawn.upper())) == man
        and not (man == rules.row.pawn.upper() and not told.file and source[0] != told.target[0])
    )


def san(rules: RowRules, position: Position, move: Move, moves: Sequence[Move]) -> str:
    """Return one of these legal moves as players write it, without a sign for check."""
    if rules.falls:
        return shogi_writing.western(rules, position, move, moves)
    if rules.row.as_xiangqi:
        return wxf.written(rules, position, move)
    if is_word(rules, move):
        return canonical(rules, move)
    target = rules.names[move.target]
    if move.rook >= 0:
        return "O-O-O" if move.rook < move.source else "O-O"
    if move.drop:
        return f"{move.drop.upper()}@{target}"
    man, source = position.board[move.source].upper(), rules.names[move.source]
    takes, becomes = "x" * rules.takes(position, move), f"={move.promotion.upper()}" * bool(move.promotion)
    if man == rules.row.pawn.upper():
        if source[0] == target[0] and takes:  # a pawn that captures straight ahead
            return f"{source}x{target}{becomes}"
        origin = source if rules.row.turns and becomes else source[0]
        return f"{origin * (source[0] != target[0])}{takes}{target}{becomes}"
    return f"{man}{_origin(rules, position, move, moves)}{takes}{target}"


def _origin(rules: RowRules, position: Position, move: Move, moves: Sequence[Move]) -> str:
    """Return what tells a man from others of its kind that can go to its square: file, rank, both or nothing."""
    man, name = position.board[move.source], rules.names[move.source]
    others = [
        rules.names[m.source]
        for m in moves
        if m.target == move.target and m.source != move.source and m.source >= 0 and m.rook < 0
        if position.board[m.source] == man
    ]
    if not others:
        return ""
    if all(other[0] != name[0] for other in others):
        return name[0]
    is_square = ord(man.lower()) - 97 < rules.grid.columns  # a letter and a rank would be one
    return name[1:] if all(other[1:] != name[1:] for other in others) and not is_square else name


def spoken(row: Variant, text: str) -> str:
    """Return in words what `san` wrote, and the sign behind it: `queen takes f7, mate`, `pawn dropped on f3`."""
    if row.as_xiangqi:
        return wxf.spoken(row.kinds, text)
    sign = "" if row.falls_back else {"+": ", check", "#": ", mate"}.get(text[-1], "")
    if text.startswith("O-O"):
        return f"castling {'long' if text.startswith('O-O-O') else 'short'}{sign}"
    if text in row.orders:
        return " ".join(_name(row, man) for man in text)
    match = _san(row).fullmatch(text)
    if not match:
        return ""
    man, origin, way, target, becomes, end = match.groups("")
    parts = (_name(row, man), origin, _SAID_WAYS.get(way, ""), target, becomes and f"becomes {_name(row, becomes)}")
    return " ".join(filter(None, parts)) + (sign or (_SAID_ENDS.get(end, "") if row.falls_back else ""))


def _name(row: Variant, man: str) -> str:
    """Return what a man is called, such as `knight` or `promoted pawn`."""
    letter = man.lower() or row.pawn
    name = row.kinds[row.falls_back[letter[1:]] if letter.startswith("+") else letter].name
    return name if name.startswith("promoted") else name.split()[-1]


@cache
def _san(row: Variant) -> re.Pattern[str]:
    file, rank, kinds = _file(row.grid), _rank(row.grid), "".join(row.kinds).upper()
    return re.compile(rf"(\+?[{kinds}])?({file}?(?:{rank})?)([-x@*]?)({file}{rank})(?:=([{kinds}]))?([+#=]?)")


def as_written(row: Variant, words: Sequence[str]) -> str:
    """Return the text of a move that is said, as `Notation.said` gets its words."""
    if "O" in words:
        return "o-o-o" if "long" in words else "o-o"
    text = "".join(words)
    if row.as_xiangqi:
        return wxf.as_written(text)
    return text if row.falls_back else text.replace("+", "=")  # what a pawn becomes is told


def obstacle(rules: RowRules, position: Position, text: str) -> str:
    """Return why the move with this text in normal form is not legal."""
    if text in _WORDS:
        return _WORDS[text]
    if rules.row.points and (reason := _against_word(rules, position, text)):
        return reason
    if "*" not in text and rules.sets_up(position):
        return "first put down the men in your hand"
    told = None if "*" in text else _told(rules.row, text)
    if told is None and rules.row.as_xiangqi:
        return "no man of yours can go so; send the two points, from and to"
    if told is None:
        return _no_drop(rules, position, text)
    sources = list(_sources(rules, position, told))
    target = rules.grid.square(told.target)
    if told.file and told.rank and (reason := _not_own(rules, position, told)):
        return reason
    ways = [s for s in sources if target in rules.targets(position, s)]
    if not ways:
        return _no_way(rules, position, told, sources)
    return _no_law(rules, position, told, ways)


def _against_word(rules: RowRules, position: Position, text: str) -> str:
    """Return what is against a word, or against another move while men have to be laid; "" if nothing is."""
    if rules.sets_up(position):
        return f"first say how your horses and elephants stand, from your left: {', '.join(rules.row.orders)}"
    if text in rules.row.orders:
        return "your horses and elephants stand already"
    return "you cannot pass in check" if text == PASS else ""


def _no_law(rules: RowRules, position: Position, told: Parts, sources: Sequence[int]) -> str:
    """Return what is against a move for which men have a way. `sources`: where these stand."""
    row, legal, target = rules.row, tuple(rules.legal(position)), rules.grid.square(told.target)
    plain = told._replace(becomes="")
    if told.becomes and any(_fits(rules, position, move, plain) for move in legal):
        return "the man has to be promoted there" if told.becomes == "=" else "no man of yours can be promoted there"
    pawns = (move for move in legal if move.target == target and move.source in sources)
    if not (told.man or told.file) and (move := next(pawns, None)):
        return f"write the file from which the pawn comes, such as {san(rules, position, move, legal)}"
    if row.must_capture and any(rules.takes(position, move) for move in legal):
        return "you can capture, so you have to"
    if row.race and not rules.in_check(position.board, position.turn):
        return "a king would be in check"
    boards = (rules.board_after(position, Move(source, target)) for source in sources)
    if row.explodes and any(rules.royal_square(board, position.turn) < 0 for board in boards):
        return "your own king would be blown up"
    if row.points and rules.are_facing(position.board):
        return "the generals face each other: end that, or pass, and points decide"
    return "your king would be in check"


def _no_way(rules: RowRules, position: Position, told: Parts, sources: Sequence[int]) -> str:
    if told.becomes and rules.row.turns:
        return "a pawn becomes another man only where the rules say so: see the help"
    if told.file and told.rank and not told.man:
        name = rules.row.kinds[position.board[sources[0]].lower()].name
        return f"the {name} on {told.file}{told.rank} does not reach {told.target}"
    return f"no {rules.row.kinds[told.man.lower() or rules.row.pawn].name} of yours can go to {told.target}"


def _sources(rules: RowRules, position: Position, told: Parts) -> Iterator[int]:
    """Yield the squares of the men that a text can mean."""
    has_square = bool(told.file and told.rank)
    for square, man in enumerate(position.board):
        name, kind = rules.names[square], told.man or (man.upper() if has_square else rules.row.pawn.upper())
        is_there = (not told.file or name[0] == told.file) and (not told.rank or name[1:] == told.rank)
        if man in rules.own[position.turn] and is_there and kind == man.upper():
            yield square


def _not_own(rules: RowRules, position: Position, told: Parts) -> str:
    square = told.file + told.rank
    man = position.board[rules.grid.square(square)]
    if man == EMPTY:
        return f"{square} is empty"
    if man not in rules.own[position.turn]:
        return f"the man on {square} is not yours"
    if told.man and told.man != man.upper():
        return f"no {rules.row.kinds[told.man.lower()].name} of yours is on {square}"
    return ""


def _no_drop(rules: RowRules, position: Position, text: str) -> str:
    man, _, target = text.partition("*")
    name = rules.row.kinds[man].name
    if man not in position.hands[position.turn]:
        return f"you have no {name} in hand"
    if position.board[rules.grid.square(target)] != EMPTY:
        return f"{target} is not empty"
    move = Move(-1, rules.grid.square(target), drop=man)
    return rules.law_against(position, move) or "your king would be in check"
