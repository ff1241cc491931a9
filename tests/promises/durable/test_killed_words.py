"""kill -9 while players give words for shared dice: a word that was taken stays, and no second one takes its place."""

import threading
import time
from pathlib import Path

import pytest

from pbmserv.games.base.board import Board
from pbmserv.games.base.log import Kind
from pbmserv.mail import signed_addresses
from tests.promises.durable.client import Retrying
from tests.tools.mail_program import message
from tests.tools.process import Process
from tests.tools.warm import ForkedProcess

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_a_word_is_taken_once(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path) as server:
        client = Retrying(server)
        for userid in ("ann", "bob"):
            client.deliver(message(f"{userid}@example.org", f"signup {userid} {userid}-secret"))
        for number in range(3):
            client.deliver(message("ann@example.org", "backgammon challenge ann bob --dice=shared", f"{number}"))
        for count, number in enumerate(server.query(lambda store: store.board_lists.numbers())):
            give_both(server, client, number, count)
        client.close()
        server.verify()
        server.stop()


def give_both(server: Process, client: Retrying, number: int, count: int) -> None:
    """Both give a word while the server is killed, and each mail comes once more after that."""
    for seat, userid in enumerate(("ann", "bob")):
        to = server.signer.sign(signed_addresses.BOARD, number, seat, 0)
        mail = message(f"{userid}@example.org", f"Re: Backgammon Board {number}", "go\n", to=to)
        reaper = threading.Thread(target=kill, args=(server, 0.02 * (count + seat)))
        reaper.start()
        client.deliver(mail)
        reaper.join()
        word = board_of(server, number).words[seat]
        assert word
        client.deliver(mail)
        assert board_of(server, number).words[seat] == word
    log = server.query(lambda store: store.boards.entries(number))
    assert [(entry.kind, entry.seat) for entry in log] == [(Kind.WORD, 0), (Kind.WORD, 1)]
    assert not board_of(server, number).waits


def kill(server: Process, after: float) -> None:
    time.sleep(after)
    server.kill()
    server.start()


def board_of(server: Process, number: int) -> Board:
    found: Board = server.query(lambda store: store.boards.find(number, lock=False).board)
    return found
