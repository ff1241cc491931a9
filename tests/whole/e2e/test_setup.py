"""From a mailbox and its password to the first move of a game: no domain, no open port, one command."""

from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import cast

import pytest
import trustme

from pbmserv.cli.mailing.send import text_of
from tests.mail.smtp.test_client import server_side
from tests.tools.dovecot import IS_AVAILABLE, PASSWORD, Served, dovecot
from tests.tools.process import run, until
from tests.tools.sink import Letter, Postman, Sink, in_thread
from tests.tools.warm import ForkedProcess

CLUB, ANNA = "club@example.org", "anna@example.net"


class Provider:
    """A mailbox on dovecot, and a submission server that brings letters to it."""

    def __init__(self, served: Served, sink: Sink) -> None:
        self._served = served
        self._sink = sink
        sink.letters = Postman(self._bring)

    def _bring(self, letter: Letter) -> None:
        if letter.recipient.startswith("club"):
            self.bring(letter.mail_from, letter.recipient, letter.data)

    def bring(self, sender: str, recipient: str, data: bytes) -> None:
        """Put a mail into the mailbox."""
        self._served.deliver(f"Return-Path: <{sender}>\r\nDelivered-To: {recipient}\r\n".encode() + data)

    def write(self, subject: str, to: str = CLUB, text: str = "") -> None:
        """Let Anna write a mail."""
        mail = EmailMessage(policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = ANNA, to, subject
        mail.set_content(text)
        self.bring(ANNA, to, mail.as_bytes())

    def letter(self, words: str) -> EmailMessage:
        """Wait for Anna's letter with these words, and return it."""
        letters = until(lambda: [x for x in self._letters() if words in f"{x['Subject']} {text_of(x)}"])
        return cast(EmailMessage, letters[0])

    def _letters(self) -> list[EmailMessage]:
        mine = [letter for letter in self._sink.letters if letter.recipient == ANNA]
        return [message_from_bytes(letter.data, policy=policy.default) for letter in mine]


@pytest.mark.slow
@pytest.mark.timeout(180)
@pytest.mark.skipif(not IS_AVAILABLE, reason="there is no dovecot")
def test_a_stranger_comes_from_a_mailbox_to_a_first_move(tmp_path: Path) -> None:
    """Letters go out by TLS with a password; answers, and moves of a robot, come by the mailbox."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trusting = {"SSL_CERT_FILE": str(tmp_path / "ca.pem"), "PBMSERV_LISTEN": "smtp://127.0.0.1:0"}
    tls = Sink(tls=server_side(authority, "localhost"), implicit=True)
    with dovecot() as served, in_thread(tls) as sink:
        provider = Provider(served, sink)
        comes, goes = ["mailbox", f"imap://127.0.0.1:{served.port}", "", PASSWORD], [f"localhost:{sink.port}", "", ""]
        answers = [CLUB, *comes, "submission", *goes, "four", "none", "yes"]
        done = run(tmp_path, trusting, "setup", stdin="".join(f"{answer}\n" for answer in answers))
        assert done.returncode == 0, done.stdout + done.stderr
        assert "It has come." in done.stdout
        assert "Robots: robot-four." in done.stdout
        assert PASSWORD not in done.stdout + (tmp_path / "pbmserv.toml").read_text()
        server = ForkedProcess(tmp_path)
        server.settings = {**trusting, "PBMSERV_ROBOT_REST": "0"}
        with server:
            until(lambda: server.query(lambda store: any(box.looked for box in store.mailboxes.all())))
            provider.write("signup anna anna-secret")
            provider.write("Re: confirm", to=provider.letter("confirm")["Reply-To"], text="yes")
            provider.letter("Welcome")
            provider.write("four challenge anna robot-four --as=anna:anna-secret")
            board = provider.letter("Your move")
            provider.write(f"Re: {board['Subject']}", to=board["Reply-To"], text="4")
            until(lambda: server.query(lambda store: store.boards.find(101, lock=False)).board.length >= 2)
            server.stop()
    assert "AUTH PLAIN" in " ".join(sink.commands)
