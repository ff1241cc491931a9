"""`make run` in a tree that nobody has used yet: it installs what running needs, and answers a mail."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import uv

from tests.tools.tree import ROOT
from tests.whole.packaging.installed_server import ask

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

FILES = ("Makefile", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
FOLDERS = ("pbmserv", "templates", "migrations")
#: A Python whose `-m venv` makes an environment with a `pip` that is uv: this is not about pip, which takes ten times
#: as long. tests/whole/packaging/test_index.py has the commands of users.
PYTHON = """#!{python} -S
import glob, subprocess, sys
assert sys.argv[1:3] == ["-m", "venv"], sys.argv
subprocess.run(["{uv}", "venv", "--quiet", "--python", "{python}", sys.argv[3]], check=True)
(packages,) = glob.glob(sys.argv[3] + "/lib/python*/site-packages")
with open(packages + "/pip.py", "w") as pip:
    pip.write({pip!r})
"""
PIP = """
import os, sys
os.execv("{uv}", ["uv", "pip", *sys.argv[1:], "--python", sys.executable])
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of all that running needs, without what was installed and compiled."""
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path / name)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    program = uv.find_uv_bin()
    (tmp_path / "python").write_text(PYTHON.format(python=sys.executable, uv=program, pip=PIP.format(uv=program)))
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def _make(tree: Path, *words: str) -> list[str]:
    return ["make", "--no-print-directory", f"--directory={tree}", f"PYTHON={tree}/python", *words]


def _dry(tree: Path, target: str) -> str:
    return subprocess.run(_make(tree, "--dry-run", target), capture_output=True, text=True, check=True).stdout


def test_make_run_installs_only_what_running_needs(tree: Path) -> None:
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("PBMSERV_", "PYTHON"))}
    settings["PBMSERV_LISTEN"] = "smtp://127.0.0.1:0"
    server = subprocess.Popen(
        _make(tree, "run"), env=settings, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        assert server.stdout
        lines = iter(server.stdout.readline, "")
        port = next(int(found[1]) for line in lines if (found := re.match(r"pbmserv listens on .*:(\d+) for", line)))
        assert "HELP" in ask(port, tree / "var/letters", "alice@example.org", "help").upper()
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate(timeout=60)
    list_all = [str(tree / ".venv/bin/python"), "-m", "pip", "freeze"]
    listed = subprocess.run(list_all, capture_output=True, text=True, check=True).stdout
    there = {re.split(r"[=@ ]", line)[0].lower() for line in listed.splitlines()}
    needs = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["dev"]
    assert there & {re.split(r"[^\w.-]", line)[0].lower() for line in needs} == set()
    assert "jinja2" in there
    assert "pip install" not in _dry(tree, "run")
    assert "venv .venv" not in _dry(tree, "test")
    assert "[dev]" in _dry(tree, "test")
