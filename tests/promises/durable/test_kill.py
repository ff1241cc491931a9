"""kill -9 at any instant: every acknowledged mail has its effect exactly once, and its letters are there."""

import random
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from pbmserv.conformance.walks import SEED
from tests.examples import SOAK
from tests.promises.durable.client import hand_in, unsent
from tests.promises.durable.table import Table
from tests.promises.durable.trace import strace
from tests.tools.process import until
from tests.tools.warm import ForkedProcess

pytestmark = pytest.mark.slow  # kills and restarts real servers


def test_at_random_instants(tmp_path: Path) -> None:
    """The client plays on while the server is killed and started again and again. test_load.py does this for longer."""
    instants = random.Random(3)
    with ForkedProcess(tmp_path) as server:
        table = Table(server, seed=3)

        def reaper() -> None:
            for _ in range(3):
                time.sleep(instants.uniform(0, 0.5))
                server.kill()
                server.start()

        _play_while(reaper, table, 60)
        table.check()
        server.stop()


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("call", "moves", "every"), [("fdatasync", 2, 3 if SOAK == 1 else 1), ("pwrite64", 1, 52 if SOAK == 1 else 1)]
)
def test_at_every_call(tmp_path: Path, call: str, moves: int, every: int) -> None:
    """Kill the server at such a call, then at a later one, and so on, until it survives some moves.

    A move writes some forty times and syncs once. The server also writes when it starts. `make soak` kills
    it at each of them.
    """
    with ForkedProcess(tmp_path, PBMSERV_ROLES="listener") as server:
        table = Table(server, seed=moves, boards=2)
        server.stop()
        for kills in count(SEED % every, every):
            kill = f"inject={call}:signal=KILL:when={kills + 1}"
            server.under = strace(tmp_path / "trace", "-e", f"trace={call}", "-e", kill)
            table.client.close()  # it was connected to the killed server
            if server.launch() and all(table.try_one() for _ in range(moves)):
                break
            server.wait()
        assert kills > moves
        table.client.close()
        server.kill()
        server.under, server.settings["PBMSERV_ROLES"] = (), "listener,sender"
        server.start()
        until(lambda: not unsent(server))
        table.check()
        server.stop()
        print(f"killed until the call {kills} of {call}")


def test_between_commit_and_answer(tmp_path: Path) -> None:
    """The client does not learn that its mail was taken and sends it again: one effect, one set of letters."""
    with ForkedProcess(tmp_path) as server:
        table = Table(server, seed=1, boards=1)
        mail, move = table.next_mail() or pytest.fail("the board is over")
        with hand_in(server, mail):
            until(lambda: server.query(lambda store: store.boards.find(101)).board.length == 1)
            server.kill()
        server.start()
        table.client.deliver(mail)
        table.moves.append(move)
        table.client.close()
        table.check()
        server.stop()


def _play_while(trouble: Callable[[], None], table: Table, moves: int) -> None:
    """Play until the kills are over and that many moves are played."""
    thread = threading.Thread(target=trouble)
    thread.start()
    while (thread.is_alive() or len(table.moves) < moves) and table.play_one():
        pass
    thread.join()
    table.client.close()
    assert table.client.repeated
