"""The end of an account, by its player's wish or because nobody ever confirmed its address."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from pbmserv.boards import entries
from pbmserv.games.base import board as play
from pbmserv.games.base.log import Kind
from pbmserv.store import BoardRow, Player, Store

#: How long the question whether an address is right may stay without an answer.
CONFIRM_WITHIN = timedelta(days=7)


@dataclass(frozen=True)
class Left:
    """A board that a player has left; the others on it get a letter."""

    row: BoardRow
    since: int  #: entries of its log before he left
    player: Player


class Lapsed(NamedTuple):
    """How many accounts have lost addresses, and the boards that those without any have left."""

    accounts: int
    left: list[Left]


def close(store: Store, player: Player, now: datetime, mail_id: int | None = None) -> list[Left]:
    """Leave all boards and erase everything of the person; the userid stays reserved."""
    store.boards.lock_running(player.id)  # boards are locked before accounts, as a move does it
    store.players.lock(player.id)  # a board that was just begun counts; no other one begins
    left = [_leave(store, number, player, now, mail_id) for number in store.boards.lock_running(player.id)]
    store.players.erase(player.id, now)
    return [x for x in left if x.row.board.length > x.since]


def lapse(store: Store, now: datetime) -> Lapsed:
    """Forget addresses that nobody confirmed within a week, and close the accounts that have no other.

    Each call takes some of them; call it until it finds none. The userid of an account that never began a board is free
    again.
    """
    ids = store.addresses.lapse(now - CONFIRM_WITHIN)
    left: list[Left] = []
    for player in store.players.without_address(ids) if ids else ():
        left += close(store, player, now)
        store.players.delete_unused(player.id)
    return Lapsed(len(ids), left)


def _leave(store: Store, number: int, player: Player, now: datetime, mail_id: int | None) -> Left:
    """Let each seat of a player leave a board: it declines if it has not moved there, else it resigns."""
    row = store.boards.find(number)
    if row is None:
        raise ValueError(f"there is no board {number}")
    since = row.board.length
    for seat in row.seats_of(player):
        if row.board.result or seat in row.board.out:
            continue
        log = store.boards.entries(number)
        moved = any(e.seat == seat and e.kind is Kind.MOVE for e in log)
        change = play.resign(row.board, seat) if moved else play.decline(row.board, seat, log)
        row = entries.write(store, row, change, mail_id, now)
    return Left(row, since, player)
