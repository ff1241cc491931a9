"""A filled server, made once for all tests, because the pages change nothing in it."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.web.browser import browse
from tests.web.filled import fill
from tests.world import World


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """The server of tests.web.filled on SQLite."""
    world = World(tmp_path_factory.mktemp("web"))
    fill(world)
    yield world
    world.engine.dispose()


@pytest.fixture(scope="session")
def pages(filled: World) -> Iterator[TestClient]:
    """The pages of the filled server."""
    with browse(filled) as client:
        yield client
