"""Plays queued moves when the player's turn has come."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from pbmserv.boards import entries
from pbmserv.boards.news import News, all_news
from pbmserv.boards.past import Past
from pbmserv.errors import PlayerError
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Board, Change
from pbmserv.games.base.hidden import read_by
from pbmserv.games.base.log import Entry, Kind, seen_by, standing_backwards
from pbmserv.model import BoardRow, Queued
from pbmserv.store import Store, StoreError

log = structlog.get_logger()

MOST = 20  #: the most moves in the queue of a seat, so that no mail starts an endless chain
RESIGN = "resign"  #: in place of a move: the seat resigns


@dataclass
class QueuePlayed:
    """The board after its queued moves, and the news for their owners by player id."""

    row: BoardRow
    news: dict[int, News] = field(default_factory=dict)


class Mismatch(PlayerError):
    """The opponent's move is not the one that a conditional move waits for."""


def play_queued(
    store: Store, row: BoardRow, mail_id: int | None, now: datetime, before: Board | None = None
) -> QueuePlayed:
    """Play queued moves while a seat that is to move has a queue.

    Call this in the transaction that changed the board, after its entry. If a queued move fails, only that move is
    undone, the rest of the queue is deleted, and its owner gets the reason. Raises only errors of the database.
    `before`: the board before that entry. Without it, a move that waits for another one costs a replay of the log.
    """
    queues = store.waiting_moves.queues(row.number)
    if not queues:
        return QueuePlayed(row)
    run = _Run(store, row, queues, Past(store, row), mail_id, now, before)
    if _was_taken_back(run.entries):
        for owner in list(queues):
            run.lapse(owner, "moves were taken back")
    while (seat := run.next_seat()) is not None:
        run.play(seat)
    store.waiting_moves.set_queues(row.number, {} if run.row.board.result else queues)
    return QueuePlayed(run.row, run.news)


def chosen(row: BoardRow, entries_: Sequence[Entry], seat: Seat, item: Queued, before: Board | None = None) -> Change:
    """Return the change that a queued move makes now. Raises PlayerError; Mismatch if it waits for another move.

    `before`: the board before its last entry, if it is known.
    """
    if item.theirs:
        _demand_answer(row, entries_, seat, item.theirs, before)
    if resigns(row.game, item):
        return play.resign(row.board, seat)
    return play.play(row.board, seat, item.own)


def resigns(game: AnyGame, item: Queued) -> bool:
    """Return whether a queued move is a resignation, unless the game has a move with this name."""
    return item.own == RESIGN and not game.is_move(RESIGN)


@dataclass
class _Run:
    """The state of one `play_queued`."""

    store: Store
    row: BoardRow
    queues: dict[Seat, list[Queued]]
    entries: Past
    mail_id: int | None
    now: datetime
    before: Board | None = None  #: the board before its last entry, if it is known
    news: dict[int, News] = field(default_factory=dict)

    def next_seat(self) -> Seat | None:
        """Return a seat that is to move and has a queue; None if there is none."""
        return next((s for s in sorted(self.row.board.to_move) if self.queues.get(s)), None)

    def play(self, seat: Seat) -> None:
        """Play the first move of a seat's queue. If that fails, delete the queue."""
        item = self.queues[seat].pop(0)
        seen = seen_by(self.entries, seat)
        try:
            with self.store.savepoint():
                change = entries.as_written(self.row.board, chosen(self.row, self.entries, seat, item, self.before))
                after = entries.write(self.store, self.row, change, self.mail_id, self.now)
        except PlayerError as e:
            self.queues[seat].insert(0, item)
            self.lapse(seat, e.text)
        except (StoreError, OSError, MemoryError):
            raise  # an error of the database concerns the whole mail
        except Exception:
            log.exception("queued move failed", board=self.row.number, seat=seat)
            self.queues[seat].insert(0, item)
            self.lapse(seat, "something went wrong on our side")
        else:
            self.before, self.row = self.row.board, after
            self.entries.append(change.entry)
            if resigns(self.row.game, item):
                self.tell(seat, f"You resigned, as your queue said: {item}.", seen)
            else:
                self.tell(seat, f"Played from your queue: {change.entry.shown}.", seen)

    def lapse(self, seat: Seat, why: str) -> None:
        """Delete a seat's queue and tell its owner."""
        left = " ".join(map(str, self.queues.pop(seat)))
        self.tell(seat, f"Your queued moves were cancelled ({left}): {why}")

    def tell(self, seat: Seat, text: str, seen: int | None = None) -> None:
        """Add a line for a seat's owner. `seen`: how many entries they saw; None: up to their own last one."""
        player = self.row.players[seat]
        seen = seen_by(self.entries, seat) if seen is None else seen
        self.news = all_news(self.news, {player.id: News(text, seen)})


def _demand_answer(row: BoardRow, entries_: Sequence[Entry], seat: Seat, theirs: str, before: Board | None) -> None:
    """Raise Mismatch unless the last move on the board is the opponent's move `theirs`, in any spelling."""
    place, last = next(standing_backwards(entries_), (0, None))
    if last is None or last.seat == seat:
        raise Mismatch(f"Nobody has answered with '{theirs}'")
    if before is None or before.length != len(entries_) - 1 or entries_[-1] is not last:
        before = play.at(row.board.start, entries_, last.ply - 1)
    game = row.game
    seen = read_by(row.board, entries_, {seat})[place]
    try:
        named = theirs if seen.text != last.text else game.format(game.parse(before.position, last.seat, theirs))
    except PlayerError:
        named = ""
    if named != seen.text:
        raise Mismatch(f"{row.players[last.seat].userid} played {seen.shown}, not '{theirs}'")


def _was_taken_back(past: Sequence[Entry]) -> bool:
    """Return whether the last entry took moves back: an accepted undo, or a ruling of an admin."""
    if not past:
        return False
    last = past[-1]
    return last.kind is Kind.REVERT or (last.kind is Kind.ACCEPT and last.ply < past[-2].ply)
