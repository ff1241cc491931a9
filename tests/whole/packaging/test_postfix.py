"""deploy/postfix.md in front of a server: Debian's Postfix with exactly the lines of the page, between two players."""

import re
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

import pytest

from benchmarks import postfix
from pbmserv.cli.mailing.send import text_of
from tests.tools.mail_program import message
from tests.tools.process import Process, until
from tests.tools.tree import ROOT
from tests.tools.warm import ForkedProcess

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(180),
    pytest.mark.skipif(not postfix.is_installed(), reason="needs Postfix, and root to start it"),
]

SERVER, ALICE, BOB = "pbmserv@pbm.example.org", "alice@players.example", "bob@players.example"
STRANGER = "127.0.0.2"  # for Postfix this address is outside: only 127.0.0.1 is its own network

PAGE = (ROOT / "deploy/postfix.md").read_text()

#: More settings of the host: its own network, mailboxes for the players, and waits of seconds instead of minutes.
HOST = """
mynetworks = 127.0.0.1/32
virtual_mailbox_domains = players.example
virtual_mailbox_base = {boxes}
virtual_mailbox_maps = inline:{{ alice@players.example=alice/, bob@players.example=bob/ }}
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
fast_flush_domains =
alias_maps =
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
"""
SERVICES = """
verify unix - - n - 1 verify
smtp unix - - n - - smtp
retry unix - - n - - error
virtual unix - n n - - virtual
"""


def lines_of(file: str) -> str:
    """Return the block of the page below the heading of a file."""
    found = re.search(rf"^## {re.escape(file)}\n.*?^```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def _codes(refused: smtplib.SMTPRecipientsRefused) -> list[int]:
    return [code for code, _ in refused.recipients.values()]


@dataclass
class Post:
    """Postfix, a pbmserv behind it, and the mailboxes of the players."""

    port: int
    server: Process
    home: Path

    def send(self, sender: str, subject: str, body: str = "", *, to: str = SERVER) -> str:
        """Send a mail to Postfix from outside and return its Message-ID. Raise smtplib's error if it is refused."""
        mail = message(sender, subject, body, to=to)
        with smtplib.SMTP("127.0.0.1", self.port, "client.example", 60, (STRANGER, 0)) as smtp:
            smtp.send_message(mail)
        return str(mail["Message-ID"])

    def insist(self, sender: str, subject: str, body: str, *, to: str) -> str:
        """Send as a mail server does: try again after a 450."""

        def sent() -> str:
            try:
                return self.send(sender, subject, body, to=to)
            except smtplib.SMTPRecipientsRefused as refused:
                if _codes(refused) != [450]:
                    raise
                sleep(1)
                return ""

        return str(until(sent, seconds=40))

    def letters(self, address: str) -> list[Message]:
        """Return the letters that Postfix put into a player's Maildir."""
        files = (self.home / "boxes" / address.partition("@")[0]).glob("new/*")
        return [message_from_bytes(file.read_bytes()) for file in files]

    def answer(self, address: str, about: str) -> Message:
        """Wait until Postfix has delivered the letter that answers a mail, and return it."""
        found: Message = until(
            lambda: next((x for x in self.letters(address) if x["In-Reply-To"] == about), None), seconds=40
        )
        return found

    def turn(self, address: str) -> Message:
        """Wait for the letter that says that it is the player's turn, and return it."""
        line = f"Your move, {address.partition('@')[0]}."
        found: Message = until(
            lambda: next((x for x in self.letters(address) if text_of(x).startswith(line)), None), seconds=40
        )
        return found

    def kept(self) -> int:
        """Return how many mails are in the queue after a failed attempt."""
        return sum(f.is_file() for f in (self.home / "queue/deferred").rglob("*"))


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that Postfix's processes can enter. They are not root, and pytest's own folders are closed to them."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture
def post(public_folder: Path, tmp_path: Path) -> Iterator[Post]:
    home, listen = public_folder / "postfix", postfix.free_port()
    main = lines_of("main.cf").replace(":127.0.0.1:2424", f":127.0.0.1:{listen}") + HOST.format(boxes=home / "boxes")
    with postfix.running(home, main, lines_of("master.cf") + SERVICES) as running:
        (home / "boxes").mkdir()
        (home / "boxes").chmod(0o777)
        settings = {
            "PBMSERV_LISTEN": f"lmtp://127.0.0.1:{listen}",
            "PBMSERV_RELAY": f"smtp://127.0.0.1:{running.port}",
            "PBMSERV_ADDRESS": SERVER,
        }
        with ForkedProcess(tmp_path, **settings) as server:
            yield Post(running.port, server, home)
    print((home / "log").read_text())  # shown if the test failed


def test_mails_become_moves_and_letters_come_back(post: Post) -> None:
    """If the server is killed in between, Postfix keeps the mails that come meanwhile, and each has one effect."""
    for address, name in ((ALICE, "alice"), (BOB, "bob")):
        assert text_of(post.answer(address, post.send(address, f"signup {name} {name}-secret"))).startswith("Welcome")
    post.send(ALICE, "tumble challenge alice bob")
    first = post.turn(ALICE)

    post.server.kill()
    asked = post.send(BOB, "tumble show 101")
    until(lambda: post.kept() == 1, seconds=40)
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        post.send(ALICE, f"Re: {first['Subject']}", "c1-c2", to=first["Reply-To"])
    assert _codes(refused.value) == [450]  # nobody is there to ask: try again
    post.server.start()
    assert "Tumble Board 101" in text_of(post.answer(BOB, asked))
    until(lambda: post.kept() == 0)

    moved = post.insist(ALICE, f"Re: {first['Subject']}", "c1-c2", to=first["Reply-To"])
    assert text_of(post.answer(ALICE, moved)).startswith("It is bob's turn, alice.")
    second = post.turn(BOB)
    assert second["Return-Path"].startswith("<pbmserv+v")
    post.server.verify()
    assert "nothing was lost" in post.server.stop()


def test_a_wrong_signature_is_refused_while_the_sender_is_there(post: Post) -> None:
    for recipient in ("pbmserv+b101.0.1.aaaaaaaaaaaaaaaa@pbm.example.org", "nobody@pbm.example.org"):
        with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
            post.send(ALICE, "hello", to=recipient)
        assert _codes(refused.value) == [550]
    assert post.letters(ALICE) == []
    assert "nothing was lost" in post.server.stop()
