"""The version of a build, in clones and copies of the tree: hatchling builds them, and git is real."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from pbmserv import __version__
from tests.tools.tree import ROOT
from tests.whole.packaging.conftest import installed

CHANGELOG = ROOT / "CHANGELOG.md"
FILES = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
COMMIT = r"\+\d{14}\.g[0-9a-f]{9}"
GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small tree that builds as ours does."""
    folder = tmp_path / "tree"
    for name in ("pbmserv/db", "templates", "migrations", "docs/man"):
        (folder / name).mkdir(parents=True)
    for name in (*FILES, "pbmserv/__init__.py", "pbmserv/paths.py", "migrations/env.py"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "templates/welcome.txt").write_text("Welcome.\n")
    return folder


def _git(tree: Path, *words: str) -> None:
    who = ["-c", "user.name=Maintainer", "-c", "user.email=maintainer@example.org"]
    subprocess.run(["git", *who, *words], cwd=tree, env=os.environ | GIT, capture_output=True, check=True)


def _commit(tree: Path) -> Path:
    if not (tree / ".git").exists():
        _git(tree, "init")
    _git(tree, "add", ".")
    _git(tree, "commit", "--message", "Change it")
    return tree


def _version(tree: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "version"],
        cwd=tree,
        env=os.environ | GIT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def _build(tree: Path, *words: str) -> list[Path]:
    build = [sys.executable, "-m", "build", "--no-isolation", *words, str(tree)]
    done = subprocess.run(build, env=os.environ | GIT, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return sorted((tree / "dist").iterdir())


@pytest.mark.slow
@needs_git
def test_a_commit_has_its_own_version_in_every_clone_and_the_tag_has_the_bare_number(tree: Path) -> None:
    (tree / ".gitignore").write_text("dist\n__pycache__\n")
    first = _version(_commit(tree))
    assert re.fullmatch(re.escape(__version__) + COMMIT, first)
    (tree / "pbmserv/paths.py").write_text("more = 1\n")
    changed = _version(tree)
    assert re.fullmatch(re.escape(first) + r"\.d[0-9a-f]{9}", changed)
    (tree / "pbmserv/paths.py").write_text("more = 2\n")
    assert len({first, changed, _version(tree), second := _version(_commit(tree))}) == 4
    for clone in ("whole", "shallow"):
        depth = ["--depth=1"] if clone == "shallow" else ["--no-tags"]
        _git(tree, "clone", *depth, tree.as_uri(), str(tree.parent / clone))
        assert _version(tree.parent / clone) == second
    _git(tree, "tag", "--annotate", "--message", "It", f"v{__version__}")
    assert _version(tree) == __version__
    (tree / "pbmserv/paths.py").write_text("more = 3\n")
    assert _version(tree) != __version__
    assert re.fullmatch(re.escape(__version__) + COMMIT, _version(_commit(tree)))


@pytest.mark.slow
def test_without_git_the_content_tells_builds_apart(tree: Path) -> None:
    first = _version(tree)
    assert re.fullmatch(re.escape(__version__) + r"\+d[0-9a-f]{9}", first)
    assert _version(tree) == first
    (tree / "templates/welcome.txt").write_text("Hello.\n")
    assert _version(tree) != first


@pytest.mark.slow
@needs_git
def test_a_copy_inside_of_another_repository_does_not_get_its_commit(tree: Path) -> None:
    alone = _version(tree)
    _git(tree.parent, "init")
    _git(tree.parent, "commit", "--allow-empty", "--message", "Something else")
    assert _version(tree) == alone


@needs_git
@pytest.mark.slow
@pytest.mark.timeout(200)
def test_a_wheel_installs_over_that_of_another_commit(tree: Path) -> None:
    (tree / ".gitignore").write_text("dist\n__pycache__\n")
    first = _build(_commit(tree), "--wheel")
    (tree / "pbmserv/paths.py").write_text("more = 1\n")
    (second,) = set(_build(_commit(tree), "--wheel")) - set(first)
    for wheel in (first[0], second):
        bin_ = installed(tree.parent / "venv", "--no-deps", str(wheel))
    found = subprocess.run(
        [bin_ / "python", "-c", "import pbmserv, pbmserv.paths; print(pbmserv.__version__, pbmserv.paths.more)"],
        cwd=tree.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.split() == [second.name.split("-")[1], "1"]


@needs_git
@pytest.mark.slow
def test_a_source_distribution_keeps_its_version(tree: Path) -> None:
    (tree / ".gitignore").write_text("dist\n__pycache__\n")
    (sdist,) = _build(_commit(tree), "--sdist")
    with tarfile.open(sdist) as t:
        t.extractall(tree.parent / "source", filter="data")
    (source,) = (tree.parent / "source").iterdir()
    (source / "pbmserv/paths.py").write_text("more = 1\n")
    (wheel,) = _build(source, "--wheel")
    assert f"pbmserv-{wheel.name.split('-')[1]}.tar.gz" == sdist.name


def test_the_number_is_that_of_the_next_release_until_the_changelog_is_cut() -> None:
    top = re.search(r"^## \[(.*?)\]", CHANGELOG.read_text(), re.MULTILINE)
    assert top
    assert top[1] == ("Unreleased" if __version__.endswith(".dev0") else __version__)
