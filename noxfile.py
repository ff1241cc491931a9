"""The fast tests on each Python that is there, with a wheel installed and not the tree: `make nox`.

What the tests need is copied into a folder without `pbmserv/`, so that nothing but the installed package can be found,
and templates and migrations only inside it. Tests that are about the source tree itself are left to `make test`.
"""

import shutil
import tempfile
from pathlib import Path

import nox

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: What no test may find beside it, and what would be copied for nothing.
LEFT_OUT = ("pbmserv", ".*", "var", "dist", "build", "__pycache__", "*.egg-info")
#: Sdist and wheel are made from the tree, and these pages name its files.
_PAGES = ("architecture", "contributing", "limits", "taught_game")
ABOUT_THE_TREE = ("tests/whole/packaging", *(f"tests/whole/docs/test_{page}.py" for page in _PAGES))

nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Install the wheel with the tools of `dev`, and run the fast tests from a folder that holds no package."""
    session.install(".[dev]")
    words = session.posargs or ["-n", "auto", "--dist", "worksteal", "-m", "not slow"]
    ignored = [f"--ignore={place}" for place in ABOUT_THE_TREE]
    with tempfile.TemporaryDirectory(prefix="pbmserv-") as folder:  # a short name: sockets are made below it
        tree = Path(folder) / "tree"
        shutil.copytree(Path(__file__).parent, tree, ignore=shutil.ignore_patterns(*LEFT_OUT))
        with session.chdir(tree):
            session.run("python", "-m", "pytest", "tests", "--pyargs", "pbmserv.conformance", *ignored, *words)
