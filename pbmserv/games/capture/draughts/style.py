"""Draughts: positions, how the two styles differ, and when a game is drawn.

On 8x8 squares a player claims a draw (rules of the WCDF, 1.30 to 1.32). On 10x10 squares games are drawn by themselves
(official rules of the FMJD, article 6).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from pbmserv.games.base import Seat
from pbmserv.games.capture.draughts.jumping import EMPTY, Move, Moving, Path

THIRD = 3  #: how often a position stands
_FORTY = 80  #: plies without progress until a claim
_TWENTY_FIVE = 50
_WITH_FEW = {"five": 10, "sixteen": 32}  #: plies with few men against one king


@dataclass(frozen=True, slots=True)
class Position:
    """A position of draughts.

    `quiet`: plies since the last capture or move of a man. `few`: plies since few men are left in an ending that is
    counted. `past`: keys of this position and of earlier ones that can come again. `over`: the ending, or "".
    """

    board: str
    turn: Seat = 0
    quiet: int = 0
    few: int = 0
    past: tuple[str, ...] = ()
    over: str = ""


class Style(Moving):
    """English draughts, and what other styles change of them."""

    rows = 3  #: of men of each side at the beginning
    colours = "bw"  #: by seat: who begins is the first
    king = 2.6  #: for robots: how many men it is worth
    #: In PDN: the number of the game, who begins, width, height, how squares are named, whether the board is mirrored.
    pdn = "21,B,8,8,N1,0"
    variant = ""  #: the name that PDN has besides if other games have the same number
    hub = ""  #: what engines that speak Hub call it; "": they do not play it

    def opening(self) -> Position:
        """Return the first position of a game."""
        men = self.rows * self.per_row
        return Position("b" * men + EMPTY * (self.size - 2 * men) + "w" * men)

    @property
    def too_few(self) -> str:
        """What is wrong with a capture if another one must be made; "" if any will do."""
        return "that does not capture as many men as you can" if self.captures_most else ""

    def moves(self, position: Position, seat: Seat) -> Sequence[Move]:
        """Return the legal moves of a seat."""
        return self.legal(position.board, self.colours[seat])

    def steps_on(self, position: Position, seat: Seat, path: Path) -> Sequence[Move]:
        """Return the legal move of a seat on this path; none if it captures, or is not legal."""
        board, colour = position.board, self.colours[seat]
        is_own = board[path[0] : path[0] + 1].lower() == colour  # the board can be smaller
        if not is_own or path not in self.steps(board, path[0]) or self.must_capture(board, colour):
            return ()
        return (Move((path,)),)

    def after(self, position: Position, move: Move) -> Position:
        """Return the position after a legal move."""
        board = self.moved(position.board, move)
        is_quiet = not (move.captured or self.is_progress(position.board, move))
        turn = 1 - position.turn
        key = blake2b(f"{board}{turn}".encode(), digest_size=8).hexdigest()
        past = (*position.past[-_FORTY:], key) if is_quiet else (key,)
        same = self.few(board) == self.few(position.board) != ""
        quiet, few = position.quiet + 1 if is_quiet else 0, position.few + 1 if same else 0
        now = type(position)(board, turn, quiet, few, past)  # a variant can have a subclass
        over = self.ended(now)
        return replace(now, over=over) if over else now

    def is_progress(self, board: str, move: Move) -> bool:
        """Return whether a move can never be taken back: a man leaves its row."""
        return board[move.source].islower() and move.source // self.per_row != move.target // self.per_row

    def few(self, board: str) -> str:
        """Return the ending for which plies with few men are counted in `Position.few`; "" if they are not."""
        return ""

    def ended(self, position: Position) -> str:
        """Return how a game has ended with this position, a key of `Draughts.info.endings`; "" if it goes on."""
        return "" if self.can_move(position.board, self.colours[position.turn]) else "nomove"

    def can_win(self, position: Position, seat: Seat) -> bool:
        """Return whether a seat could win by any series of moves. Here the last man could, if the other helped."""
        return True

    def claim(self, position: Position) -> str:
        """Return why a player can claim a draw now: the key of an ending; "" if nobody can."""
        if is_third(position):
            return "threefold"
        return "forty" if position.quiet >= _FORTY else ""


class International(Style):
    """International draughts."""

    width, rows, colours, king = 10, 4, "wb", 3.5
    flies = captures_back = captures_most = True
    pdn = "20,W,10,10,N2,0"

    def few(self, board: str) -> str:
        if board.count(EMPTY) < len(board) - 4:
            return ""
        sides = ["".join(man for man in board if man in men) for men in ("bB", "wW")]
        for alone, others in (sides, sides[::-1]):
            if alone in ("B", "W") and not others.islower():
                return "sixteen" if len(others) == 3 else "five"
        return ""

    def ended(self, position: Position) -> str:
        if over := super().ended(position):
            return over
        if is_third(position):
            return "threefold"
        if position.quiet >= _TWENTY_FIVE:
            return "twentyfive"
        kind = self.few(position.board)
        return kind if kind and position.few >= _WITH_FEW[kind] else ""

    def claim(self, position: Position) -> str:
        return ""


ENGLISH, INTERNATIONAL = Style(), International()
INTERNATIONAL.hub = "normal"  # variants that derive from its class are other games


#: By the dark squares of their boards.
STYLES: Mapping[int, Style] = {style.size: style for style in (ENGLISH, INTERNATIONAL)}


def is_third(position: Position) -> bool:
    """Return whether a position stands for the third time."""
    return len(position.past) > THIRD and position.past.count(position.past[-1]) >= THIRD
