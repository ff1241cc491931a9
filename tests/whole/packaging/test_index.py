"""The package as an index shows and serves it: its description, its extras, and programs that install it."""

import os
import re
import subprocess
import sys
import tomllib
import venv
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.metadata import Metadata
from packaging.utils import canonicalize_name
from readme_renderer.markdown import render
from trove_classifiers import classifiers

from tests.tools.tree import ROOT
from tests.whole.packaging.conftest import once

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
#: Extras that no server needs.
FOR_US = {"all", "dev", "mutants", "oracle"}


def test_the_extra_all_has_every_extra_of_a_server() -> None:
    extras = PROJECT["optional-dependencies"]
    (everything,) = extras["all"]
    assert set(re.findall(r"\w+", everything.partition("[")[2])) == extras.keys() - FOR_US


def _metadata(wheel: Path) -> bytes:
    with ZipFile(wheel) as z:
        (name,) = (name for name in z.namelist() if name.endswith(".dist-info/METADATA"))
        return z.read(name)


@pytest.mark.slow
def test_the_metadata_are_such_as_an_index_takes(wheel: Path) -> None:
    metadata = Metadata.from_email(_metadata(wheel), validate=True)
    assert (metadata.name, metadata.license_expression) == ("pbmserv", "MIT")
    assert set(metadata.classifiers or ()) <= classifiers
    assert {"web", "postgresql", "swiss", "metrics", "all"} <= set(metadata.provides_extra or ())
    assert metadata.project_urls in (None, {}), "link the other pages in the description, too: hatch_build.py"


@pytest.mark.slow
def test_the_description_is_shown_whole_and_leads_nowhere_that_is_not(wheel: Path) -> None:
    metadata = Metadata.from_email(_metadata(wheel))
    assert metadata.description_content_type == "text/markdown"
    shown = render(metadata.description or "")
    assert shown
    assert "The first game, in five minutes" in shown
    assert "<table>" in shown
    assert "<img" not in shown
    assert [link for link in re.findall(r'href="([^"]*)"', shown) if not link.startswith(("https://", "#"))] == []
    assert "](" not in shown


def _pip(*words: object, **settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", *map(str, words)]
    return subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, timeout=240, check=False)


@pytest.fixture(scope="session")
def index(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and all that it needs, and with uv and pipx: an index of our own."""

    def fill(folder: Path) -> None:
        # authres has no wheel, so it is built by setuptools.
        done = _pip("download", "--quiet", "--dest", folder, wheel, "uv", "pipx", "pip", "setuptools")
        if done.returncode:
            pytest.skip(f"there is no index to get packages from: {done.stderr[-300:]}")

    return once(tmp_path_factory, "index", fill)


@pytest.fixture(scope="session")
def tools(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs uv, uvx and pipx."""
    home = tmp_path_factory.mktemp("tools")
    venv.create(home)
    done = _pip(
        "--python", home / "bin/python", "install", "--quiet", "--no-index", "--find-links", index, "uv", "pipx"
    )
    assert done.returncode == 0, done.stderr
    return home / "bin"


def _alone(folder: Path, index: Path) -> Mapping[str, str]:
    """The environment of somebody whose only index is this folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_", "PBMSERV_"))}
    return kept | {
        "HOME": str(folder),
        "PIPX_HOME": str(folder / "pipx"),
        "PIPX_BIN_DIR": str(folder / "bin"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_COMPILE": "1",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(index),
        "UV_CACHE_DIR": str(folder / "cache"),
        "UV_FIND_LINKS": str(index),
        "UV_NO_CONFIG": "1",
        "UV_NO_INDEX": "1",
        "UV_OFFLINE": "1",
        "UV_PYTHON": sys.executable,
        "UV_PYTHON_DOWNLOADS": "never",
    }


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_uvx_and_pipx_install_and_run_it(index: Path, tools: Path, wheel: Path, tmp_path: Path) -> None:
    environment, version = _alone(tmp_path, index), wheel.name.split("-")[1]

    def run(*words: object) -> str:
        done = subprocess.run(
            list(map(str, words)),
            env=environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert run(tools / "uvx", "pbmserv", "version").strip() == version
    run(tools / "pipx", "install", "--python", sys.executable, "pbmserv")
    assert run(tmp_path / "bin/pbmserv", "version").strip() == version
    assert "alice" in run(tmp_path / "bin/pbmserv", "demo")


def test_the_name_is_as_indexes_write_it() -> None:
    assert canonicalize_name(PROJECT["name"]) == PROJECT["name"] == "pbmserv"
