"""What a server tells the service manager, on a real datagram socket and by its exit codes."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbmserv.server.processes import systemd
from tests.tools.process import run
from tests.tools.warm import ForkedProcess

slow = pytest.mark.slow  # starts a real server


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The socket on which systemd listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(str(tmp_path / "notify"))
        sock.settimeout(10)
        yield sock


@slow
def test_from_ready_to_stopping(tmp_path: Path, manager: socket.socket) -> None:
    settings = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "100000"}
    with ForkedProcess(tmp_path, **settings) as server:
        assert manager.recv(1000).decode() == f"READY=1\nSTATUS=listens on {server.urls[0]}"
        assert manager.recv(1000) == b"WATCHDOG=1"
        assert manager.recv(1000) == b"WATCHDOG=1"
        assert "nothing was lost" in server.stop()
        manager.settimeout(0)
        rest = list(iter(lambda: _next(manager), b""))
    assert rest[-1] == b"STOPPING=1"
    assert set(rest[:-1]) <= {b"WATCHDOG=1"}


def _next(manager: socket.socket) -> bytes:
    try:
        return manager.recv(1000)
    except BlockingIOError:
        return b""


@pytest.mark.slow
def test_a_manager_that_is_gone_or_does_not_listen_holds_nobody_up(
    tmp_path: Path, manager: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    systemd.notify("READY=1")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    for _ in range(10_000):  # more than any queue can hold
        systemd.notify("WATCHDOG=1")
    assert manager.recv(100) == b"WATCHDOG=1"


def test_an_abstract_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"pbmserv-test-{os.getpid()}"
    monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sock:
        sock.bind(f"\0{name}")
        sock.settimeout(10)
        systemd.notify("STATUS=here")
        assert sock.recv(100) == b"STATUS=here"


def test_the_watchdog_of_another_process_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "60000000")
    assert systemd.watchdog_seconds() == 30
    monkeypatch.setenv("WATCHDOG_PID", str(os.getpid() + 1))
    assert systemd.watchdog_seconds() == 0


@slow
def test_wrong_words_on_the_command_line(tmp_path: Path) -> None:
    done = run(tmp_path, {}, "serve", "--frobnicate")
    assert done.returncode == os.EX_USAGE
    assert "No such option" in done.stderr
