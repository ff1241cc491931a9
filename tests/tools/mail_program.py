"""A mail client over a real socket: it sends mails, waits for letters in its Maildir, and answers them."""

import smtplib
from collections.abc import Sequence
from email.message import EmailMessage, Message
from typing import Any, Self, cast

from sqlalchemy.engine import Connection

from pbmserv.cli.mailing.send import Mailbox, text_of
from pbmserv.conformance.picture_checks import renderer
from pbmserv.letters.site import Site
from pbmserv.letters.waiting.finisher import Finisher
from pbmserv.mail.signed_addresses import Signer
from pbmserv.store import Store
from tests.tools.process import ADDRESS, Process, until


def message(sender: str, subject: str, body: str = "", *, to: str = ADDRESS, id_: str = "") -> EmailMessage:
    """Return a mail. Without `id_`, its Message-ID is made from its contents."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Date"] = "Sun, 01 Mar 2026 12:00:00 +0000"
    mail["Message-ID"] = id_ or f"<{abs(hash((sender, subject, body, to)))}@client.example>"
    mail.set_content(body)
    return mail


def as_sent(connection: Connection, rows: Sequence[Any], signer: Signer) -> list[bytes]:
    """Return the messages that are sent for these rows of the outbox."""
    made = Finisher(Site(signer, renderer())).finish(Store(connection), rows)
    messages = [made[row.id] for row in rows]
    assert not [bug for bug in messages if isinstance(bug, Exception)]
    return cast("list[bytes]", messages)


class Client:
    """One SMTP session that stays open, for any number of senders."""

    def __init__(self, server: Process) -> None:
        self.server = server
        self.smtp = smtplib.SMTP("127.0.0.1", server.port, "client.example", timeout=50)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.smtp.close()

    def send(self, sender: str, subject: str, body: str = "", *, to: str = ADDRESS) -> str:
        """Send one mail, which must be taken, and return its Message-ID."""
        mail = message(sender, subject, body, to=to)
        assert self.smtp.send_message(mail) == {}
        return str(mail["Message-ID"])

    def ask(self, sender: str, subject: str, body: str = "", *, to: str = ADDRESS) -> str:
        """Send a mail and return the text of the letter that answers it."""
        id_ = self.send(sender, subject, body, to=to)
        return text_of(until(lambda: answer(self.server, sender, id_)))


def letters(server: Process, address: str) -> list[Message]:
    """Return the letters in the Maildir of this address, oldest first."""
    box = Mailbox(f"maildir:{server.folder}/var/letters", address)
    return box.letters(box.keys())


def answer(server: Process, address: str, message_id: str) -> Message | None:
    """Wait for the letter to this address that answers the mail with this Message-ID, and return it."""
    return next((x for x in letters(server, address) if x["In-Reply-To"] == message_id), None)
