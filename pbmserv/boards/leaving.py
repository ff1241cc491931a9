"""Closes accounts: because the player wants it, or because nobody ever confirmed the address.

And knows which seats are free because their players have left.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from pbmserv.boards import entries
from pbmserv.boards.seasons import withdrawal
from pbmserv.errors import PlayerError
from pbmserv.games import NotInstalled
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Entry, Kind, kept_places
from pbmserv.store import BoardRow, LeftSeat, Player, Store

#: How long a player has time to confirm an address.
CONFIRM_WITHIN = timedelta(days=7)
#: How long a substitute can take the seat of a player who has left.
SEAT_LASTS = timedelta(days=7)
_LEAVING = (Kind.RESIGN, Kind.FORFEIT)


@dataclass(frozen=True)
class Left:
    """A board that a player has left. The other players get a letter."""

    row: BoardRow
    since: int  #: the length of its log before the player left
    player: Player


class Lapsed(NamedTuple):
    """The number of accounts that lost addresses, and the boards that closed accounts have left."""

    accounts: int
    left: list[Left]


def close(store: Store, player: Player, now: datetime, mail_id: int | None = None) -> list[Left]:
    """Leave all boards and tournaments, and erase all personal data. The userid stays reserved."""
    store.boards.lock_running(player.id)  # lock boards before accounts, in the same order as a move
    store.players.lock(player.id)  # boards that have just begun are included, and no other can begin
    results = withdrawal.all_consequences(store, player)
    left = [_leave(store, number, player, now, mail_id) for number in store.boards.lock_running(player.id)]
    withdrawal.leave_all(store, player, results, now)
    store.players.erase(player.id, now)
    store.robots.remove(player.id)
    return [x for x in left if x.row.board.length > x.since]


def free_seat(row: BoardRow, log: Sequence[Entry]) -> LeftSeat:
    """Return the seat of a board that a substitute could take, however long it is free already. Raises PlayerError.

    `log`: the whole log.
    """
    board = row.board
    _demand_one_empty(row)
    _demand_open_cards(row)
    play.rejoined(board)  # raises PlayerError if the game cannot do that
    place = _place_of_leaving(board, log)
    return LeftSeat(row.number, log[place].seat, board.ply, row.players[log[place].seat].userid, log[place].kind.value)


def left_at(store: Store, row: BoardRow, log: Sequence[Entry]) -> datetime:
    """Return when the one player who has left a board did so."""
    return store.boards.log(row.number, _place_of_leaving(row.board, log))[0].at


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


def leave_waiting(store: Store, key: str, rules: int, now: datetime) -> list[Left]:
    """Let closed accounts leave the boards that they could not leave while the game was not installed."""
    return [
        _leave(store, number, player, now, None)
        for number, player_id in store.board_lists.running_of_closed(key, rules)
        if (player := store.players.by_id(player_id))
    ]


def lapse(store: Store, now: datetime, before: datetime) -> Lapsed:
    """Delete addresses from before a time that nobody confirmed, and close accounts that have no other address.

    Each call handles some of them, so call it until it finds none. If an account never began a board, its userid
    becomes free again.
    """
    ids = store.addresses.lapse(before)
    left: list[Left] = []
    for player in store.players.without_address(ids) if ids else ():
        left += close(store, player, now)
        store.players.delete_unused(player.id)
    return Lapsed(len(ids), left)


def _leave(store: Store, number: int, player: Player, now: datetime, mail_id: int | None) -> Left:
    """Let each seat of a player leave a board. A seat that has not moved declines, any other seat resigns.

    A resignation needs the rules. While the game is not installed, such a seat waits (`leave_waiting`).
    """
    row = store.boards.find(number)
    if row is None:
        raise ValueError(f"there is no board {number}")
    since = row.board.length
    for seat in row.seats_of(player):
        if row.board.result or seat in row.board.out:
            continue
        log = store.boards.entries(number)
        moved = any(e.seat == seat and e.kind is Kind.MOVE for e in log)
        if moved and isinstance(row.game, NotInstalled):
            break
        resigns = moved or row.continues is not None  # such a board has begun long ago
        change = play.resign(row.board, seat) if resigns else play.decline(row.board, seat, log)
        row = entries.write(store, row, change, mail_id, now)
    return Left(row, since, player)
