"""A minimal server of this kind, for comparison.

    python -m benchmarks.floor file.db port-of-the-relay

A handler of aiosmtpd; the message parsed by the standard library's `email`; two letters from one Jinja template, built
by `email`, too; one durable SQLite commit for each mail; smtplib over one connection to the relay. It has no
rules of a game, no players and no HTML. It does not notice a mail that came twice, and it loses letters in a crash. It
commits each mail that it accepts, and sends the letters before it handles the next mail.
"""

import asyncio
import smtplib
import sqlite3
import sys
from email import message_from_bytes, policy
from email.message import EmailMessage

from aiosmtpd.smtp import SMTP, Envelope, Session
from jinja2 import Template

BOARD = Template(
    "It is your turn, {{ reader }}.\n\n{% for rank in ranks %}{{ rank }}|"
    "{% for cell in cells %}{{ '%-8s|' % cell }}{% endfor %}\n{% endfor %}\nThe last move was {{ move }}.\n"
)
ADDRESS = "pbmserv@localhost"


class Handler:
    """A handler that takes every mail."""

    def __init__(self, file: str, relay: int) -> None:
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        self._db.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, sender TEXT, move TEXT)")
        self._relay = smtplib.SMTP("127.0.0.1", relay, "floor.example")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Handle one mail: parse, commit, render, send."""
        message = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        sender, move = str(message["From"]), _move(message)
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO mail (sender, move) VALUES (?, ?)", (sender, move))
        self._db.execute("COMMIT")
        for reader in (sender, _other(sender)):
            self._relay.send_message(_letter(reader, move))
        return "250 2.0.0 Accepted"


def _move(message: EmailMessage) -> str:
    body = message.get_body(("plain",))
    return str(body.get_content()).split()[0] if body else ""


def _other(player: str) -> str:
    return player.replace("ann", "bob") if "ann" in player else player.replace("bob", "ann")


def _letter(reader: str, move: str) -> EmailMessage:
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = ADDRESS, reader, "Tumble Board 101"
    letter.set_content(BOARD.render(reader=reader, move=move, ranks=range(8, 0, -1), cells=["B3"] * 8))
    return letter


async def main(file: str, relay: str) -> None:
    """Serve on a free port, which is printed, until killed."""
    handler = Handler(file, int(relay))
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(handler, hostname="x"), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
