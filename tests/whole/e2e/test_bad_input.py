"""Bad input at the socket: refused or answered, and the server goes on."""

import smtplib
import socket
from collections.abc import Iterator

import pytest

from pbmserv.cli.send import text_of
from pbmserv.store import Store
from tests.tools.mail_program import Client, answer
from tests.tools.process import ADDRESS, Process, until

HEAD = b"From: ann@example.org\r\nTo: pbmserv@localhost\r\nMessage-ID: <%s@client.example>\r\n"


def raw(server: Process, data: bytes) -> tuple[int, bytes]:
    """The reply to one message, which goes over the wire as it is."""
    with smtplib.SMTP("127.0.0.1", server.port, "client.example", timeout=20) as smtp:
        smtp.ehlo()
        smtp.mail("ann@example.org")
        smtp.rcpt(ADDRESS)
        return smtp.data(data)


@pytest.fixture(scope="module", autouse=True)
def _an_account(server: Process) -> None:
    with Client(server) as client:
        client.send("ann@example.org", "signup ann ann-secret")


@pytest.fixture(autouse=True)
def _it_lives(server: Process) -> Iterator[None]:
    """After each test the server answers as before."""
    yield
    with Client(server) as client:
        assert "This is a server for games by mail." in client.ask("ann@example.org", "help")


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"Subject: list\r\n\r\n" + b"word " * 10 * 6144 + b"\r\n", id="300 KiB"),
        pytest.param(b"Subject: list\r\n\r\n" + (b"x" * 70 + b"\r\n") * 4300, id="300 KiB of lines"),
        pytest.param(b"Subject: list\r\n\r\n" + b"x" * 100 * 1024 + b"\r\n", id="a line of 100 KiB"),
        pytest.param(b"Subject: " + b"list " * 14336 + b"\r\n\r\n", id="a header of 70 KiB"),
    ],
)
def test_too_large(server: Process, data: bytes) -> None:
    """Refused before it is read; nothing of it is kept."""
    before = len(server.query(lambda store: store.mails.newest()))
    assert raw(server, HEAD % b"large" + data)[0] == 552
    assert len(server.query(lambda store: store.mails.newest())) == before


def test_a_line_without_end(server: Process) -> None:
    """A client that sends no line end at all is cut off."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock:
        assert sock.recv(1000).startswith(b"220 ")
        with pytest.raises(ConnectionError):
            sock.sendall(b"x" * 50_000_000)


@pytest.mark.parametrize(
    ("id_", "data", "says"),
    [
        ("8bit-utf8", "Subject: tumble sh\u00f6w 101\r\n\r\n".encode(), "There is no command"),
        ("8bit-latin1", b"Subject: tumble sh\xf6w 101\r\n\r\n", "There is no command"),
        ("nuls", b"Subject: li\0st\r\n\r\nA body\0with NULs\0\r\n", "Running boards"),
        ("no-subject", b"\r\n\r\n", "There was no command in your mail"),
        ("bad-charset", b"Subject: =?x-no-such?Q?list?=\r\n\r\n", "Please send plain text"),
        ("bad-mime", b"Subject: list\r\nContent-Type: multipart/mixed\r\n\r\n--nothing\r\n", "Running boards"),
    ],
)
def test_strange(server: Process, id_: str, data: bytes, says: str) -> None:
    """Taken and answered with what can be made of it."""
    assert raw(server, HEAD % id_.encode() + data)[0] == 250
    letter = until(lambda: answer(server, "ann@example.org", f"<{id_}@client.example>"))
    assert says in text_of(letter)


@pytest.mark.parametrize("data", [b"", b"\r\n", b"\r\n\r\n", b"no header\r\n", b"\0", b":\r\n\r\n:", b"\xff" * 1000])
def test_nothing(server: Process, data: bytes) -> None:
    """A message without a sender is recorded, and nobody hears of it."""
    before = server.query(_letters)
    assert raw(server, data)[0] == 250
    assert server.query(_letters) == before
    assert server.query(lambda store: store.mails.newest(1))[0].status == "refused"


def _letters(store: Store) -> int:
    """How many letters all mails have caused, sent or not."""
    return sum(len(store.letters.of_mail(mail.id)) for mail in store.mails.newest())


def test_garbage_on_the_wire(server: Process) -> None:
    """Neither binary nonsense nor a disconnect at any byte of a session does harm."""
    session = b"EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<pbmserv@localhost>\r\nDATA\r\nSubject: list\r\n\r\nx\r\n."
    for end in range(0, len(session), 7):
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock:
            sock.sendall(session[:end])
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock:
        sock.sendall(bytes(range(256)) * 20 + b"\r\nQUIT\r\n")
        while sock.recv(10_000):
            pass
