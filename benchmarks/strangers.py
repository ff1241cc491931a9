"""What the dearest mails of strangers cost, with everything that follows from them.

    python -m benchmarks.strangers [--rounds N] [--most N] [--write]

Each shape of tests/promises/hostile/shapes.py comes to a server with the limits of a new installation, from a new
origin on a new day, and names a player's address in From. The figure is the processor time of reading it, carrying it
out, and making and sending all letters that follow. A round of a shape is one mail, and the least of its rounds counts.
With each mail an Argon2 hash is measured, because a machine may become slower in the minute that all shapes take.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.processes import Process
from benchmarks.report import Sheet, renew
from pbmserv.cli.terminal import logs
from pbmserv.letters.policy import Policy
from pbmserv.mail import signed_addresses
from pbmserv.mail.envelope import Incoming
from pbmserv.mail.inbound import TooLarge
from pbmserv.mail.smtp.delivery import Relay
from pbmserv.mail.smtp.relay import open_relay
from pbmserv.model.passwords import Passwords
from pbmserv.server.outbox import StoredOutbox
from tests.promises.hostile.shapes import Shape, shapes
from tests.world import ADDRESS, World

ROUNDS, MOST = 3, 20  #: mails of each shape, and shapes in the table
MILLISECONDS = 50  #: what no mail of a stranger may cost
USUAL = 14  #: milliseconds of one Argon2 hash on an idle machine; where it takes longer, all figures are larger alike
_MOVES = (("alice", "c1-c2"), ("bob", "f6-f5"), ("alice", "c2-c1"), ("bob", "f5-f6"))


class Stranger:
    """Sends mails to a server, and measures what each costs."""

    def __init__(self, world: World, relay: Relay, loop: asyncio.AbstractEventLoop) -> None:
        self._world, self._relay, self._loop = world, relay, loop
        self._outbox = StoredOutbox(world.engine, world.site, lambda: world.now)
        self._count = 0

    def cost(self, shape: Shape) -> float:
        """Return the seconds of processor time of one mail of this shape."""
        signer = self._world.site.signer
        length = self._world.row(101).board.length
        to = signer.sign(signed_addresses.BOARD, 101, length % 2, length) if shape.answer else ADDRESS
        return self.send(shape.data.replace(b"\n\n", b"\nX-Number: %d\n\n" % self._count, 1), to)

    def move(self) -> float:
        """Return the seconds of processor time of a plain move."""
        length = self._world.row(101).board.length
        userid, move = _MOVES[length % 4]
        to = self._world.site.signer.sign(signed_addresses.BOARD, 101, length % 2, length)
        head = f"From: {userid}@example.org\nMessage-ID: <{self._count}@client.example>\nSubject: Re: x\n\n"
        spent = self.send(f"{head}{move}\n".encode(), to)
        assert self._world.row(101).board.length == length + 1
        return spent

    def send(self, data: bytes, to: str) -> float:
        """Let a mail come a day after the last one, from another network."""
        self._count += 1
        self._world.now += timedelta(days=1, hours=1)
        data = data.replace(b"x-secret", b"x%d-secret" % self._count).replace(b"signup x", b"signup x%d-" % self._count)
        peer = f"198.{self._count >> 16 & 255}.{self._count >> 8 & 255}.{self._count & 255}"
        began = time.process_time()
        try:
            self._world.pipeline.handle([self._world.prepare(Incoming(data, "x@example.org", (to,), peer))])
        except TooLarge:
            return time.process_time() - began
        self._loop.run_until_complete(self._deliver())
        return time.process_time() - began

    async def _deliver(self) -> None:
        receipts: list[tuple[int, str]] = []
        while letters := self._outbox.claim(100, 120, receipts):
            receipts = [(letter.id, await self._relay.deliver(letter)) for letter in letters]
        self._outbox.sent_many(receipts)


@contextmanager
def _stranger() -> Iterator[Stranger]:
    """Start a server on which alice and bob play, with the limits of a new installation, and a relay."""
    sink, loop = Process("sink", ["benchmarks.sink"]), asyncio.new_event_loop()
    relay = open_relay(f"smtp://127.0.0.1:{sink.port}")
    with tempfile.TemporaryDirectory(prefix="pbmserv-bench-") as folder:
        world = World(Path(folder), trust_from=False, confirm_addresses=True)
        world.board("alice", "bob", options="--as=alice:alice-secret")
        world.site = replace(world.site, passwords=Passwords(), policy=Policy())  # it remembers no password
        world.use(world.site.renderer)
        try:
            yield Stranger(world, relay, loop)
        finally:
            loop.run_until_complete(relay.close())
            loop.close()
            world.close()
            sink.stop()


class Cost(NamedTuple):
    """The seconds of processor time of a mail, and of a hash beside it: what slows the machine slows both alike."""

    spent: float
    hashed: float

    @property
    def usual(self) -> float:
        """Return the milliseconds on a usual machine."""
        return self.spent / self.hashed * USUAL


def _least(spend: Callable[[], float], rounds: int) -> Cost:
    """Return the least cost in so many rounds, each with a hash beside it."""
    passwords = Passwords()

    def hashed() -> float:
        began = time.process_time()
        passwords.hash("a-password")
        return time.process_time() - began

    costs = [(hashed(), spend(), hashed()) for _ in range(rounds)]
    return Cost(min(spent for _, spent, _ in costs), min(min(before, after) for before, _, after in costs))


def sheet(rounds: int = ROUNDS, most: int = MOST) -> Sheet:
    """Return the table of the dearest shapes."""
    logs.configure(level="critical")
    every = list(shapes())
    with _stranger() as stranger:
        plain = _least(stranger.move, 10 * rounds)
        costs = [(_least(partial(stranger.cost, x), rounds), x.name) for x in every]
    found = sorted(costs, key=lambda found: found[0].usual, reverse=True)
    rows: list[Sequence[str]] = [
        (name, f"{cost.spent * 1000:.1f}", f"{cost.usual:.1f}", f"{cost.usual / plain.usual:.1f}")
        for cost, name in found[:most]
    ]
    over = sum(cost.usual > MILLISECONDS for cost, _ in found)
    note = (
        f"{len(every)} shapes, {over} of them over {MILLISECONDS} usual ms. A plain move takes "
        f"{plain.spent * 1000:.1f} ms here, and an Argon2 hash beside it {plain.hashed * 1000:.0f} ms. Usual "
        f"milliseconds are those of a machine where it takes {USUAL} ms, as on this one if nothing else uses it."
    )
    what = (
        "Reading, carrying out, making and sending all letters that follow, alone on an idle server: there a move is "
    )
    what += "dearer than above, where one transaction has many mails."
    return Sheet(
        "The dearest mails of strangers", ("mail", "processor ms", "usual ms", "to a plain move"), rows, [note, what]
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="mails of each shape")
    parser.add_argument("--most", type=int, default=MOST, help="shapes that are shown")
    parser.add_argument("--write", action="store_true", help="write them into RESULTS.md, too")
    given = parser.parse_args()
    found = sheet(given.rounds, given.most)
    found.show()
    if given.write:
        renew(found)


if __name__ == "__main__":
    main()
