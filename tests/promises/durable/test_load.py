"""kill -9 of anything at any instant, under load: what was acknowledged stands exactly once, and its letters arrive."""

from collections.abc import Callable, Iterator
from itertools import cycle

import pytest

from pbmserv.db import engines
from pbmserv.letters.text.times import utc_now
from pbmserv.store import Store
from tests.promises.durable.client import unsent
from tests.promises.durable.load import Load
from tests.tools import postgresql
from tests.tools.process import Process, until
from tests.tools.sink import Sink

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1800)]  # many moves, many deaths

Serve = Callable[..., Process]

#: On each database; on PostgreSQL half of them for its servers, and half for itself.
KILLS, MOVES = 60, 10_000


def test_the_server_on_sqlite(serve: Serve, sink: Sink) -> None:
    """Between its deaths the only process takes mails and sends letters."""
    server = serve()
    load = Load([server], MOVES, seed=1)
    load.play(lambda: reborn(server), KILLS)
    settled(load, server, sink=sink)


def test_servers_on_postgresql(serve: Serve, sink: Sink, durable: postgresql.Server) -> None:
    """Of two processes one is killed after the other; clients go on with the one that is there."""
    with durable.database() as url:
        servers = [serve(url), serve(url)]
        load = Load(servers, MOVES // 2, seed=2)
        turns: Iterator[Process] = cycle(servers)
        load.play(lambda: reborn(next(turns)), KILLS // 2)
        end_leases(url)
        settled(load, *servers, sink=sink)


def test_the_postmaster(serve: Serve, sink: Sink, durable: postgresql.Server) -> None:
    """The database dies with all its processes and comes back; the server stays and connects again."""
    with durable.database() as url:
        server = serve(url)
        load = Load([server], MOVES // 2, seed=3)
        load.play(durable.crash, KILLS // 2)
        settled(load, server, sink=sink)


def reborn(server: Process) -> None:
    """Kill it and start it again."""
    server.kill()
    server.start()


def end_leases(url: str) -> None:
    """As if two minutes went by since a sender died: what it had in hand is sent by another one."""
    engine = engines.connect(url)
    with engine.begin() as connection:
        Store(connection).letters.end_leases(utc_now())
    engine.dispose()


def settled(load: Load, *servers: Process, sink: Sink) -> None:
    """Let the letters go out, look at what there is, end the servers."""
    assert load.repeated
    until(lambda: not unsent(load.server), 120)
    load.check(sink)
    for server in servers:
        assert "nothing was lost" in server.stop()
    print(
        f"{load.moves} moves in {len(load.answers)} mails, {len(sink.taken)} letters, {load.repeated} mails sent again"
    )
