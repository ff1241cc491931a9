"""Fixtures for all tests."""

import gc
import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import structlog
from _pytest.runner import runtestprotocol
from hypothesis import settings

from pbmserv.model import passwords
from tests.examples import FAST, LONG
from tests.tools.postgresql import Server, is_available
from tests.tools.postgresql import postgresql as postgresql
from tests.tools.seeds import seeds_from
from tests.tools.statements import Found, only_on_sqlite, recorded
from tests.world import World, sqlite

# These are real hashes, but cheap ones. With normal ones, hashing would take a sixth of all time.
# tests/whole/e2e/test_session.py uses normal ones.
passwords._scheme().update(argon2__memory_cost=8, argon2__rounds=1)

NewDatabase = Callable[[], str]

_STATEMENTS = pytest.StashKey[Found]()
_PLAIN = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
_PROCESSORS = [*structlog.get_config()["processors"][:-1], _PLAIN]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add options for runs of all tests, and of all cases of some."""
    parser.addoption("--all-statements", action="store_true", help="fail if one of the store runs only on SQLite")
    parser.addoption("--all-cases", action="store_true", help="let `-m 'not slow'` leave out no cases of a test")


def pytest_configure(config: pytest.Config) -> None:
    """If the slow tests are left out, run fewer examples of the others, too."""
    settings.load_profile(FAST if config.option.markexpr == "not slow" else LONG)
    if config.option.all_statements:
        stack = ExitStack()
        config.stash[_STATEMENTS] = stack.enter_context(recorded())
        config.add_cleanup(stack.close)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run the long tests on a worker more than there are cores: many of them wait for a server or for a browser."""
    return None if config.option.markexpr == "not slow" else (os.cpu_count() or 1) + 1


def pytest_testnodedown(node: Any) -> None:
    """Take what a worker of xdist has recorded."""
    if _STATEMENTS in node.config.stash:
        for kind, statements in node.workeroutput.get("statements", {}).items():
            node.config.stash[_STATEMENTS][kind].update(statements)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a statement ran on SQLite, but no test with the mark `both` or `postgresql` ran it."""
    found = session.config.stash.get(_STATEMENTS, None)
    if found is None:
        return
    if output := getattr(session.config, "workeroutput", None):
        output["statements"] = {kind: sorted(statements) for kind, statements in found.items()}
    elif left := only_on_sqlite(found) if is_available() else []:
        print("\nNo test runs these statements on PostgreSQL; mark one that does as `both`:", *left, sep="\n")
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED


def pytest_collection() -> None:
    """Collect no garbage while tests are collected: all of them stay."""
    gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Begin with the tests that may take longest, so that no worker waits for one of them at the end."""
    if not config.option.all_cases:
        _leave_cases_out([item for item in items if isinstance(item, pytest.Function)])
    yield
    items.sort(key=_most_seconds, reverse=True)


def _leave_cases_out(tests: list[pytest.Function]) -> None:
    """Let `make test` take few cases of a test with a database, and of those of a folder one on PostgreSQL, too."""
    cases, twins = defaultdict[str, list[pytest.Function]](list), defaultdict[Path, list[pytest.Function]](list)
    for test in tests:
        if "new_database" in test.fixturenames and not test.get_closest_marker("slow"):
            is_twin = test.get_closest_marker("both") and "[postgresql" in test.nodeid
            (twins[test.path.parent] if is_twin else cases[test.nodeid.partition("[")[0]]).append(test)
    for several in (*cases.values(), *twins.values()):
        _mark_slow(several[1:])


def _mark_slow(tests: Iterable[pytest.Function]) -> None:
    for test in tests:
        test.add_marker("slow")


def _most_seconds(item: pytest.Item) -> int:
    mark = item.get_closest_marker("timeout")
    return int(mark.args[0]) if mark else 0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Let a worker of xdist report a test that passes once, and not begin, setup, call, teardown and end of it."""
    if not hasattr(item.config, "workerinput") or item.config.option.durations is not None:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_collection_finish() -> None:
    """Spare the garbage collector the ten thousand tests themselves: looking through them took a tenth of all time."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 50, 100)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that needs a database on SQLite, or where its mark says."""
    if "new_database" in metafunc.fixturenames:
        marks = {name for name in ("both", "sqlite", "postgresql") if metafunc.definition.get_closest_marker(name)}
        kinds = sorted(marks - {"both"}) or (["sqlite", "postgresql"] if "both" in marks else ["sqlite"])
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
def world(new_database: NewDatabase, request: pytest.FixtureRequest) -> Iterator[World]:
    """A server that trusts From and treats all addresses as confirmed."""
    w = World(new_database())
    w.plain = "monkeypatch" not in request.fixturenames
    yield w
    w.close()


@pytest.fixture
def strict_world(new_database: NewDatabase) -> Iterator[World]:
    """A server with the settings of a public one."""
    w = World(new_database(), trust_from=False, confirm_addresses=True)
    yield w
    w.close()


@pytest.fixture(autouse=True)
def _logs() -> Iterator[None]:
    """Log as structlog does by itself, and restore that: a command in this process sends its logs to another stream.

    Rich would draw each traceback with all variables, which takes longer than most tests.
    """
    structlog.configure(_PROCESSORS)
    yield
    structlog.reset_defaults()
