"""Fixtures for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.world import World

settings.register_profile("fast", deadline=None, max_examples=40, derandomize=True)
settings.load_profile("fast")


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A server that trusts From and takes addresses as confirmed."""
    w = World(tmp_path)
    yield w
    w.engine.dispose()


@pytest.fixture
def strict_world(tmp_path: Path) -> Iterator[World]:
    """A server with the settings of a public one."""
    folder = tmp_path / "strict"
    folder.mkdir()
    w = World(folder, trust_from=False, confirm_addresses=True)
    yield w
    w.engine.dispose()
