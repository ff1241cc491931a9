"""A 250 means on disk: the order of system calls, a disk that fails, an end in the middle of work."""

import threading
from pathlib import Path

import pytest

from tests.crash.client import Retrying, hand_in
from tests.crash.table import Table
from tests.crash.trace import events, strace
from tests.e2e.client import message
from tests.e2e.process import Process

MAILS = 8


def test_a_sync_stands_before_each_acceptance(tmp_path: Path) -> None:
    """Only the trace can show it: after kill -9 the system keeps what was written, synced or not."""
    trace = tmp_path / "trace"
    calls = "trace=fdatasync,fsync,write,writev,sendto,sendmsg"
    with Process(tmp_path, under=strace(trace, "-e", calls), PBMSERV_ROLES="listener") as server:
        client = Retrying(server)
        for n in range(MAILS):
            client.deliver(message("ann@example.org", "help", f"{n}"))
        client.close()
        server.stop()
    found = events(trace)
    assert found.count("250") == MAILS
    assert all(found[i - 1] == "sync" for i, event in enumerate(found) if event == "250"), found


def test_a_disk_that_fails(tmp_path: Path) -> None:
    """451 in constant words, nothing kept; when the disk works again, the same mail is taken."""
    mail = message("ann@example.org", "signup ann ann-secret")
    with Process(tmp_path) as server:
        server.stop()
        fail = "inject=fdatasync,fsync:error=EIO:when=1..2"
        server.under = strace(tmp_path / "trace", "-e", "trace=fdatasync,fsync", "-e", fail)
        server.start()
        with hand_in(server, mail) as sock:
            assert sock.recv(1000) == b"451 4.3.0 Temporary failure, please try again later\r\n"
        assert server.query(lambda store: (store.mails(), store.players())) == ([], [])
        client = Retrying(server)
        client.deliver(mail)
        client.close()
        assert [p.userid for p in server.query(lambda store: store.players())] == ["ann"]
        server.stop()
        assert "ann-secret" not in server.log


def test_sigterm_under_load(tmp_path: Path) -> None:
    """Four sessions send without a pause when it is told to end: what was taken is there, the rest is taken later."""
    with Process(tmp_path) as server:
        clients = [Retrying(server) for _ in range(4)]
        clients[0].deliver(message("ann@example.org", "signup ann ann-secret"))
        busy = threading.Semaphore(0)

        def send(number: int) -> None:
            for n in range(40):
                clients[number].deliver(message("ann@example.org", "help", f"{number} {n}"))
                busy.release()

        threads = [threading.Thread(target=send, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for _ in range(30):
            busy.acquire()
        assert "nothing was lost" in server.stop()
        server.start()
        for thread in threads:
            thread.join()
        for client in clients:
            client.close()
        mails = server.query(lambda store: store.mails(1000))
        assert sorted(m.message_id for m in mails) == sorted(i for c in clients for i in c.acknowledged)
        assert len(mails) == 161
        assert any(c.repeated for c in clients)
        server.stop()
        assert "Traceback" not in server.log


def test_one_message_on_two_ways(tmp_path: Path) -> None:
    """The same message by several sessions at the same moment: one effect."""
    with Process(tmp_path) as server:
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
