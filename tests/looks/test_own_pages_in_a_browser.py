"""Players' own pages fit into every window, and can be read and touched in it, at each step of a move."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from pbmserv import games
from pbmserv.games.base import AnyGame
from tests.examples import some_of
from tests.looks.measure import Eye
from tests.looks.pages import whole
from tests.web.browser import browse
from tests.web.filled import begin, play_on
from tests.web.own.sending import NOBODY
from tests.web.touching import HOME, answer, own_page, touchable
from tests.world import World

pytestmark = [pytest.mark.slow, pytest.mark.sqlite, pytest.mark.timeout(300)]


@pytest.fixture(scope="module", params=games.listed(), ids=lambda g: g.info.key)
def steps(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The pages of a move in each game."""
    return list(_steps(tmp_path_factory.mktemp("steps"), request.param))


def _steps(folder: Path, game: AnyGame) -> Iterator[str]:
    """Yield a page at each step: nothing chosen, a cell, perhaps a choice, a move; in some games all that games share.

    That is a word instead of a move, and the list of boards.
    """
    world = World(folder)
    world.allow(web_url=HOME, web_listener=NOBODY)
    world.signup("alice", "bob")
    number = begin(world, *("alice", "bob")[: game.info.seats[0]], game=game.info.key)
    play_on(world, number, 6)
    row = world.row(number)
    path = start = own_page(world, number, row.players[min(row.board.to_move)].userid)
    with browse(world) as pages:
        while path:
            yield whole(pages, path)
            onward = (uri for uri in touchable(pages.get(path)).cells.values() if not answer(uri))
            path = max((uri for uri in onward if uri.count("=") > path.count("=")), default="")
        yield whole(pages, f"{start}?line={row.game.example(row.board.position, min(row.board.to_move))}")
        if game in some_of(games.listed(), 6):
            yield whole(pages, f"{start}?verb=resign")
            yield whole(pages, _all_boards(world))
    world.close()


def _all_boards(world: World) -> str:
    """Return the path of the page with all of alice's boards."""
    world.mail("alice", "set alice alice-secret page=on")
    player = world.player("alice")
    (wants,) = world.query(lambda store: store.players.preferences([player.id])).values()
    return world.site.boards(player, wants.page).removeprefix(HOME)


def test_nothing_is_wrong_with_it(eye: Eye, steps: list[str]) -> None:
    found = [f"step {i}: {fault}" for i, html in enumerate(steps) for fault in eye.wrong(html)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "options"), [("gomoku", "-size=19"), ("hex", "-size=19"), ("havannah", "-size=10")])
def test_a_part_of_a_wide_board_fits_and_can_be_touched(tmp_path: Path, eye: Eye, game: str, options: str) -> None:
    """Where cells are too small, regions lie upon them; each leads to a part whose cells are large enough."""
    world = World(tmp_path)
    world.allow(web_url=HOME)
    number = world.board("alice", "bob", game=game, options=options)
    path = own_page(world, number, "alice")
    with browse(world) as pages:
        html = whole(pages, path)
        assert not eye.faults(html)
        regions = [unescape(uri) for uri in re.findall(r'<a class="region" href="([^"]*)"', html)]
        assert len(regions) > 8
        for uri in (regions[0], regions[len(regions) // 2], regions[-1]):
            assert not eye.faults(whole(pages, uri)), uri
            assert all(answer(move) for move in touchable(pages.get(uri)).cells.values())
    world.close()
