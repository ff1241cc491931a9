"""Games on the players' own pages, without typing a square: each move is touched, sent, and carried out."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from pbmserv.games.base.board import Board
from pbmserv.model import BoardRow
from pbmserv.web.own.limits import Limits
from tests.examples import SOAK
from tests.games.whole_games import WHOLE, Whole, moves_to_the_end, players_of
from tests.tools.process import Process
from tests.web.own.sending import begin, form, page_of, playing
from tests.web.touching import touch

pytestmark = pytest.mark.timeout(600)  # only a test that hangs takes so long, however loaded the machine is
_NOT_NOW = 503
_NO_LIMIT = Limits(10_000, 10_000, 10_000)
#: One for each way to touch a move. tests/web/test_own_pages.py finds all moves of every game on its pages.
_SOME = ("hex-size=5", "four", "breakthrough", "amazons-size=6", "backgammon", "chess", "go-size=9")
_MOST = 24 if SOAK == 1 else 10_000  #: plies: most of these games are shorter


@pytest.fixture(scope="module")
def pages(server: Process) -> Iterator[TestClient]:
    with playing(server, limits=_NO_LIMIT) as client:
        yield client


def row(server: Process, number: int) -> BoardRow:
    found: BoardRow = server.query(lambda store: store.boards.find(number, lock=False))
    return found


@pytest.mark.parametrize("whole", [whole for whole in WHOLE if SOAK > 1 or str(whole.id) in _SOME])
@pytest.mark.slow
def test_a_game_without_typing_a_square(server: Process, pages: TestClient, whole: Whole) -> None:
    number = begin(server, whole.key, " ".join(players_of(whole)), whole.options)
    before: Board = row(server, number).board
    moves = moves_to_the_end(before, whole.seed)
    for _, move in moves[:_MOST]:
        now = row(server, number)
        path = page_of(server, number, now.players[min(now.board.to_move)].userid)
        made = touch(pages, path, now.game, move)
        sent = form(pages.get(path, params={"line": made.line}))
        while (answer := pages.post(path, data=sent)).status_code == _NOT_NOW:
            pass  # the server is slow: what is sent again counts once
        assert answer.status_code == 200, answer.text
        assert row(server, number).board.ply == now.board.ply + 1
    assert row(server, number).board.result or len(moves) > _MOST
