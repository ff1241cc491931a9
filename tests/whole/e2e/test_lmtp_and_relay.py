"""Mail comes in by LMTP, too, and letters can go to a relay instead of Maildirs."""

import asyncio
import smtplib
import socket
from pathlib import Path

import pytest

from tests.tools.aio import in_loop
from tests.tools.mail_program import message
from tests.tools.process import ADDRESS, until
from tests.tools.sink import Sink
from tests.tools.warm import ForkedProcess


@pytest.mark.slow
def test_lmtp(tmp_path: Path) -> None:
    """One process listens on a port and on a Unix socket. The socket's file is removed at the end."""
    path = tmp_path / "in.sock"
    with ForkedProcess(tmp_path, PBMSERV_LISTEN=f"lmtp://127.0.0.1:0, lmtp+unix://{path}") as process:
        assert [url.partition(":")[0] for url in process.urls] == ["lmtp", "lmtp+unix"]
        for host, port, userid in (("127.0.0.1", process.port, "ann"), (str(path), 0, "bob")):
            with smtplib.LMTP(host, port, "client.example") as lmtp:
                assert lmtp.send_message(message(f"{userid}@example.org", f"signup {userid} {userid}-secret")) == {}
        assert [p.userid for p in process.query(lambda store: store.players.all())] == ["ann", "bob"]
        assert "send can only use SMTP" in process.asked("send", "ann@example.org", "help").stderr
        process.stop()
    assert not path.exists()


@pytest.mark.slow
def test_one_reply_for_each_recipient(tmp_path: Path) -> None:
    """A mail by LMTP to two of our addresses gets two replies and has one effect."""
    mail = message("ann@example.org", "signup ann ann-secret").as_bytes().replace(b"\n", b"\r\n")
    with ForkedProcess(tmp_path, PBMSERV_LISTEN="lmtp://127.0.0.1:0") as process:
        with socket.create_connection(("127.0.0.1", process.port), timeout=20) as sock, sock.makefile("rwb") as wire:
            wire.write(b"LHLO client.example\r\nMAIL FROM:<ann@example.org>\r\n")
            wire.write(f"RCPT TO:<{ADDRESS}>\r\nRCPT TO:<postmaster@localhost>\r\nDATA\r\n".encode())
            wire.flush()
            until(lambda: wire.readline().startswith(b"354"))
            wire.write(mail + b".\r\nQUIT\r\n")
            wire.flush()
            assert [wire.readline()[:3], wire.readline()[:3], wire.readline()[:3]] == [b"250", b"250", b"221"]
        assert len(process.query(lambda store: store.mails.newest())) == 1
        process.stop()


@pytest.mark.slow
@in_loop
async def test_letters_go_to_a_mail_server(tmp_path: Path) -> None:
    """They are sent by SMTP, each with a signed envelope sender of its own."""
    async with Sink() as sink:
        await asyncio.to_thread(_play_with_relay, tmp_path, sink)
    subjects = sorted((x.recipient, _subject(x.data)) for x in sink.taken)
    assert subjects == [
        ("ann@example.org", "Tumble Board 101 ann"),
        ("ann@example.org", "Tumble Board 101 ann"),
        ("ann@example.org", "Welcome"),
        ("bob@example.org", "Tumble Board 101 bob"),
        ("bob@example.org", "Tumble Board 101 bob"),
        ("bob@example.org", "Welcome"),
    ]
    assert len({x.mail_from for x in sink.taken}) == 6
    assert all(x.mail_from.startswith("pbmserv+v") for x in sink.taken)


def _play_with_relay(folder: Path, sink: Sink) -> None:
    with ForkedProcess(folder, PBMSERV_RELAY=f"smtp://127.0.0.1:{sink.port}") as process:
        with smtplib.SMTP("127.0.0.1", process.port, "client.example") as smtp:
            for userid in ("ann", "bob"):
                smtp.send_message(message(f"{userid}@example.org", f"signup {userid} {userid}-secret"))
            smtp.send_message(message("ann@example.org", "tumble challenge ann bob"))
        until(lambda: len(sink.taken) == 4)
        printed = process.said("send", "ann@example.org", "tumble move 101 ann ann-secret c4-c5")
        assert "Letters go to a relay" in printed
        until(lambda: len(sink.taken) == 6)
        process.verify()
        process.stop()


def _subject(data: bytes) -> str:
    line = next(line for line in data.split(b"\r\n") if line.startswith(b"Subject: "))
    return line.removeprefix(b"Subject: ").decode()
