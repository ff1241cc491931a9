"""Fixtures for all tests."""

import gc
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import structlog
from hypothesis import settings

from pbmserv import passwords
from tests.examples import FAST, LONG
from tests.tools.postgresql import Server
from tests.tools.postgresql import postgresql as postgresql
from tests.tools.seeds import seeds_from
from tests.world import World, sqlite

# These are real hashes, but cheap ones. With normal ones, hashing would take a sixth of all time.
# tests/whole/e2e/test_session.py uses normal ones.
passwords._scheme().update(argon2__memory_cost=8, argon2__rounds=1)

NewDatabase = Callable[[], str]


def pytest_configure(config: pytest.Config) -> None:
    """If the slow tests are left out, run fewer examples of the others, too."""
    settings.load_profile(FAST if config.option.markexpr == "not slow" else LONG)


def pytest_collection_finish() -> None:
    """Spare the garbage collector the ten thousand tests themselves: looking through them took a tenth of all time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that needs a database on each kind. Without a mark, it uses PostgreSQL only with the long tests."""
    if "new_database" in metafunc.fixturenames:
        marks = {name for name in ("both", "sqlite", "postgresql") if metafunc.definition.get_closest_marker(name)}
        slow = () if marks & {"both", "postgresql"} else (pytest.mark.slow,)
        kinds = [] if "postgresql" in marks else [pytest.param("sqlite")]
        kinds += [] if "sqlite" in marks else [pytest.param("postgresql", marks=slow)]
        metafunc.parametrize("new_database", kinds, indirect=True)


@pytest.fixture(autouse=True)
def seeds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Give the boards of a test the same seeds every time, so that it always has the same result."""
    with seeds_from(request.node.name):
        yield


@pytest.fixture
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[NewDatabase]:
    """A function that makes empty, migrated databases.

    It returns the URL of one that exists until the end of the test.
    """
    with ExitStack() as stack:

        def on_sqlite() -> str:
            folder = tmp_path / f"database{len(list(tmp_path.glob('database*')))}"
            folder.mkdir()
            return sqlite(folder)

        def on_postgresql() -> str:
            server: Server = request.getfixturevalue("postgresql")
            return stack.enter_context(server.database())

        yield on_sqlite if request.param == "sqlite" else on_postgresql


@pytest.fixture
def world(new_database: NewDatabase) -> Iterator[World]:
    """A server that trusts From and treats all addresses as confirmed."""
    w = World(new_database())
    yield w
    w.close()


@pytest.fixture
def strict_world(new_database: NewDatabase) -> Iterator[World]:
    """A server with the settings of a public one."""
    w = World(new_database(), trust_from=False, confirm_addresses=True)
    yield w
    w.close()


@pytest.fixture(autouse=True)
def _logs_as_before() -> Iterator[None]:
    """Restore the log settings: a command in this process sends its logs to a stream that is closed afterwards."""
    yield
    structlog.reset_defaults()
