"""What happens without a mail: nags, forfeits, digests.

Each seat that is due, and each digest, is one short transaction.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from time import perf_counter
from typing import TypeVar

import structlog
from sqlalchemy.engine import Engine

from pbmserv import metrics
from pbmserv.boards import deadlines, entries
from pbmserv.boards.deadlines import Alarm
from pbmserv.boards.news import BoardNews
from pbmserv.boards.queued_moves import play_queued
from pbmserv.db import engines
from pbmserv.games.base import Seat
from pbmserv.games.base import board as play
from pbmserv.games.base.log import Kind, seen_by
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.digest import due_readers, write_digest
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.server.housekeeping import Housekeeping
from pbmserv.store import BoardRow, Store
from pbmserv.store.operations import LAST_RUN

log = structlog.get_logger()

EVERY = 60.0  #: seconds between two runs
LEASE = 50.0  #: seconds for which a run keeps other processes away, unless it ends before
_BATCH = 500
_SWEEPER = "sweeper"

T = TypeVar("T")


@dataclass
class Swept:
    """What one run did."""

    nags: int = 0
    forfeits: int = 0
    shifted: float = 0.0
    digests: int = 0
    forgotten: int = 0


class Clock:
    """Looks every minute at the seats whose time is due."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        now: Callable[[], datetime] = utc_now,
        wake: Callable[[], None] = lambda: None,
        gap: float = deadlines.AWAY,
    ) -> None:
        self._engine = engine
        self._site = site
        self._now = now
        self._wake = wake  # called when letters were written
        self._gap = gap
        self._house = Housekeeping(engine, site, now)
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Sweep every minute until `stop`."""
        while not self._ended.is_set():
            try:
                await asyncio.to_thread(self.sweep)
                self._wake()
            except Exception:
                log.exception("clock failed")  # the database may be away; the next run tries again
            try:
                await asyncio.wait_for(self._ended.wait(), EVERY)
            except TimeoutError:
                continue

    def stop(self) -> None:
        """End after the run in hand."""
        self._ended.set()

    def sweep(self) -> Swept:
        """One run, unless another process is at it: first the server's own absence, then every seat that is due.

        Keeping other processes away only saves work: each seat is looked at once more under its own lock.
        What is due is judged by the time at the beginning: meanwhile the clock may jump ahead, or the machine sleep.
        """
        started, began = perf_counter(), self._now().timestamp()
        shifted = self._transact(partial(self._begin, now=began))
        if shifted is None:
            return Swept()
        swept = Swept(shifted=shifted)
        self._sweep_seats(swept, began)
        self._sweep_digests(swept)
        swept.forgotten = self._house.keep()
        self._transact(lambda store: store.operations.set_fact(_SWEEPER, "0"))
        metrics.swept(perf_counter() - started, swept.nags, swept.forfeits)
        return swept

    def catch_up(self) -> float:
        """Notice the server's own absence before it takes mails, so that nobody's time has run meanwhile.

        Returns how many seconds it was.
        """
        return self._transact(partial(self._notice_absence, now=self._now().timestamp()))

    def _sweep_seats(self, swept: Swept, began: float) -> None:
        for number, seat in self._due(began):
            alarm = self._try(partial(self._look_at, number=number, seat=seat, began=began), board=number, seat=seat)
            if alarm is Alarm.NAG:
                swept.nags += 1
            elif alarm is Alarm.FORFEIT:
                swept.forfeits += 1

    def _sweep_digests(self, swept: Swept) -> None:
        for player_id in self._due_readers():
            if self._try(partial(self._send_digest, player_id=player_id), player=player_id):
                swept.digests += 1

    def _begin(self, store: Store, now: float) -> float | None:
        """How long the server was away; None if another process is at it."""
        return self._notice_absence(store, now) if store.operations.lease(_SWEEPER, now, LEASE) else None

    def _notice_absence(self, store: Store, now: float) -> float:
        """If the server was away, move every deadline by that time: nobody could have moved. Returns how many seconds.

        A clock that is set ahead looks the same, and so does a machine that wakes up. A clock that is set back takes
        nothing from anybody, but the time counts from there: when it is set right again, that is noticed, and is not
        taken from those whose turns began in between. If the clock is only a little behind, nothing is noted: the last
        run was perhaps that of another machine.
        """
        gap = now - float(store.operations.fact(LAST_RUN) or now)
        if not -self._gap <= gap < 0:
            store.operations.set_fact(LAST_RUN, repr(now))
        if gap <= self._gap:
            return 0.0
        store.boards.shift_clocks(gap)
        log.info("server was away", seconds=round(gap))
        return gap

    def _due(self, began: float) -> Iterator[tuple[int, Seat]]:
        """The seats that are due, each of them once. One that is still due after its look waits for the next run."""
        seen: set[tuple[int, Seat]] = set()
        while due := [place for place in self._still_due(began, _BATCH + len(seen)) if place not in seen]:
            yield from due
            seen.update(due)

    def _still_due(self, began: float, limit: int) -> list[tuple[int, Seat]]:
        with self._engine.connect() as connection:
            return Store(connection).board_lists.due_seats(began, limit)

    def _due_readers(self) -> list[int]:
        with self._engine.connect() as connection:
            return due_readers(Store(connection), self._now())

    def _send_digest(self, store: Store, player_id: int) -> bool:
        """Write a player's digest. Returns whether there was anything to tell."""
        now, player = self._now(), store.players.by_id(player_id)
        if player is None:
            return False
        letters = Letters(self._site, store, Cause(None), now)
        sent = write_digest(letters, player)
        store.letters.queue(letters.rows)
        return sent

    def _look_at(self, store: Store, number: int, seat: Seat, began: float) -> Alarm:
        """Do what the time of a seat asks for: nothing if somebody moved in between."""
        now, row = self._now(), store.boards.find(number)
        if row is None:
            return Alarm.NONE
        letters = Letters(self._site, store, Cause(None), now)
        alarm = deadlines.alarm(row.clocks[seat], row.settings, began)
        if alarm is Alarm.NAG:
            _nag(store, letters, row, seat, now)
        elif alarm is Alarm.FORFEIT:
            _forfeit(store, letters, row, seat, now)
        store.letters.queue(letters.rows)
        return alarm

    def _try(self, do: Callable[[Store], T], **what: int) -> T | None:
        """As `_transact`, but None if there is a bug: one board or player must not keep all others waiting."""
        try:
            return self._transact(do)
        except Exception as bug:
            if engines.is_down(bug):
                raise
            log.exception("clock stumbled", **what)
            return None

    def _transact(self, do: Callable[[Store], T]) -> T:
        return engines.transact(self._engine, lambda connection, _: do(Store(connection)))


def _nag(store: Store, letters: Letters, row: BoardRow, seat: Seat, now: datetime) -> None:
    clock = deadlines.nagged(row.clocks[seat], row.settings, now.timestamp())
    store.boards.set_clock(row.number, seat, clock)
    since = seen_by(store.boards.entries(row.number), seat)
    player = row.players[seat]
    limit = deadlines.forfeit_at(clock, row.settings)
    waited = _days(now.timestamp() - (clock.since or 0.0))
    left = None if limit is None else _days(limit - now.timestamp())
    news = letters.render("nag", player, days=waited, left=left)
    write_news(letters, BoardNews(row, since, player, news, only=player))


def _forfeit(store: Store, letters: Letters, row: BoardRow, seat: Seat, now: datetime) -> None:
    change = play.resign(row.board, seat, Kind.FORFEIT)
    played = play_queued(store, entries.write(store, row, change, None, now), None, now)
    write_news(letters, BoardNews(played.row, row.board.length, news=played.news))


def _days(seconds: float) -> int:
    """Whole days, rounded."""
    return round(seconds / deadlines.DAY)
