"""kill -9 of any process at any instant, under load: every acknowledged mail has one effect, and its letters arrive."""

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from pbmserv.conformance.walks import SEED
from pbmserv.db import engines
from pbmserv.letters.text.times import utc_now
from pbmserv.store import Store
from tests.examples import SOAK
from tests.promises.durable.client import unsent
from tests.promises.durable.load import Load
from tests.tools import postgresql
from tests.tools.process import Process, until
from tests.tools.sink import Sink

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]  # many moves, many deaths

Serve = Callable[..., Process]

#: Kills on each database. On PostgreSQL, half of them hit pbmserv and half of them the
#: database.
KILLS, MOVES = (60, 10_000) if SOAK > 1 else (4, 280)


def test_the_server_on_sqlite(serve: Serve, sink: Sink) -> None:
    """There is one process. Between its kills it takes mails and sends letters."""
    server = serve()
    load = Load([server], MOVES, seed=SEED)
    load.play(lambda: reborn(server), KILLS)
    settled(load, server, sink=sink)


def test_servers_on_postgresql(serve: Serve, sink: Sink, durable: postgresql.Server) -> None:
    """Two processes are killed in turn. Clients go on with the one that runs."""
    with durable.database() as url:
        servers = [serve(url), serve(url)]
        load = Load(servers, MOVES // 2, seed=SEED + 1)
        turns: Iterator[Process] = cycle(servers)
        load.play(lambda: reborn(next(turns)), KILLS // 2)
        end_leases(url)
        settled(load, *servers, sink=sink)


def test_the_postmaster(serve: Serve, sink: Sink, durable: postgresql.Server) -> None:
    """The database is killed with all its processes and started again. The server goes on and connects again."""
    with durable.database() as url:
        server = serve(url)
        load = Load([server], MOVES // 2, seed=SEED + 2)
        load.play(durable.crash, KILLS // 2)
        end_leases(url)
        settled(load, server, sink=sink)


def reborn(server: Process) -> None:
    """Kill it and start it again."""
    server.kill()
    server.start()


def end_leases(url: str) -> None:
    """End all leases, as if two minutes had passed since a sender died. Then another sender takes its letters."""
    engine = engines.connect(url)
    with engine.begin() as connection:
        Store(connection).letters.end_leases(utc_now(), [None])
    engine.dispose()


def settled(load: Load, *servers: Process, sink: Sink) -> None:
    """Let the letters be sent, check the result, end the servers."""
    assert load.repeated
    until(lambda: not unsent(load.server), 120)
    load.check(sink)
    for server in servers:
        assert "nothing was lost" in server.stop()
    print(
        f"{load.moves} moves in {len(load.answers)} mails, {len(sink.taken)} letters, {load.repeated} mails sent again"
    )
