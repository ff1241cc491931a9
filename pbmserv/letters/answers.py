"""What a player can answer to a board letter."""

from collections.abc import Sequence

from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry

MOST_MOVES = 40  #: legal moves; more than that are not listed


def answers(board: Board, seat: Seat, log: Sequence[Entry]) -> list[tuple[str, bool]]:
    """The moves of a seat, if they are few, and the verbs that it can use now; each with whether it is a move.

    `log` is the whole log of the board.
    """
    return [(text, True) for text in moves(board, seat)] + [(verb, False) for verb in play.verbs(board, seat, log)]


def moves(board: Board, seat: Seat) -> list[str]:
    """The legal moves of a seat in alphabetical order; none if there are more than MOST_MOVES."""
    if seat not in board.to_move:
        return []
    legal = board.game.legal_moves(board.position, seat)
    return sorted(board.game.format(move) for move in legal) if len(legal) <= MOST_MOVES else []
