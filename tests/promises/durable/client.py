"""A client that behaves like a mail server: it sends the same message again until it is taken."""

import smtplib
import socket
import time
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.policy import SMTP
from itertools import cycle

from tests.tools.process import Process


class Retrying:
    """One session, opened again whenever it breaks. `acknowledged` has the Message-IDs that got their 250.

    With several servers, each new session goes to the next server, as with several MX records.
    """

    def __init__(self, *servers: Process) -> None:
        self._servers = cycle(servers)
        self._smtp: smtplib.SMTP | None = None
        self.acknowledged: list[str] = []
        self.repeated = 0

    def deliver(self, mail: EmailMessage, seconds: float = 40) -> None:
        """Send the mail until it is taken. Fail after `seconds`."""
        deadline = time.monotonic() + seconds
        while not self.attempt(mail):
            self._wait_until(deadline)

    def attempt(self, mail: EmailMessage) -> bool:
        """Send it once, and return whether it was taken."""
        taken = self._try(str(mail["From"]), str(mail["To"]), mail.as_bytes(policy=SMTP))
        if taken:
            self.acknowledged.append(str(mail["Message-ID"]))
        return taken

    def post(self, sender: str, recipient: str, data: bytes, seconds: float = 40) -> None:
        """Deliver bytes as they are."""
        deadline = time.monotonic() + seconds
        while not self._try(sender, recipient, data):
            self._wait_until(deadline)

    def close(self) -> None:
        """Hang up."""
        if self._smtp:
            self._smtp.close()
            self._smtp = None

    def _wait_until(self, deadline: float) -> None:
        self.repeated += 1
        assert time.monotonic() < deadline, "nobody took the mail"
        time.sleep(0.1)

    def _try(self, sender: str, recipient: str, data: bytes) -> bool:
        try:
            if self._smtp is None:
                self._smtp = smtplib.SMTP("127.0.0.1", next(self._servers).port, "client.example", timeout=10)
            self._smtp.sendmail(sender, [recipient], data)
        except smtplib.SMTPResponseException as refusal:
            if refusal.smtp_code not in (-1, 421, 451, 452):  # -1: the connection broke in the middle of a reply
                raise
        except OSError:  # smtplib's own errors, too: disconnected, no greeting
            pass
        else:
            return True
        self.close()
        return False


def unsent(server: Process) -> int:
    """Return how many letters are not sent yet."""
    return int(server.query(lambda store: store.operations.waiting_letters()).count)


def id_of(letter: bytes) -> str:
    """Return the Message-ID of a letter."""
    return str(BytesHeaderParser().parsebytes(letter)["Message-ID"])


def hand_in(server: Process, mail: EmailMessage) -> socket.socket:
    """Send the whole message and read nothing after its last byte. Return the socket, which the caller closes."""
    sock = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    with sock.makefile("rwb") as wire:
        for line in (b"HELO client.example", b"MAIL FROM:<a@b.example>", f"RCPT TO:<{mail['To']}>".encode(), b"DATA"):
            wire.readline()
            wire.write(line + b"\r\n")
            wire.flush()
        assert wire.readline().startswith(b"354")
        wire.write(mail.as_bytes().replace(b"\n", b"\r\n") + b".\r\n")
        wire.flush()
    return sock
