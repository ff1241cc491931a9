"""Web pages fit into every window, and can be read and touched in it."""

from collections.abc import Iterator

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


@pytest.fixture(scope="module", params=SORTS)
def boards(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages of a board of each sort: what everybody sees after some plies, and what its players see."""
    with played(SORTS[request.param], tmp_path_factory.mktemp("board")) as board, browse(board.world) as client:
        return board.own | {
            f"public, {stage}": whole(client, f"/boards/101/{ply}") for stage, ply in board.plies.items()
        }


def test_boards_fit_and_can_be_read(boards: dict[str, str], eye: Eye) -> None:
    found = [f"{name} {fault}" for name, html in boards.items() for fault in eye.faults(html)]
    assert not found, "\n".join(found)


@pytest.mark.usefixtures("checker")
def test_axe_finds_nothing_wrong_with_boards(boards: dict[str, str], eye: Eye) -> None:
    found = [f"{name} {fault}" for name, html in boards.items() for fault in eye.violations(html)]
    assert not found, "\n".join(found)
