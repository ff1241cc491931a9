"""Where a listener listens: URLs, ports, socket files; and how it ends."""

import asyncio
import re
import socket
import stat
from pathlib import Path

import pytest
from structlog.typing import EventDict

from pbmserv.mail.envelope import ACCEPTED
from pbmserv.mail.smtp.intake import LEAVING
from pbmserv.mail.smtp.listener import Listener, ListenError, SessionLimits
from tests.mail.smtp.conftest import Desk, accepts, listening
from tests.mail.smtp.raw_client import Client
from tests.tools.aio import in_loop, until


@pytest.mark.parametrize(
    "url",
    [
        "",
        "smtp:",
        "127.0.0.1:25",
        "smtp://127.0.0.1",
        "smtp://:25",
        "smtp://host:many",
        "smtp://host:99999",
        "smtp://host:25/path",
        "smtps://host:465",
        "lmtp+unix://run/pbmserv.sock",
        "lmtp+unix:relative.sock",
    ],
)
def test_a_url_that_is_none(desk: Desk, url: str) -> None:
    with pytest.raises(ValueError, match=r"Cannot listen on .*: write smtp://host:port"):
        Listener([url], desk.submit, accepts, "host.example")


@in_loop
async def test_several_places(desk: Desk, tmp_path: Path) -> None:
    urls = ["smtp://127.0.0.1:0", "lmtp://127.0.0.1:0", f"lmtp+unix://{tmp_path}/a.sock"]
    async with listening(desk, *urls) as listener:
        assert [address.split(":")[0] for address in listener.addresses] == ["smtp", "lmtp", "lmtp+unix"]
        assert not any(address.endswith(":0") for address in listener.addresses)
        for address in listener.addresses:
            async with Client(address) as client:
                assert client.banner.startswith("220 host.example")
    assert listener.addresses == []


@in_loop
async def test_ipv6(desk: Desk) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    async with listening(desk, "smtp://[::1]:0") as listener, Client(listener.addresses[0]) as client:
        assert listener.addresses[0].startswith("smtp://[::1]:")
        assert await client.mail(b"x\r\n.\r\n") == ACCEPTED
    assert desk.came[0].peer == "::1"


