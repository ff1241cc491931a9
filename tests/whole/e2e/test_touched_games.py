"""Games of all families to their end through a server, by players who touch what letters and pages offer.

They read nothing. In turns, a round is played by areas and links of letters, and a round on the players' own pages.
"""

import os
from collections.abc import Iterator, Sequence
from email import message_from_bytes
from email.message import Message
from functools import partial
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from pbmserv import games
from pbmserv.games.base import board as play
from pbmserv.mail.smtp.maildir import folder_name
from pbmserv.model import BoardRow
from pbmserv.web.own.limits import Limits
from tests.examples import SOAK
from tests.tools.mail_program import Client
from tests.tools.process import Process, until
from tests.tools.toucher import Toucher
from tests.tools.warm import ForkedProcess
from tests.web.browser import words
from tests.web.own.sending import begin, page_of, playing
from tests.web.touching import HOME

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
_NAMES = ("alice", "bob", "carol", "dave")
_NOT_NOW = 503
_NO_LIMIT = Limits(10_000, 10_000, 10_000)
_PATIENCE = 40  #: plies after which a player likes a link without a square, such as pass, so that Go ends
_MOST_LETTERS = 6  #: until a move is made, if a letter has no room for all moves
_LONGEST = 1_200  #: plies
#: With what only they have: one player, three, dice to keep, bids, seeds to enter, boards in boards. `make soak`
#: plays all games.
_CHOSEN = ("threes", "bao", "ultimate", "yacht", "liarsdice")
_OPTIONS = {"go": "-size=9", "teamgo": "-size=5", "amazons": "-size=6", "hex": "-size=5", "y": "-size=5"}
_OPTIONS |= {"miserehex": "-size=5", "havannah": "-size=4", "dots": "-size=3", "capturego": "-size=9"}
_THREE = {"liarsdice", "3io"}
_OTHERS = [game.info.key for game in games.all_games() if game.info.key not in _CHOSEN]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    with ForkedProcess(tmp_path_factory.mktemp("server"), PBMSERV_WEB_URL=HOME) as running:
        with Client(running) as client:
            for userid in _NAMES:
                client.ask(f"{userid}@example.org", f"signup {userid} secret1")
        yield running
        running.verify()
        assert "Traceback" not in running.log
        running.stop()


@pytest.fixture(scope="module")
def pages(server: Process) -> Iterator[TestClient]:
    with playing(server, limits=_NO_LIMIT) as client:
        yield client


@pytest.mark.parametrize("key", [*_CHOSEN, *(_OTHERS if SOAK > 1 else ())])
def test_a_game_is_played_to_its_end_by_touching(server: Process, pages: TestClient, key: str) -> None:
    game = games.find(key)
    seats = 3 if key in _THREE else game.info.seats[0]
    number = begin(server, key, " ".join(_NAMES[:seats]), _OPTIONS.get(key, ""))
    player = Toucher(number, lambda lines: _wish(_row(server, number), lines))
    with Client(server) as client:
        while (row := _row(server, number)).board.to_move:
            userid, ply = row.players[min(row.board.to_move)].userid, row.board.ply
            if ply // seats % 2:
                _play_on_page(server, pages, row, userid, player)
            else:
                _answer_letter(client, pages, row, userid, player)
            assert _row(server, number).board.length > row.board.length
            assert ply < _LONGEST
    assert row.board.result


def _answer_letter(client: Client, pages: TestClient, row: BoardRow, userid: str, player: Toucher) -> None:
    """Touch a letter; it may bring another letter with more moves, or lead to the page."""
    server, address = client.server, f"{userid}@example.org"
    letter = until(partial(_letter, server, address, row))
    for _ in range(_MOST_LETTERS):
        touched = player.letter(_html(letter))
        if isinstance(touched, str):
            _post(pages, touched, player.page(pages, touched))
            return
        id_ = client.send(address, touched.subject, touched.body, to=touched.to)
        if not touched.line.startswith("legal "):
            return
        letter = until(partial(_answer, server, address, id_))
    raise AssertionError(f"no move after {_MOST_LETTERS} letters")


def _play_on_page(server: Process, pages: TestClient, row: BoardRow, userid: str, player: Toucher) -> None:
    path = page_of(server, row.number, userid)
    _post(pages, path, player.page(pages, path))


def _post(pages: TestClient, uri: str, filled: dict[str, str]) -> None:
    path = uri.removeprefix(HOME).partition("?")[0]
    while (answer := pages.post(path, data=filled)).status_code == _NOT_NOW:
        pass  # the server is slow: what is sent again counts once
    assert answer.status_code == 200, (filled["line"], words(answer).partition("Refused")[2][:300])


def _wish(row: BoardRow, lines: Sequence[str]) -> str:
    """Return a line that ends the board, or, late in a game, one that names no square; "" if there is none.

    Early in a game no end without a square is liked: two passes would end Renju after two plies.
    """
    board, seat = row.board, min(row.board.to_move)
    passes = [line for line in lines if not row.game.cells_of(line)]
    if passes and board.ply >= _PATIENCE:
        return passes[0]
    return next((line for line in lines if line not in passes and play.play(board, seat, line).board.result), "")


def _row(server: Process, number: int) -> BoardRow:
    row: BoardRow = server.query(lambda store: store.boards.find(number, lock=False))
    return row


def _newest(server: Process, address: str) -> Message | None:
    """Return the newest letter to an address. To read all of them each time would take most of a game."""
    folder = Path(server.folder) / "var/letters" / folder_name(address) / "new"
    name = max(os.listdir(folder), default="")
    return message_from_bytes((folder / name).read_bytes()) if name else None


def _letter(server: Process, address: str, row: BoardRow) -> Message | None:
    """Return the letter that shows the current position of a board."""
    letter = _newest(server, address)
    token = server.signer.read(letter["Reply-To"] or "") if letter else None
    return letter if token and token.numbers[::2] == (row.number, row.board.length) else None


def _answer(server: Process, address: str, id_: str) -> Message | None:
    letter = _newest(server, address)
    return letter if letter and letter["In-Reply-To"] == id_ else None


def _html(letter: Message) -> str:
    part = next(part for part in letter.walk() if part.get_content_type() == "text/html")
    words = part.get_payload(decode=True)
    assert isinstance(words, bytes)
    return words.decode()
