"""One POST: to the address that was checked, with the name in TLS, and with a bound on everything."""

import asyncio
from pathlib import Path

import pytest
import trustme

from pbmserv.webhooks.posting import Client, NoAnswer, resolve
from pbmserv.webhooks.targets import Destination
from tests.tools.aio import in_loop
from tests.webhooks.receiving import HOST, LOOPBACK, Names, client, receiving, trust

AUTHORITY = trustme.CA()
HERE = [["127.0.0.1"]]


@pytest.fixture(autouse=True)
def _trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trust(AUTHORITY, tmp_path, monkeypatch)


def target(port: int, host: str = HOST) -> Destination:
    return Destination("json", host, port, "/a?b=c")


@in_loop
async def test_what_a_webhook_gets() -> None:
    async with receiving(AUTHORITY) as hook:
        assert await client(Names([*HERE])).post(target(hook.port), b'{"x": 1}', {"webhook-id": "msg_1"}) == 204
    assert hook.heads[0].startswith("POST /a?b=c HTTP/1.1\r\n")
    assert hook.header("host") == f"{HOST}:{hook.port}"
    assert hook.header("webhook-id") == "msg_1"
    assert hook.bodies == [b'{"x": 1}']


@in_loop
async def test_a_name_that_changes_is_asked_once() -> None:
    """DNS rebinding: the second answer would be another address, and nobody asks for it."""
    names = Names([["127.0.0.1"], ["127.0.0.2"]])
    async with receiving(AUTHORITY) as hook:
        assert await client(names).post(target(hook.port), b"{}", {}) == 204
    assert names.asked == [HOST]


@pytest.mark.parametrize("address", ["127.0.0.1", "::ffff:127.0.0.1", "::1", "10.1.2.3", "169.254.169.254"])
@in_loop
async def test_no_request_to_an_address_that_is_not_public(address: str) -> None:
    async with receiving(AUTHORITY) as hook:
        with pytest.raises(NoAnswer, match="not public"):
            await client(Names([[address]]), networks=()).post(target(hook.port), b"{}", {})
    assert hook.heads == []


@in_loop
async def test_the_names_of_this_machine() -> None:
    async with receiving(AUTHORITY, "localhost") as hook:
        with pytest.raises(NoAnswer, match="not public"):
            await client(resolve, networks=()).post(target(hook.port, "localhost"), b"{}", {})
        assert (
            await client(resolve, networks=("127.0.0.0/8", "::1/128")).post(target(hook.port, "localhost"), b"{}", {})
            == 204
        )


@in_loop
async def test_a_redirect_is_not_followed() -> None:
    names = Names([*HERE])
    async with receiving(AUTHORITY) as hook, receiving(AUTHORITY) as other:
        hook.answer = f"HTTP/1.1 307 Moved\r\nLocation: https://{HOST}:{other.port}/\r\n\r\n".encode()
        assert await client(names).post(target(hook.port), b"{}", {}) == 307
    assert other.heads == []
    assert names.asked == [HOST]


@in_loop
async def test_a_certificate_for_another_name() -> None:
    async with receiving(AUTHORITY, "other.example.org") as hook:
        with pytest.raises(NoAnswer, match="certificate"):
            await client(Names([*HERE])).post(target(hook.port), b"{}", {})
    assert hook.heads == []


@in_loop
async def test_a_certificate_of_nobody() -> None:
    async with receiving(trustme.CA()) as hook:
        with pytest.raises(NoAnswer, match="certificate"):
            await client(Names([*HERE])).post(target(hook.port), b"{}", {})


@in_loop
async def test_a_port_that_the_operator_does_not_allow_any_more() -> None:
    async with receiving(AUTHORITY) as hook:
        allowed = Client(LOOPBACK, ports=(hook.port,), resolve=Names([*HERE]))
        assert await allowed.post(target(hook.port), b"{}", {}) == 204
        with pytest.raises(NoAnswer, match="port is not allowed"):
            await Client(LOOPBACK, ports=(443,), resolve=Names([*HERE])).post(target(hook.port), b"{}", {})
    assert len(hook.heads) == 1


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "no answer within"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000, "no HTTP answer"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000, "no HTTP answer"),
        (b"220 mail.example.org ESMTP\r\n", "no HTTP answer"),
        (b"\r\n", "no HTTP answer"),
    ],
)
@in_loop
async def test_answers_that_are_none(answer: bytes, why: str) -> None:
    async with receiving(AUTHORITY) as hook:
        hook.answer = answer
        with pytest.raises(NoAnswer, match=why):
            await client(Names([*HERE]), timeout=0.5).post(target(hook.port), b"{}", {})


@in_loop
async def test_one_that_speaks_no_tls() -> None:
    """A certificate that is not valid would be the wrong thing to look for."""

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        with pytest.raises(NoAnswer, match="no TLS connection"):
            await client(Names([*HERE])).post(target(server.sockets[0].getsockname()[1]), b"{}", {})


@in_loop
async def test_nobody_listens() -> None:
    async with receiving(AUTHORITY) as hook:
        pass
    with pytest.raises(NoAnswer, match="no connection"):
        await client(Names([*HERE])).post(target(hook.port), b"{}", {})


@in_loop
async def test_the_body_of_an_answer_is_not_read() -> None:
    async with receiving(AUTHORITY) as hook:
        hook.answer = b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n"
        assert await client(Names([*HERE])).post(target(hook.port), b"{}", {}) == 200
