"""Connections that end after any byte: a move is played, once, if and only if its last byte has come.

Those that are closed end after every byte; those that are reset after each fifth, because there all of them say the
same; and after every byte with `make soak`.
"""

import asyncio
import socket
import struct
from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

import pytest
import sqlalchemy as sa

from pbmserv.db import engines, tables
from pbmserv.mail import signed_addresses
from tests.examples import SOAK
from tests.mail.smtp.raw_client import Client
from tests.promises.durable.whole import SIGNER, serving
from tests.tools.aio import in_loop
from tests.tools.sink import Sink

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # a board and a connection for each byte of a session

FIRST = 101
EACH = 5 if SOAK == 1 else 1  #: byte after which a connection is reset
ACCEPTED = b"250 2.0.0 Accepted"
NewDatabase = Callable[[], str]


def session(board: int) -> bytes:
    """Return all that a client sends to answer the first letter of a board with a move.

    The length is the same for all boards up to 999.
    """
    to = SIGNER.sign(signed_addresses.BOARD, board, 0, 0)
    envelope = f"EHLO c.example\r\nMAIL FROM:<ann@example.org>\r\nRCPT TO:<{to}>\r\nDATA\r\n"
    return f"{envelope}From: ann@example.org\r\nMessage-ID: <{board}@c>\r\n\r\nb3-c3\r\n.\r\n".encode()


async def begin(address: str, boards: int, *userids: str) -> None:
    """Open these accounts, then begin so many boards, ten with each mail."""
    mails = [(userid, [f"signup {userid} {userid}-secret"]) for userid in userids]
    mails += [("ann", ["tumble challenge ann bob"] * min(10, boards - n)) for n in range(0, boards, 10)]
    async with Client(address) as client:
        for n, (userid, lines) in enumerate(mails):
            head = f"From: {userid}@example.org\r\nSubject: multiple\r\nMessage-ID: <begin.{n}.{len(mails)}@c>"
            mail = "\r\n".join([head, "", *lines, ".", ""])
            assert (await client.mail(mail.encode(), "<pbmserv@localhost>")).startswith("250")


def played(url: str) -> set[int]:
    """Return the boards with the move.

    Check that each has it once, from a mail that was done and wrote to both players.
    """
    e, m, o = tables.entry.c, tables.mail.c, tables.outbox.c
    letters = sa.select(sa.func.count()).where(o.mail_id == e.mail_id).scalar_subquery()
    engine = engines.connect(url)
    with engine.connect() as connection:
        rows = list(connection.execute(sa.select(e.board, e.number, e.text, m.status, letters).join(tables.mail)))
        mails = connection.execute(sa.select(sa.func.count()).where(m.message_id.not_like("<begin.%"))).scalar_one()
    engine.dispose()
    assert {tuple(row)[1:] for row in rows} <= {(1, "b3-c3", "done", 2)}
    boards = [row.board for row in rows]
    assert len(boards) == len(set(boards)) == mails
    return set(boards)


async def resend(url: str, boards: Iterable[int]) -> None:
    """Send every session again to its end. Check that now every board has its move once."""
    async with Sink() as sink, serving(url, sink, "listener") as address:
        for board in boards:
            async with Client(address) as client:
                client.send(session(board))
                replies = [await client.reply() for _ in range(5)]
                assert replies[-1].encode().startswith(ACCEPTED), replies
    assert played(url) == set(boards)


@pytest.mark.sqlite  # the socket behaves the same with every database
@pytest.mark.parametrize("polite", [True, False], ids=["closed", "reset"])
@in_loop
async def test_after_every_byte_of_the_client(new_database: NewDatabase, polite: bool) -> None:
    """If a connection is reset, its last bytes may be lost. If it is closed, they arrive."""
    url, length = new_database(), len(session(FIRST))
    cuts = range(0 if polite else length % EACH, length + 1, 1 if polite else EACH)
    boards = range(FIRST, FIRST + len(cuts))
    async with Sink() as sink, serving(url, sink, "listener") as address:
        await begin(address, len(boards), "ann", "bob")
        for cut, board in zip(cuts, boards, strict=True):
            reader, writer = await dial(address)
            writer.write(session(board)[:cut])
            await writer.drain()
            await leave(reader, writer, polite)
    assert played(url) - {boards[-1]} == set()
    if polite:
        assert played(url) == {boards[-1]}
    await resend(url, boards)


@pytest.mark.sqlite
@in_loop
async def test_after_every_byte_of_the_server(new_database: NewDatabase) -> None:
    """The client sends everything, reads some bytes and resets the connection.

    If it has read a 250, the move is there.
    """
    url = new_database()
    async with Sink() as sink, serving(url, sink, "listener") as address:
        await begin(address, 1, "ann", "bob")
        async with Client(address) as client:
            client.send(session(FIRST))
            said = "\r\n".join([client.banner, *[(await client.reply()).replace("\n", "\r\n") for _ in range(5)], ""])
        cuts = range(len(said) % EACH, len(said) + 1, EACH)
        boards = range(FIRST + 1, FIRST + 1 + len(cuts))
        await begin(address, len(boards))
        for cut, board in zip(cuts, boards, strict=True):
            reader, writer = await dial(address)
            writer.write(session(board))
            assert await reader.readexactly(cut) == said.encode()[:cut]
            await leave(reader, writer, polite=False)
    promised = said.encode().rindex(ACCEPTED) + 1
    assert played(url) >= {FIRST, *(board for cut, board in zip(cuts, boards, strict=True) if cut >= promised)}
    await resend(url, [FIRST, *boards])


async def dial(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection from which nothing was read yet."""
    place = urlsplit(address)
    return await asyncio.open_connection(place.hostname, place.port)


async def leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, polite: bool) -> None:
    """Close the connection after all bytes are sent and the server has closed it, too; or reset it at once."""
    if polite:
        writer.write_eof()
        async with asyncio.timeout(10):
            await reader.read()
        writer.close()
    else:
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
