"""docs/adding-a-game.md and adding-a-variant.md: their examples, installed beside our wheel, pass the checks."""

import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from tests.tools.tree import ROOT
from tests.whole.packaging.conftest import installed_beside_ours
from tests.whole.packaging.installed_server import ask, demonstration, serving, text, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

PAGE = ROOT / "docs" / "adding-a-game.md"
FILES = dict(re.findall(r"```\w+ file=(\S+)\n(.*?)```", PAGE.read_text(), re.DOTALL))
PROJECT = FILES.pop("pyproject.toml")
VARIANT = (ROOT / "docs" / "adding-a-variant.md").read_text().partition("## In a package of your own")[2]
ROW = re.findall(r"```python\n(.*?)```", VARIANT, re.DOTALL)[0]
ROW_ENTRY = re.findall(r"^    (wild = .*)$", VARIANT, re.MULTILINE)[0]
ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture(scope="module")
def home(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of both pages, and a virtual environment in which they and pbmserv are installed."""
    folder = tmp_path_factory.mktemp("discs")
    rules = (ROOT / "pbmserv/games/connection/four.py").read_text()
    files = {
        "pyproject.toml": PROJECT,
        "falling_discs/__init__.py": renamed(rules),
        "falling_discs/templates/help/discs.txt": (ROOT / "templates/help/four.txt").read_text(),
    }
    bids = PROJECT.replace("falling-discs", "prizes").replace("discs = ", "prizes = ")
    bids = bids.replace("falling_discs:FourInARow", "prizes:Prizes")
    row = PROJECT.replace("falling-discs", "wild-chess").replace('discs = "falling_discs:FourInARow"', ROW_ENTRY)
    packages = {
        "package": files,
        "bids": {"pyproject.toml": bids, **FILES},
        "row": {"pyproject.toml": row, "wild_chess/__init__.py": ROW},
    }
    for package, its_files in packages.items():
        for name, content in its_files.items():
            file = folder / package / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
    installed_beside_ours(folder / "venv", str(wheel), *(str(folder / package) for package in packages))
    return folder


def renamed(rules: str) -> str:
    """The module with another key and without aliases, as the page says."""
    after = rules.replace('key="four"', 'key="discs"').replace('        aliases=("fourinarow",),\n', "")
    assert after.count("discs") > rules.count("discs")
    assert "fourinarow" not in after
    return after


def run(folder: Path, program: str, *words: str) -> str:
    """Return the output of an installed program, which must succeed."""
    command = [str(folder / "venv/bin" / program), *words]
    site = demonstration(folder)
    done = subprocess.run(command, cwd=folder, env=site, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_packages_conform(home: Path) -> None:
    suite = (
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        "-k",
        "discs or prizes or wild",
        "--pyargs",
    )
    run(home, "python", *suite, "pbmserv.conformance", "--golden")
    for key, ending in (("discs", "row|full"), ("prizes", "prizes"), ("wild", "")):
        golden = list((home / "venv").glob(f"lib/python*/site-packages/*/golden/{key}-*.txt"))
        assert golden
        assert re.search(f"Result: ({ending})", golden[0].read_text())
    assert "passed" in run(home, "python", *suite, "pbmserv.conformance.test_golden")


def test_it_is_tried_as_the_page_says(home: Path) -> None:
    """The game runs in a folder of its own. The server has the settings of the page's first line."""
    folder = home / "trial"
    folder.mkdir()
    start, *lines = [
        x for block in re.findall(r"```shell\n(.*?)```", PAGE.read_text(), re.DOTALL) for x in block.split("\n") if x
    ]
    assert start.split()[-2:] == ["pbmserv", "serve"]
    shown = dict(word.split("=") for word in start.split()[:-2])
    site = {"HOME": str(folder), "PBMSERV_LISTEN": "smtp://127.0.0.1:0", **shown}
    printed = []
    with serving(home / "venv/bin", site, folder) as (_, port):
        for line in lines:
            command = [str(home / "venv/bin" / "pbmserv"), *shlex.split(line)[1:]]
            env = site | {"PBMSERV_LISTEN": f"smtp://127.0.0.1:{port}"}
            done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=True)
            printed.append(done.stdout)
    assert "a disc in column D falls to d2" in " ".join(printed[4].split())
    assert "Your move" in printed[5] or "alice's turn" in printed[5]
    assert " 1|   |   |   | R |" in printed[-2]
    assert "1 boards replayed, 0 differences" in printed[-1]


def test_it_is_played_by_mail(home: Path) -> None:
    letters = home / "letters"
    with serving(home / "venv/bin", demonstration(home), home) as (server, port):
        for sender, subject in (
            (ALICE, "signup alice secret1"),
            (BOB, "signup bob secret2"),
            (ALICE, "discs challenge alice bob"),
            (ALICE, "discs move 101 alice secret1 d"),
            (BOB, "discs move 101 bob secret2 a"),
            (ALICE, "discs move 101 alice secret1 d"),
            (BOB, "discs move 101 bob secret2 a"),
            (ALICE, "discs move 101 alice secret1 d"),
            (BOB, "discs move 101 bob secret2 a"),
            (ALICE, "discs move 101 alice secret1 d"),
        ):
            ask(port, letters, sender, subject)
        told = text(wait_for(letters, lambda x: x["To"] == BOB and "Board 101 is over" in text(x)))
        server.send_signal(signal.SIGTERM)
        assert server.wait(40) == 0
    assert "alice wins (four in a row)" in told
    assert " 4|   |   |   | R |" in told
    assert "1 boards replayed, 0 differ" in run(home, "pbmserv", "boards", "verify")
