"""The least that any server of this kind does, in the plainest way, to compare with.

A handler of aiosmtpd; the message parsed by the standard library's `email`; two letters from one Jinja template; one
durable SQLite commit for each mail. No rules of a game, no players, no replies that are checked.
"""

import asyncio
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
TABLES = "CREATE TABLE mail (id INTEGER PRIMARY KEY, move TEXT); CREATE TABLE outbox (mail INTEGER, data BLOB)"


class Handler:
    """Takes every mail."""

    def __init__(self, file: str) -> None:
        self._db = sqlite3.connect(file, isolation_level=None)
        self._db.executescript(f"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; {TABLES}")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """One mail: parse, render, commit."""
        message = message_from_bytes(envelope.original_content or b"", policy=policy.default)
        move = str(message.get_body(("plain",)).get_content()).split()[0]  # type: ignore[union-attr]
        letters = [self._letter(str(message["From"]), move) for _ in range(2)]
        self._db.execute("BEGIN IMMEDIATE")
        mail = self._db.execute("INSERT INTO mail (move) VALUES (?)", (move,)).lastrowid
        self._db.executemany("INSERT INTO outbox VALUES (?, ?)", [(mail, letter) for letter in letters])
        self._db.execute("COMMIT")
        return "250 2.0.0 Accepted"

    def _letter(self, reader: str, move: str) -> bytes:
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = "pbmserv@localhost", reader, "Tumble Board 101"
        letter.set_content(BOARD.render(reader=reader, move=move, ranks=range(8, 0, -1), cells=["B3"] * 8))
        return letter.as_bytes()


async def main(file: str) -> None:
    """Serve on a free port, which is printed, until killed."""
    handler = Handler(file)
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(handler, hostname="x"), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
