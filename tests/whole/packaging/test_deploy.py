"""The files in deploy/: the settings they name exist, and the health check knows whether a server works."""

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

from pbmserv.config import RENAMED, ROLES, Config
from tests.tools.tree import ROOT

EXAMPLE = ROOT / "deploy/pbmserv.toml.example"
NAMING_SETTINGS = [ROOT / "Dockerfile", *(f for f in (ROOT / "deploy").iterdir() if f.is_file())]


def test_the_example_names_every_setting_once() -> None:
    names = re.findall(r"^#?(\w+) = ", EXAMPLE.read_text(), re.MULTILINE)
    assert sorted(names) == sorted(Config.model_fields.keys() - RENAMED)


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
    plain = {k: list(v) if isinstance(v, tuple) else v for k, v in defaults.items() if v is not None}
    assert {k: v for k, v in shown.items() if defaults[k] is not None} == plain


@pytest.mark.parametrize("file", NAMING_SETTINGS, ids=lambda f: f.name)
def test_only_settings_that_exist_are_named(file: Path) -> None:
    named = {n.lower() for n in re.findall(r"PBMSERV_([A-Z_]+)", file.read_text())}
    assert named <= set(Config.model_fields)


def _unit(name: str) -> set[str]:
    """Return the settings of a systemd unit."""
    lines = (ROOT / "deploy" / name).read_text().splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def test_the_unit_of_a_role_is_as_safe_as_that_of_all() -> None:
    differs = {line.partition("=")[0] for line in _unit("pbmserv.service") ^ _unit("pbmserv@.service")}
    assert differs == {"Description", "Environment", "RuntimeDirectory"}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_a_name_that_a_unit_can_have(role: str) -> None:
    assert re.fullmatch("[a-z]+", role)


def _settings_of(compose: str) -> set[str]:
    return set(re.findall(r"^    (PBMSERV_[A-Z_]+):", (ROOT / "deploy" / compose).read_text(), re.MULTILINE))


def test_both_compose_files_set_what_postgresql_needs() -> None:
    needed = {"PBMSERV_DATABASE_URL", "PBMSERV_SECRET_KEY", "PBMSERV_ADDRESS", "PBMSERV_LISTEN", "PBMSERV_RELAY"}
    assert needed <= _settings_of("compose.yaml")
    assert needed <= _settings_of("many.compose.yaml")


def test_the_postfix_of_the_container_is_that_of_the_page() -> None:
    """Every parameter that the page explains is set, and mail goes to the ports of the containers."""
    page, script = ((ROOT / "deploy" / name).read_text() for name in ("postfix.md", "postfix-container.sh"))
    explained = set(
        re.findall(r"^([a-z_]+) =", page.partition("## main.cf")[2].partition("## master.cf")[0], re.MULTILINE)
    )
    assert {name for name in explained if f'"{name} = ' not in script} == set()
    compose = (ROOT / "deploy/many.compose.yaml").read_text()
    assert "inet:pbmserv:2424" in script
    assert "PBMSERV_LISTEN: lmtp://0.0.0.0:2424" in compose
    assert "PBMSERV_RELAY: smtp://postfix:10025" in compose
    assert '"10025/inet=' in script


def test_the_script_of_the_container_is_one(tmp_path: Path) -> None:
    subprocess.run(["sh", "-n", ROOT / "deploy/postfix-container.sh"], check=True, cwd=tmp_path)


@contextmanager
def _somebody(*lines: bytes) -> Iterator[int]:
    """Start a server that accepts one connection, sends each line, and waits for an answer in between.

    Return its port.
    """
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


@pytest.mark.slow
def test_a_port_without_listener_is_not_healthy_unless_there_should_be_none(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    assert not _healthy(tmp_path, f"smtp://127.0.0.1:{port}")
    assert _healthy(tmp_path, f"smtp://127.0.0.1:{port}", roles="sender,clock")
