"""The fast tests on each Python that is there, with a wheel installed and not the tree: `make nox`.

What the tests need is copied into a folder without `pbmserv/`, so that nothing but the installed package can be found,
and templates and migrations only inside it. `tests/whole/packaging`, which builds sdist and wheel from the tree, is
left to `make test`.
"""

import shutil
from pathlib import Path

import nox

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
#: Of the tree, what no test may find beside it, and what would be copied for nothing.
LEFT_OUT = ("pbmserv", "packaging", ".*", "var", "dist", "build", "__pycache__", "*.egg-info")

nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Install the wheel with the tools of `dev`, and run the fast tests from a folder that holds no package."""
    session.install("--force-reinstall", "--no-deps", ".")
    session.install(".[dev]")
    folder = Path(session.create_tmp()).resolve() / "tree"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(Path(__file__).parent, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    session.chdir(folder)
    words = session.posargs or ["-n", "auto", "--dist", "worksteal", "-m", "not slow"]
    session.run("python", "-m", "pytest", "tests", "--pyargs", "pbmserv.conformance", *words)
