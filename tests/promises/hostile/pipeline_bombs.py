"""The mails of reader_bombs.py, and some more, through the whole pipeline.

As a program it runs an eighth of them, each in a process of its own under hard limits. Its
argument is a folder for the database.
"""

import sys
from pathlib import Path

from pbmserv.cli.terminal import logs
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import ACCEPTED, Incoming
from tests.examples import some_of
from tests.promises.hostile.reader_bombs import BOMBS, FROM, KILO, fill, hurts
from tests.world import ADDRESS, World

LINES = (
    "tumble move 101 alice x h4-f6 ", "tumble challenge alice bob -c=", "help ", "tumble show 101 ", "list ", "a" * 80,
    "threes move 101 alice x llll", "signup x y ", "who alic", "tumble preview new h4-g5 ", "--as=a:b ",
)  # fmt: skip
REPORTS = (
    "Content-Type: message/rfc822\n\n", "<a@b.example>: ", "Hi. This is the qmail-send program\n<a@b>:\n", "a@b ",
    "   ----- The following addresses had permanent fatal errors -----\n<", "550 <a@b>... ", " ", "Action: failed\n",
    "--- Below this line is a copy of the message.\n", "Content-Type: multipart/report; boundary=b\n\n--b\n",
)  # fmt: skip
MORE = {
    **{f"lines {piece!r}": FROM + b"\n" + fill(f"{piece}\n", 60 * KILO) for piece in LINES},
    **{f"words {piece!r}": FROM + b"\n" + fill(piece, 60 * KILO) for piece in LINES},
    **{f"subject {piece!r}": FROM + b"Subject: " + fill(piece, 4 * KILO - 100) + b"\n\n" for piece in LINES},
    **{f"status {piece!r}": FROM + b"Content-Type: message/delivery-status\n\n" + fill(piece, 250 * KILO)
       for piece in (*REPORTS, "a:b\n\n", "\n\n", "\n \t", "Status: 5.\n")},
    **{f"report {piece!r}": FROM + b"Subject: failure notice\n\n" + fill(piece, 250 * KILO) for piece in REPORTS},
}  # fmt: skip


def main() -> int:
    """Print the names of the mails that exceed the limits."""
    world = World(Path(sys.argv[1]))
    world.board("alice", "bob")
    addresses = {"letter": ADDRESS, "reply": world.site.signer.sign(signed_addresses.BOARD, 101, 0, 0)}
    addresses["report"] = world.site.signer.sign(signed_addresses.VERP, 1)
    world.engine.dispose()
    mails = {
        (name, kind): f"Message-ID: <{n}.{kind}@client.example>\n".encode() + data
        for n, (name, data) in enumerate((BOMBS | MORE).items())
        for kind in addresses
    }
    logs.configure(level="critical")
    hurt = [
        f"{name} as {kind}"
        for (name, kind), data in some_of([*mails.items()], 48)
        if _explodes(world, data, addresses[kind])
    ]
    sys.stdout.write("\n".join(hurt))
    return len(hurt) > 0


def _explodes(world: World, data: bytes, to: str) -> bool:
    def is_taken() -> bool:
        prepared = world.prepare(Incoming(data, "x@example.org", (to,), "192.0.2.1"))
        taken = prepared.bug is None and world.pipeline.handle([prepared]) == [ACCEPTED]
        return taken and world.query(lambda s: s.mails.newest(1))[0].status != "shelved"

    return hurts(is_taken)


if __name__ == "__main__":
    sys.exit(main())