@in_loop
async def test_a_port_that_is_taken(desk: Desk) -> None:
    """The error names the URL, and what was opened before is closed again."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"smtp://127.0.0.1:{taken.getsockname()[1]}"
        with socket.create_server(("127.0.0.1", 0)) as probe:
            free = f"smtp://127.0.0.1:{probe.getsockname()[1]}"
        listener = Listener([free, url], desk.submit, accepts, "host.example")
        with pytest.raises(
            ListenError, match=re.escape(f"Cannot listen on {url} (PBMSERV_LISTEN): Address already in use")
        ):
            await listener.start()
        with pytest.raises(ConnectionRefusedError):
            await Client(free).__aenter__()


@in_loop
async def test_a_unix_socket(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "pbmserv.sock"
    async with listening(desk, f"lmtp+unix://{path}", limits=SessionLimits(per_peer=1)) as listener:
        assert stat.S_IMODE(path.stat().st_mode) == 0o660
        async with Client(listener.addresses[0]) as client, Client(listener.addresses[0]) as second:
            assert second.banner.startswith("220")  # all peers of a Unix socket look alike
            await client.begin(greeting="LHLO")
            client.send("x\r\n.\r\n")
            assert await client.reply() == ACCEPTED
        assert desk.came[0].peer == ""
    assert not path.exists()


@in_loop
async def test_a_stale_socket_is_removed(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "pbmserv.sock"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    async with listening(desk, f"lmtp+unix://{path}") as listener, Client(listener.addresses[0]) as client:
        assert client.banner.startswith("220")


@in_loop
async def test_a_living_socket_is_not(desk: Desk, tmp_path: Path) -> None:
    url = f"lmtp+unix://{tmp_path}/pbmserv.sock"
    async with listening(desk, url) as listener:
        second = Listener([url], desk.submit, accepts, "host.example")
        with pytest.raises(
            ListenError, match=re.escape(f"Cannot listen on {url} (PBMSERV_LISTEN): Address already in use")
        ):
            await second.start()
        async with Client(listener.addresses[0]) as client:
            assert client.banner.startswith("220")


@in_loop
async def test_a_file_that_is_no_socket_is_left_alone(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "pbmserv.sock"
    path.write_text("precious")
    listener = Listener([f"lmtp+unix://{path}"], desk.submit, accepts, "host.example")
    with pytest.raises(ListenError):
        await listener.start()
    assert path.read_text() == "precious"


@in_loop
async def test_a_path_that_is_too_long(desk: Desk, tmp_path: Path) -> None:
    listener = Listener([f"lmtp+unix://{tmp_path}/{'x' * 200}"], desk.submit, accepts, "host.example")
    with pytest.raises(ListenError, match="too long"):
        await listener.start()


@in_loop
async def test_the_socket_of_a_successor_stays(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "pbmserv.sock"
    async with listening(desk, f"lmtp+unix://{path}"):
        path.unlink()
        with socket.socket(socket.AF_UNIX) as successor:
            successor.bind(str(path))
    assert path.exists()


@in_loop
async def test_drain_sends_the_idle_away_and_listens_no_more(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        address = listener.addresses[0]
        await client.say("EHLO x")
        async with asyncio.timeout(2):
            await listener.drain(20)
        assert await client.reply() == LEAVING
        assert await client.reply() == ""
        with pytest.raises(ConnectionRefusedError):
            await Client(address).__aenter__()


@in_loop
async def test_drain_lets_a_transaction_finish(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.begin()
        drain = asyncio.create_task(listener.drain(5))
        await asyncio.sleep(0.05)
        client.send("one\r\n.\r\nMAIL FROM:<ann@example.org>\r\n")
        assert await client.reply() == ACCEPTED
        assert await client.reply() == LEAVING
        assert await client.reply() == ""
        await drain
    assert len(desk.done) == 1


@in_loop
async def test_drain_begins_no_transaction(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        await client.say("MAIL FROM:<ann@example.org>")
        drain = asyncio.create_task(listener.drain(5))
        await asyncio.sleep(0.05)
        client.send("RSET\r\nMAIL FROM:<ann@example.org>\r\nRCPT TO:<pbmserv@example.org>\r\nDATA\r\nx\r\n.\r\n")
        assert await client.reply() == "250 2.0.0 OK"
        assert await client.reply() == LEAVING
        assert await client.reply() == ""
        await drain
    assert desk.came == []


@in_loop
async def test_drain_keeps_no_reply_back(desk: Desk) -> None:
    async with listening(desk) as listener, Client(listener.addresses[0]) as client:
        await client.say("EHLO x")
        await client.say("MAIL FROM:<ann@example.org>")
        drain = asyncio.create_task(listener.drain(5))
        await asyncio.sleep(0.05)
        client.send("RCPT TO:<pbmserv@example.org>\r\nMAIL FROM:<ann@example.org>\r\n")
        assert await client.reply() == "250 2.1.5 Recipient ok"
        assert await client.reply() == LEAVING
        await drain


@in_loop
async def test_drain_waits_for_commits_whose_client_has_left(desk: Desk) -> None:
    async with listening(desk, closed=True) as listener:
        async with Client(listener.addresses[0]) as client:
            await client.begin()
            client.send("one\r\n.\r\n")
            await until(lambda: len(desk.came) == 1)
        asyncio.get_running_loop().call_later(0.2, desk.open.set)
        await listener.drain(5)
        assert len(desk.done) == 1


@pytest.mark.slow
@in_loop
async def test_drain_ends_in_time(desk: Desk, lines: list[EventDict]) -> None:
    """Neither a client that stalls in its transaction nor a commit that hangs delays the end."""
    async with listening(desk, closed=True) as listener:
        async with Client(listener.addresses[0]) as stalling, Client(listener.addresses[0]) as waiting:
            await stalling.begin()
            await waiting.begin()
            waiting.send("one\r\n.\r\n")
            await until(lambda: len(desk.came) == 1)
            async with asyncio.timeout(5):
                await listener.drain(0.4)
            assert await stalling.reply() == LEAVING
            assert await waiting.reply() == LEAVING
        assert [line["count"] for line in lines if line["event"] == "commits_unfinished"] == [1]
