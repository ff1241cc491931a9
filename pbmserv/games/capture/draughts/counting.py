"""Draughts: positions, and when a game is drawn.

On 8x8 squares a player claims a draw (rules of the WCDF, 1.30 to 1.32). On 10x10 squares games are drawn by themselves
(official rules of the FMJD, article 6).
"""

from dataclasses import dataclass, replace
from hashlib import blake2b

from pbmserv.games.base import Seat
from pbmserv.games.capture.draughts.jumping import EMPTY, LARGE, SMALL, Move, legal, moved

THIRD = 3  #: how often a position stands
_FORTY = 80  #: plies without progress until a claim
_TWENTY_FIVE = 50
_WITH_FEW = {"five": 10, "sixteen": 32}  #: plies with few men against one king


@dataclass(frozen=True, slots=True)
class Position:
    """`quiet`: plies since the last capture or move of a man. `few`: plies since few men are left in an ending that is
    counted. `past`: keys of this position and of earlier ones that can come again. `over`: the ending, or "".
    """

    board: str
    turn: Seat = 0
    quiet: int = 0
    few: int = 0
    past: tuple[str, ...] = ()
    over: str = ""


def opening(size: int) -> Position:
    """Return the first position of a game on a board with so many dark squares."""
    men = 12 if size == SMALL else 20
    return Position("b" * men + EMPTY * (size - 2 * men) + "w" * men)


def colour_of(board: str, seat: Seat) -> str:
    """Return the letter of a seat's men. Black begins on 8x8 squares, White on 10x10."""
    return "wb"[seat] if len(board) == LARGE else "bw"[seat]


def after(position: Position, move: Move) -> Position:
    """Return the position after a legal move."""
    board = moved(position.board, move)
    is_quiet = not move.captured and position.board[move.source].isupper()
    turn = 1 - position.turn
    key = blake2b(f"{board}{turn}".encode(), digest_size=8).hexdigest()
    past = (*position.past[-_FORTY:], key) if is_quiet else (key,)
    same = _kind_of_few(board) == _kind_of_few(position.board) != ""
    now = Position(board, turn, position.quiet + 1 if is_quiet else 0, position.few + 1 if same else 0, past)
    over = _ending(now)
    return replace(now, over=over) if over else now


def claim(position: Position) -> str:
    """Return why a player can claim a draw now: the key of an ending; "" if nobody can."""
    if len(position.board) == LARGE:
        return ""
    if _is_third(position):
        return "threefold"
    return "forty" if position.quiet >= _FORTY else ""


def _ending(position: Position) -> str:
    if not legal(position.board, colour_of(position.board, position.turn)):
        return "nomove"
    if len(position.board) != LARGE:
        return ""
    if _is_third(position):
        return "threefold"
    if position.quiet >= _TWENTY_FIVE:
        return "twentyfive"
    kind = _kind_of_few(position.board)
    return kind if kind and position.few >= _WITH_FEW[kind] else ""


def _is_third(position: Position) -> bool:
    return len(position.past) > THIRD and position.past.count(position.past[-1]) >= THIRD


def _kind_of_few(board: str) -> str:
    """Return which ending with one king against few men this is: `five`, `sixteen`, or "" for any other position."""
    if board.count(".") < LARGE - 4 or len(board) != LARGE:
        return ""
    sides = ["".join(man for man in board if man in men) for men in ("bB", "wW")]
    for alone, others in (sides, sides[::-1]):
        if alone in ("B", "W") and not others.islower():
            return "sixteen" if len(others) == 3 else "five"
    return ""
