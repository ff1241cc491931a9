"""Does what happens without a mail: reminders, forfeits, tournaments, digests.

Each due seat and each digest is one short transaction. boards/clocks/deadlines.py decides when a seat is due, and
server/tournament_clock.py what a tournament does. The text of a reminder is in the template `nag`.
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
from pbmserv.boards import entries
from pbmserv.boards.absences import absent_games, lost_time, steady_time, vacation_caps, vacations
from pbmserv.boards.clocks import deadlines
from pbmserv.boards.clocks.deadlines import Alarm
from pbmserv.boards.closing_accounts import LeftBoards
from pbmserv.boards.news import BoardNews
from pbmserv.boards.queued_moves import play_queued
from pbmserv.db import engines
from pbmserv.db.trouble import TROUBLE, driver_message
from pbmserv.games.base import Seat
from pbmserv.games.base.log import seen_by
from pbmserv.letters.board_letters import write_news
from pbmserv.letters.digest import due_readers, write_digest
from pbmserv.letters.letters import Cause, Letters
from pbmserv.letters.occasions import puzzle_letters
from pbmserv.letters.occasions.vacation_letters import length_of, taken_automatically
from pbmserv.letters.site import Site
from pbmserv.letters.text.times import utc_now
from pbmserv.letters.tournament_letters import write_left
from pbmserv.model import BoardRow, Player, Vacation
from pbmserv.model.operations import LAST_RUN
from pbmserv.server.chores import weekly_letter
from pbmserv.server.chores.housekeeping import Housekeeping
from pbmserv.server.tournament_clock import TournamentClock
from pbmserv.store import Store

log = structlog.get_logger()

EVERY = 60.0  #: seconds between two runs
LEASE = 50.0  #: seconds for which a run keeps other processes away, unless it ends earlier
_BATCH = 500
_SWEEPER = "sweeper"
_NAME = "the clock"  #: who took a day of vacation, in the list of events

T = TypeVar("T")


@dataclass
class Swept:
    """The results of one run."""

    reminders: int = 0
    forfeits: int = 0
    vacations: int = 0  #: days that were taken automatically
    shifted: float = 0.0
    steady: bool = True  #: whether the time has been steady for long enough since it jumped
    digests: int = 0
    forgotten: int = 0
    tournament_steps: int = 0


class _Drift:
    """Compares the time with a steady clock of this process."""

    def __init__(self, steady: Callable[[], float] | None) -> None:
        self._steady = steady
        self._first: tuple[float, float] | None = None  #: the time, and the steady clock, when they were compared first
        self._before = 0.0  #: the steady clock in the run before

    def since(self, now: float, last: float, *, jumped: bool) -> tuple[float, float]:
        """Return for how long the time has been steady since `last`, and how far it has drifted since the first run.

        A process that has just begun cannot tell, so nothing counts yet.
        """
        if jumped:
            self._first = None
        if self._steady is None:
            return (0.0 if jumped else now - last), 0.0
        here = self._steady()
        before, self._before = self._before, here
        if self._first is None:
            self._first = now, here
            return 0.0, 0.0
        drift = (now - self._first[0]) - (here - self._first[1])
        if abs(drift) > deadlines.AWAY:
            self._first = now, here
        return min(now - last, here - before), drift


class Clock:
    """Handles the seats whose time is due, every minute."""

    def __init__(
        self,
        engine: Engine,
        site: Site,
        now: Callable[[], datetime] = utc_now,
        wake: Callable[[], None] = lambda: None,
        gap: float = deadlines.AWAY,
        steady: Callable[[], float] | None = None,
    ) -> None:
        """`steady`: a clock that nobody sets, such as `time.monotonic`; None: only the time is looked at."""
        self._engine = engine
        self._site = site
        self._now = now
        self._wake = wake  # called when letters were written
        self._gap = gap
        self._drift = _Drift(steady)
        self._house = Housekeeping(engine, site, now)
        self._tournaments = TournamentClock(engine, site, now)
        self._waiting: frozenset[tuple[str, int]] = frozenset()  #: games that are not installed
        self._ended = asyncio.Event()

    async def run(self) -> None:
        """Run `sweep` every minute until `stop`."""
        while not self._ended.is_set():
            try:
                await asyncio.to_thread(self.sweep)
                self._wake()
            except Exception as error:
                # The database may be down; the next run tries again.
                TROUBLE.log(log, "clock failed", error, **driver_message(error))
            try:
                await asyncio.wait_for(self._ended.wait(), EVERY)
            except TimeoutError:
                continue

    def stop(self) -> None:
        """End after the current run."""
        self._ended.set()

    def sweep(self) -> Swept:
        """Do one run, unless another process does it: first notice the server's absence, then handle every due seat.

        Keeping other processes away only saves work, because each seat is checked again under its own lock. The time at
        the beginning decides what is due, because the clock may jump or the machine may sleep during the run.
        """
        started, began = perf_counter(), self._now().timestamp()
        begun = self._transact(partial(self._begin, now=began))
        if begun is None:
            return Swept()
        swept = begun
        self._sweep_seats(swept, began)
        if swept.steady:  # else the clock is perhaps wrong, and what is forgotten or begun does not come back
            swept.tournament_steps = self._tournaments.look()
            self._sweep_digests(swept)
            self._sweep_puzzles()
            swept.forgotten = self._house.keep()
            weekly_letter.write_if_due(self._engine, self._site, self._now())
        self._transact(lambda store: store.operations.set_fact(_SWEEPER, "0"))
        metrics.swept(perf_counter() - started, swept.reminders, swept.forfeits)
        return swept

    def catch_up(self) -> float:
        """Notice the server's own absence, so that nobody's time runs in it, before mails; return its seconds."""
        return self._transact(partial(self._notice, now=self._now().timestamp()))

    def _sweep_seats(self, swept: Swept, began: float) -> None:
        for number, seat in self._due(began):
            alarm = self._try(partial(self._look_at, number=number, seat=seat, began=began), board=number, seat=seat)
            if alarm is Alarm.VACATION:
                spend = partial(self._spend_vacation, number=number, seat=seat, began=began)
                alarm = self._try(spend, board=number, seat=seat)
            if alarm is Alarm.REMINDER:
                swept.reminders += 1
            elif alarm is Alarm.FORFEIT:
                swept.forfeits += 1
            elif alarm is Alarm.VACATION:
                swept.vacations += 1

    def _sweep_digests(self, swept: Swept) -> None:
        for player_id in self._due_readers():
            if self._try(partial(self._send_digest, player_id=player_id), player=player_id):
                swept.digests += 1

    def _sweep_puzzles(self) -> None:
        with self._engine.connect() as connection:
            readers = puzzle_letters.due(Store(connection), self._now())
        for player_id, game in readers:
            self._try(partial(self._send_puzzle, player_id=player_id, game=game), player=player_id)

    def _send_puzzle(self, store: Store, player_id: int, game: str) -> bool:
        """Send a player the puzzle of the day. Returns whether there was one."""
        now, player = self._now(), store.players.by_id(player_id)
        if player is None or (player_id, game) not in puzzle_letters.due(store, now):  # another process was faster
            return False
        letters = Letters(self._site, store, Cause(None), now)
        sent = puzzle_letters.write_puzzle(letters, player, game)
        store.letters.queue(letters.rows)
        return sent

    def _begin(self, store: Store, now: float) -> Swept | None:
        """Return how long the server was down, and whether the time is steady; None if another process does the run."""
        if not store.operations.lease(_SWEEPER, now, LEASE):
            return None
        last = float(store.operations.fact(LAST_RUN) or now)
        shifted = self._notice(store, now)
        seconds, drift = self._drift.since(now, last, jumped=bool(shifted))
        if abs(drift) > deadlines.AWAY:
            log.warning("clock drifts", seconds=round(drift))
        return Swept(shifted=shifted, steady=steady_time.watch(store, now, seconds, drift))

    def _notice(self, store: Store, now: float) -> float:
        """Notice an absence of the server, and games that are not installed. Returns the seconds of the absence."""
        last = float(store.operations.fact(LAST_RUN) or now)
        gap = lost_time.notice(store, now, self._gap)
        gone = absent_games.notice(store, last + gap, now)
        self._waiting = gone.waiting
        letters = Letters(self._site, store, Cause(None), self._now())
        write_left(letters, LeftBoards(gone.left, []))
        store.letters.queue(letters.rows)
        return gap

    def _due(self, began: float) -> Iterator[tuple[int, Seat]]:
        """Yield the due seats, each once. A seat that is still due afterwards waits for the next run."""
        seen: set[tuple[int, Seat]] = set()
        while due := [place for place in self._still_due(began, _BATCH + len(seen)) if place not in seen]:
            yield from due
            seen.update(due)

    def _still_due(self, began: float, limit: int) -> list[tuple[int, Seat]]:
        with self._engine.connect() as connection:
            return Store(connection).board_lists.due_seats(began, limit, self._waiting)

    def _due_readers(self) -> list[int]:
        with self._engine.connect() as connection:
            return due_readers(Store(connection), self._now())

    def _send_digest(self, store: Store, player_id: int) -> bool:
        """Write a player's digest. Returns whether there was any news."""
        now, player = self._now(), store.players.by_id(player_id)
        if player is None:
            return False
        letters = Letters(self._site, store, Cause(None), now)
        sent = write_digest(letters, player)
        store.letters.queue(letters.rows)
        return sent

    def _look_at(self, store: Store, number: int, seat: Seat, began: float) -> Alarm:
        """Do what is due for a seat: nothing if the player has moved meanwhile.

        If a day of vacation may be taken, only say so, see `_spend_vacation`.
        """
        now, row = self._now(), store.boards.find(number)
        if row is None:
            return Alarm.NONE
        letters = Letters(self._site, store, Cause(None), now)
        alarm = deadlines.alarm(row.clocks[seat], row.settings, began)
        if alarm is Alarm.REMINDER:
            _remind(store, letters, row, seat, now)
        elif alarm is Alarm.FORFEIT:
            if vacations.wants_auto(store, [row.players[seat]]):
                return Alarm.VACATION
            alarm = self._forfeit(store, letters, row, began, seat)
        store.letters.queue(letters.rows)
        return alarm

    def _spend_vacation(self, store: Store, number: int, seat: Seat, began: float) -> Alarm:
        """Take a day of vacation for a seat whose time has run out, or forfeit if its player has none left.

        A vacation needs the locks of all boards of the player, in the order of their numbers, before that of this one.
        """
        now, unlocked = self._now(), store.boards.find(number, lock=False)
        if unlocked is not None:
            store.boards.lock_running(unlocked.players[seat].id)
        row = store.boards.find(number)
        if row is None or deadlines.alarm(row.clocks[seat], row.settings, began) is not Alarm.FORFEIT:
            return Alarm.NONE
        letters = Letters(self._site, store, Cause(None), now)
        alarm, taken = Alarm.VACATION, self._next_day(store, row, seat)
        if taken:
            vacations.begin(store, row.players[seat].id, taken, taken.begins)
            _tell_vacation(store, letters, row, row.players[seat], taken)
        else:
            alarm = self._forfeit(store, letters, row, began, seat)
        store.letters.queue(letters.rows)
        return alarm

    def _next_day(self, store: Store, row: BoardRow, seat: Seat) -> Vacation | None:
        """Return the day of vacation that is taken in place of a forfeit; None if there is none."""
        now, player = self._now(), row.players[seat]
        if not vacations.wants_auto(store, [player]):
            return None
        if vacation_caps.is_used_up(store, player, row.settings, row.created.timestamp(), now.timestamp()):
            return None
        return vacations.next_day(store, player, self._site.policy.vacation_days, now)

    def _forfeit(self, store: Store, letters: Letters, row: BoardRow, began: float, seat: Seat) -> Alarm:
        """Let all seats whose time has run out lose it together. If these are all who still play, nobody wins.

        If another of them may take a day of vacation, wait until that has been looked at, in this run.
        """
        now, overdue = self._now(), deadlines.overdue_seats(row, began)
        if any(self._next_day(store, row, other) for other in overdue if other != seat):
            return Alarm.NONE
        after = entries.forfeit(store, row, overdue, now)
        played = play_queued(store, after, None, now)
        write_news(letters, BoardNews(played.row, row.board.length, news=played.news))
        return Alarm.FORFEIT

    def _try(self, do: Callable[[Store], T], **what: int) -> T | None:
        """Run `_transact`, but return None after a bug, so that one board or player does not stop all others."""
        try:
            return self._transact(do)
        except Exception as bug:
            if engines.is_down(bug):
                raise
            log.exception("clock stumbled", **what)
            return None

    def _transact(self, do: Callable[[Store], T]) -> T:
        return engines.transact(self._engine, lambda connection, _: do(Store(connection)))


