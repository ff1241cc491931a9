"""Two processes on one database, as far as they know of each other: two engines, two of everything above them."""

from collections.abc import Iterator

import pytest

from tests.world import World


@pytest.fixture
def other(world: World) -> Iterator[World]:
    """The process beside `world`."""
    beside = world.again()
    yield beside
    beside.engine.dispose()
