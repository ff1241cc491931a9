"""What a player can answer to a board letter."""

from collections.abc import Callable, Sequence

from pbmserv import board as fold
from pbmserv.board import Board, Entry
from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat

MOST_MOVES = 40  #: legal moves; more than that are not listed


def answers(board: Board, seat: Seat, log: Sequence[Entry]) -> list[tuple[str, bool]]:
    """The moves of a seat, if they are few, and the verbs that it can use now; each with whether it is a move.

    `log` is the whole log of the board.
    """
    return [(text, True) for text in moves(board, seat)] + [(verb, False) for verb in verbs(board, seat, log)]


def moves(board: Board, seat: Seat) -> list[str]:
    """The legal moves of a seat in alphabetical order; none if there are more than MOST_MOVES."""
    if seat not in board.to_move:
        return []
    legal = board.game.legal_moves(board.position, seat)
    return sorted(board.game.format(move) for move in legal) if len(legal) <= MOST_MOVES else []


def verbs(board: Board, seat: Seat, log: Sequence[Entry]) -> list[str]:
    """What else the seat can do now, each one word."""
    attempts: dict[str, Callable[[], object]] = {
        "accept": lambda: fold.accept(board, seat, log),
        "reject": lambda: fold.reject(board, seat),
        "propose": lambda: fold.propose(board, seat),
        "undo": lambda: fold.undo(board, seat, log),
        "resign": lambda: fold.resign(board, seat),
    }
    if board.start.seats > 1:  # nobody was invited to a solitaire
        attempts["decline"] = lambda: fold.decline(board, seat, log)
    return [verb for verb, attempt in attempts.items() if _is_possible(attempt)]


def _is_possible(attempt: Callable[[], object]) -> bool:
    """Whether the rules of the board let it pass; the board that it gives back is not kept."""
    try:
        attempt()
    except PlayerError:
        return False
    return True
