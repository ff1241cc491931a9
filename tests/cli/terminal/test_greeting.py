"""`status` and `doctor` ask the listener: is it there, is it this server, and did its last commits succeed?"""

import json
import smtplib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbmserv.cli.terminal.greeting import ask
from pbmserv.mail.smtp.endpoints import read_url
from pbmserv.mail.smtp.session import is_from_here
from tests.tools.process import Process
from tests.tools.warm import ForkedProcess

FULL = ("sh", "-c", 'ulimit -f 2000; exec "$@"', "sh")  #: no file may exceed 1 or 2 MB: shells differ


def status(server: Process, code: int) -> Any:
    done = server.asked("status", "--json")
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


@contextmanager
def greeter(banner: bytes) -> Iterator[str]:
    """Another server, which greets one client with this banner; yields its URL."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def greet() -> None:
            client, _ = listening.accept()
            with client:
                client.sendall(banner)
                client.settimeout(5)
                client.recv(100)

        thread = threading.Thread(target=greet)
        thread.start()
        yield f"smtp://127.0.0.1:{listening.getsockname()[1]}"
        thread.join()


@pytest.mark.slow
def test_status_knows_whether_a_server_runs(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path) as server:
        server.told("send", "alice@example.org", "signup alice secret1")
        found = status(server, 0)
        (listener,) = found["listeners"]
        assert (listener["url"], listener["state"], listener["failures"]) == (server.urls[0], "ours", 0)
        assert 0 <= listener["committed_seconds"] < 60
        assert "is this server, last commit" in server.told("status")
        assert "is this server" in server.told("doctor")
        server.kill()
    warnings = status(server, 1)["warnings"]
    assert f"Nobody answers at {server.urls[0]}: Connection refused. Start the server: pbmserv serve" in warnings[0]


@pytest.mark.slow
def test_status_tells_of_a_full_disk(tmp_path: Path) -> None:
    """Each mail gets 451 and nothing can be written to disk, but the listener still knows of the failures."""
    with Process(tmp_path, under=FULL) as server:
        body = "\n".join(["multiple"] + ["help commands"] * 20)
        with smtplib.SMTP("127.0.0.1", server.port, timeout=30) as client:
            reply = 250
            for n in range(400):
                mail = f"From: a{n}@example.org\r\nTo: pbmserv@localhost\r\nSubject: signup a{n} secret1\r\n\r\n{body}"
                try:
                    client.sendmail("a@example.org", ["pbmserv@localhost"], mail)
                except smtplib.SMTPDataError as e:
                    reply = e.smtp_code
                    break
        assert reply == 451
        found = status(server, 1)
        (listener,) = found["listeners"]
        assert listener["failures"] >= 1
        assert listener["trouble"].startswith("OperationalError: ")
        assert any("Mails get 451" in w for w in found["warnings"])
        server.kill()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("banner", "said"),
    [
        pytest.param(b"220 localhost ESMTP Postfix\r\n", "Somebody else answers at {url}", marks=pytest.mark.slow),
        pytest.param(b"220 localhost LMTP\r\n", "Somebody else answers at {url}", marks=pytest.mark.slow),
        pytest.param(
            b"220 games.example ESMTP pbmserv 00000000\r\n",
            "Another pbmserv answers at {url}: its domain is",
            marks=pytest.mark.slow,
        ),
        (b"220 localhost ESMTP pbmserv 00000000\r\n", "Another installation of pbmserv answers at {url}"),
        pytest.param(
            b"421 4.7.0 Too many connections\r\n",
            "The server at {url} refuses connections: 421 4.7.0 Too many",
            marks=pytest.mark.slow,
        ),
        pytest.param(b"\r\n", "Somebody answers at {url} and says nothing", marks=pytest.mark.slow),
    ],
)
def test_somebody_else_is_not_taken_for_us(tmp_path: Path, banner: bytes, said: str) -> None:
    server = ForkedProcess(tmp_path)
    with server:
        server.stop()
    for word in ("doctor", "status"):
        with greeter(banner) as url:
            server.urls = [url]
            done = server.asked(word)
        assert done.exit_code == 1
        assert said.format(url=url) in done.stdout


def test_a_place_at_which_nobody_says_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbmserv.cli.terminal.greeting.TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        answer = ask(read_url(f"smtp://127.0.0.1:{silent.getsockname()[1]}"), "localhost", "")
    assert answer.state == "nobody"


@pytest.mark.slow
def test_a_unix_socket_is_asked_too(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path, PBMSERV_LISTEN=f"lmtp+unix://{tmp_path}/sock") as server:
        (listener,) = status(server, 0)["listeners"]
        assert listener["state"] == "ours"
        server.stop()
    (listener,) = status(server, 1)["listeners"]
    assert listener["state"] == "nobody"


@pytest.mark.parametrize(
    ("peer", "here"),
    [
        ("", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("192.0.2.1", False),
        ("fe80::1%eth0", False),
    ],
)
def test_the_report_is_for_this_machine(peer: str, here: bool) -> None:
    assert is_from_here(peer) is here


@pytest.mark.slow
def test_help_is_answered_and_tells_strangers_nothing(tmp_path: Path) -> None:
    with ForkedProcess(tmp_path) as server:
        with smtplib.SMTP("127.0.0.1", server.port, timeout=30) as client:
            code, said = client.docmd("HELP")
            assert (code, b"play-by-mail" in said) == (214, True)
            code, said = client.docmd("HELP", "status")
            assert json.loads(said.partition(b"2.0.0 ")[2])["failures"] == 0
        server.stop()


def test_an_unknown_variable_is_an_error_with_the_nearest_name(tmp_path: Path) -> None:
    for words in ("serve", "status", "doctor", "boards list", "web", "send a@example.org"):
        done = Process(tmp_path, PBMSERV_ADRESS="x@example.org", PBMSERV_QQQ="").asked(*words.split())
        assert done.exit_code == 78, words
        assert "PBMSERV_ADRESS: There is no such setting. Did you mean PBMSERV_ADDRESS?" in done.stderr
        assert "PBMSERV_QQQ: There is no such setting.\n" in done.stderr


def test_an_unknown_line_of_the_file_is_one_too(tmp_path: Path) -> None:
    (tmp_path / "pbmserv.toml").write_text('adress = "x@example.org"\n')
    done = Process(tmp_path).asked("status")
    assert done.exit_code == 78
    assert "adress in pbmserv.toml: There is no such setting. Did you mean PBMSERV_ADDRESS?" in done.stderr


@pytest.mark.slow
def test_doctor_says_which_file_was_read(tmp_path: Path) -> None:
    server = Process(tmp_path)
    assert f"there is no pbmserv.toml in {tmp_path}" in server.told("doctor")
    (tmp_path / "pbmserv.toml").write_text('log_level = "warning"\n')
    assert f"{tmp_path}/pbmserv.toml was read" in server.told("doctor")


@pytest.mark.slow
def test_two_installations_have_two_names(tmp_path: Path) -> None:
    banners = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        with ForkedProcess(tmp_path / name) as server:
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as sock:
                banners.append(sock.recv(200))
            server.stop()
    assert banners[0] != banners[1]
    assert all(b.startswith(b"220 localhost ESMTP pbmserv ") for b in banners)
