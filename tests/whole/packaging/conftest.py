"""Packages that are built from the tree, once for all tests that need them."""

import fcntl
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
import uv

from tests.tools.tree import ROOT

_INSTALL_SECONDS = 240
#: Settings of pip that uv needs, too, where a machine has them: uv reads only its own.
_OF_PIP = {"index-url": "UV_DEFAULT_INDEX", "cert": "SSL_CERT_FILE"}


@pytest.fixture(scope="session", autouse=True)
def _settings_of_pip() -> None:
    """Let uv find packages where pip does."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    for line in subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines():
        name, _, value = line.partition("=")
        if variable := _OF_PIP.get(name.rpartition(".")[2]):
            os.environ.setdefault(variable, value.strip("'"))


def installed(home: Path, *words: str) -> Path:
    """Install packages and what they need in a virtual environment, new if there is none. Return where programs are.

    uv links files that it has seen before, and needs a tenth of the time of pip.
    """
    if not home.exists():
        _uv("venv", "--python", sys.executable, str(home))
    _uv("pip", "install", "--python", str(home), *words)
    return home / "bin"


def installed_beside_ours(home: Path, *packages: str) -> Path:
    """Do the same without an index: what packages need comes from the tests' environment."""
    _uv("venv", "--python", sys.executable, str(home))
    (place,) = home.glob("lib/python*/site-packages")
    (place / "others.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    return installed(home, "--no-index", "--no-deps", "--no-build-isolation", *packages)


def _uv(*words: str) -> None:
    command = [uv.find_uv_bin(), *words, "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    assert done.returncode == 0, done.stderr


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that `make` has filled, once for all processes of this run."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = base / name
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            part = Path(tempfile.mkdtemp(dir=base))
            make(part)
            part.rename(folder)
    return folder


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of the tree and the wheel that is built from that sdist."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    return once(tmp_path_factory, "dist", build)


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
