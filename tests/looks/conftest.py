"""One browser for all tests of a process, and each board played once for its letters and for its pages."""

from collections.abc import Iterator
from functools import cache

import pytest

from tests.examples import some_of
from tests.looks import axe
from tests.looks.measure import Eye
from tests.looks.pages import whole
from tests.looks.plays import FEW, SORTS, Played, played
from tests.web.browser import browse
from tests.web.chromium import PROGRAM, tab


@pytest.fixture(scope="session")
def eye(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Eye]:
    """What looks at pages."""
    if PROGRAM is None:
        pytest.skip("there is no Chromium here (Debian: apt-get install chromium)")
    with tab(tmp_path_factory.mktemp("chromium")) as page:
        yield Eye(page, has_axe=not _missing())


@pytest.fixture(scope="session")
def checker() -> None:
    """Skip the test if axe-core cannot be had."""
    if why := _missing():
        pytest.skip(why)


@cache
def _missing() -> str:
    """Return why axe-core cannot be had, "" if it can."""
    try:
        axe.source()
    except axe.Missing as why:
        return str(why)
    return ""


#: Boards whose pages are looked at. They have the drawings of the letters, so each eighth sort is enough.
_PAGES = some_of(FEW, 8)


@pytest.fixture(scope="session", params=FEW)
def board(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A board of each sort, with its letters."""
    own = request.param in _PAGES
    with played(SORTS[request.param], tmp_path_factory.mktemp("board"), own=own) as found:
        yield found


@pytest.fixture(scope="session")
def board_pages(board: Played) -> dict[str, str]:
    """Its pages: what everybody sees after some plies, and what its players see later than at the beginning.

    test_own_pages_in_a_browser.py looks at each step of a move that is made at the beginning.
    """
    if board.sort.name not in _PAGES:
        pytest.skip("its letters are looked at")
    with browse(board.world) as client:
        public = {f"public, {stage}": whole(client, f"/boards/101/{ply}") for stage, ply in board.plies.items()}
    return {name: html for name, html in board.own.items() if "beginning" not in name} | public
