"""A server that cannot start says why in one sentence, and ends with the exit code of sysexits.h for this reason."""

import socket
from pathlib import Path

import pytest
from typer.testing import Result

from tests.tools.process import DEMO, Process
from tests.tools.warm import ForkedProcess

slow = pytest.mark.slow  # starts a real server

CONFIG, UNAVAILABLE, NO_INPUT = 78, 69, 66
LOOPBACK = {"PBMSERV_LISTEN": "smtp://127.0.0.1:0"}


def refused(done: Result, code: int, *says: str) -> None:
    """Check that it ended with this code, with these words and without a traceback."""
    assert done.exit_code == code, done.output
    assert all(text in done.stderr for text in says), done.stderr
    assert "Traceback" not in done.stderr


@slow
@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({**DEMO, "PBMSERV_LISTEN": "smtp://0.0.0.0:2525"}, "refused when PBMSERV_LISTEN is not a loopback address"),
        (
            {"PBMSERV_DATABASE_URL": "postgresql://user:swordfish@127.0.0.1:1/db"},
            "PBMSERV_SECRET_KEY is required with PostgreSQL",
        ),
        ({**DEMO, "PBMSERV_LISTEN": "smtp://[::1"}, "Cannot listen on 'smtp://[::1': write smtp://host:port"),
        ({"PBMSERV_RELAY": "smtp://user:swordfish@host"}, "Cannot send letters to 'smtp:"),
    ],
    ids=["demo", "key", "listen", "relay"],
)
def test_wrong_settings(tmp_path: Path, settings: dict[str, str], says: str) -> None:
    """Nothing is opened or made, and no password is shown."""
    done = Process(tmp_path, **{**LOOPBACK, **settings}).asked("serve")
    refused(done, CONFIG, says)
    assert "swordfish" not in done.stderr
    assert not (tmp_path / "var/pbmserv.db").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://root:swordfish@host/db"),
        ("DATABASE_URL", "postgresql://root:swordfish@host/db?hosts=two"),
        ("ROLES", "cook"),
        ("ADDRESS", "nobody"),
        ("TRUST_FROM", "swordfish"),
    ],
)
def test_wrong_setting_of_any_command(tmp_path: Path, name: str, value: str) -> None:
    """The variable is named, its value is not shown: it could hold a password."""
    done = Process(tmp_path, **{f"PBMSERV_{name}": value}).asked("boards", "list")
    assert done.exit_code == CONFIG
    assert f"PBMSERV_{name}: " in done.stderr
    assert "swordfish" not in done.output


@slow
def test_port_in_use(tmp_path: Path) -> None:
    """The address and the reason are named."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"smtp://127.0.0.1:{taken.getsockname()[1]}"
        refused(
            Process(tmp_path, PBMSERV_LISTEN=url).asked("serve"),
            UNAVAILABLE,
            f"Cannot listen on {url} (PBMSERV_LISTEN): ",
            "in use",
        )


@slow
def test_no_database_server(tmp_path: Path) -> None:
    """PostgreSQL does not answer."""
    pytest.importorskip("psycopg")
    url = "postgresql://user:swordfish@127.0.0.1:1/db"
    away = {"PBMSERV_DATABASE_URL": url, "PBMSERV_SECRET_KEY": "a key"}
    done = Process(tmp_path, **LOOPBACK, **away).asked("serve")
    refused(done, UNAVAILABLE, "The database cannot be used: ")
    assert "swordfish" not in done.stderr


@slow
def test_no_server(tmp_path: Path) -> None:
    """`pbmserv send` says what to start. The admin's commands say that there is no database yet."""
    done = Process(tmp_path, PBMSERV_LISTEN="smtp://127.0.0.1:1").asked("send", "a@example.org", "help")
    refused(done, UNAVAILABLE, "Nothing answers at smtp://127.0.0.1:1", "Start the server with: pbmserv serve")
    refused(Process(tmp_path).asked("boards", "list"), NO_INPUT, "There is no database at var/pbmserv.db yet.")


@slow
def test_wrong_role_on_the_command_line(tmp_path: Path) -> None:
    """The error is the same as for the setting."""
    refused(Process(tmp_path, **LOOPBACK).asked("serve", "--roles", "listener,cook"), CONFIG, "unknown role cook")


@slow
def test_only_the_sender(tmp_path: Path) -> None:
    """A process may have one role."""
    with ForkedProcess(tmp_path, PBMSERV_ROLES="sender") as process:
        assert process.urls == ["nothing"]
        assert "nothing was lost" in process.stop()
