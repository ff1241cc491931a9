"""Web pages fit into every window, and can be read and touched in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.looks.measure import Eye
from tests.looks.pages import whole
from tests.looks.plays import SORTS, played
from tests.web.browser import browse
from tests.web.filled import fill
from tests.web.test_chromium import PAGES
from tests.world import World

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    world = World(tmp_path_factory.mktemp("web"))
    fill(world)
    with browse(world) as client:
        yield client
    world.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_and_can_be_read(filled: TestClient, eye: Eye, path: str) -> None:
    found = eye.faults(whole(filled, path))
    assert not found, "\n".join(found)


@pytest.mark.usefixtures("checker")
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_wrong_with_a_page(filled: TestClient, eye: Eye, path: str) -> None:
    found = eye.violations(whole(filled, path))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", SORTS)
def test_boards_fit_and_can_be_read(tmp_path: Path, eye: Eye, name: str) -> None:
    with played(SORTS[name], tmp_path) as board, browse(board.world) as client:
        shown = {ply: whole(client, f"/boards/101/{ply}") for ply in board.plies.values()}
    found = [f"ply {ply} {fault}" for ply, html in shown.items() for fault in eye.faults(html)]
    assert not found, "\n".join(found)


@pytest.mark.usefixtures("checker")
@pytest.mark.parametrize("name", SORTS)
def test_axe_finds_nothing_wrong_with_boards(tmp_path: Path, eye: Eye, name: str) -> None:
    with played(SORTS[name], tmp_path) as board, browse(board.world) as client:
        shown = {ply: whole(client, f"/boards/101/{ply}") for ply in board.plies.values()}
    found = [f"ply {ply} {fault}" for ply, html in shown.items() for fault in eye.violations(html)]
    assert not found, "\n".join(found)
