"""A client that sends what the test says, so that it can misbehave."""

import asyncio
import ssl
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit


class Client:
    """One connection to the listener at `address`. Replies are given as text, lines separated by line feeds."""

    def __init__(self, address: str, local: str | None = None) -> None:
        self._address = urlsplit(address)
        self._local = (local, 0) if local else None
        self.banner = ""

    async def __aenter__(self) -> Self:
        if self._address.path:
            self.reader, self.writer = await asyncio.open_unix_connection(self._address.path)
        else:
            host, port = self._address.hostname, self._address.port
            self.reader, self.writer = await asyncio.open_connection(host, port, local_addr=self._local)
        self.banner = await self.reply()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.writer.transport.abort()

    async def reply(self) -> str:
        """Return the next reply, or "" at the end of the connection."""
        lines: list[str] = []
        async with asyncio.timeout(5):
            while not lines or lines[-1][3:4] == "-":
                line = await self.reader.readline()
                lines.append(line.decode().rstrip())
        return "\n".join(lines)

    def send(self, data: bytes | str) -> None:
        """Send data without waiting for a reply."""
        self.writer.write(data.encode() if isinstance(data, str) else data)

    async def say(self, command: str) -> str:
        """Send one command and return its reply."""
        self.send(command + "\r\n")
        return await self.reply()

    async def begin(self, *recipients: str, sender: str = "<ann@example.org>", greeting: str = "EHLO") -> None:
        """Send all commands up to DATA, which gets the 354."""
        assert (await self.say(f"{greeting} client.example")).startswith("250")
        assert (await self.say(f"MAIL FROM:{sender}")).startswith("250")
        for recipient in recipients or ("<pbmserv@example.org>",):
            assert (await self.say(f"RCPT TO:{recipient}")).startswith("250")
        assert (await self.say("DATA")).startswith("354")

    async def mail(self, data: bytes, *recipients: str) -> str:
        """Send `data`, which ends with CRLF.CRLF, over SMTP and return the reply."""
        await self.begin(*recipients)
        self.send(data)
        return await self.reply()

    async def starttls(self, context: ssl.SSLContext) -> None:
        """Begin TLS, after the server has said 220."""
        await self.writer.start_tls(context, server_hostname="localhost")


async def until_served(address: str) -> None:
    """Wait until the listener accepts a connection again."""
    async with asyncio.timeout(5):
        while not await _served(address):
            await asyncio.sleep(0.01)


async def _served(address: str) -> bool:
    """Return whether the listener greets us."""
    async with Client(address) as client:
        if client.banner.startswith("220"):
            return await client.say("QUIT") == "221 2.0.0 Bye"
        return False
