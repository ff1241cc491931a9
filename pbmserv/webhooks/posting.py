"""One POST to a webhook: resolved once, to a checked address, over TLS, with a bound on everything.

No redirect is followed, because only the status is read. The body of the answer is never read.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import h11

from pbmserv.webhooks.guard import Network, NotAllowed, checked
from pbmserv.webhooks.targets import Destination

TIMEOUT = 10.0  #: seconds for everything: the name, the connection, TLS, the request and the status
MOST_HEAD_BYTES = 16_384  #: of the head of an answer

#: Returns the addresses of a host.
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]


class NoAnswer(Exception):
    """The webhook gave no status. The text says why, without its URL."""


@cache
def _threads() -> ThreadPoolExecutor:
    """Threads for the names alone: a slow name server must not take the threads that ask the database."""
    return ThreadPoolExecutor(32, thread_name_prefix="names")


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a host, as the machine knows them. Raises OSError."""

    def ask() -> list[str]:
        return [str(place[4][0]) for place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]

    return await asyncio.get_running_loop().run_in_executor(_threads(), ask)


class Client:
    """Sends events by HTTPS.

    `networks`: those that the operator allows, although they are not public. `ports`: those that the operator allows
    now, because a URL may have been named before; None: all.
    """

    def __init__(
        self,
        networks: Sequence[Network] = (),
        *,
        ports: Collection[int] | None = None,
        resolve: Resolve = resolve,
        timeout: float = TIMEOUT,
    ) -> None:
        self._networks = networks
        self._ports = ports
        self._resolve = resolve
        self._timeout = timeout
        self._tls = ssl.create_default_context()
        self._tls.set_alpn_protocols(["http/1.1"])

    async def post(self, target: Destination, body: bytes, headers: Mapping[str, str]) -> int:
        """Return the status of the answer. Raises NoAnswer."""
        try:
            async with asyncio.timeout(self._timeout):
                return await self._post(target, body, headers)
        except TimeoutError:
            raise NoAnswer(f"no answer within {self._timeout:g} seconds") from None
        except NotAllowed as error:
            raise NoAnswer(str(error)) from None
        except ssl.SSLCertVerificationError:
            raise NoAnswer("its TLS certificate is not valid") from None
        except ssl.SSLError:
            raise NoAnswer("no TLS connection") from None
        except socket.gaierror:
            raise NoAnswer("its name leads to no address") from None
        except (OSError, UnicodeError):
            raise NoAnswer("no connection") from None
        except (h11.ProtocolError, asyncio.IncompleteReadError):
            raise NoAnswer("no HTTP answer") from None

    async def _post(self, target: Destination, body: bytes, headers: Mapping[str, str]) -> int:
        if self._ports is not None and target.port not in self._ports:
            raise NotAllowed("its port is not allowed here")
        addresses = checked(await self._resolve(target.host, target.port), self._networks)
        reader, writer = await self._connect(addresses, target)
        try:
            return await _exchange(reader, writer, _request(target, len(body), headers), body)
        finally:
            writer.transport.abort()  # nothing that it could still say is of interest

    async def _connect(
        self, addresses: Sequence[str], target: Destination
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first of the checked addresses that can be reached. Raises OSError."""
        for n, address in enumerate(addresses, 1):
            try:
                return await asyncio.open_connection(
                    address, target.port, ssl=self._tls, server_hostname=target.host, limit=MOST_HEAD_BYTES
                )
            except OSError as error:
                if n == len(addresses) or isinstance(error, ssl.SSLError):
                    raise
        raise OSError("no address")


def _request(target: Destination, length: int, headers: Mapping[str, str]) -> h11.Request:
    usual = {
        "Host": target.authority,
        "User-Agent": "pbmserv",
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": str(length),
        "Connection": "close",
    }
    return h11.Request(method="POST", target=target.path, headers=list({**usual, **headers}.items()))


async def _exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: h11.Request, body: bytes
) -> int:
    """Send the request and return the status. Raises h11.RemoteProtocolError."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_HEAD_BYTES)
    parts: tuple[h11.Event, ...] = (request, h11.Data(data=body), h11.EndOfMessage())
    writer.write(b"".join(http.send(part) or b"" for part in parts))
    await writer.drain()
    heard = 0
    while True:
        event = http.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            data = await reader.read(4096)
            heard += len(data)
            if heard > MOST_HEAD_BYTES:  # also many small answers that say to wait
                raise h11.RemoteProtocolError("the answer has too many bytes")
            http.receive_data(data)
