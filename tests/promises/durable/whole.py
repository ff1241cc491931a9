"""The whole server in this process: real sockets and a real database, and a loop that the test shares."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from pbmserv.letters.policy import Policy
from pbmserv.letters.site import Site
from pbmserv.mail.signed_addresses import Signer
from pbmserv.server.server import Server, ServerSettings
from tests.tools.sink import Sink

ADDRESS = "pbmserv@localhost"
KEY = b"the key of the whole server"
SIGNER = Signer(ADDRESS, KEY)


@asynccontextmanager
async def serving(url: str, sink: Sink, *roles: str) -> AsyncIterator[str]:
    """Where it listens, while the context lasts; letters go to the sink if it has that role."""
    settings = ServerSettings(
        url,
        ["smtp://127.0.0.1:0"],
        f"smtp://127.0.0.1:{sink.port}",
        roles,
        Site(SIGNER, policy=Policy(trust_from=True, confirm_addresses=False)),
        KEY,
    )
    server = Server(settings)
    await server.start()
    try:
        yield server.addresses[0]
    finally:
        await server.stop()
