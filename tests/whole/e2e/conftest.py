"""Fixtures of servers, each a process of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.process import Process
from tests.tools.warm import ForkedProcess


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with the settings of `make run`, for all tests of a module."""
    yield from _running(tmp_path_factory.mktemp("server"))


@pytest.fixture
def fresh_server(tmp_path: Path) -> Iterator[Process]:
    """The same for a single test."""
    yield from _running(tmp_path)


def _running(folder: Path) -> Iterator[Process]:
    with ForkedProcess(folder) as process:
        yield process
        assert "nothing was lost" in process.stop()
        assert "Traceback" not in process.log
