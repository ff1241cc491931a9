"""Seats that a substitute could take, because their players have left a board."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbmserv.boards.absences import lost_time
from pbmserv.errors import PlayerError
from pbmserv.games import NotInstalled
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry, Kind, kept_places
from pbmserv.model import BoardRow, LeftSeat
from pbmserv.store import Store

#: How long a substitute can take the seat of a player who has left. `demand_open` says it in words.
SEAT_LASTS = timedelta(days=7)
_LEAVING = (Kind.RESIGN, Kind.FORFEIT)


def free_seat(row: BoardRow, log: Sequence[Entry]) -> LeftSeat:
    """Return the seat that a substitute could take, however long it is free. `log`: whole. Raises PlayerError."""
    board = row.board
    _demand_one_empty(row)
    _demand_open_cards(row)
    play.rejoined(board)  # raises PlayerError if the game cannot do that
    place = _place_of_leaving(board, log)
    return LeftSeat(row.number, log[place].seat, board.ply, row.players[log[place].seat].userid, log[place].kind.value)


def demand_open(store: Store, row: BoardRow, log: Sequence[Entry], now: datetime) -> tuple[LeftSeat, datetime]:
    """Return the free seat of a board, and when it was left. Raises PlayerError if it is not free any more."""
    if known := store.boards.continuation(row.number):
        raise PlayerError(
            f"Board {known} goes on from board {row.number} with a substitute already.",
            f"To see it, send: {row.key} show {known}",
        )
    left, since = free_seat(row, log), store.boards.log(row.number, _place_of_leaving(row.board, log))[0].at
    if since < lost_time.ago(now, SEAT_LASTS, lost_time.absences(store)):
        raise PlayerError(
            f"{left.userid} left board {row.number} more than seven days ago, so the seat is not free any more.",
            f"To begin a new board, send: {row.key} challenge USERID USERID",
        )
    return left, since


def can_be_asked(store: Store, row: BoardRow, seat: Seat, log: Sequence[Entry], now: datetime) -> bool:
    """Return whether the player of a seat can ask for a substitute for another one."""
    if not row.board.out or seat in row.board.out:
        return False
    try:
        demand_open(store, row, log, now)
    except PlayerError:
        return False
    return True


def _demand_one_empty(row: BoardRow) -> None:
    board, number = row.board, row.number
    again = f"To play again, send: {row.key} challenge " + " ".join(p.userid for p in row.players)
    if board.result and board.result.reason not in _LEAVING:
        raise PlayerError(f"Board {number} did not end because somebody left it, so no seat is free there.", again)
    if board.result and board.waits:
        raise PlayerError(f"Board {number} ended before it was set up, so no seat is free there.", again)
    if not board.out:
        raise PlayerError(f"Nobody has left board {number}, so no seat is free there.")
    if len(board.out) > 1:
        raise PlayerError(f"Several players have left board {number}, and a substitute can come only for one.", again)
    teams = board.game.teams(board.start.seats)
    if not board.result and any(teams[s] == teams[board.out[0]] for s in range(len(teams)) if s not in board.out):
        raise PlayerError(f"The partner of the player who has left plays on alone on board {number}.")
    if len(set(row.players)) < len(row.players):
        raise PlayerError(f"On board {number} one player has several seats, so nobody else can take one.", again)


def _demand_open_cards(row: BoardRow) -> None:
    """Raise PlayerError if the board hides something now. At its end everybody sees it, or has seen it already."""
    board = row.board
    if isinstance(row.game, NotInstalled):
        raise row.game.error()
    if board.game.view(board.position, None).position != board.position:
        raise PlayerError(
            f"Board {row.number} hides things, which everybody sees at its end. So it cannot go on with a substitute.",
            f"To play again, send: {row.key} challenge " + " ".join(p.userid for p in row.players),
        )


def _place_of_leaving(board: Board, log: Sequence[Entry]) -> int:
    """Return the place in the log of the entry with which the one seat that left did so."""
    return next(i for i in reversed(kept_places(log)) if log[i].kind in _LEAVING and log[i].seat == board.out[0])
