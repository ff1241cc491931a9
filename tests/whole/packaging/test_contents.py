"""The files in the wheel and in the source distribution."""

import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from pbmserv import __version__
from tests.tools.tree import ROOT

pytestmark = pytest.mark.slow  # builds both


def _version(wheel: Path) -> str:
    return wheel.name.split("-")[1]


def _files(folder: str) -> set[str]:
    """Return the files below a folder of the tree, without the caches of Python."""
    found = (f for f in (ROOT / folder).rglob("*") if f.is_file() and "__pycache__" not in f.parts)
    return {str(f.relative_to(ROOT)) for f in found}


def test_the_wheel_holds_the_package_its_data_and_nothing_else(wheel: Path) -> None:
    names = set(ZipFile(wheel).namelist())
    about = f"pbmserv-{_version(wheel)}.dist-info/"
    data = {f"pbmserv/_data/{f}" for f in _files("templates") | _files("migrations")}
    installed = about.replace("dist-info", "data/data")
    pages = {f"{installed}share/man/man1/{Path(f).name}" for f in _files("docs/man")}
    assert {n for n in names if not n.startswith(about)} == _files("pbmserv") | data | pages
    assert "pbmserv/py.typed" in names
    assert f"{about}licenses/LICENSE" in names


def test_every_version_of_the_schema_is_in_the_wheel(wheel: Path) -> None:
    inside = "pbmserv/_data/migrations/versions/"
    shipped = {n.removeprefix(inside) for n in ZipFile(wheel).namelist() if n.startswith(inside)}
    assert shipped
    assert shipped == {f.name for f in (ROOT / "migrations/versions").glob("*.py")}


def test_the_wheel_names_its_version_licence_and_command(wheel: Path) -> None:
    about = f"pbmserv-{_version(wheel)}.dist-info/"
    with ZipFile(wheel) as z:
        metadata = z.read(f"{about}METADATA").decode().splitlines()
        assert "pbmserv = pbmserv.cli.entry:run" in z.read(f"{about}entry_points.txt").decode()
        init = z.read("pbmserv/__init__.py").decode()
    assert f"Version: {_version(wheel)}" in metadata
    assert "License-Expression: MIT" in metadata
    assert f'__version__ = "{_version(wheel)}"' in init
    assert _version(wheel).partition("+")[0] == __version__


def test_the_sdist_can_be_built_and_tested_by_others(sdist: Path) -> None:
    with tarfile.open(sdist) as t:
        names = {m.name.partition("/")[2] for m in t.getmembers()}
    assert {
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "Makefile",
        "noxfile.py",
        ".editorconfig",
        "tests/whole/packaging/test_contents.py",
    } <= names
    assert _files("pbmserv") | _files("templates") | _files("migrations") <= names
    assert not [
        n for n in names if n.startswith((".venv", "var", ".ci", ".github", ".pre-commit", ".hypothesis", ".nox"))
    ]
