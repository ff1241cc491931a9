"""Bad input at the socket is refused or answered, and the server goes on."""

import smtplib
import socket
from collections.abc import Iterator

import pytest

from pbmserv.cli.mailing.send import text_of
from tests.tools.mail_program import Client, answer
from tests.tools.process import ADDRESS, Process, until

HEAD = b"From: ann@example.org\r\nTo: pbmserv@localhost\r\nMessage-ID: <%s@client.example>\r\n"


def raw(server: Process, data: bytes) -> tuple[int, bytes]:
    """Send one message with exactly these bytes, and return the reply."""
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
    """Check after each test that the server answers as before."""
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
@pytest.mark.slow
def test_too_large(server: Process, data: bytes) -> None:
    """It is refused before it is read, and nothing of it is kept."""
    before = len(server.query(lambda store: store.mails.newest()))
    assert raw(server, HEAD % b"large" + data)[0] == 552
    assert len(server.query(lambda store: store.mails.newest())) == before


@pytest.mark.slow
def test_a_line_without_end(server: Process) -> None:
    """The connection of a client that sends no line end is closed."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock:
        assert sock.recv(1000).startswith(b"220 ")
        with pytest.raises(ConnectionError):
            sock.sendall(b"x" * 50_000_000)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("id_", "data", "says"),
    [
        ("8bit-utf8", "Subject: tumble sh\u00f6w 101\r\n\r\n".encode(), "There is no command"),
        ("8bit-latin1", b"Subject: tumble sh\xf6w 101\r\n\r\n", "There is no command"),
        ("nuls", b"Subject: li\0st\r\n\r\nA body\0with NULs\0\r\n", "Running boards"),
        ("no-subject", b"\r\n\r\n", "Your mail has no text"),
        ("bad-charset", b"Subject: =?x-no-such?Q?list?=\r\n\r\n", "Running boards"),
        ("bad-mime", b"Subject: list\r\nContent-Type: multipart/mixed\r\n\r\n--nothing\r\n", "Running boards"),
    ],
)
def test_strange(server: Process, id_: str, data: bytes, says: str) -> None:
    """Such mails are taken, and answered as far as they can be read."""
    assert raw(server, HEAD % id_.encode() + data)[0] == 250
    letter = until(lambda: answer(server, "ann@example.org", f"<{id_}@client.example>"))
    assert says in text_of(letter)


@pytest.mark.parametrize("data", [b"", b"\r\n", b"\r\n\r\n", b"no header\r\n", b"\0", b":\r\n\r\n:", b"\xff" * 1000])
def test_nothing(server: Process, data: bytes) -> None:
    """A message without From is recorded, and the envelope sender gets an answer. Empty ones count as the same."""
    assert raw(server, data)[0] == 250
    mails = server.query(lambda store: store.mails.newest(100))
    mail = next(mail for mail in mails if (mail.status, mail.sender) == ("refused", "ann@example.org"))
    assert server.query(lambda store: [x.recipient for x in store.letters.of_mail(mail.id)]) == ["ann@example.org"]


@pytest.mark.slow
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
