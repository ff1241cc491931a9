"""Fixtures for the servers of these tests: a relay that keeps its letters, and a database that can be killed."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.tools import postgresql
from tests.tools.oauth_mailbox import provider, served
from tests.tools.process import Process
from tests.tools.sink import Sink, in_thread
from tests.tools.warm import ForkedProcess

__all__ = ["provider", "served"]

KEY = "the key that all processes have"


@pytest.fixture
def sink() -> Iterator[Sink]:
    """A relay that takes every letter."""
    with in_thread(Sink()) as relay:
        yield relay


@pytest.fixture
def durable() -> Iterator[postgresql.Server]:
    """A PostgreSQL server with safe settings: every commit is synced to the disk."""
    postgresql.skip_without()
    with postgresql.running(postgresql.DURABLE) as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path, sink: Sink) -> Iterator[Callable[..., Process]]:
    """A function that starts a server whose letters go to the sink. With the URL of a PostgreSQL, it uses that."""
    with ExitStack() as stack:

        def start(url: str = "", **settings: str) -> Process:
            database = {"PBMSERV_DATABASE_URL": url, "PBMSERV_SECRET_KEY": KEY} if url else {}
            relay = f"smtp://127.0.0.1:{sink.port}"
            return stack.enter_context(ForkedProcess(tmp_path, PBMSERV_RELAY=relay, **database, **settings))

        yield start
