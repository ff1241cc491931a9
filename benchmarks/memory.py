"""What a small server holds: listener, senders, web pages and robots, for a thousand players of all games.

    python -m benchmarks.memory [--cores N] [--players N]

The processes run on so many cores, all of them if not said, with the settings that they choose by themselves there.
What several of them share is counted once (proc_pid_smaps(5), Pss).
"""

import argparse
import asyncio
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, cycle, islice

from sqlalchemy.engine import Engine

from benchmarks import servers, work
from benchmarks.load import Mail, play
from benchmarks.processes import proportional_megabytes
from benchmarks.report import Sheet
from benchmarks.servers import KEY, Place
from benchmarks.throughput import placed
from pbmserv import games
from pbmserv.boards import entries
from pbmserv.conformance.walks import PlayedMove, random_turn
from pbmserv.db import engines, migrate
from pbmserv.games.base import AnyGame
from pbmserv.games.base import board as rules
from pbmserv.games.base.board import Start
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer
from pbmserv.model import Player, Settings
from pbmserv.model.passwords import NO_PASSWORD
from pbmserv.rng import Rng
from pbmserv.store import Store

PLAYERS, MAILS = 1000, 2000
SESSIONS = 32
PLIES = 25  #: the first mails are about boards on which fewer moves have been played
PAGES = 300  #: boards that are looked at, each as a page and as a picture
LEVEL = 3  #: of the robots: the highest level thinks with the largest trees
EVERY = 0.25  #: seconds between two looks at the memory


@dataclass(frozen=True)
class Table:
    """A board of two players, and the moves that they are going to send."""

    number: int
    players: Sequence[str]
    turns: Sequence[PlayedMove]

    def mails(self, signer: Signer) -> list[Mail]:
        """Return their moves as answers to the letters of the board."""
        return [self._mail(turn, signer) for turn in self.turns]

    def _mail(self, turn: PlayedMove, signer: Signer) -> Mail:
        to = signer.sign(signed_addresses.BOARD, self.number, turn.seat, turn.before.length)
        return work.answer(self.players[turn.seat], to, self.number, turn.change.entry.text)


def _for_two() -> list[AnyGame]:
    return [game for game in games.listed() if 2 in game.info.seats]


def _begin(store: Store, game: AnyGame, players: Sequence[Player], luck: int, mails: int) -> Table:
    """Begin a board, play the first moves of a random game there, and return the table with those that follow."""

    def turns(board: rules.Board) -> Iterator[PlayedMove]:
        while board.to_move:
            yield (turn := random_turn(board, Rng(f"memory {luck}", board.length)))
            board = turn.change.board

    first, now = rules.begin(Start(game, game.usual_options({}), 2, f"{luck:032x}")), datetime.now(UTC)
    row, played = (
        entries.begin(store, first, players, Settings(), now),
        list(islice(turns(first), luck % PLIES + mails)),
    )
    for turn in played[:-mails]:
        row = entries.write(store, row, turn.change, None, now)
    return Table(row.number, [player.userid for player in players], played[-mails:])


