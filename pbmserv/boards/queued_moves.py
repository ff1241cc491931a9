"""Plays the moves that players queued for their turn, once it has come."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from sqlalchemy.exc import SQLAlchemyError

from pbmserv.boards import entries
from pbmserv.boards.news import News, all_news
from pbmserv.errors import PlayerError
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Change
from pbmserv.games.base.log import Entry, Kind, seen_by, standing
from pbmserv.store import BoardRow, Queued, Store

log = structlog.get_logger()

MOST = 20  #: moves in the queue of one seat, so that no mail sets off an endless chain


@dataclass
class Played:
    """The board after its queued moves, and what their owners read of them, by player."""

    row: BoardRow
    news: dict[int, News] = field(default_factory=dict)


class Mismatch(PlayerError):
    """The move before a conditional one is not the one it waits for."""


def play_queued(store: Store, row: BoardRow, mail_id: int | None, now: datetime) -> Played:
    """Play what is queued for the seats that are to move, as long as one of them has a queue.

    Call it in the transaction that changed the board, after its entry. If a queued move fails, that move alone is
    undone, its queue lapses, and its owner is told why. Raises nothing but the database's own errors.
    """
    queues = store.waiting_moves.queues(row.number)
    if not queues:
        return Played(row)
    run = _Run(store, row, queues, store.boards.entries(row.number), mail_id, now)
    if _was_taken_back(run.entries):
        for owner in list(queues):
            run.lapse(owner, "moves were taken back")
    while (seat := run.next_seat()) is not None:
        run.play(seat)
    store.waiting_moves.set_queues(row.number, {} if run.row.board.result else queues)
    return Played(run.row, run.news)


def chosen(row: BoardRow, entries_: Sequence[Entry], seat: Seat, item: Queued) -> Change:
    """The change that a queued move makes now. Raises PlayerError; Mismatch if it waits for another move."""
    if item.theirs:
        _demand_answer(row, entries_, seat, item.theirs)
    return play.play(row.board, seat, item.mine)


@dataclass
class _Run:
    """The state of one `play_queued`."""

    store: Store
    row: BoardRow
    queues: dict[Seat, list[Queued]]
    entries: list[Entry]
    mail_id: int | None
    now: datetime
    news: dict[int, News] = field(default_factory=dict)

    def next_seat(self) -> Seat | None:
        """A seat that is to move and has a queue."""
        return next((s for s in sorted(self.row.board.to_move) if self.queues.get(s)), None)

    def play(self, seat: Seat) -> None:
        """Play the first move of a seat's queue; if that fails, the queue lapses."""
        item = self.queues[seat].pop(0)
        seen = seen_by(self.entries, seat)
        try:
            with self.store.savepoint():
                change = chosen(self.row, self.entries, seat, item)
                after = entries.write(self.store, self.row, change, self.mail_id, self.now)
        except PlayerError as e:
            self.queues[seat].insert(0, item)
            self.lapse(seat, e.text)
        except (SQLAlchemyError, OSError, MemoryError):
            raise  # the database's trouble is the whole mail's
        except Exception:
            log.exception("queued move failed", board=self.row.number, seat=seat)
            self.queues[seat].insert(0, item)
            self.lapse(seat, "something went wrong on our side")
        else:
            self.row = after
            self.entries.append(change.entry)
            self.tell(seat, f"Played from your queue: {change.entry.text}.", seen)

    def lapse(self, seat: Seat, why: str) -> None:
        """Forget a seat's queue and tell its owner."""
        left = " ".join(map(str, self.queues.pop(seat)))
        self.tell(seat, f"Your queue has lapsed, nothing more of it was played ({left}): {why}")

    def tell(self, seat: Seat, text: str, seen: int | None = None) -> None:
        """One more line for the owner of a seat, who has seen so many entries; None: up to his own last one."""
        player = self.row.players[seat]
        seen = seen_by(self.entries, seat) if seen is None else seen
        self.news = all_news(self.news, {player.id: News(text, seen)})


def _demand_answer(row: BoardRow, entries_: Sequence[Entry], seat: Seat, theirs: str) -> None:
    """Raise Mismatch unless the last move on the board is the opponent's `theirs`, in whatever spelling."""
    last = next(reversed(standing(entries_)), None)
    if last is None or last.seat == seat:
        raise Mismatch(f"Nobody has answered with '{theirs}'")
    before = play.at(row.board.start, entries_, last.ply - 1)
    game = row.game
    try:
        named = game.format(game.parse(before.position, last.seat, theirs))
    except PlayerError:
        named = ""
    if named != last.text:
        raise Mismatch(f"{row.players[last.seat].userid} played {last.text}, not '{theirs}'")


def _was_taken_back(past: Sequence[Entry]) -> bool:
    """Whether the last entry took moves back: a yes to an undo, or an admin's way back."""
    if not past:
        return False
    last = past[-1]
    return last.kind is Kind.REVERT or (last.kind is Kind.ACCEPT and last.ply < past[-2].ply)
