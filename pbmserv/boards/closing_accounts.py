"""Closes accounts: because the player wants it, or because nobody ever confirmed the address.

The player leaves all boards, tournaments and seeks. Then `PlayerQueries.erase` erases the password, addresses,
settings, subscriptions, vacations, tokens, counters, blocks in both directions, queued moves and those that wait for
`confirm`, digests, the webhook, letters to the player, and what is written of the player's mails. An address that
another player has, too, keeps its mails and letters. Userid, boards and ratings stay, and so do letters to others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from pbmserv.boards import entries
from pbmserv.boards.seasons import withdrawal
from pbmserv.boards.seasons.withdrawal import Consequence
from pbmserv.boards.ways import ways
from pbmserv.games import NotInstalled
from pbmserv.games.base import board as play
from pbmserv.games.base.log import Kind
from pbmserv.model import BoardRow, Player
from pbmserv.store import Store

#: How long a player has time to confirm an address.
CONFIRM_WITHIN = timedelta(days=7)


@dataclass(frozen=True)
class Left:
    """A board that a player has left. The other players get a letter."""

    row: BoardRow
    since: int  #: the length of its log before the player left
    player: Player
    told: str = ""  #: what it means for a tournament, in English


class LeftBoards(NamedTuple):
    """The boards that players have left, and their other pairings that count otherwise now: of no board that ran."""

    boards: list[Left]
    others: list[Consequence]


class Lapsed(NamedTuple):
    """The number of accounts that lost addresses, and what closed accounts have left."""

    accounts: int
    left: LeftBoards


def close(store: Store, player: Player, now: datetime, mail_id: int | None = None) -> LeftBoards:
    """Leave all boards and tournaments, and erase all personal data. The userid stays reserved."""
    store.boards.lock_running(player.id)  # lock boards before accounts, in the same order as a move
    store.players.lock(player.id)  # boards that have just begun are included, and no other can begin
    results = withdrawal.all_consequences(store, player)
    left = [_leave(store, number, player, now, mail_id) for number in store.boards.lock_running(player.id)]
    withdrawal.leave_all(store, player, results, now)
    store.players.erase(player.id, now)
    store.robots.remove(player.id)
    return with_results([x for x in left if x.row.board.length > x.since], results)


def with_results(left: Sequence[Left], results: Sequence[Consequence]) -> LeftBoards:
    """Say of boards that somebody has left what that means for tournaments, and return which pairings are left over."""
    by_board = {c.row.board: c for c in results}
    boards = [replace(x, told=_told(x.row, by_board.get(x.row.number))) for x in left]
    numbers = {x.row.number for x in left}
    return LeftBoards(boards, [c for c in results if c.row.board not in numbers])


def _told(row: BoardRow, consequence: Consequence | None) -> str:
    """Return what the end of a board means for its tournament; "" if it is what the result says anyway: a draw."""
    result = row.board.result
    if consequence is None or result is None:
        return ""
    is_draw = not result.winners and result.reason == Kind.FORFEIT and not consequence.after.is_of_nobody
    return "" if is_draw else consequence.told


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
    left = LeftBoards([], [])
    for player in store.players.without_address(ids) if ids else ():
        closed = close(store, player, now)
        left = LeftBoards(left.boards + closed.boards, left.others + closed.others)
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
        declines = "decline" in ways(row, seat, log)
        if not declines and isinstance(row.game, NotInstalled):
            break
        change = play.decline(row.board, seat, log) if declines else play.resign(row.board, seat)
        row = entries.write(store, row, change, mail_id, now)
    return Left(row, since, player)
