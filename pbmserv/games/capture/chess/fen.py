"""Chess: positions as text, in the Forsyth-Edwards notation (FEN); for Fischer random chess as X-FEN."""

import re

from pbmserv.games.base.sheet import FormatError
from pbmserv.games.capture.chess.laws import FIDE, Laws
from pbmserv.games.capture.chess.moving import in_check
from pbmserv.games.capture.chess.pieces import EMPTY, GRID, HOME, SIDES, Position

_RANK = re.compile(r"[1-8pnbrqkPNBRQK]{1,8}")
_CASTLING = re.compile(r"-|[KQkqA-Ha-h]{1,8}", re.ASCII)
_MOST_QUIET = 150


def fen(position: Position) -> str:
    """Return a position as FEN. The number of the move is always 1, because a position does not know it."""
    ranks = [position.board[start : start + 8] for start in range(56, -1, -8)]
    board = "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), rank) for rank in ranks)
    rooks = sorted(position.rooks, key=lambda rook: (rook // 8, -rook))  # White's first, the king's side first
    castling = "".join(_right(position.board, rook) for rook in rooks) or "-"
    passed = GRID.name(position.passed) if position.passed >= 0 else "-"
    return f"{board} {'wb'[position.turn]} {castling} {passed} {position.quiet} 1"


def read(text: str, fischer: bool = False, laws: Laws = FIDE) -> Position:
    """Return the position that a FEN names, without rights that cannot be (`left_out`).

    Raises FormatError if it names none that our rules can go on with. The laws say whether a game has ended with it.
    """
    ranks, turn, castling, passed, quiet, _ = _fields(text)
    board = _board(text, ranks)
    if turn not in ("w", "b"):
        raise _wrong(text, f"'{turn}' is not w or b")
    if not quiet.isdecimal() or int(quiet[:4]) >= _MOST_QUIET:
        raise _wrong(text, f"'{quiet}' is no number of plies without a capture")
    seat = "wb".index(turn)
    if in_check(board, 1 - seat):
        raise _wrong(text, "the side that is not to move is in check")
    rooks = _rooks(text, board, castling, fischer)
    return laws.settled(Position(board, seat, rooks, _passed(text, board, seat, passed), int(quiet), fischer=fischer))


def left_out(text: str, position: Position) -> tuple[str, ...]:
    """Return in words the rights of a FEN that its position does not have, because they cannot be."""
    _, _, castling, passed, *_ = _fields(text)
    board, letters = position.board, castling.replace("-", "")
    lost = sum(_rook(board, letter, position.fischer) not in position.rooks for letter in letters)
    captures = passed != "-" and _passed(text, board, position.turn, passed) < 0
    return (
        *[f"{lost} right{'s' * (lost > 1)} to castle"] * (lost > 0),
        *[f"the right to capture on {passed}, which no pawn has passed over"] * captures,
    )


def _fields(text: str) -> tuple[str, ...]:
    """Return all six fields; the last ones may be missing."""
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise _wrong(text, "it needs six fields")
    return (*fields, *("", "w", "-", "-", "0", "1")[len(fields) :])


def _wrong(text: str, why: str) -> FormatError:
    return FormatError(f"The FEN '{text[:90]}' is no position: {why}.")


def _board(text: str, ranks: str) -> str:
    rows = ranks.split("/")
    if len(rows) != 8 or not all(map(_RANK.fullmatch, rows)):
        raise _wrong(text, "the board needs eight ranks of men and numbers")
    full = [re.sub(r"\d", lambda gap: EMPTY * int(gap[0]), row) for row in rows]
    if any(len(row) != 8 for row in full):
        raise _wrong(text, "a rank has not eight squares")
    board = "".join(reversed(full))
    if any(board.count(king) != 1 for king in "Kk"):
        raise _wrong(text, "each side needs one king")
    if set("Pp") & set(board[:8] + board[56:]):
        raise _wrong(text, "a pawn stands on the first or last rank")
    return board


def _right(board: str, rook: int) -> str:
    """Return the letter of a right to castle: K or Q if it is the outermost rook, else its file."""
    seat = 0 if rook < 8 else 1
    home = HOME[seat]
    king_side = rook > board.index(SIDES[seat][5])
    beyond = range(rook + 1, home + 8) if king_side else range(home, rook)
    letter = GRID.name(rook)[0] if SIDES[seat][3] in (board[s] for s in beyond) else "qk"[king_side]
    return letter.upper() if seat == 0 else letter


def is_fischer(text: str) -> bool:
    """Return whether the rights to castle in a FEN are those of Fischer random chess, and could not be others."""
    ranks, _, castling, *_ = (*text.split(), "", "", "")
    if not _CASTLING.fullmatch(castling) or castling == "-":
        return False
    board = _board(text, ranks)
    usual, fischer = ([_rook(board, letter, kind) for letter in castling] for kind in (False, True))
    return None in usual and None not in fischer


def _rooks(text: str, board: str, castling: str, fischer: bool) -> tuple[int, ...]:
    """Return the squares of the rooks that can castle. Rights that the pieces on the board cannot have are left out.

    Of two rooks on one side of a king, the outer one has the right, as if `K` or `Q` named it.
    """
    if not _CASTLING.fullmatch(castling):
        raise _wrong(text, f"'{castling}' are no rights to castle")
    named = {_rook(board, letter, fischer) for letter in castling.replace("-", "")} - {None}
    kings = [board.index(side[5]) for side in SIDES]
    outer = dict[tuple[bool, bool], int]()
    for rook in sorted((rook for rook in named if rook is not None), key=lambda rook: abs(rook - kings[rook > 7])):
        outer[rook > 7, rook > kings[rook > 7]] = rook
    return tuple(sorted(outer.values()))


def _rook(board: str, letter: str, fischer: bool) -> int | None:
    """Return the square of the rook that a letter names; None if king and rook do not stand as the right needs it."""
    seat = 0 if letter.isupper() else 1
    home, king, piece = HOME[seat], board.index(SIDES[seat][5]), SIDES[seat][3]
    if king - home not in range(8):
        return None
    if letter in "Kk":
        squares = range(home + 7, king, -1)
    elif letter in "Qq":
        squares = range(home, king)
    else:
        squares = range(home + ord(letter.lower()) - 97, home + ord(letter.lower()) - 96)
    rook = next((s for s in squares if board[s] == piece), None)
    fits = rook is not None and (fischer or (king - home == 4 and rook - home in (0, 7)))
    return rook if fits else None


def _passed(text: str, board: str, seat: int, name: str) -> int:
    """Return the square that a pawn has just passed over; -1 if there is none, whatever the FEN says."""
    if name == "-":
        return -1
    if not re.fullmatch(r"[a-h][1-8]", name, re.ASCII):
        raise _wrong(text, f"'{name}' is no square that a pawn has passed over")
    square, ahead = GRID.square(name), (-8, 8)[seat]
    fits = name[1] == "63"[seat] and board[square] == board[square - ahead] == EMPTY
    return square if fits and board[square + ahead] == SIDES[1 - seat][0] else -1
