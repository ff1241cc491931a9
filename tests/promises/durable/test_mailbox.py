"""Mails from a mailbox take effect once, whatever is killed or cut: the server, the provider, or what is between."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmserv.conformance.walks import SEED
from tests.examples import SOAK
from tests.inbox.mails import message
from tests.tools.dovecot import IS_AVAILABLE, PASSWORD, Served, dovecot
from tests.tools.process import until
from tests.tools.warm import ForkedProcess

pytestmark = [
    pytest.mark.slow,  # kills and restarts real servers
    pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot"),
]

KILLS = 100 * SOAK
_RENUMBER_EVERY = 10  #: kills


@pytest.fixture
def served() -> Iterator[Served]:
    with dovecot() as mailbox:
        yield mailbox


def _server(folder: Path, port: int) -> ForkedProcess:
    return ForkedProcess(
        folder,
        PBMSERV_ROLES="mailbox",
        PBMSERV_MAILBOX=f"imap://club%40example.org@127.0.0.1:{port}",
        PBMSERV_MAILBOX_PASSWORD=PASSWORD,
        PBMSERV_MAILBOX_LEASE="0.1",
    )


def _is_met(server: ForkedProcess) -> bool:
    return any(row.looked for row in server.query(lambda store: store.mailboxes.all()))


def _signed_up(server: ForkedProcess, served: Served) -> None:
    until(lambda: _is_met(server), 30)
    served.deliver_many(
        [message(who, f"signup {who} {who}-secret", number=n) for n, who in enumerate(("alice", "bob"))]
    )
    until(lambda: len(server.query(lambda store: store.players.userids())) == 2, 30)


def _challenge(number: int, *, is_dated: bool) -> bytes:
    """A mail that begins a board; without Message-ID and Date, only where it lies tells that it comes again."""
    if is_dated:
        return message("alice", "tumble challenge alice bob", number=number)
    return f"From: alice@example.org\r\nSubject: tumble challenge alice bob\r\n\r\n\r\n-- \r\n{number}\r\n".encode()


@pytest.mark.timeout(600)
def test_kill_at_random_instants(tmp_path: Path, served: Served) -> None:
    """The server is killed a hundred times, and every tenth time the provider numbers its mails anew."""
    instants, sent = random.Random(SEED), 0
    with _server(tmp_path, served.port) as server:
        _signed_up(server, served)
        for kill in range(1, KILLS + 1):
            for _ in range(instants.randint(0, 4)):
                sent += 1
                served.deliver(_challenge(100 + sent, is_dated=sent % 2 == 0))
            time.sleep(instants.uniform(0, 0.4))
            server.kill()
            if kill % _RENUMBER_EVERY == 0:
                served.renumber()
            server.start()
        until(lambda: not served.files(), 60)
        server.stop()
        boards = server.query(lambda store: store.board_lists.numbers())
        statuses = {mail.status for mail in server.query(lambda store: store.mails.newest(10_000))}
        print(f"{sent} mails, {KILLS} kills")
    assert (len(boards), statuses) == (sent, {"done"})
