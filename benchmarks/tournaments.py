"""What the end of a board costs in a league of a thousand, ten thousand or a hundred thousand players.

    python -m benchmarks.tournaments [--quick]

The season is near its end: all pairings are decided, a twentieth by forfeit, except those whose boards end here. We
measure processor time, on SQLite. The boards end by resignation, and as many beside the tournament do, too.
"""

import argparse
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from typing import TypeVar

import sqlalchemy as sa

from benchmarks import work
from benchmarks.report import Sheet, exponent
from benchmarks.servers import KEY
from pbmserv import games
from pbmserv.boards import entries
from pbmserv.boards.seasons import announcing, beginning, cross_tables
from pbmserv.db import engines, migrate, tables
from pbmserv.games.base import board as play
from pbmserv.games.base.board import Start
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import NewPairing, Phase, Settings, TournamentPlan
from pbmserv.server.tournament_clock import TournamentClock
from pbmserv.store import Store
from pbmserv.tournaments.entrants import Entrant, Season
from pbmserv.tournaments.forms import FORMS

T = TypeVar("T")

#: Why one of the figures grows, and why that is right.
_NOTES = [
    "The clock looks at a tournament in the minute after boards of it have ended, and else every ten minutes. It looks "
    "through the forfeits of the season, so a look takes longer in a larger league; but there are as many more boards."
]

SIZES = (1_000, 10_000, 100_000)
QUICK = (500, 2_000)
ROUNDS, BOARDS = 9, 20  #: rounds of which the median counts, and boards that end in each of them
_SIZE = 9  #: players of a division
_PART = 10_000  #: rows in a statement
_WARM = 2  #: rounds before those that count
_LEAGUE = FORMS["league"]


