"""Too much of anything: limits, overload, clients that stall or never end."""

import asyncio
import ssl
import tracemalloc

import pytest
from structlog.typing import EventDict

from pbmserv.mail.envelope import ACCEPTED, BUSY, TOO_LARGE
from pbmserv.mail.smtp import session
from pbmserv.mail.smtp.intake import TOO_MANY
from pbmserv.mail.smtp.listener import SessionLimits
from tests.mail.smtp.conftest import Desk, listening
from tests.mail.smtp.raw_client import Client, until_served
from tests.tools.aio import in_loop, until


@in_loop
async def test_connections_in_all(desk: Desk) -> None:
    async with listening(desk, limits=SessionLimits(connections=2)) as listener:
        address = listener.addresses[0]
        async with Client(address) as first, Client(address), Client(address) as third:
            assert third.banner == TOO_MANY
            assert await third.reply() == ""
            assert await first.say("QUIT") == "221 2.0.0 Bye"
            await until_served(address)


@in_loop
async def test_connections_per_peer(desk: Desk) -> None:
    async with listening(desk, limits=SessionLimits(per_peer=1)) as listener:
        address = listener.addresses[0]
        async with Client(address), Client(address) as second, Client(address, local="127.0.0.2") as other:
            assert second.banner == TOO_MANY
            assert other.banner == "220 host.example ESMTP pbmserv"


@in_loop
async def test_every_way_to_leave_frees_the_place(desk: Desk) -> None:
    async with listening(desk, limits=SessionLimits(connections=1)) as listener:
        address = listener.addresses[0]
        for farewell in (b"", b"QUIT\r\n", b"EHLO x\r\nMAIL FROM:<a@b.example>\r\n", b"NOO"):
            async with Client(address) as client:
                client.send(farewell)
                await client.writer.drain()
            await until_served(address)
        async with Client(address) as client:
            client.writer.write_eof()
            assert await client.reply() == ""
            await until_served(address)


