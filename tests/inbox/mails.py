"""Functions that make mails and handle them in batches, for the tests of the pipeline."""

from email import policy
from email.message import EmailMessage

import sqlalchemy as sa

from pbmserv.db import tables
from pbmserv.mail.envelope import Incoming
from tests.world import ADDRESS, World


def message(sender: str, subject: str, body: str = "", number: int = 1, **headers: str) -> bytes:
    """A mail as bytes."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"{sender}@example.org", ADDRESS, subject
    mail["Date"], mail["Message-ID"] = "Sun, 01 Mar 2026 12:00:00 +0000", f"<batch-{number}@client.example>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(body)
    return mail.as_bytes(policy=policy.SMTP)


def handle(world: World, *mails: bytes, to: str = ADDRESS) -> list[str]:
    """Handle these mails as one batch; returns the SMTP replies."""
    incoming = [Incoming(data, "x@example.org", (to,), "192.0.2.1") for data in mails]
    return world.pipeline.handle([world.prepare(i) for i in incoming])


def everything(world: World) -> str:
    """All rows of the database as text, letters and mails included."""
    with world.engine.connect() as connection:
        return "\n".join(str(row) for t in tables.metadata.sorted_tables for row in connection.execute(sa.select(t)))
