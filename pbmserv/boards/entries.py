"""Begins boards, and writes entries down with all that follows: the clocks of the seats, the result, the ratings."""

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime

from pbmserv import metrics
from pbmserv.boards import deadlines, ratings
from pbmserv.games.base import Seat
from pbmserv.games.base.board import ENDINGS, Board, Change
from pbmserv.games.base.log import Entry, Kind
from pbmserv.store import BoardRow, Player, SeatClock, Settings, Store


def begin(
    store: Store, board: Board, players: Sequence[Player], settings: Settings, now: datetime, origin: str | None = None
) -> BoardRow:
    """A new board; the clocks of those who are to move run."""
    clocks = _begun(store, [SeatClock()] * len(players), players, board.to_move, settings, now.timestamp())
    return store.boards.add(board, players, settings, clocks, now, origin)


def write(store: Store, row: BoardRow, change: Change, mail_id: int | None, now: datetime) -> BoardRow:
    """The board after one more entry."""
    clocks = _clocks(store, row, change.board, now.timestamp())
    after = store.boards.append(row, change.entry, change.board, clocks, mail_id, now)
    if change.entry.kind is Kind.MOVE:
        metrics.moved(row.key)
    if change.board.result != row.board.result:
        _settle(store, row, after)
    return after


def counts(row: BoardRow, log: Sequence[Entry]) -> bool:
    """Whether a finished board is rated: several people played it, and each of them had moved before it ended.

    A board that the game itself ended counts even if somebody had not moved yet.
    """
    result = row.board.result
    if result is None or not row.settings.rated or len({p.id for p in row.players}) < len(row.players):
        return False
    if len(row.players) < 2 or result.reason in ("declined", "voided"):
        return False
    moved = {e.seat for e in log if e.kind is Kind.MOVE}
    return result.reason not in ENDINGS or len(moved) == len(row.players)


def rate_board(store: Store, row: BoardRow) -> None:
    """Change the ratings of the players of a board that counts."""
    result = row.board.result
    if result is None:
        raise ValueError("only a finished board is rated")
    game = row.game
    found = [store.ratings.find(game.info.key, p.id) for p in row.players]
    old = [rating or ratings.UNRATED for rating in found]
    new = ratings.rate(old, game.teams(len(row.players)), result.ranks)
    for seat, player in enumerate(row.players):
        store.ratings.set(game.info.key, player.id, new[seat], found[seat])
    store.ratings.set_changes(row.number, [(o.mu, n.mu) for o, n in zip(old, new, strict=True)])


def rebuild_ratings(store: Store, watch: Callable[[Sequence[int]], Iterable[int]] = iter) -> int:
    """Make all ratings anew from the finished boards, in the order in which they ended; how many boards counted.

    So are the high scores, and how many players stand at which level of the lists.
    `watch` hands on the numbers of the boards one by one, and may show how far the work is.
    """
    store.boards.lock_endings()
    store.ratings.clear()
    count = 0
    for number in watch(store.board_lists.ended()):
        row = store.boards.find(number, lock=False)
        if row is not None and counts(row, store.boards.entries(number)):
            rate_board(store, row)
            count += 1
    store.ratings.remake_scores()
    store.ratings.count_levels()
    return count


def _clocks(store: Store, row: BoardRow, board: Board, now: float) -> list[SeatClock]:
    """The clocks of the seats after a change. A seat that moved and is to move again begins a new turn."""
    ended = [deadlines.end_turn(c, now) for c in row.clocks]
    if not board.to_move:
        return ended
    if board.ply == row.board.ply and board.to_move == row.board.to_move:
        return list(row.clocks)
    return _begun(store, ended, row.players, board.to_move, row.settings, now)


def _begun(
    store: Store,
    clocks: Sequence[SeatClock],
    players: Sequence[Player],
    to_move: Collection[Seat],
    settings: Settings,
    now: float,
) -> list[SeatClock]:
    """The clocks of all seats; those of the seats that are to move run.

    They wait for a player who is on vacation or whom no letter reaches.
    """
    movers = {players[s].id for s in to_move}
    away, unreachable = store.players.away_until(movers, now), store.addresses.unreachable(movers)
    begun = list(clocks)
    for seat in to_move:
        begun[seat] = deadlines.begin_turn(clocks[seat], settings, now, away.get(players[seat].id))
        if players[seat].id in unreachable:
            begun[seat] = deadlines.pause(begun[seat], settings, now)
    return begun


def _settle(store: Store, before: BoardRow, row: BoardRow) -> None:
    """Rate a board that has ended. If an admin changed how it ended, all that came after it is rated anew, too."""
    log = store.boards.entries(row.number)
    if before.board.result is None:
        store.boards.set_result(row)
        store.ratings.add_score(row)
        if counts(row, log):
            rate_board(store, row)
        return
    if row.board.result:
        store.boards.correct_result(row)
    else:
        store.boards.reopen(row.number)
    store.ratings.remake_score(row)
    if counts(before, log[:-1]) or counts(row, log):
        rebuild_ratings(store)
