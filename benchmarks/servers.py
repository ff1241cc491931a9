"""The measured servers, started as on a real machine, and the mails that each of them gets."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from sqlalchemy.engine import Engine

from benchmarks import work
from benchmarks.load import Mail
from benchmarks.processes import Process, Running
from benchmarks.slow_disk import SlowDisk
from pbmserv.db import engines
from pbmserv.mail import signed_addresses
from pbmserv.mail.signed_addresses import Signer
from tests import world
from tests.tools import postgresql

KEY = "the key of the benchmarks"
#: PostgreSQL with its default settings: every commit is on disk. Only the sockets are set by us.
_POSTGRESQL = {"listen_addresses": "", "max_connections": "60"}


@dataclass(frozen=True)
class Server:
    """Processes, the first of which listens. `mails(session, count)` returns mails that it has not seen."""

    name: str
    processes: Sequence[Running]
    mails: Callable[[int, int], list[Mail]]
    letters: bool = True  #: whether each mail brings two letters to the relay

    @property
    def port(self) -> int:
        """Return the port on which it listens."""
        return self.processes[0].port


@dataclass(frozen=True)
class Place:
    """The things that all servers share: a folder, the relay, and the disk."""

    folder: Path
    sink: Process
    disk: SlowDisk

    def settings(self, delay: float | None, counter: str) -> dict[str, str]:
        """Return an environment in which syncs take `delay` milliseconds longer and are counted.

        With None, neither happens.
        """
        return {} if delay is None else self.disk.settings(delay, f"{counter}{delay}")


@contextmanager
def floor(place: Place, delay: float | None = None) -> Iterator[Server]:
    """Start the minimal server (floor.py)."""
    file = place.folder / f"floor{delay}.db"
    command = ["benchmarks.floor", str(file), str(place.sink.port)]
    process = Process("floor", command, place.settings(delay, "floor"))
    try:
        yield Server("floor", [process], answers_of_one_board)
    finally:
        process.stop()


def answers_of_one_board(session: int, count: int) -> list[Mail]:
    """The same answers as pbmserv gets, for a server that does not look whether there is such a board."""
    signer = Signer(work.ADDRESS, KEY.encode())
    played = cycle((ply, *move) for ply, move in enumerate(work.game(session % work.GAMES)))
    return [
        work.answer(f"{work.NAMES[seat]}{session}", signer.sign(signed_addresses.BOARD, 101, seat, ply), 101, move)
        for ply, seat, move in islice(played, count)
    ]


@contextmanager
def sqlite(
    place: Place, sessions: int, delay: float | None = None, program: Sequence[str] = ("pbmserv",)
) -> Iterator[list[Server]]:
    """Start pbmserv on SQLite. It is measured with mails that are answers, and with mails that have passwords."""
    url = world.sqlite(Path(tempfile.mkdtemp(dir=place.folder)))
    with _deployed(place, url, sessions, delay, program) as (processes, mails, commands):
        yield [Server("pbmserv", processes, mails), Server("pbmserv, passwords", processes, commands)]


@contextmanager
def on_postgresql(place: Place, sessions: int) -> Iterator[list[Server]]:
    """Start pbmserv on PostgreSQL, with commits as durable as on SQLite.

    Yield none where there is no build of PostgreSQL.
    """
    if not postgresql.is_available():
        yield []
        return
    with postgresql.running(_POSTGRESQL) as server, ExitStack() as stack:
        database = stack.enter_context(server.database())
        processes, mails, _ = stack.enter_context(_deployed(place, database, sessions))
        backend = Running("postgresql", server.pid)
        yield [Server("pbmserv, PostgreSQL", [*processes, backend], mails)]


@contextmanager
def _deployed(
    place: Place, url: str, sessions: int, delay: float | None = None, program: Sequence[str] = ("pbmserv",)
) -> Iterator[tuple[list[Process], Callable[[int, int], list[Mail]], Callable[[int, int], list[Mail]]]]:
    """Start one process that listens and one that sends, with two players for each session."""
    settings = environment(url, place.sink.port)
    with ExitStack() as stack:
        engine, tables = stack.enter_context(_filled(url, sessions))
        processes = []
        for name, roles, command in (("listener", "listener,clock", program), ("sender", "sender", ("pbmserv",))):
            slow = place.settings(delay, name)
            processes.append(Process(name, [*command, "serve", "--roles", roles], settings | slow))
            stack.callback(processes[-1].stop)
        yield (
            processes,
            lambda n, count: tables[n].mails(engine, count),
            lambda n, count: tables[n].mails(engine, count, passwords=True),
        )


@contextmanager
def prepared(place: Place, sessions: int) -> Iterator[tuple[dict[str, str], Callable[[int, int], list[Mail]]]]:
    """The settings of a server on SQLite that is still to be started, and the mails for it."""
    url = world.sqlite(Path(tempfile.mkdtemp(dir=place.folder)))
    with _filled(url, sessions) as (engine, tables):
        yield environment(url, place.sink.port), lambda n, count: tables[n].mails(engine, count)


@contextmanager
def _filled(url: str, sessions: int) -> Iterator[tuple[Engine, list[work.Table]]]:
    """A migrated database, now with two players for each session."""
    engine = engines.connect(url)
    try:
        yield engine, work.tables(engine, sessions, Signer(work.ADDRESS, KEY.encode()))
    finally:
        engine.dispose()


def environment(url: str, relay: int) -> dict[str, str]:
    return {
        "PBMSERV_DATABASE_URL": url,
        "PBMSERV_RELAY": f"smtp://127.0.0.1:{relay}",
        "PBMSERV_LISTEN": "smtp://127.0.0.1:0",
        "PBMSERV_ADDRESS": work.ADDRESS,
        "PBMSERV_SECRET_KEY": KEY,
        "PBMSERV_UNPROVED_ANSWERS_A_DAY": "1000000",  # a player of a benchmark asks as much as hundreds
        "PBMSERV_UNPROVED_ANSWER_KB_A_DAY": "10000000",
    }
