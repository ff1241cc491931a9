"""Games like chess as files: PGN with the tag Variant; shogi in the format of the Computer Shogi Association, too."""

import re
from dataclasses import replace
from typing import Any

from pbmserv.games.base.sheet import Format, Sheet
from pbmserv.games.families.chesslike.placing import DECLARED, Move, Position
from pbmserv.games.families.chesslike.row import EMPTY
from pbmserv.games.families.chesslike.row_rules import RowRules
from pbmserv.games.families.chesslike.shogi import shogi_writing
from pbmserv.games.formats.tags import roster, score, written

_CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_MEN = {"p": "FU", "l": "KY", "n": "KE", "s": "GI", "g": "KI", "b": "KA", "r": "HI", "k": "OU",
    "t": "TO", "y": "NY", "m": "NK", "z": "NG", "h": "UM", "d": "RY"}  # fmt: skip
_ENDS = {"resign": "TORYO", "forfeit": "TIME_UP", "mate": "TSUMI", "stalemate": "TSUMI", "entered": "KACHI"}


def fen(rules: RowRules, position: Position) -> str:
    """Return a position as Forsyth and Edwards wrote it, with hands in brackets and checks that are left."""
    row, grid, squares = rules.row, rules.grid, list(position.board)
    for square, man in enumerate(squares):
        squares[square] = shogi_writing.letters(rules, man) + "~" * (square in position.promoted)
    ranks = ("".join(squares[at : at + grid.columns]) for at in range(0, grid.size, grid.columns))
    board = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(reversed(list(ranks))))
    hand = f"[{position.hands[0].upper()}{position.hands[1]}]" if row.drops or (row.sets_up and not row.lays) else ""
    seats = (int(rook > grid.size // 2) for rook in position.rooks)
    rights = (("KQ", "kq")[s][rook < rules.castlers[s]] for s, rook in zip(seats, position.rooks, strict=True))
    passed = grid.name(position.passed) if position.passed >= 0 else "-"
    left = [f"{row.checks - position.checks[0]}+{row.checks - position.checks[1]}"] if row.checks else []
    turn, castling = "wb"[position.turn], "".join(sorted(rights)) or "-"
    return " ".join([board + hand, turn, castling, passed, *left, str(position.quiet), "1"])


def _pgn(sheet: Sheet) -> str:
    """Return a game in PGN; White is who begins."""
    game: Any = sheet.game
    row = game.rules.row
    tags = [*roster(sheet, white=0), ("Variant", row.pgn or row.name)]
    if row.as_xiangqi:
        tags += [("Game", "Chinese Chess"), ("Red", sheet.facts.players[0]), ("Format", "WXF")]
    if row.lays:  # other programs have no moves that lay men
        sheet = replace(sheet, plies=tuple(ply for ply in sheet.plies if not game.rules.sets_up(ply.position)))
    first = sheet.plies[0].position if sheet.plies else sheet.first
    if first != game.rules.start() or row.setup != _CHESS:
        tags += [("SetUp", "1"), ("FEN", fen(game.rules, first))]
    tags.append(("PlyCount", str(len(sheet.plies))))
    moves = [game.written(ply.position, ply.seat, ply.text) for ply in sheet.plies]
    return written(sheet, tags, moves, score(sheet, white=0), ("White", "Black") if row.falls_back else ())


def _csa(sheet: Sheet) -> str:
    """Return a game of shogi: tags, the first position, a line for each move, and how it ended."""
    game: Any = sheet.game
    first, facts = sheet.first, sheet.facts
    head = ["V2.2", f"N+{facts.players[0]}", f"N-{facts.players[1]}", f"$EVENT:{sheet.title}", f"$SITE:{facts.site}"]
    ranks = range(game.rules.grid.rows)
    rows = [f"P{n + 1}{_rank(first.board[(8 - n) * 9 : (9 - n) * 9])}" for n in ranks]
    hands = [
        f"P{s}{''.join(f'00{_MEN[man]}' for man in hand)}" for s, hand in zip("+-", first.hands, strict=True) if hand
    ]
    date = f"$START_TIME:{facts.begun.replace('-', '/')}"
    moves = (_move(game.rules, ply.position, game.parse(ply.position, ply.seat, ply.text)) for ply in sheet.plies)
    return "\n".join([*head, date, *rows, *hands, "+-"[first.turn], *filter(None, moves), *_end(sheet), ""])


def _end(sheet: Sheet) -> tuple[str, ...]:
    """Return how a game of shogi ended. All words but those of draws and faults are about the player to move."""
    result = sheet.result
    if result is None:
        return ("%CHUDAN",) if sheet.board.result else ()
    if not result.winners:
        return ("%SENNICHITE",) if result.reason == "repeated" else ("%JISHOGI",)
    loser = 1 - result.winners[0]
    if result.reason in _ENDS and loser == sheet.board.position.turn:
        return (f"%{_ENDS[result.reason]}",)
    return (f"'{sheet.ending()}", f"%{'+-'[loser]}ILLEGAL_ACTION")


def _rank(men: str) -> str:
    return "".join(" * " if man == EMPTY else f"{'+' if man.isupper() else '-'}{_MEN[man.lower()]}" for man in men)


def _move(rules: RowRules, position: Position, move: Move) -> str:
    """Return a move: where the man comes from and goes to in figures, and what it is then; "" for a declaration."""
    if move == DECLARED:
        return ""
    source = "00" if move.drop else _figures(rules, move.source)
    man = move.drop or move.promotion or position.board[move.source].lower()
    return f"{'+-'[position.turn]}{source}{_figures(rules, move.target)}{_MEN[man]}"


def _figures(rules: RowRules, square: int) -> str:
    name = rules.grid.name(square)
    return f"{name[0]}{ord(name[1]) - 96}"


PGN = Format("pgn", "application/vnd.chess-pgn", _pgn)
CSA = Format("csa", "text/x-csa", _csa)
