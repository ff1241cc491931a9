"""docs/web.md: the pages it lists exist, and the limits it names are those of the code."""

import re

import pytest
from starlette.testclient import TestClient

from pbmserv.cli.terminal.running_web import MOST_CONNECTIONS
from pbmserv.web.app import HANDING, THREADS
from pbmserv.web.boards import A_PAGE
from pbmserv.web.kept.films import MOST_ENTRIES, MOST_KEPT
from pbmserv.web.own.limits import CLICKS, MOVES
from tests.boards.seasons.events import announced
from tests.tools.tree import ROOT
from tests.web.browser import browse
from tests.web.filled import begin, play_on
from tests.world import World

PAGE = (ROOT / "docs" / "web.md").read_text()


@pytest.mark.slow
def test_the_pages_that_it_lists_are_there(world: World) -> None:
    world.signup("alice", "bob")
    play_on(world, begin(world, "alice", "bob"), 7)
    announced(world)
    table = PAGE[PAGE.index("| page |") : PAGE.index("A visitor sees")]
    paths = re.findall(r"`(/[^`]*)`", table)
    assert len(paths) > 12
    with browse(world) as pages:
        assert [path for path in paths if pages.get(path).status_code != 200] == []
        assert all(shown(pages, f"/boards/101/7{query}") for query in re.findall(r"`(\?display=\w+)`", table))


def shown(pages: TestClient, path: str) -> bool:
    return pages.get(path).status_code == 200


def test_the_bounds_are_ours() -> None:
    text = " ".join(PAGE.split())
    assert (A_PAGE, THREADS, MOST_CONNECTIONS) == (50, 8, 200)
    assert "lists, fifty boards to a page" in text
    assert "Eight requests are worked on at a time, and beyond 200 connections" in text
    assert f"({MOST_KEPT:,} positions in all)" in text
    most = (
        f"more than {MOVES.of_link} posts a minute by one link, {MOVES.of_origin} from one network, or {MOVES.of_all:,}"
    )
    assert f"{most} by all" in text
    assert (CLICKS.of_link, CLICKS.of_all, HANDING) == (5, 120, 4)
    assert "after five clicks a minute on one link, or 120 on all" in text
    assert text.count("four others wait for it") == 2
    assert f"more than {MOST_ENTRIES:,} entries" in text
