"""Processes on PostgreSQL: what a server checks in its database at the start, and several servers on one database."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbmserv.db import engines, migrate
from pbmserv.letters.text.times import utc_now
from pbmserv.store import Store
from tests.promises.durable.table import Table
from tests.promises.many_processes.waiting import letters_waiting
from tests.tools.process import Process, until
from tests.tools.warm import ForkedProcess
from tests.whole.e2e.test_refusals import CONFIG, UNAVAILABLE, refused

pytestmark = pytest.mark.postgresql

KEY = "the key that all processes have"


@pytest.fixture
def url(new_database: Callable[[], str]) -> str:
    """The URL of a migrated database."""
    return new_database()


def process(folder: Path, url: str, **settings: str) -> Process:
    """Return a process on this database. Processes in one folder deliver into the same Maildirs."""
    return ForkedProcess(folder, PBMSERV_DATABASE_URL=url, PBMSERV_SECRET_KEY=KEY, **settings)


@pytest.fixture
def behind(url: str) -> Iterator[str]:
    """A database without any of our tables. They are restored after the test."""
    engine = engines.connect(url)
    migrate.downgrade(engine, "base")
    engine.dispose()  # nobody migrates what another process has open
    yield url
    migrate.upgrade(engine)
    engine.dispose()


@pytest.mark.slow
def test_a_database_that_is_behind_is_refused_until_it_is_migrated(tmp_path: Path, behind: str) -> None:
    server = process(tmp_path, behind)
    refused(server.asked("serve"), CONFIG, "The database has another schema than this program. Run: pbmserv migrate")
    assert "The database is up to date." in server.told("migrate")
    assert "The database is up to date." in server.told("migrate")
    assert "0 differ" in server.told("boards", "verify")
    assert not (tmp_path / "var").exists()


def test_a_database_that_is_away_is_named_without_its_password(tmp_path: Path, url: str) -> None:
    away = url.replace("@/", ":swordfish@/").replace("host=/", "host=/nowhere/")
    done = process(tmp_path, away).asked("boards", "list")
    assert done.exit_code == UNAVAILABLE
    assert "The database cannot be used" in done.output
    assert "swordfish" not in done.output


@pytest.mark.slow
def test_one_of_two_processes_is_killed(tmp_path: Path, url: str) -> None:
    """The other one goes on. Nothing is lost or done twice, and the letters of the killed process are sent, too."""
    with process(tmp_path, url) as one, process(tmp_path, url) as other:
        table = Table(other, seed=7, boards=2, beside=[one])
        for _ in range(2):
            for _ in range(15):
                assert table.play_one()
                table.client.close()  # the next mail goes to the other process
            one.kill()
            for _ in range(10):
                assert table.play_one()
            one.start()
        table.client.close()
        engine = engines.connect(url)
        with engine.begin() as connection:  # as if two minutes had passed
            Store(connection).letters.end_leases(utc_now(), [None])
        until(lambda: letters_waiting(engine) == 0)
        engine.dispose()
        table.check()
        assert "nothing was lost" in one.stop()
        assert "nothing was lost" in other.stop()
        assert "Traceback" not in one.log
