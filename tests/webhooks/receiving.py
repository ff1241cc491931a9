"""A webhook of ours: a real HTTPS server on loopback, and a resolver that says where names lead."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trustme

from pbmserv.webhooks import posting
from pbmserv.webhooks.posting import Client

HOST = "hook.example.org"
LOOPBACK = ("127.0.0.0/8",)
OK = b"HTTP/1.1 204 No Content\r\n\r\n"


@dataclass
class Hook:
    """What the server got: heads in lower case and bodies.

    It answers with `answer`, after so many seconds; with b"", it hangs.
    """

    port: int = 0
    answer: bytes = OK
    seconds: float = 0.0
    heads: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    open: asyncio.Event = field(default_factory=asyncio.Event)  #: ends what hangs

    def header(self, name: str, n: int = -1) -> str:
        """Return a header of a request, the last one without `n`."""
        return next(x.split(": ", 1)[1] for x in self.heads[n].split("\r\n") if x.lower().startswith(f"{name}: "))

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take one request and answer it."""
        with suppress(OSError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            self.bodies.append(await reader.readexactly(int(self.header("content-length"))))
            await asyncio.sleep(self.seconds)
            if not self.answer:
                await self.open.wait()
            writer.write(self.answer)
            await writer.drain()
        writer.close()


@dataclass
class Names:
    """A resolver that answers from a list, one answer after the other; the last one stays."""

    answers: list[Sequence[str]]
    asked: list[str] = field(default_factory=list)

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of a host."""
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@asynccontextmanager
async def receiving(authority: trustme.CA, host: str = HOST) -> AsyncIterator[Hook]:
    """A server with a certificate for `host`."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(tls)
    hook = Hook()
    server = await asyncio.start_server(hook.serve, "127.0.0.1", 0, ssl=tls)
    hook.port = server.sockets[0].getsockname()[1]
    try:
        yield hook
    finally:
        hook.open.set()
        server.close()
        await asyncio.sleep(0)


def trust(authority: trustme.CA, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process trust the certificates of `authority`, as an operator does."""
    file = folder / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))


def client(names: posting.Resolve, timeout: float = 5, networks: Sequence[str] = LOOPBACK) -> Client:
    """A client that may reach this machine."""
    return Client(networks, resolve=names, timeout=timeout)
