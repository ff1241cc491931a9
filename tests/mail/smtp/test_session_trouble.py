"""Sessions that go wrong: clients that disconnect, rubbish, and our own bugs."""

import asyncio
import random

import pytest
from structlog.typing import EventDict

from pbmserv.mail.envelope import ACCEPTED, TRY_AGAIN
from pbmserv.mail.smtp.listener import SessionLimits
from tests.mail.smtp.conftest import Desk, listening
from tests.mail.smtp.raw_client import Client
from tests.tools.aio import in_loop, until

SESSION = (
    b"EHLO client.example\r\nMAIL FROM:<ann@example.org>\r\nRCPT TO:<pbmserv@example.org>\r\nDATA\r\n"
    b"Subject: x\r\n\r\n..\r\n.\r\n"
)


@in_loop
async def test_a_disconnect_does_not_cancel_the_commit(desk: Desk) -> None:
    async with listening(desk, closed=True) as listener:
        async with Client(listener.addresses[0]) as client:
            await client.begin()
            client.send("one\r\n.\r\n")
            await until(lambda: len(desk.came) == 1)
        await asyncio.sleep(0.05)
        desk.open.set()
        await until(lambda: len(desk.done) == 1)


@in_loop
async def test_a_timeout_does_not_cancel_the_commit(desk: Desk) -> None:
    async with listening(desk, limits=SessionLimits(session_seconds=0.2), closed=True) as listener:
        async with Client(listener.addresses[0]) as client:
            await client.begin()
            client.send("one\r\n.\r\n")
            assert (await client.reply()).startswith("421")
            assert await client.reply() == ""
        desk.open.set()
        await until(lambda: len(desk.done) == 1)


@pytest.mark.parametrize("polite", [True, False])
@in_loop
async def test_a_disconnect_at_any_byte(desk: Desk, polite: bool) -> None:
    """A mail is handed in once its last byte has come, and never in part."""
    async with listening(desk) as listener:
        for length in range(len(SESSION) + 1):
            async with Client(listener.addresses[0]) as client:
                client.send(SESSION[:length])
                if polite:
                    client.writer.close()
                    await client.writer.wait_closed()
        async with Client(listener.addresses[0]) as client:
            assert await client.mail(b"last\r\n.\r\n") == ACCEPTED
    assert {mail.data for mail in desk.came} <= {b"Subject: x\r\n\r\n.\r\n", b"last\r\n"}
    assert len(desk.came) <= 2


@in_loop
async def test_our_fault_is_451(desk: Desk) -> None:
    desk.error = RuntimeError("swordfish")
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        assert await client.mail(b"one\r\n.\r\n") == TRY_AGAIN
        assert (await client.say("DATA")).startswith("503")
        desk.error = None
        assert await client.mail(b"two\r\n.\r\n") == ACCEPTED


@in_loop
async def test_a_fault_before_the_data_resets_the_envelope(desk: Desk, lines: list[EventDict]) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        await client.say("MAIL FROM:<ann@example.org>")
        await client.say("RCPT TO:<pbmserv@example.org>")
        assert await client.say("RCPT TO:<broken@example.org>") == TRY_AGAIN
        assert (await client.say("RCPT TO:<pbmserv@example.org>")).startswith("503")
        assert (await client.say("DATA")).startswith("503")
        assert await client.mail(b"two\r\n.\r\n") == ACCEPTED
    bug = next(line for line in lines if line["event"] == "listener_error")
    assert bug["error"] == "RuntimeError"
    assert "swordfish" not in str(lines)


@pytest.mark.slow
@in_loop
async def test_rubbish_kills_nothing(desk: Desk) -> None:
    rng = random.Random(2187)
    words = [
        b"MAIL FROM:",
        b"RCPT TO:",
        b"<",
        b">",
        b"@",
        b"DATA",
        b"BDAT 5",
        b"EHLO ",
        b"\r\n",
        b"\n",
        b"\x00",
        b"\xff",
        b".",
    ]
    async with listening(desk) as listener:
        for _ in range(100):
            async with Client(listener.addresses[0]) as client:
                client.send(b"".join(rng.choice(words) for _ in range(200)) + rng.randbytes(50) + b"\r\nQUIT\r\n")
                client.writer.write_eof()
                async with asyncio.timeout(5):
                    replies = (await client.reader.read()).decode().splitlines()
                assert all(reply[:3].isdecimal() for reply in replies)
                assert not [reply for reply in replies if reply.startswith("451")]
        async with Client(listener.addresses[0]) as client:
            assert await client.mail(b"fine\r\n.\r\n") == ACCEPTED
