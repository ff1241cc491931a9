"""A 250 means that the mail is on disk: the order of system calls, a disk that fails, a stop in the middle of work."""

import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pbmserv.db import engines
from pbmserv.store import Store
from tests.examples import some_of
from tests.promises.durable.client import Retrying, hand_in
from tests.promises.durable.table import Table
from tests.promises.durable.trace import events, strace
from tests.tools.mail_program import message
from tests.tools.process import Process
from tests.tools.warm import ForkedProcess
from tests.world import sqlite

MAILS = 8
TRY_AGAIN = b"451 4.3.0 Temporary failure, please try again later\r\n"


@pytest.mark.slow
def test_a_sync_stands_before_each_acceptance(tmp_path: Path) -> None:
    """Only a trace can show this: after kill -9 the system keeps all written data, synced or not."""
    trace = tmp_path / "trace"
    calls = "trace=fdatasync,fsync,write,writev,sendto,sendmsg"
    with ForkedProcess(tmp_path, under=strace(trace, "-e", calls), PBMSERV_ROLES="listener") as server:
        client = Retrying(server)
        for n in range(MAILS):
            client.deliver(message("ann@example.org", "help", f"{n}"))
        client.close()
        server.stop()
    found = events(trace)
    assert found.count("250") == MAILS
    assert all(found[i - 1] == "sync" for i, event in enumerate(found) if event == "250"), found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("call", "error"),
    some_of([("fdatasync", "ENOSPC"), ("fdatasync", "EIO"), ("pwrite64", "EIO"), ("pwrite64", "ENOSPC")], 2),
)
def test_a_disk_that_fails(tmp_path: Path, call: str, error: str) -> None:
    """The reply is 451, always in the same words, and nothing is stored.

    When the disk works again, the mail is taken.
    """
    mail = message("ann@example.org", "signup ann ann-secret")
    (tmp_path / "var").mkdir()
    here = engines.connect(sqlite(tmp_path / "var"))  # made before, because the disk fails from the start
    engines.transact(here, lambda connection, _: Store(connection).operations.instance())
    here.dispose()
    only = ("-P", str(tmp_path / "var/pbmserv.db-wal"), "-e", f"trace={call}")
    failing = strace(tmp_path / "trace", *only, "-e", f"inject={call}:error={error}:when=1..2")
    with Process(tmp_path, under=failing, PBMSERV_ROLES="listener") as server:
        with hand_in(server, mail) as sock:
            assert sock.recv(1000) == TRY_AGAIN
        assert server.query(lambda store: (store.mails.newest(), store.players.all())) == ([], [])
        client = Retrying(server)
        client.deliver(mail)
        client.close()
        assert [p.userid for p in server.query(lambda store: store.players.all())] == ["ann"]
        server.stop()
        assert "ann-secret" not in server.log


@pytest.mark.slow
def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """The same on a small file system (two megabytes) of the server's own, which the test fills up."""
    (tmp_path / "var").mkdir()
    mails = [message(f"{userid}@example.org", f"signup {userid} {userid}-secret") for userid in ("ann", "bob", "eve")]
    with Process(tmp_path, under=on_small_disk("var"), PBMSERV_ROLES="listener") as server:
        there = Path(f"/proc/{server.pid}/root{tmp_path}/var")
        client = Retrying(server)
        client.deliver(mails[0])
        fill(there / "other")
        for mail in mails[1:]:
            with hand_in(server, mail) as sock:
                assert sock.recv(1000) == TRY_AGAIN
        (there / "other").unlink()
        for mail in mails[1:]:
            client.deliver(mail)
        client.close()
        for file in there.glob("pbmserv.db*"):  # SQLite itself could not reach this path
            (tmp_path / "var" / file.name).write_bytes(file.read_bytes())
        assert [m.message_id for m in server.query(lambda store: store.mails.newest())] == client.acknowledged[::-1]
        assert [p.userid for p in server.query(lambda store: store.players.all())] == ["ann", "bob", "eve"]
        assert "nothing was lost" in server.stop()


def on_small_disk(folder: str) -> tuple[str, ...]:
    """Return the command that runs a server with a small file system mounted on a folder.

    It vanishes with the server.
    """
    own = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c")
    if subprocess.run([*own, "mount -t tmpfs tmpfs /mnt"], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a file system of his own (unshare --user --mount)")
    return (*own, f'mount -t tmpfs -o size=2m tmpfs {folder} && exec "$@"', "sh")


def fill(file: Path) -> None:
    """Write to a file until the file system is full."""
    with suppress(OSError), file.open("wb", buffering=0) as f:
        while f.write(bytes(4096)):
            pass


@pytest.mark.slow
def test_sigterm_under_load(tmp_path: Path, new_database: Callable[[], str]) -> None:
    """Four sessions send without a pause while the server stops.

    Nothing that was taken is lost; the rest is taken later.
    """
    with ForkedProcess(tmp_path, PBMSERV_DATABASE_URL=new_database(), PBMSERV_SECRET_KEY="nothing needs it") as server:
        clients = [Retrying(server) for _ in range(4)]
        clients[0].deliver(message("ann@example.org", "signup ann ann-secret"))
        busy = threading.Semaphore(0)

        def send(number: int) -> None:
            for n in range(20):
                clients[number].deliver(message("ann@example.org", "help", f"{number} {n}"))
                busy.release()

        threads = [threading.Thread(target=send, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(15):
            busy.acquire()
        assert "nothing was lost" in server.stop()
        server.start()
        for thread in threads:
            thread.join()
        for client in clients:
            client.close()
        mails = server.query(lambda store: store.mails.newest(1000))
        assert sorted(m.message_id for m in mails) == sorted(i for c in clients for i in c.acknowledged)
        assert len(mails) == 81
        assert any(c.repeated for c in clients)
        server.stop()
        assert "Traceback" not in server.log


@pytest.mark.slow
def test_one_message_on_two_ways(tmp_path: Path) -> None:
    """The same message comes by several sessions at the same moment: it has one effect."""
    with ForkedProcess(tmp_path) as server:
        table = Table(server, seed=5, boards=1)
        mail, move = table.next_mail() or pytest.fail("the board is over")
        socks = [hand_in(server, mail) for _ in range(5)]
        for sock in socks:
            with sock:
                assert sock.recv(1000).startswith(b"250 ")
        table.client.acknowledged.append(str(mail["Message-ID"]))
        table.moves.append(move)
        table.client.close()
        table.check()
        server.stop()