class League:
    """A server with one league, near the end of its season."""

    def __init__(self, file: Path, players: int) -> None:
        self.now = datetime.now(UTC)
        self.engine = engines.connect(f"sqlite:///{file}")
        migrate.upgrade(self.engine)
        self._clock = TournamentClock(
            self.engine, Site(Signer(work.ADDRESS, KEY.encode()), Renderer()), lambda: self.now
        )
        self._enter(players)
        self.inside = self._pair()
        self.outside = [self._act(self._begin_outside) for _ in self.inside]
        self._divisions = players // _SIZE
        self.look()

    def end(self, number: int) -> None:
        """End a board as a mail does, in a transaction of its own."""

        def resign(store: Store) -> None:
            row = store.boards.find(number)
            assert row is not None
            entries.write(store, row, play.resign(row.board, 0), None, self.now)

        self._act(resign)

    def look(self) -> None:
        """Let the clock look at the tournament."""
        self.now += timedelta(minutes=10)
        self._clock.look()

    def table(self) -> None:
        """Make the table of a division, as for a page."""
        division = 1 + secrets.randbelow(self._divisions)

        def ask(store: Store) -> int:
            tournament = announcing.demand(store, 1)
            return len(cross_tables.table(store, tournament, 1, division).lines)

        assert self._act(ask) >= _SIZE - 1

    def _enter(self, count: int) -> None:
        """Open accounts, announce the league, and let all enter in their divisions. The rows are those of a store."""
        at, soon = self.now, self.now + timedelta(days=1)
        plan = TournamentPlan("tumble", "The league", "league", {}, Settings(), soon, _SIZE)
        people = [{"id": n, "userid": f"p{n}", "password_hash": "!", "created": at} for n in range(1, count + 1)]
        self._insert(tables.player, people)
        self._act(lambda store: announcing.create(store, games.find("tumble"), plan, None, at))
        entrants = _LEAGUE.begin([Entrant(n, n) for n in range(1, count + 1)], _SIZE)
        warned = at - timedelta(days=1)
        entered = [{"player_id": e.player, "entered": e.entered, "division": e.division, "told": 1} for e in entrants]
        self._store(entered, lambda store, rows: store.tournaments.enter_many(1, 1, rows))
        with self.engine.begin() as connection:
            connection.execute(sa.update(tables.entrant).values(warned=warned))
        self._pairings = _LEAGUE.draw(Season(entrants))

    def _pair(self) -> list[int]:
        """Store all pairings, and begin the boards of some of them. Returns the numbers of the boards."""
        wanted = (ROUNDS + _WARM) * BOARDS
        open_ = set(range(0, len(self._pairings), max(len(self._pairings) // wanted, 1)))
        new = [
            NewPairing(p.division, 1, p.first, p.second, None if n in open_ else n % 3)
            for n, p in enumerate(self._pairings)
        ]
        self._store(new, lambda store, rows: store.tournaments.pair(1, 1, rows, self.now))
        row = tables.pairing.c
        forfeits = sa.update(tables.pairing).where(row.points == 0, row.id % 7 == 0).values(forfeiter=row.first)
        with self.engine.begin() as connection:
            connection.execute(forfeits.values(decided=self.now - timedelta(days=2)))
        self._act(lambda store: store.tournaments.change(1, phase=Phase.PLAYING, season=1, round=1, due=self.now))
        return self._act(self._begin_inside)[:wanted]

    def _begin_inside(self, store: Store) -> list[int]:
        tournament = announcing.demand(store, 1)
        rows = [beginning.begin(store, tournament, p, self.now) for p in store.tournaments.to_begin(1, 1, _PART)]
        return [row.number for row in rows if row]

    def _begin_outside(self, store: Store) -> int:
        start = Start(games.find("tumble"), {}, 2, secrets.token_hex(16))
        players = [store.players.by_id(id_) for id_ in (1, 2)]
        return entries.begin(store, play.begin(start), [p for p in players if p], Settings(), self.now).number

    def _store(self, rows: Sequence[T], do: Callable[[Store, Sequence[T]], None]) -> None:
        for first in range(0, len(rows), _PART):
            with self.engine.begin() as connection:
                do(Store(connection), rows[first : first + _PART])

    def _insert(self, table: sa.Table, rows: Sequence[dict[str, object]]) -> None:
        with self.engine.begin() as connection:
            for first in range(0, len(rows), _PART):
                connection.execute(sa.insert(table), rows[first : first + _PART])

    def _act(self, do: Callable[[Store], T]) -> T:
        with self.engine.begin() as connection:
            return do(Store(connection))


def measured(league: League) -> dict[str, float]:
    """Return the milliseconds of processor time for each measurement, the median of all rounds."""
    found: dict[str, list[float]] = {}

    def note(what: str, do: Callable[[], None], times: int) -> None:
        began = time.process_time()
        do()
        found.setdefault(what, []).append(1000 * (time.process_time() - began) / times)

    for n in range(_WARM + ROUNDS):
        part = slice(n * BOARDS, (n + 1) * BOARDS)
        note("end of a board beside it", partial(_end, league, league.outside[part]), BOARDS)
        note("end of a board of the league", partial(_end, league, league.inside[part]), BOARDS)
        note(f"look of the clock after {BOARDS} ends", league.look, 1)
        note("table of a division", league.table, 1)
    return {what: median(costs[_WARM:]) for what, costs in found.items()}


def _end(league: League, boards: Sequence[int]) -> None:
    for board in boards:
        league.end(board)


def sheets(sizes: Sequence[int]) -> Iterator[Sheet]:
    """Return the table."""
    found = {}
    for size in sizes:
        with opened(size) as league:
            found[size] = measured(league)
    rows = list[Sequence[str]]()
    for what in found[sizes[0]]:
        costs = [found[size][what] for size in sizes]
        ratio = costs[-1] / costs[0]
        rows.append((what, *(f"{ms:.2f}" for ms in costs), f"{ratio:.2f}", f"{exponent(sizes, costs):+.2f}"))
    names = [f"{size:,} players" for size in sizes]
    title = "Processor time in milliseconds in a league, by players"
    yield Sheet(title, ("", *names, "last to first", "exponent"), rows, _NOTES)


@contextmanager
def opened(players: int) -> Iterator[League]:
    """A league of this size, in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="pbmserv-league-") as folder:
        league = League(Path(folder) / "pbmserv.db", players)
        yield league
        league.engine.dispose()


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small leagues")
    for sheet in sheets(QUICK if parser.parse_args().quick else SIZES):
        sheet.show()


if __name__ == "__main__":
    main()
