"""The package as an index shows and serves it: its description, its extras, and programs that install it."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest
import uv
from packaging.metadata import Metadata
from packaging.utils import canonicalize_name
from readme_renderer.markdown import render
from trove_classifiers import classifiers

from tests.tools.tree import ROOT

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


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_uvx_and_pipx_install_and_run_it(wheel: Path, tmp_path: Path) -> None:
    """Where the index has our wheel, too. pipx calls uv, as it does wherever it finds one."""
    ours = ("PIP_", "UV_", "PBMSERV_")
    index = {name: os.environ[name] for name in ["UV_DEFAULT_INDEX"] if name in os.environ}
    kept = index | {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    programs = Path(uv.find_uv_bin()).parent
    environment = kept | {
        "PATH": f"{programs}{os.pathsep}{kept['PATH']}",
        "HOME": str(tmp_path),
        "UV_CACHE_DIR": subprocess.check_output([programs / "uv", "cache", "dir"], text=True).strip(),
        "UV_FIND_LINKS": str(wheel.parent),
        "UV_PYTHON": sys.executable,
    }

    def run(program: Path, *words: str) -> str:
        command = [str(program), *words]
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    version = wheel.name.split("-")[1]
    assert run(programs / "uvx", "pbmserv", "version").strip() == version
    run(programs / "uvx", "pipx", "install", "--python", sys.executable, "pbmserv")
    assert run(tmp_path / ".local/bin/pbmserv", "version").strip() == version
    assert "alice" in run(tmp_path / ".local/bin/pbmserv", "demo")


def test_the_name_is_as_indexes_write_it() -> None:
    assert canonicalize_name(PROJECT["name"]) == PROJECT["name"] == "pbmserv"
