"""How long commands take on a server with a thousand, a hundred thousand or a million boards.

    python -m benchmarks.growth [--quick]

We measure processor time in the pipeline, on SQLite files that bulk.py fills, because a busy machine disturbs it less
than elapsed time. The exponent is the slope of cost over boards, both as logarithms: 0 is flat, 1 is linear.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

import sqlalchemy as sa
from structlog.testing import capture_logs

from benchmarks import bulk, work
from benchmarks.bulk import Size
from benchmarks.load import Mail
from benchmarks.processes import Process
from benchmarks.report import Sheet, exponent
from benchmarks.servers import KEY
from pbmserv.commands import command_language
from pbmserv.db import engines
from pbmserv.inbox.pipeline import Pipeline
from pbmserv.letters.site import Site
from pbmserv.letters.text.templates import Renderer
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from pbmserv.mail.signed_addresses import Signer
from pbmserv.server.clock import Clock
from pbmserv.server.outbox import StoredOutbox

#: Why two of the figures grow, and why that is right.
_NOTES = [
    "The sweep after a day without deletes a day's old mails and letters: as many as all boards cause in a day. It "
    "searches for nothing, so a row costs the same in each database (the few rows of the smallest one share the rest "
    "of the run). It works in transactions of a few hundred rows, at most a hundred of each kind in a run, and mails "
    "are committed in between.",
    "After an absence of the server all running turns are moved by its length, so that nobody loses time: one "
    "statement over the running boards (a twentieth of all), once after an absence. It cannot be done in slices: a "
    "mail in between, or a crash, would find some clocks moved and some not.",
]

SIZES = (Size(1_000, 10, 15), Size(100_000, 10_000, 15), Size(1_000_000, 100_000, 5))
QUICK = (Size(1_000, 10, 15), Size(10_000, 1_000, 15))
RUNS, COMMANDS = 5, 4  #: how often each measurement runs (the median counts), and how many commands one run has


class Filled:
    """A server on a filled database. `now` is its clock."""

    def __init__(self, file: Path, size: Size) -> None:
        self.now = datetime.now(UTC)
        self.file = file
        self.loaded = bulk.load(file, size, self.now)
        self.engine = engines.connect(f"sqlite:///{file}")
        self._signer = Signer(work.ADDRESS, KEY.encode())
        self._site = Site(self._signer, Renderer())
        self._pipeline = Pipeline(self.engine, self._site, command_language(), bytes, lambda: self.now)
        self._boards = 0
        self.forgotten = 0  #: rows that the last run of the clock deleted

    def move(self) -> None:
        """A move on a board where nobody has moved yet."""
        self._boards += 1
        loaded, board = self.loaded, self.loaded.running(self._boards * 37)
        to = self._signer.sign(signed_addresses.BOARD, board, loaded.to_move, loaded.size.entries)
        self._take(work.answer(loaded.player(board), to, board, loaded.move))

    def say(self, command: str) -> Callable[[], None]:
        """A mail with this subject from one of the players. `{board}` and `{player}` are different each time."""

        def do() -> None:
            self._boards += 1
            board = self.loaded.running(self._boards * 37)
            player = self.loaded.player(board)
            self._take(work.mail(player, work.ADDRESS, command.format(board=board, player=player), ""))

        return do

    def sweep(self) -> None:
        """The next run of the clock: no seat is due, but some mails and letters are old enough to be deleted."""
        self.now += timedelta(minutes=1)
        Clock(self.engine, self._site, lambda: self.now).sweep()

    def day(self) -> None:
        """A run of the clock after a day without one."""
        self.now += timedelta(days=1)
        self.forgotten = Clock(self.engine, self._site, lambda: self.now, gap=float("inf")).sweep().forgotten

    def absence(self) -> None:
        """The start of a server that was down for a day: all running turns are moved by a day, in one transaction."""
        self.now += timedelta(days=1)
        with capture_logs():
            Clock(self.engine, self._site, lambda: self.now).catch_up()

    def longest(self) -> float:
        """Return the seconds of processor time of the longest transaction of such a run. Mails wait for it."""
        began, ended = list[float](), list[float]()
        at = {"begin": began, "commit": ended}
        listeners = {name: lambda _, times=times: times.append(time.process_time()) for name, times in at.items()}
        for name, listener in listeners.items():
            sa.event.listen(self.engine, name, listener)
        self.day()
        for name, listener in listeners.items():
            sa.event.remove(self.engine, name, listener)
        return max(end - max(b for b in began if b <= end) for end in ended)

    def claim(self) -> None:
        """A sender claims letters: the few that the commands before have written."""
        StoredOutbox(self.engine, self._site, lambda: self.now).claim(50, 120)

    def start(self) -> float:
        """Return the seconds of processor time until the server listens."""
        settings = {"PBMSERV_DATABASE_URL": f"sqlite:///{self.file}", "PBMSERV_SECRET_KEY": KEY}
        process = Process("start", ["pbmserv", "serve"], settings | {"PBMSERV_LISTEN": "smtp://127.0.0.1:0"})
        used = process.processor
        process.stop()
        return used

    def _take(self, mail: Mail) -> None:
        incoming = Incoming(mail.data, mail.sender, (mail.recipient,), "127.0.0.1")
        assert self._pipeline.handle([self._pipeline.answer(self._pipeline.prepare(incoming))]) == [ACCEPTED]


#: The commands that are measured: name -> subject of the mail.
COMMANDS_SAID = {
    "show": "tumble show {board}",
    "show, next": "tumble show {player} next",
    "games": "tumble games",
    "games of a player": "tumble games {player} all",
    "games, a rare game": "trippples games",
    "list": "list",
    "history": "tumble history",
    "who": "who {player}",
    "standings": "tumble standings",
    "standings of a solitaire": "threes standings",
}


def measured(filled: Filled) -> dict[str, float]:
    """Return the milliseconds of processor time for each measurement."""
    found = {"move": _cost(filled.move, COMMANDS)}
    found |= {name: _cost(filled.say(command), 1) for name, command in COMMANDS_SAID.items()}
    found |= {
        "letters to send": _cost(filled.claim, COMMANDS),
        "sweep of the clock": _cost(filled.sweep, COMMANDS),
        "sweep after a day without": (day := _cost(filled.day, 1)),
        "for 1,000 rows that it deletes": 1000 * day / filled.forgotten,
        "its longest transaction": 1000 * median(filled.longest() for _ in range(RUNS)),
        "all clocks, after an absence": _cost(filled.absence, 1),
    }
    return found | {"start": 1000 * median(filled.start() for _ in range(3))}


def _cost(do: Callable[[], None], times: int) -> float:
    do()  # a first run, because statements are compiled once and templates are read once
    runs = []
    for _ in range(RUNS):
        began = time.process_time()
        for _ in range(times):
            do()
        runs.append((time.process_time() - began) / times)
    return 1000 * median(runs)


def sheets(sizes: Sequence[Size]) -> Iterator[Sheet]:
    """Return both tables."""
    found, disk = {}, list[Sequence[str]]()
    for size in sizes:
        with filled(size) as server:
            disk.append(_on_disk(server))
            found[size] = measured(server)
    names = [f"{s.boards:,} boards, {s.players:,} players" for s in sizes]
    rows = []
    for what in found[sizes[0]]:
        costs = [found[size][what] for size in sizes]
        slope = exponent([s.boards for s in sizes], costs)
        rows.append((what, *(f"{ms:.1f}" for ms in costs), f"{slope:+.2f}"))
    yield Sheet("Processor time in milliseconds, by boards", ("", *names, "exponent"), [*rows], _NOTES)
    yield Sheet("Bytes on disk", ("database", "entries", "bytes for each, for ever", "of letters, for 30 days"), disk)


def _on_disk(filled: Filled) -> tuple[str, str, str, str]:
    size, letters = filled.loaded.size, filled.loaded.letter_bytes
    count = size.boards * size.entries
    kept = (filled.file.stat().st_size - letters) / count
    return f"{size.boards:,} boards", f"{count:,}", f"{kept:.0f}", f"{letters / 1e6:.0f} MB"


@contextmanager
def filled(size: Size) -> Iterator[Filled]:
    """A server of this size, in a folder that is deleted afterwards."""
    with tempfile.TemporaryDirectory(prefix="pbmserv-growth-") as folder:
        server = Filled(Path(folder) / "pbmserv.db", size)
        yield server
        server.engine.dispose()


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small databases")
    for sheet in sheets(QUICK if parser.parse_args().quick else SIZES):
        sheet.show()


if __name__ == "__main__":
    main()
