"""Connections on which nothing goes on are ended, so that half requests keep nobody out."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbmserv.web import patience
from pbmserv.web.patience import PatientProtocol

HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"
LARGE = 20_000_000  #: bytes; more than the buffers of a connection


def _all_of(connection: socket.socket) -> bytes:
    """Return what is sent until the server closes or cuts the connection."""
    found = b""
    with suppress(ConnectionResetError):
        while part := connection.recv(1_000_000):
            found += part
    return found


def _still_takes(connection: socket.socket, byte: bytes) -> bool:
    try:
        connection.sendall(byte)
        return bool(connection.recv(1))
    except TimeoutError:
        return True
    except OSError:
        return False


def _page(request: Request) -> Response:
    return Response(b"x" * int(request.query_params.get("bytes", 1)))


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Is set when a connection has ended."""
    event, lost = Event(), PatientProtocol.connection_lost

    def connection_lost(protocol: PatientProtocol, error: Exception | None) -> None:
        lost(protocol, error)
        event.set()

    monkeypatch.setattr(PatientProtocol, "connection_lost", connection_lost)
    return event


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Serve a page with limits of an instant."""
    monkeypatch.setattr(patience, "REQUEST_SECONDS", 0.2)
    monkeypatch.setattr(patience, "ANSWER_SECONDS", 0.2)
    config = uvicorn.Config(Starlette(routes=[Route("/", _page)]), http=PatientProtocol, log_config=None)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as bound:
        thread = Thread(target=server.run, args=([bound],))
        thread.start()
        try:
            yield bound.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        pytest.param(b"", 0, id="nothing"),
        pytest.param(HEAD, 0, id="half a head"),
        pytest.param(HEAD + b"Content-Length: 9\r\n\r\nabc", 1, id="half a body"),
        pytest.param(HEAD + b"\r\n" + HEAD, 1, id="half a second request"),
    ],
)
def test_half_requests_end(port: int, sent: bytes, answers: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(sent)
        assert _all_of(connection).count(b"HTTP/1.1 200 OK") == answers


@pytest.mark.slow
def test_single_bytes_gain_no_time(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(HEAD)
        connection.settimeout(0.01)  # a byte each hundredth of a second
        assert not all(_still_takes(connection, b"X") for _ in range(2000))


@pytest.mark.slow
@pytest.mark.parametrize("reads", [True, False])
def test_who_takes_no_answer_is_cut_off(port: int, reads: bool, ended: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    if reads:
        monkeypatch.setattr(patience, "ANSWER_SECONDS", 20.0)
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(HEAD.replace(b"/ ", b"/?bytes=%d " % LARGE) + b"\r\n")
        if not reads:
            assert ended.wait(20)
        assert (len(_all_of(connection)) > LARGE) is reads
