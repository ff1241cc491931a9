"""What hatchling cannot read in a file: the version of a build, and the description of the package.

The version is the number in pbmserv/__init__.py, and what was built (ADR 56).

Only a build of the very commit that has the release's tag has the bare number, such as 2.0.0. Every other build says
its commit behind a plus, as a local version of PEP 440: 2.0.0+20261125061500.g1a2b3c4d5. If the tree is not as it was
committed, or there is no git, a digest of what is shipped tells builds apart. A source distribution knows its version.
"""

import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
_INIT = "pbmserv/__init__.py"
_NUMBER = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
#: A picture in a line of its own, and a link to another file: its text and the file.
_PICTURE = re.compile(r"^!\[(.*)\]\(.*\)$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#]+)[^)]*\)")
#: What a wheel is made of.
_SHIPPED = (
    "pyproject.toml",
    "hatch_build.py",
    "README.md",
    "LICENSE",
    "pbmserv",
    "templates",
    "migrations",
    "docs/man",
)


def version() -> str:
    """Return the version of what is built from this tree."""
    (number,) = _NUMBER.findall((ROOT / _INIT).read_text())
    commit = _git("show", "--no-patch", "--format=%cd.g%h", "--date=format-local:%Y%m%d%H%M%S", "--abbrev=9", "HEAD")
    if not commit:
        return f"{number}+d{_digest()}"
    if _git("status", "--porcelain"):
        return f"{number}+{commit}.d{_digest()}"
    return number if f"v{number}" in (_git("tag", "--points-at", "HEAD") or "").split() else f"{number}+{commit}"


def _git(*words: str) -> str | None:
    """Return what git says about this tree, with times in UTC; None if it is no clone, or git is missing or refuses."""
    if not (ROOT / ".git").exists():  # a tree inside of another repository is not described by that one
        return None
    try:
        command = ["git", "--no-optional-locks", *words]
        environment = os.environ | {"TZ": "UTC"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _digest() -> str:
    whole = hashlib.sha256()
    for file in sorted(_files()):
        whole.update(f"{file.relative_to(ROOT).as_posix()}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()[:9]


def _files() -> Iterator[Path]:
    for name in _SHIPPED:
        place = ROOT / name
        for file in place.rglob("*") if place.is_dir() else [place]:
            if file.is_file() and "__pycache__" not in file.parts:
                yield file


class NumberInTheWheel(BuildHookInterface[Any]):
    """Writes the version of the build into the package of the wheel, where `pbmserv version` reads it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it packs a wheel. `version` is the kind of wheel."""
        if version == "editable":  # it has the files of the tree
            return
        text = (ROOT / _INIT).read_text()
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / "__init__.py"
        file.write_text(_NUMBER.sub(f'__version__ = "{self.metadata.version}"', text))
        build_data["force_include"][str(file)] = _INIT

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called by hatchling when the wheel is there."""
        if version != "editable":
            self._folder.cleanup()


class DescriptionOfThePackage(MetadataHookInterface):
    """Makes the description that an index of packages shows: README.md, but other files are named and not linked."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling when it reads the metadata."""
        text = _PICTURE.sub(r"*\1*", (ROOT / "README.md").read_text())
        metadata["readme"] = {"content-type": "text/markdown", "text": _LINK.sub(_named, text)}


def _named(link: re.Match[str]) -> str:
    """Return the text of a link, and the name of the file to which it leads."""
    text, file = link.groups()
    return f"`{file}`" if file.startswith(text.rstrip("/")) else f"{text} (`{file}`)"
