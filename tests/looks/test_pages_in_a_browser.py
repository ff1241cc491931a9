"""Web pages fit into every window, and can be read and touched in it."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from tests.looks.measure import Eye
from tests.looks.pages import whole
from tests.web.browser import browse
from tests.web.filled import fill
from tests.web.seasons.played_seasons import begun, end_season, resign_all
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
def test_nothing_is_wrong_with_a_page(filled: TestClient, eye: Eye, path: str) -> None:
    found = eye.wrong(whole(filled, path))
    assert not found, "\n".join(found)


@pytest.fixture(scope="module")
def tournaments(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A league, groups and a Swiss tournament, half played, and a match that is over."""
    world = World(tmp_path_factory.mktemp("tournaments"))
    many = tuple(f"player{chr(97 + n)}" for n in range(9))
    for form, players, changes in (
        ("league", many, {}),
        ("groups", many, {"size": 4}),
        ("swiss", many, {"size": 0, "rounds": 4}),
        ("match", many[:4], {"size": 2, "teams": ("Reds", "Blues")}),
    ):
        number = begun(world, form, players, **changes)
        resign_all(world, number, many[0])
    end_season(world, number)
    with browse(world) as client:
        yield client
    world.close()


TOURNAMENTS = ["/tournaments", *(f"/tournaments/{n}" for n in range(1, 5)), "/players/playerb", "/boards/101"]


@pytest.mark.parametrize("path", TOURNAMENTS)
def test_nothing_is_wrong_with_a_page_of_a_tournament(tournaments: TestClient, eye: Eye, path: str) -> None:
    found = eye.wrong(whole(tournaments, path))
    assert not found, "\n".join(found)


def test_nothing_is_wrong_with_boards(board_pages: dict[str, str], eye: Eye) -> None:
    found = [f"{name} {fault}" for name, html in board_pages.items() for fault in eye.wrong(html)]
    assert not found, "\n".join(found)
