"""kill -9 at any instant: what was acknowledged stands exactly once, and its letters are there."""

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crash.client import hand_in
from tests.crash.table import Table
from tests.crash.trace import strace
from tests.e2e.process import Process, until

pytestmark = pytest.mark.slow  # kills and restarts real servers


@pytest.mark.parametrize(
    ("kills", "moves"), [(3, 60), pytest.param(60, 1500, marks=[pytest.mark.slow, pytest.mark.timeout(600)])]
)
def test_at_random_instants(tmp_path: Path, kills: int, moves: int) -> None:
    """The client plays on while the server dies and comes back again and again."""
    instants = random.Random(kills)
    with Process(tmp_path) as server:
        table = Table(server, seed=kills)

        def reaper() -> None:
            for _ in range(kills):
                time.sleep(instants.uniform(0, 0.5))
                server.kill()
                server.start()

        _play_while(reaper, table, moves)
        table.check()
        server.stop()


@pytest.mark.parametrize("sync", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 13))])
def test_at_a_sync(tmp_path: Path, sync: int) -> None:
    """Killed when it asks the disk to keep something, for each such moment of a few mails."""
    with Process(tmp_path) as server:
        table = Table(server, seed=sync, boards=1)
        server.stop()
        server.under = strace(tmp_path / "trace", "-e", "trace=fdatasync,fsync", "-e", _kill_at(sync))
        server.start()

        def reviver() -> None:
            server.wait()
            server.under = ()
            server.start()

        _play_while(reviver, table, 8)
        table.check()
        server.stop()


def test_between_commit_and_answer(tmp_path: Path) -> None:
    """The client never learns that its mail was taken and sends it again: one effect, one set of letters."""
    with Process(tmp_path) as server:
        table = Table(server, seed=1, boards=1)
        mail, move = table.next_mail() or pytest.fail("the board is over")
        with hand_in(server, mail):
            until(lambda: server.query(lambda store: store.board(101)).board.length == 1)
            server.kill()
        server.start()
        table.client.deliver(mail)
        table.moves.append(move)
        table.client.close()
        table.check()
        server.stop()


def _play_while(trouble: Callable[[], None], table: Table, moves: int) -> None:
    """Play until the trouble is over and that many moves are played."""
    thread = threading.Thread(target=trouble)
    thread.start()
    while (thread.is_alive() or len(table.moves) < moves) and table.play_one():
        pass
    thread.join()
    table.client.close()
    assert table.client.repeated


def _kill_at(sync: int) -> str:
    return f"inject=fdatasync,fsync:signal=KILL:when={sync}"
