"""A relay that fails in every way at every stage: letters are sent again or refused, none is lost or sent on purpose
a second time."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa

from pbmserv.db import engines, tables
from pbmserv.mail.smtp.client import SmtpRelay, Target
from pbmserv.server import sender as sender_module
from pbmserv.server import server
from tests.mail.smtp.raw_client import Client
from tests.promises.durable.whole import SIGNER, serving
from tests.tools.aio import in_loop, until
from tests.tools.mail_program import as_sent
from tests.tools.sink import CUT, DISCONNECT, HANG, TAKEN, Sink

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # some thirty faults, each waited for

STAGES = ("CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "final")
REPLIES = ("421 4.3.2 closing", "451 4.3.0 later", "550 5.7.1 no", "550 5.1.1 no such player", HANG, DISCONNECT)
FAULTS = [(stage, reply) for stage in STAGES for reply in REPLIES] + [("DATA", CUT)]


def is_final(stage: str, reply: str) -> bool:
    """Return whether the relay has refused this letter for good, and not because of its own trouble."""
    return reply.startswith("550") and stage not in ("CONNECT", "EHLO")


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make waits of minutes shorter."""
    monkeypatch.setattr(sender_module, "FIRST_DELAY", 0.02)
    monkeypatch.setattr(sender_module, "FIRST_PAUSE", 0.02)

    def open_relay(url: str, *_: object, **__: object) -> SmtpRelay:
        return SmtpRelay(Target("smtp", "127.0.0.1", int(url.rpartition(":")[2])), timeout=0.3)

    monkeypatch.setattr(server, "open_relay", open_relay)


@pytest.mark.both
@in_loop
async def test_every_fault_at_every_stage(new_database: Callable[[], str]) -> None:
    url = new_database()
    engine = engines.connect(url).execution_options(**engines.READ_ONLY)
    ask = partial(row_of, engine)
    async with Sink() as sink, serving(url, sink, "listener", "sender") as address, Client(address) as client:
        await send(client, "ann", "signup ann ann-secret", 0)
        await until(lambda: len(sink.taken) == 1)
        for n, (stage, reply) in enumerate(FAULTS):
            sink.break_at(stage, reply)
            await send(client, "ann", "help", n)
            await until(lambda: ask().attempts > 0 or ask().status == "refused", 10)
            assert ask().status == ("refused" if is_final(stage, reply) else "queued"), (stage, reply)
            if reply[:3].isdecimal():
                assert reply[4:] in ask().receipt
            sink.break_at()
            await until(lambda: ask().status != "queued", 10)
    check(engine, sink)
    engine.dispose()


def check(engine: sa.Engine, sink: Sink) -> None:
    """Check that each letter was taken once or refused once. It comes twice only if its end got no reply."""
    o = tables.outbox.c
    with engine.connect() as connection:
        rows = list(connection.execute(sa.select(tables.outbox).order_by(o.id)))[1:]
        written = as_sent(connection, rows, SIGNER)
        bounces = connection.execute(sa.select(tables.address.c.bounces)).scalar_one()
    ends = ["refused" if is_final(*fault) else "sent" for fault in FAULTS]
    assert [row.status for row in rows] == ends
    assert bounces == sum(is_final(*fault) and "5.1.1" in fault[1] for fault in FAULTS)
    taken = Counter(letter.data for letter in sink.taken)
    assert [taken[data] for data in written] == [end == "sent" for end in ends]
    heard = Counter(letter.data for letter in sink.letters)
    assert [heard[data] for data in written] == [
        2 if stage == "final" and not is_final(stage, reply) else int(end == "sent" or stage == "final")
        for (stage, reply), end in zip(FAULTS, ends, strict=True)
    ]
    assert set(Counter(letter.reply for letter in sink.letters)) == {TAKEN, *REPLIES}


async def send(client: Client, userid: str, line: str, number: int) -> None:
    """Hand in one mail."""
    head = f"From: {userid}@example.org\r\nSubject: {line}\r\nMessage-ID: <{number}.{len(line)}@c.example>"
    assert (await client.mail(f"{head}\r\n\r\n.\r\n".encode(), "<pbmserv@localhost>")).startswith("250")


def row_of(engine: sa.Engine) -> Any:
    """Return the row of the newest letter."""
    with engine.connect() as connection:
        return connection.execute(sa.select(tables.outbox).order_by(tables.outbox.c.id.desc()).limit(1)).one()