def _remind(store: Store, letters: Letters, row: BoardRow, seat: Seat, now: datetime) -> None:
    clock = deadlines.reminded(row.clocks[seat], row.settings, now.timestamp())
    store.boards.set_clock(row.number, seat, clock)
    player = row.players[seat]
    if store.players.preferences([player.id])[player.id].wants_fewer:
        return
    since = seen_by(letters.replays.log(row), seat)
    limit = deadlines.forfeit_at(clock, row.settings)
    waited = _days(deadlines.counted(clock, now.timestamp()))
    left = None if limit is None else _days(limit - now.timestamp())
    auto = bool(vacations.wants_auto(store, [player]))
    news = letters.render("nag", player, days=waited, left=left, auto=auto, alone=len(row.players) == 1)
    write_news(letters, BoardNews(row, since, player, news.text, only=player))


def _tell_vacation(store: Store, letters: Letters, row: BoardRow, player: Player, taken: Vacation) -> None:
    """Tell everybody on a board that a player's time had run out, and that a day of vacation was taken for it."""
    who = player.userid
    store.operations.add_event(letters.now, _NAME, f"board {row.number}: a day of vacation for {who}", "out of time")
    now = store.boards.find(row.number) or row
    for reader in dict.fromkeys(row.players):
        text = f"The time of {who} has run out, so {length_of(taken)} of vacation was taken automatically."
        if reader.id == player.id:
            text = taken_automatically(letters, player, taken)
        write_news(letters, BoardNews(now, row.board.length, reader, text, only=reader))


def _days(seconds: float) -> int:
    return round(seconds / deadlines.DAY)
