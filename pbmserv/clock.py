"""What happens without a mail: nags and forfeits. Every board is one short transaction."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from sqlalchemy.engine import Engine

from pbmserv import accounts, entries, moves, timing
from pbmserv import board as fold
from pbmserv.board import Kind
from pbmserv.digest import due_readers, write_digest
from pbmserv.games.base import Seat
from pbmserv.lapses import lapse_invitations, lapse_seeks
from pbmserv.letters import Cause, Letters
from pbmserv.pipeline import utc_now
from pbmserv.queues import play_queued
from pbmserv.site import Site
from pbmserv.store import BoardRow, Store
from pbmserv.timing import Alarm

log = structlog.get_logger()

EVERY = 60.0  #: seconds between two runs
GAP = 600.0  #: a longer pause means that the server itself was away
_BATCH = 500
_LAST_RUN = "clock"
_LAST_HOUSEKEEPING = "housekeeping"


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
        gap: float = GAP,
    ) -> None:
        self._engine = engine
        self._site = site
        self._now = now
        self._wake = wake  # called when letters were written
        self._gap = gap
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
        """One run: first the server's own absence, then every seat that is due."""
        swept = Swept(shifted=self._notice_absence())
        while due := self._due():
            for number, seat in due:
                self._look_at(number, seat, swept)
            if len(due) < _BATCH:
                break
        self._send_digests(swept)
        self._keep_house(swept)
        return swept

    def _notice_absence(self) -> float:
        """If the server was away, every deadline moves by that time: nobody could have moved."""
        with self._engine.begin() as connection:
            store, now = Store(connection), self._now().timestamp()
            last = store.fact(_LAST_RUN)
            gap = now - float(last) if last else 0.0
            store.set_fact(_LAST_RUN, repr(max(now, float(last or 0.0))))
            if gap <= self._gap:
                return 0.0
            store.shift_clocks(gap)
        log.info("server was away", seconds=round(gap))
        return gap

    def _due(self) -> list[tuple[int, Seat]]:
        with self._engine.connect() as connection:
            return Store(connection).due_seats(self._now().timestamp(), _BATCH)

    def _send_digests(self, swept: Swept) -> None:
        with self._engine.connect() as connection:
            readers = due_readers(Store(connection), self._now())
        for player_id in readers:
            with self._engine.begin() as connection:
                store, now = Store(connection), self._now()
                letters = Letters(self._site, store, Cause(None), now)
                player = store.player_by_id(player_id)
                if player is not None:
                    write_digest(store, letters, self._site.signer, player, now)
                store.queue(letters.rows)
            swept.digests += 1

    def _keep_house(self, swept: Swept) -> None:
        """Once a day: forget what is old, end what nobody has answered."""
        with self._engine.begin() as connection:
            store, now = Store(connection), self._now()
            if store.fact(_LAST_HOUSEKEEPING) == str(now.date()):
                return
            store.set_fact(_LAST_HOUSEKEEPING, str(now.date()))
            swept.forgotten += store.forget_mails(now - timedelta(days=self._site.retention_days))
            swept.forgotten += store.forget_letters(now - timedelta(days=self._site.letters_days))
            letters = Letters(self._site, store, Cause(None), now)
            swept.forgotten += lapse_seeks(store, letters, now) + lapse_invitations(store, letters, now)
            for left in accounts.lapse(store, now):
                played = play_queued(store, left.row, None, now)
                letters.board(played.row, since=left.since, told=played.told)
            store.queue(letters.rows)

    def _look_at(self, number: int, seat: Seat, swept: Swept) -> None:
        with self._engine.begin() as connection:
            store, now = Store(connection), self._now()
            row = store.board(number)
            if row is None:
                return
            letters = Letters(self._site, store, Cause(None), now)
            match timing.alarm(row.clocks[seat], row.settings, now.timestamp()):
                case Alarm.NAG:
                    _nag(store, letters, row, seat, now)
                    swept.nags += 1
                case Alarm.FORFEIT:
                    _forfeit(store, letters, row, seat, now)
                    swept.forfeits += 1
                case Alarm.NONE:  # somebody moved in between
                    pass
            store.queue(letters.rows)


def _nag(store: Store, letters: Letters, row: BoardRow, seat: Seat, now: datetime) -> None:
    clock = timing.nagged(row.clocks[seat], row.settings, now.timestamp())
    store.set_clock(row.number, seat, clock)
    since = moves.seen_by([line.entry for line in store.log(row.number)], seat)
    player = row.players[seat]
    limit = timing.forfeit_at(clock, row.settings)
    news = letters.render(
        "nag", days=_days(now.timestamp() - (clock.since or 0.0)), left=limit and _days(limit - now.timestamp())
    )
    letters.board(row, since=since, actor=player, news=news, only=player)


def _forfeit(store: Store, letters: Letters, row: BoardRow, seat: Seat, now: datetime) -> None:
    change = fold.resign(row.board, seat, Kind.FORFEIT)
    played = play_queued(store, entries.write(store, row, change, None, now), None, now)
    letters.board(played.row, since=row.board.length, told=played.told)


def _days(seconds: float) -> int:
    """Whole days, rounded; less than one is none."""
    return round(seconds / timing.DAY)
