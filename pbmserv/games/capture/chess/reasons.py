"""Chess: why a move is not possible, and what there is to say about a position."""

import re
from collections.abc import Iterator

from pbmserv.games.capture.chess.laws import claim
from pbmserv.games.capture.chess.moving import attacked, could_go, in_check
from pbmserv.games.capture.chess.pieces import EMPTY, GRID, NAMES, SIDES, Position
from pbmserv.games.capture.chess.san import BISHOP, is_squares

_PARTS = re.compile(r"[nrqk♗]?([a-h]?[1-8]?)([a-h][1-8])([qrbn]?)")
_CLAIMS = {
    "threefold": "The position stands for the third time: propose ends the board as a draw.",
    "fifty": "Fifty moves without capture or pawn move: propose ends the board as a draw.",
}


def obstacle(position: Position, text: str) -> str:
    """Return why the move with this text in normal form is not legal."""
    if text[0] == "o":
        return _no_castling(position, text)
    if text[0] == "B" and text[1].isdigit():
        return obstacle(position, _likely(position, text))
    if is_squares(text):
        return _no_way(position, GRID.square(text[:2]), GRID.square(text[2:4]), text[4:])
    origin, target, promotion = _PARTS.fullmatch(text.lower()).groups()  # type: ignore[union-attr]
    kind = "b" if text[0] == BISHOP else text[0] if text[0] in "nrqk" else "p"
    if kind == "p" and origin == target[0]:
        return f"the move of a pawn is written {target}"
    if kind == "p" and not origin:
        origin = target[0]
    piece, square = SIDES[position.turn]["pnbrqk".index(kind)], GRID.square(target)
    near = [s for s in range(64) if position.board[s] == piece and set(GRID.name(s)) >= set(origin)]
    ways = [s for s in near if could_go(position, s, square)]
    if not ways and len(near) != 1:
        return f"no {NAMES[kind]} of yours can go to {target}"
    return _no_way(position, (ways or near)[0], square, promotion)


def _likely(position: Position, text: str) -> str:
    """Return what a text such as B2C3 means, if neither is legal: the own piece on b2, or a bishop of that rank."""
    own, squares = SIDES[position.turn], text.lower()
    row = 8 * (int(text[1]) - 1)
    is_bishop = position.board[row + 1] not in own and own[2] in position.board[row : row + 8]
    return BISHOP + squares[1:] if is_bishop else squares


def as_written(text: str) -> str:
    """Return a text in normal form as players write it."""
    if text[0] == "B" and text[1].isdigit():
        return "B" + text[1:].lower()
    return text.replace(BISHOP, "B") if text[0] == BISHOP else text[0].upper() + text[1:] if text[0] in "nrqk" else text


def notes_of(position: Position) -> Iterator[str]:
    """Yield what players are told about a position after a move."""
    if position.over:
        return
    if in_check(position.board, position.turn):
        yield "Check."
    if reason := claim(position):
        yield _CLAIMS[reason]


def _no_way(position: Position, source: int, target: int, promotion: str) -> str:
    piece = position.board[source]
    if piece == EMPTY:
        return f"{GRID.name(source)} is empty"
    if piece not in SIDES[position.turn]:
        return f"the man on {GRID.name(source)} is not yours"
    if not could_go(position, source, target):
        return f"the {NAMES[piece.lower()]} on {GRID.name(source)} does not reach {GRID.name(target)}"
    if promotion and (piece not in "Pp" or 8 <= target < 56):
        return "only a pawn on the last rank becomes another man"
    return "your king would be in check"


def _no_castling(position: Position, text: str) -> str:
    board, seat = position.board, position.turn
    king, to_the_right = board.index(SIDES[seat][5]), text == "o-o"
    if not any(board[rook] == SIDES[seat][3] and (rook > king) == to_the_right for rook in position.rooks):
        return "king or rook have moved, so you cannot castle there"
    if attacked(board, king, 1 - seat):
        return "you cannot castle out of check"
    return "to castle, the way must be free, and the king must not pass an attacked square"
