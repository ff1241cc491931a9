"""The whole server in this process: real sockets and a real database, and a loop that the test shares."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pbmserv.mail.signed_addresses import Signer
from pbmserv.server.server import Server, Setup
from tests.tools.sink import Sink

ADDRESS = "pbmserv@localhost"
KEY = b"the key of the whole server"
SIGNER = Signer(ADDRESS, KEY)


@asynccontextmanager
async def serving(url: str, sink: Sink, *roles: str) -> AsyncIterator[str]:
    """Where it listens, while the context lasts; letters go to the sink if it has that role."""
    setup = Setup(
        url,
        ["smtp://127.0.0.1:0"],
        f"smtp://127.0.0.1:{sink.port}",
        ADDRESS,
        roles,
        KEY,
        trust_from=True,
        confirm_addresses=False,
    )
    server = Server(setup)
    await server.start()
    try:
        yield server.addresses[0]
    finally:
        await server.stop()