@in_loop
async def test_recipients(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        await client.say("MAIL FROM:<ann@example.org>")
        replies = [await client.say(f"RCPT TO:<pbmserv+{n}@example.org>") for n in range(11)]
        assert replies == ["250 2.1.5 Recipient ok"] * 10 + ["452 4.5.3 Too many recipients"]
        assert (await client.say("DATA")).startswith("354")
        client.send("x\r\n.\r\n")
        assert await client.reply() == ACCEPTED
    assert len(desk.came[0].rcpts) == 10


@pytest.mark.parametrize(
    ("data", "reply"),
    [
        (b"x" * 98 + b"\r\n", ACCEPTED),
        (b"x" * 99 + b"\r\n", TOO_LARGE),
        (b".\r\n" * 33, ACCEPTED),  # 99 bytes, sent as 132
        (b".\r\n" * 34, TOO_LARGE),
        (b"x\r\n" * 500, TOO_LARGE),
        (b".\r\n" * 500, TOO_LARGE),
        (b"x" * 5000 + b"\r\n", TOO_LARGE),
    ],
)
@in_loop
async def test_size_of_a_message(desk: Desk, data: bytes, reply: str) -> None:
    async with listening(desk, limits=SessionLimits(message=100)) as listener, Client(listener.addresses[0]) as client:
        sent = b"".join(b"." * line.startswith(b".") + line for line in data.splitlines(keepends=True))
        assert await client.mail(sent + b".\r\n") == reply
        assert await client.mail(b"small\r\n.\r\n") == ACCEPTED
    assert [mail.data for mail in desk.came] == ([data] if reply == ACCEPTED else []) + [b"small\r\n"]


@in_loop
async def test_lines_up_to_64_kib(desk: Desk) -> None:
    line = b"x" * 65536
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        assert await client.mail(b"a\r\n" + line + b"\r\n.\r\n") == ACCEPTED
        assert await client.mail(b"a\r\n" + line + b"x\r\n.\r\n") == TOO_LARGE
        assert await client.mail(line + b"x\r\n.\r\n") == TOO_LARGE
    assert [mail.data for mail in desk.came] == [b"a\r\n" + line + b"\r\n"]


async def flood(client: Client, data: bytes) -> None:
    """Send `data` for as long as the connection lives, ten seconds at most."""
    async with asyncio.timeout(10):
        while True:
            client.send(data)
            await client.writer.drain()


@in_loop
async def test_an_endless_line_of_data(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data is dropped as it comes. When there is far too much of it, the connection is closed."""
    monkeypatch.setattr(session, "PATIENCE", 4)
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.begin()
        with pytest.raises(ConnectionError):
            await flood(client, b"x" * 65536)
        await until_served(listener.addresses[0])
    assert desk.came == []


@in_loop
async def test_what_is_dropped_takes_no_memory(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.begin()
        tracemalloc.start()
        for _ in range(160):
            client.send(b"x" * 65536)
            await client.writer.drain()
        client.send(b"\r\n.\r\n")
        assert await client.reply() == TOO_LARGE
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 3_000_000  # of ten millions that were sent


@in_loop
async def test_an_endless_command(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        client.send(b"NOOP\r\n" + b"x" * 65536)
        assert await client.reply() == "250 2.0.0 OK"
        client.send(b"x")
        assert await client.reply() == session.ENDLESS
        assert await client.reply() == ""


@in_loop
async def test_a_long_command(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        assert await client.say("NOOP " + "x" * 2000) == "500 5.5.2 Command line too long"
        assert await client.say("NOOP " + "x" * 60000) == "500 5.5.2 Command line too long"
        assert await client.say("NOOP") == "250 2.0.0 OK"


@pytest.mark.slow
@in_loop
async def test_a_session_has_its_time(desk: Desk) -> None:
    """Activity does not prolong it."""
    async with (
        listening(desk, limits=SessionLimits(session_seconds=0.3)) as listener,
        Client(listener.addresses[0]) as client,
    ):
        async with asyncio.timeout(5):
            while (reply := await client.say("NOOP")) == "250 2.0.0 OK":
                await asyncio.sleep(0.02)
        assert reply == session.TIME_IS_UP


@pytest.mark.slow
@in_loop
async def test_a_handshake_counts_as_part_of_the_session(desk: Desk, server_tls: ssl.SSLContext) -> None:
    limits = SessionLimits(session_seconds=0.3, connections=1)
    async with listening(desk, limits=limits, tls=server_tls) as listener, Client(listener.addresses[0]) as client:
        assert await client.say("STARTTLS") == "220 Ready to start TLS"
        assert await client.reader.read() == b""
        await until_served(listener.addresses[0])


@in_loop
@pytest.mark.slow
async def test_a_peer_that_reads_nothing_is_cut_off(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "GRACE", 0.2)
    limits = SessionLimits(session_seconds=0.3, connections=1)
    async with listening(desk, limits=limits) as listener, Client(listener.addresses[0]) as client:
        client.reader._transport.pause_reading()  # type: ignore[attr-defined]
        with pytest.raises(ConnectionError):
            await flood(client, b"HELP\r\n" * 5000)
        await until_served(listener.addresses[0])


@in_loop
async def test_overload(desk: Desk, lines: list[EventDict]) -> None:
    """The queue of waiting mails is bounded. Clients that come later are asked to come again."""
    async with listening(desk, limits=SessionLimits(waiting=1), closed=True) as listener:
        address = listener.addresses[0]
        async with Client(address) as first, Client(address) as second:
            await second.begin()
            await first.begin()
            first.send("one\r\n.\r\n")
            await until(lambda: len(desk.came) == 1)
            second.send("two\r\n.\r\n")
            assert await second.reply() == BUSY
            assert await second.say("MAIL FROM:<ann@example.org>") == BUSY
            desk.open.set()
            assert await first.reply() == ACCEPTED
            assert await second.mail(b"two\r\n.\r\n") == ACCEPTED
    assert [line["reply"] for line in lines if line["event"] == "mail"] == ["452", "250", "250"]
