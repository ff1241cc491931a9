"""Packages that are built from the tree, once for all tests that need them."""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.tools.tree import ROOT

_INSTALL_SECONDS = 240


def installed(home: Path, *packages: str) -> Path:
    """Install these packages and their dependencies in a new virtual environment. Return the folder of its programs."""
    venv.create(home, with_pip=True)
    install = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", *packages]
    done = subprocess.run(install, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return home / "bin"


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of the tree and the wheel that is built from that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(build, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def wheel(dist: Path) -> Path:
    """The wheel."""
    (file,) = dist.glob("pbmserv-*.whl")
    return file


@pytest.fixture(scope="session")
def sdist(dist: Path) -> Path:
    """The source distribution."""
    (file,) = dist.glob("pbmserv-*.tar.gz")
    return file
