"""Several senders on one database, killed at any moment: each letter arrives, in order, and by one sender at a time."""

import os
import random
import signal
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import pytest
import sqlalchemy as sa

from pbmserv.db import tables
from tests.examples import SOAK
from tests.promises.durable.client import unsent
from tests.promises.durable.load import Load
from tests.promises.durable.test_load import end_leases, reborn, settled
from tests.tools import postgresql
from tests.tools.mail_program import Client, as_sent
from tests.tools.process import Process, until
from tests.tools.sink import HANG, Sink

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]  # real servers, killed and started again

Serve = Callable[..., Process]

MOVES, KILLS = (1500, 16) if SOAK > 1 else (240, 4)


def test_a_killed_sender_between_claim_and_record(serve: Serve, sink: Sink) -> None:
    """Its letter goes out again when it is started again, long before the lease ends: the same bytes."""
    server = serve(PBMSERV_SENDERS="2")
    until(lambda: len(holders(server)) == 2)
    sink.break_at("final", HANG)
    with Client(server) as client:
        client.send("ann@example.org", "signup ann ann-secret")
        until(lambda: sink.letters)
        (slot,) = server.query(lambda store: store.letters.leasing_slots())
        os.kill(holders(server)[slot], signal.SIGKILL)
        until(lambda: not unsent(server), 40)
        first, second = sink.letters
        assert first == second or (first.data, first.recipient) == (second.data, second.recipient)
        client.send("bob@example.org", "signup bob bob-secret")
        until(lambda: not unsent(server))
    assert len(sink.letters) == 3
    assert "sender_died" in server.log
    server.stop()


def test_a_new_server_leaves_its_letter_to_a_sender_that_is_still_alive(serve: Serve, sink: Sink) -> None:
    """The server is killed. Its child finishes its letter and ends; the next server's child sends the others."""
    server = serve(PBMSERV_SENDERS="1")
    until(lambda: holders(server))
    sink.break_at("final", HANG)
    with Client(server) as client:
        client.send("ann@example.org", "signup ann ann-secret")
        until(lambda: sink.letters)
    (orphan,) = server.children
    server.kill()
    server.start()
    with Client(server) as client:
        client.send("bob@example.org", "signup bob bob-secret")
    until(lambda: sink.taken, 40)
    assert [letter.recipient for letter in sink.letters] == ["ann@example.org", "bob@example.org"]
    assert is_alive(orphan)
    os.kill(orphan, signal.SIGKILL)
    server.stop()


def test_the_children_end_with_a_killed_parent(serve: Serve) -> None:
    server = serve(PBMSERV_SENDERS="2")
    until(lambda: len(server.children) == 2)
    children = server.children
    server.kill()
    until(lambda: not any(map(is_alive, children)))
    server.start()
    until(lambda: len(server.children) == 2)
    children = server.children
    assert "nothing was lost" in server.stop()
    until(lambda: not any(map(is_alive, children)))


def test_under_load_on_sqlite(serve: Serve, sink: Sink) -> None:
    """Now the whole server is killed, now one of its senders."""
    server = serve(PBMSERV_SENDERS="2")
    play(Load([server], MOVES, seed=4), server, sink=sink)


def test_under_load_on_postgresql(serve: Serve, sink: Sink, durable: postgresql.Server) -> None:
    with durable.database() as url:
        servers = [serve(url, PBMSERV_SENDERS="1"), serve(url)]
        play(Load(servers, MOVES, seed=5), *servers, sink=sink, url=url)


def test_senders_started_by_hand_on_sqlite(serve: Serve, sink: Sink) -> None:
    """Nobody is killed, so no letter goes out twice."""
    server = serve(PBMSERV_ROLES="listener,clock")
    senders = [serve(PBMSERV_ROLES="sender") for _ in range(3)]
    load = Load([server], MOVES, seed=6)
    load.play(lambda: None, 0)
    until(lambda: not unsent(server), 60)
    assert set(Counter(letter.data for letter in sink.taken).values()) == {1}
    check_order(server, sink)
    with server.reader() as connection:
        slots = set(connection.scalars(sa.select(tables.outbox.c.slot)))
    assert len(slots) > 1, "on a busy machine two can be fast enough, but never one"
    assert slots <= {1, 2, 3}
    for process in (server, *senders):
        process.stop()


def play(load: Load, *servers: Process, sink: Sink, url: str = "") -> None:
    """Play all moves, with kills, and check what arrived."""
    chance = random.Random(7)
    turns, which = cycle((True, False)), cycle(servers)

    def kill() -> None:
        server = next(which)
        if next(turns):
            reborn(server)
        else:
            kill_one_sender(server, chance)

    load.play(kill, KILLS)
    if url:
        end_leases(url)
    until(lambda: not unsent(servers[0]), 120)
    check_order(servers[0], sink)
    settled(load, *servers, sink=sink)


def kill_one_sender(server: Process, chance: random.Random) -> None:
    """Kill one of its children, if it has any at this moment."""
    if server.children:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(server.children), signal.SIGKILL)


def check_order(server: Process, sink: Sink) -> None:
    """Check that the letters of a board came to each reader in the order in which they were written.

    A letter of a killed sender may come a second time later.
    """
    with server.reader() as connection:
        rows = list(connection.execute(sa.select(tables.outbox)))
        messages = as_sent(connection, rows, server.signer)
    line_of = {(row.recipient, data): (row.id, row.board) for row, data in zip(rows, messages, strict=True)}
    came: dict[tuple[str, int], dict[int, None]] = defaultdict(dict)
    for letter in sink.taken:
        number, board = line_of[letter.recipient, letter.data]
        if board is not None:
            came[letter.recipient, board].setdefault(number)
    assert came
    for numbers in came.values():
        assert list(numbers) == sorted(numbers)


def holders(server: Process) -> dict[int, int]:
    """Return the slots of the server's children: slot -> process."""
    found = dict[int, int]()
    for pid in server.children:
        with suppress(FileNotFoundError):
            files = [Path(os.readlink(handle)) for handle in Path(f"/proc/{pid}/fd").iterdir()]
            found |= {int(file.suffix.removeprefix(".sender")): pid for file in files if file.match("var/*.sender*")}
    return found


def is_alive(pid: int) -> bool:
    """Return whether a process runs. One that has ended may stay listed until somebody asks for its result."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