def _fill(engine: Engine, players: int, mails: int) -> list[Table]:
    """Open accounts and begin a board for each two of them, and boards of one of them against a robot of each game."""
    migrate.upgrade(engine)
    tables, both = (
        [],
        [table.players for table in work.tables(engine, players // 2, Signer(work.ADDRESS, KEY.encode()))],
    )
    with engine.begin() as connection:
        store, now = Store(connection), datetime.now(UTC)
        for luck, (pair, game) in enumerate(zip(both, cycle(_for_two()), strict=False)):
            tables.append(_begin(store, game, pair, luck, mails // len(both)))
        for game in _for_two():
            robot = store.players.add(f"robot{game.info.key}"[:15], NO_PASSWORD, now)
            store.robots.add(robot.id, game.info.key, LEVEL, 9)
            table = _begin(store, game, [both[0][0], robot], 0, 1)
            tables.append(replace(table, turns=[turn for turn in table.turns if turn.seat == 0]))
    return tables


class Watch(threading.Thread):
    """Looks at the memory of processes until its end, and remembers the most that they held together."""

    def __init__(self, pids: Sequence[int]) -> None:
        super().__init__(daemon=True)
        self._pids, self._ended, self.most = pids, threading.Event(), 0.0

    def run(self) -> None:
        """Look now and then."""
        while not self._ended.wait(EVERY):
            self.most = max(self.most, sum(chain(*map(proportional_megabytes, self._pids))))

    def end(self) -> float:
        """Return the most."""
        self._ended.set()
        self.join()
        return self.most


@contextmanager
def _program(settings: dict[str, str], cores: set[int], *words: str) -> Iterator[tuple[int, int]]:
    """Start pbmserv on these cores. Yield the numbers of its process and of its port."""
    environment = {**os.environ, **settings, "PYTHONUNBUFFERED": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "pbmserv", *words],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    try:
        assert process.stdout
        port = re.search(r"127\.0\.0\.1:(\d+)", process.stdout.readline())
        if not port:
            raise RuntimeError(f"pbmserv {' '.join(words)} did not start")
        yield process.pid, int(port[1])
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _play(port: int, relay: int, tables: Sequence[Table]) -> None:
    """Send all mails, in sessions side by side."""
    signer = Signer(work.ADDRESS, KEY.encode())
    batches = [[m for table in tables[n::SESSIONS] for m in table.mails(signer)] for n in range(SESSIONS)]
    asyncio.run(play(port, relay, batches, [()] * SESSIONS))


def _wait_for_letters(engine: Engine) -> None:
    while True:
        with engine.connect() as connection:
            store = Store(connection)
            if not store.operations.waiting_letters().count and not store.robots.longest_wait():
                return
        time.sleep(0.5)


def _look_at_pages(port: int, tables: Sequence[Table]) -> None:
    """Ask for the pages and pictures of boards, and of all games."""
    paths = [f"/boards/{t.number}{rest}" for t in tables[:PAGES] for rest in ("", "/picture.png")]
    paths += [f"/games/{game.info.key}{rest}" for game in games.listed() for rest in ("", "/help", "/standings")]

    def ask(path: str) -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
            answer.read()

    with ThreadPoolExecutor(2) as readers:
        list(readers.map(ask, paths))


def sheet(place: Place, cores: int, players: int = PLAYERS, mails: int = MAILS) -> Sheet:
    """Measure all processes at rest, and after mails, letters, pages and robots' moves."""
    url = f"sqlite:///{tempfile.mkdtemp(dir=place.folder)}/pbmserv.db"
    engine, some = engines.connect(url), set(islice(os.sched_getaffinity(0), cores))
    settings = servers.environment(url, place.sink.port) | {"PBMSERV_ROBOT_REST": "0"}
    tables = _fill(engine, players, mails)
    with (
        _program(settings | {"PBMSERV_ROLES": "listener,sender,clock,robots"}, some, "serve") as (server, port),
        _program(settings, some, "web", "--listen", "127.0.0.1:0") as (web, pages),
    ):
        time.sleep(4)  # what begins late has begun
        at_rest = [proportional_megabytes(pid) for pid in (server, web)]
        watch = Watch((server, web))
        watch.start()
        _play(port, place.sink.port, tables)
        _wait_for_letters(engine)
        _look_at_pages(pages, tables)
        most, afterwards = watch.end(), [proportional_megabytes(pid) for pid in (server, web)]
    engine.dispose()
    return _sheet(at_rest, afterwards, most, f"{cores} cores, {players:,} players, {mails:,} mails")


def _sheet(before: Sequence[Sequence[float]], after: Sequence[Sequence[float]], most: float, what: str) -> Sheet:
    names = [("server", *(f"its child {n}" for n in range(1, len(after[0])))), ("web",)]
    rows = [
        (name, *(f"{mine:.0f}" for mine in figures))
        for its_names, *its_figures in zip(names, before, after, strict=True)
        for name, *figures in zip(its_names, *its_figures, strict=True)
    ]
    whole = [f"{sum(chain(*figures)):.0f}" for figures in (before, after)]
    note = f"On {what}. The most at any moment, together: {most:.0f} MB."
    return Sheet(
        "Memory of all processes, in MB (Pss)", ("process", "at rest", "afterwards"), [*rows, ("all", *whole)], [note]
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--players", type=int, default=PLAYERS)
    given = parser.parse_args()
    with placed() as place:
        sheet(place, given.cores, given.players, 2 * given.players).show()


if __name__ == "__main__":
    main()
