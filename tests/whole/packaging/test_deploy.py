"""The files in deploy/: the settings they name exist."""

import re
import subprocess
import tomllib
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


def test_the_wrapper_keeps_who_it_is_and_finds_files_from_here(tmp_path: Path) -> None:
    """`pbm` hands a command to systemd. A program in its place says what it got."""
    (tmp_path / "board.json").touch()
    runs = tmp_path / "systemd-run"
    runs.write_text('#!/bin/sh\nfor word; do echo "$word"; done\n')
    runs.chmod(0o755)
    words = ["boards", "import", "board.json", "--why", "two words"]
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin", "SUDO_USER": "ann"}
    done = subprocess.run(
        [ROOT / "deploy/pbm", *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    options, _, told = done.stdout.partition("/opt/pbmserv/bin/pbmserv\n")
    assert {"--uid=pbmserv", "--working-directory=/etc/pbmserv", "--setenv=PBMSERV_ADMIN=ann"} <= {*options.split()}
    assert told.splitlines() == ["boards", "import", str(tmp_path / "board.json"), "--why", "two words"]


@pytest.mark.parametrize("active", ["postfix nginx", "postfix", ""])
def test_a_renewed_certificate_is_read_by_what_runs(tmp_path: Path, active: str) -> None:
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(
        '#!/bin/sh\nif [ "$1" = reload ]; then echo "$2"; exit; fi\n'
        f'case " {active} " in *" $3 "*) ;; *) exit 3;; esac\n'
    )
    systemctl.chmod(0o755)
    env = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run([ROOT / "deploy/certificates-renewed"], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split() == active.split()


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


def test_the_postfix_of_the_container_is_that_of_the_page() -> None:
    """Every parameter that the page explains is set, and mail goes to the ports of the containers."""
    page, script = ((ROOT / "deploy" / name).read_text() for name in ("postfix.md", "postfix-container.sh"))
    explained = set(
        re.findall(r"^([a-z_]+) =", page.partition("## main.cf")[2].partition("## master.cf")[0], re.MULTILINE)
    )
    assert {name for name in explained if f'"{name} = ' not in script} == set()
    options = set(re.findall(r"^ +-o ([a-z_]+=\S+)$", page.partition("## master.cf")[2], re.MULTILINE))
    assert {option for option in options if f'"pbmserv/unix/{option}"' not in script} == set()
    assert "inet:pbmserv:2424" in script
    assert re.search(r"^postconf -X mynetworks$", script, re.MULTILINE), "Debian's would count"
    assert '"10025/inet=' in script
    for name in ("postfix.compose.yaml", "machines.compose.yaml"):
        compose = (ROOT / "deploy" / name).read_text()
        assert "PBMSERV_LISTEN: lmtp://0.0.0.0:2424" in compose
        assert "PBMSERV_RELAY: smtp://postfix:10025" in compose


def test_the_script_of_the_container_is_one(tmp_path: Path) -> None:
    subprocess.run(["sh", "-n", ROOT / "deploy/postfix-container.sh"], check=True, cwd=tmp_path)
