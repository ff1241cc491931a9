"""Mails in a Maildir take effect once, whenever the server is killed."""

import random
import time
from itertools import count
from pathlib import Path

import pytest

from pbmserv.conformance.walks import SEED
from tests.examples import SOAK
from tests.inbox.mails import message
from tests.tools.process import until
from tests.tools.warm import ForkedProcess

KILLS = 10 * SOAK


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_kill_at_random_instants(tmp_path: Path) -> None:
    """Half of the mails have neither Message-ID nor Date: only the name of the file tells that they come again."""
    box, instants, numbers = tmp_path / "box", random.Random(SEED), count(1)
    for part in ("tmp", "new", "cur"):
        (box / part).mkdir(parents=True)

    def deliver(mail: bytes) -> None:
        name = f"{next(numbers):06}.mail"
        (box / "tmp" / name).write_bytes(mail)
        (box / "tmp" / name).rename(box / "new" / name)

    for who in ("alice", "bob"):
        deliver(message(who, f"signup {who} {who}-secret", number=next(numbers)))
    settings = {"PBMSERV_MAILBOX": f"maildir:{box}", "PBMSERV_MAILBOX_LEASE": "0.1"}
    with ForkedProcess(tmp_path, PBMSERV_ROLES="mailbox", **settings) as server:
        until(lambda: len(list((box / "cur").iterdir())) == 2)
        sent = 0
        for _ in range(KILLS):
            for _ in range(instants.randint(1, 30)):
                sent += 1
                named = (
                    "" if sent % 2 else f"Message-ID: <{sent}@client.example>\nDate: Sun, 01 Mar 2026 12:00:00 +0000\n"
                )
                head = f"From: alice@example.org\nSubject: tumble challenge alice bob\n{named}"
                deliver(f"{head}\n-- \n{sent}\n".encode())
            time.sleep(instants.uniform(0, 0.4))
            server.kill()
            server.start()
        until(lambda: not list((box / "new").iterdir()), 60)
        server.stop()
        boards = server.query(lambda store: store.board_lists.numbers())
        statuses = {mail.status for mail in server.query(lambda store: store.mails.newest(10_000))}
    print(f"{sent} mails, {KILLS} kills")
    assert (len(boards), statuses) == (sent, {"done"})
