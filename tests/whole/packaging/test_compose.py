"""The image and the compose files: what they name exists, fits together, and the settings in them are right.

There is no Docker engine here: nothing is built or started.
"""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from pbmserv.cli.main import PLACES, app
from pbmserv.config import Config
from tests.tools.tree import ROOT

IMAGE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
FILES = sorted((ROOT / "deploy").glob("*.compose.yaml"))
HARD = {
    "init": True,
    "restart": "unless-stopped",
    "read_only": True,
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
    "tmpfs": ["/tmp"],
    "env_file": ".env",
}


def sample(file: Path) -> dict[str, str]:
    """Return the variables of .env as the file's first comment has them."""
    lines = re.findall(r"^#   ([A-Z_]+)=(.*)$", file.read_text(), re.MULTILINE)
    return {name: value.strip("'") for name, value in lines}


@cache
def services(file: Path) -> dict[str, dict[str, Any]]:
    """Return the services of a compose file, with what stands in .env put in its place."""
    known = sample(file)

    def value(found: re.Match[str]) -> str:
        name, how, otherwise = found.groups()
        assert name in known or how == ":-", f"{name} is not in .env"
        return known.get(name, otherwise)

    text = re.sub(r"\$\{([A-Z_]+)(:-|:\?)?([^}]*)\}", value, file.read_text())
    found: dict[str, dict[str, Any]] = yaml.safe_load(text)["services"]
    return found


SERVICES = [(file, name) for file in FILES for name in services(file)]
OURS = [(file, name) for file, name in SERVICES if services(file)[name].get("image") == "pbmserv"]


def ids(value: object) -> str:
    return value.name.partition(".")[0] if isinstance(value, Path) else str(value)


@pytest.mark.parametrize(("file", "name"), SERVICES, ids=ids)
def test_a_service_names_only_what_the_file_has(file: Path, name: str) -> None:
    there, volumes = services(file), yaml.safe_load(re.sub(r"\$\{.*?\}", "x", file.read_text()))["volumes"]
    service = there[name]
    assert ("image" in service) != ("build" in service)
    for other, how in service.get("depends_on", {}).items():
        wanted = how["condition"]
        assert wanted == "service_healthy" or (wanted == "service_completed_successfully" and "command" in there[other])
        assert set(there[other].get("profiles", ())) <= set(service.get("profiles", ())), "it would not be started"
    assert {volume.partition(":")[0] for volume in service["volumes"]} <= volumes.keys()
    for copied in re.findall(r"COPY (\S+) ", str(service.get("build", ""))):
        assert (ROOT / "deploy" / copied).exists()
        assert f"install -t /etc/pbmserv deploy/{copied}" in file.read_text()


@pytest.mark.parametrize(("file", "name"), OURS, ids=ids)
def test_the_settings_of_a_container_are_right(file: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    service = services(file)[name]
    assert {key: service[key] for key in HARD if key != "restart" or name != "migrate"}.items() <= HARD.items()
    of_image = dict(re.findall(r"\b(PBMSERV_[A-Z_]+)=(\S+)", IMAGE))
    for variable, value in {**of_image, **sample(file), **service["environment"]}.items():
        monkeypatch.setenv(variable, str(value))
    config = Config()
    assert config.listen == ["lmtp://0.0.0.0:2424"]
    assert "set it" not in config.database_url
    assert config.key_file or config.secret_key


@pytest.mark.parametrize(("file", "name"), OURS, ids=ids)
def test_commands_and_health_checks_are_commands_of_ours(file: Path, name: str, tmp_path: Path) -> None:
    service = services(file)[name]
    command, check = service.get("command", ["serve"]), service.get("healthcheck", {})
    assert command[0] in PLACES
    asked = check.get("test", ["CMD", *re.findall(r'HEALTHCHECK .* CMD \["pbmserv", "health"\]', IMAGE), "health"])
    if check.get("disable"):
        assert command == ["migrate"], "only this one ends by itself"
        return
    assert asked[:2] != ["CMD", "health"], "the image has no health check"
    done = CliRunner().invoke(app, asked[2:], env={"PBMSERV_DATABASE_URL": f"sqlite:///{tmp_path}/none.db"})
    assert done.exit_code in (1, 66), "64 would be: no such option"
    if "web" in command:
        assert command[-1].rpartition(":")[2] == asked[-1].rpartition(":")[2] == "8080"


@pytest.mark.parametrize("file", FILES, ids=ids)
def test_only_mail_is_reached_from_elsewhere(file: Path) -> None:
    ports = {port for service in services(file).values() for port in service.get("ports", ())}
    private = sample(file).get("PRIVATE_ADDRESS", "127.0.0.1")
    assert {p for p in ports if not p.startswith(("127.0.0.1:", private))} <= {"25:25"}


def test_the_image_is_made_of_files_that_reach_it() -> None:
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {word for line in re.findall(r"^COPY (?!--from)(.*) \S+$", IMAGE, re.MULTILINE) for word in line.split()}
    assert copied == let_in
    assert [name for name in copied if not (ROOT / name).exists()] == []
    first, then = (IMAGE.index(words) for words in ("--require-hashes", "COPY pbmserv pbmserv"))
    assert first < then, "a change of the program would install all packages again"


def test_backups_have_a_place() -> None:
    (folder,) = set(re.findall(r"(/data/\w+)/today", (ROOT / "deploy/README.md").read_text()))
    assert re.search(rf"install --directory .* {folder}\b", IMAGE)


def test_pg_dump_of_the_image_is_of_the_version_of_the_server() -> None:
    (program,) = re.findall(r"postgresql-client-(\d+)", IMAGE)
    assert f"postgres:{program}" in services(ROOT / "deploy/machines.compose.yaml")["postgresql"]["image"]
    assert "ARG BASE=python:3.13-slim-trixie\n" in IMAGE, "other releases of Debian have other versions"
