"""The operator's first files: the settings they name are ours, and the health check tells health from trouble."""

import re
import socket
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbmserv.config import Config
from tests.packaging.conftest import ROOT

EXAMPLE = ROOT / "deploy/pbmserv.toml.example"
NAMING_SETTINGS = [ROOT / "Dockerfile", *(f for f in (ROOT / "deploy").iterdir() if f.is_file())]


def test_the_example_names_every_setting_once() -> None:
    names = re.findall(r"^#?(\w+) = ", EXAMPLE.read_text(), re.MULTILINE)
    assert sorted(names) == sorted(Config.model_fields)


def test_the_example_is_a_valid_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pbmserv.toml").write_text(EXAMPLE.read_text())
    config = Config()
    assert config.listen == ["lmtp://127.0.0.1:2424"]
    assert config.sqlite_file == Path("/var/lib/pbmserv/pbmserv.db")


def test_what_the_example_leaves_out_shows_the_default() -> None:
    commented = re.findall(r"^#(\w+ = .*)$", EXAMPLE.read_text(), re.MULTILINE)
    shown = tomllib.loads("\n".join(commented))
    defaults = {name: Config.model_fields[name].default for name in shown}
    assert {k: v for k, v in shown.items() if defaults[k] is not None} == {
        k: v for k, v in defaults.items() if v is not None
    }


@pytest.mark.parametrize("file", NAMING_SETTINGS, ids=lambda f: f.name)
def test_only_settings_that_exist_are_named(file: Path) -> None:
    named = {n.lower() for n in re.findall(r"PBMSERV_([A-Z_]+)", file.read_text())}
    assert named <= set(Config.model_fields)


@contextmanager
def _somebody(*lines: bytes) -> Iterator[int]:
    """Somebody who takes one connection, says each line and waits for an answer between them; gives his port."""
    server = socket.create_server(("127.0.0.1", 0))

    def talk() -> None:
        connection, _ = server.accept()
        with connection:
            for line in lines:
                connection.sendall(line + b"\r\n")
                connection.recv(100)

    thread = threading.Thread(target=talk)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        thread.join()
        server.close()


def _healthy(folder: Path, listen: str, roles: str = "listener") -> bool:
    environment = {"PYTHONPATH": str(ROOT), "PBMSERV_LISTEN": listen, "PBMSERV_ROLES": roles}
    check = [sys.executable, str(ROOT / "deploy/healthcheck.py")]
    return subprocess.run(check, cwd=folder, env=environment, timeout=20, check=False).returncode == 0


def test_a_listener_that_greets_is_healthy(tmp_path: Path) -> None:
    with _somebody(b"220 here", b"221 bye") as port:
        assert _healthy(tmp_path, f"smtp://0.0.0.0:{port}")


def test_a_listener_that_turns_away_is_not(tmp_path: Path) -> None:
    with _somebody(b"421 too busy") as port:
        assert not _healthy(tmp_path, f"lmtp://127.0.0.1:{port}")


def test_a_port_without_listener_is_not_healthy_unless_there_should_be_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert not _healthy(tmp_path, f"smtp://127.0.0.1:{port}")
    assert _healthy(tmp_path, f"smtp://127.0.0.1:{port}", roles="sender,clock")
