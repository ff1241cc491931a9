"""The program that Salmon runs in the benchmark: the framework in its usual form, and the floor's work in its handler.

    python benchmarks/salmon_server.py file.db port-of-the-relay

Salmon (the package salmon-mail, GPLv3) is a framework for mail applications. The benchmark installs it into a folder of
its own (peer_salmon.py), and this file runs there: it imports nothing of ours. As in Salmon's own examples, a receiver
listens, a route calls the handler, a template makes the letter, and the relay opens a connection for each letter. As
pbmserv does, the handler commits each mail durably, and sends two letters with text and HTML.
"""

import sqlite3
import sys
import threading

from jinja2 import DictLoader, Environment
from salmon import view
from salmon.routing import Router, route, stateless
from salmon.server import Relay, SMTPReceiver

_TEXT = (
    "It is your turn, {{ reader }}.\n\n{% for rank in ranks %}{{ rank }}|"
    "{% for cell in cells %}{{ '%-8s|' % cell }}{% endfor %}\n{% endfor %}\nThe last move was {{ move }}.\n"
)
_HTML = (
    "<p>It is your turn, {{ reader }}.</p><pre>{% for rank in ranks %}{{ rank }}|"
    "{% for cell in cells %}{{ '%-8s|' % cell }}{% endfor %}\n{% endfor %}</pre><p>The last move was {{ move }}.</p>\n"
)
_ADDRESS = "pbmserv@localhost"


class Table:
    """The database: one durable commit for each mail. Salmon calls handlers one at a time, in the receiver's thread."""

    def __init__(self, file: str) -> None:
        self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        self._db.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        self._db.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, sender TEXT, move TEXT)")

    def add(self, sender: str, move: str) -> None:
        """Keep what a mail says."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO mail (sender, move) VALUES (?, ?)", (sender, move))
        self._db.execute("COMMIT")


def _other(player: str) -> str:
    return player.replace("ann", "bob") if "ann" in player else player.replace("bob", "ann")


def main(file: str, relay_port: str) -> None:
    """Serve on a free port, which is printed, until killed."""
    table, relay = Table(file), Relay("127.0.0.1", int(relay_port))
    view.LOADER = Environment(loader=DictLoader({"letter.txt": _TEXT, "letter.html": _HTML}), autoescape=False)  # noqa: S701

    Router.defaults(host=".+")

    @route("(address)@(host)", address=".+")
    @stateless
    def play(message, address=None, host=None):  # type: ignore[no-untyped-def]
        move = message.body().split()[0]
        table.add(message.From, move)
        for reader in (message.From, _other(message.From)):
            variables = {"reader": reader, "move": move, "ranks": range(8, 0, -1), "cells": ["B3"] * 8}
            relay.deliver(
                view.respond(
                    variables,
                    Body="letter.txt",
                    Html="letter.html",
                    From=_ADDRESS,
                    To=reader,
                    Subject="Tumble Board 101",
                )
            )

    receiver = SMTPReceiver("127.0.0.1", 0)
    receiver.start()
    print(receiver.socket.getsockname()[1], flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
