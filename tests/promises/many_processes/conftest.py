"""A stand-in for two processes on one database: two engines, and two of everything above them."""

from collections.abc import Iterator

import pytest

from tests.world import World


@pytest.fixture
def other(world: World) -> Iterator[World]:
    """The second process, beside `world`."""
    beside = world.again()
    yield beside
    beside.engine.dispose()
