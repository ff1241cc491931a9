"""The whole server in this process: real sockets, a real database, and the event loop of the test."""

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


#: What these tests ask of two players, no two people do.
_UNLIMITED = Policy(
    trust_from=True,
    confirm_addresses=False,
    unanswered_boards=10_000,
    challenges_a_day=10_000,
    board_limit=9999,
    unproved_answers_a_day=10_000,
    unproved_answer_kb_a_day=100_000,
)


@asynccontextmanager
async def serving(url: str, sink: Sink, *roles: str) -> AsyncIterator[str]:
    """Run a server while the context lasts, and give its address.

    If it has the role of a sender, letters go to the sink.
    """
    settings = ServerSettings(
        url,
        ["smtp://127.0.0.1:0"],
        f"smtp://127.0.0.1:{sink.port}",
        roles,
        Site(SIGNER, policy=_UNLIMITED),
        KEY,
    )
    server = Server(settings)
    await server.start()
    try:
        yield server.addresses[0]
    finally:
        await server.stop()
