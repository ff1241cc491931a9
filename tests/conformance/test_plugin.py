"""A game of another package is found by its entry point. The same suite tests it, with its own golden folder."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.tree import ROOT

pytestmark = pytest.mark.slow  # runs pytest in pytest

GOLDENS = "pbmserv.conformance.test_golden"  #: the module of the suite that reads and writes them
GOLDEN = "conformance_toy/golden/toy-random.txt"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder in which the package `conformance_toy` is installed."""
    package = tmp_path / "conformance_toy"
    shutil.copytree(Path(__file__).with_name("templates"), package / "templates")
    shutil.copy(ROOT / "tests" / "games" / "toy.py", package)
    (package / "__init__.py").touch()
    info = tmp_path / "conformance_toy-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: conformance_toy\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[pbmserv.games]\ntoy = conformance_toy.toy:Toy\n")
    return tmp_path


@pytest.fixture
def boards(tmp_path: Path) -> Path:
    """A folder with an installed package of one module: two games that have pictures, and their help pages."""
    package = tmp_path / "conformance_boards"
    (package / "templates" / "help").mkdir(parents=True)
    shutil.copy(Path(__file__).with_name("toy_boards.py"), package)
    (package / "__init__.py").touch()
    page = "{{ info.name | upper }}\n\nFor example: {{ move }}\n\n{{ diagram }}\n\n{{ info.credit }}\n"
    for key in ("pebbles", "comb"):
        (package / "templates" / "help" / f"{key}.txt").write_text(page)
    info = tmp_path / "conformance_boards-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: conformance_boards\nVersion: 1\n")
    place = "conformance_boards.toy_boards"
    (info / "entry_points.txt").write_text(f"[pbmserv.games]\npebbles = {place}:Pebbles\ncomb = {place}:Comb\n")
    return tmp_path


def run(site: Path, *arguments: str, only: str = "pbmserv.conformance") -> subprocess.CompletedProcess[str]:
    """Run the suite with the command line from the docstring of `pbmserv.conformance`."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "pbmserv.conformance.plugin"]
    return subprocess.run(
        [*command, "--pyargs", only, "-m", "not slow", *arguments],
        cwd=site,
        env={**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )


def test_a_game_without_a_golden_learns_how_to_make_one_and_passes(site: Path) -> None:
    failed = run(site, "-k", "toy", only=GOLDENS)
    assert failed.returncode == 1, failed.stdout
    assert "Toy has no golden transcript. Run pytest with --golden" in failed.stdout
    written = run(site, "-k", "toy", "--golden", only=GOLDENS)
    assert written.returncode == 0, written.stdout
    text = (site / GOLDEN).read_text()
    assert text.startswith("Game: Toy, rules 1\nOptions: none\nSeats: 1\nSeed: ")
    assert "> 1. Player 1: " in text
    passed = run(site, "-k", "toy")
    assert passed.returncode == 0, passed.stdout


def test_each_cause_is_named_once(site: Path) -> None:
    """A game that always fails to end fails in many tests, and the suite names the first of them."""
    module = site / "conformance_toy/toy.py"
    code = module.read_text()
    assert "    def legal_moves(self" in code
    module.write_text(
        code.replace(
            "    def legal_moves(self",
            "    def scores(self, position):\n        raise KeyError(7)\n\n    def legal_moves(self",
        )
    )
    failed = run(site, "-k", "toy")
    assert failed.stdout.count("\nFAILED ") == 1, failed.stdout


def test_a_golden_chosen_by_hand(site: Path) -> None:
    golden = site / GOLDEN
    golden.parent.mkdir()
    head = "Options: -big\nSeats: 3\nSeed: 0123456789abcdef0123456789abcdef\n"
    golden.write_text(head + "> 1. Player 1: TWO\n> 2. Player 2: peek\n> Player 3 resigns\n> 3. Player 1: roll\n")
    assert run(site, "-k", "toy", "--golden", only=GOLDENS).returncode == 0
    text = golden.read_text()
    assert "> 1. Player 1: 2\n  - Took 2.\n> 2. Player 2: peek\n  - (for Player 2) The secret is " in text
    assert "> Player 3 resigns\n> 3. Player 1: roll\n" in text
    assert "As Player 2 sees it:" in text
    golden.write_text(text.replace("Took 2.", "Took 3."))
    failed = run(site, "-k", "toy", only=GOLDENS)
    assert "The game does not play this transcript as it is written" in failed.stdout
    assert "-  - Took 3." in failed.stdout
    golden.write_text(head + "> 1. Player 1: 9\n")
    assert "cannot be played: '9' is not a move in Toy." in run(site, "-k", "toy", only=GOLDENS).stdout


def test_a_picture_is_enough(boards: Path) -> None:
    """Such a game needs one module and one help page, nothing else."""
    assert run(boards, "-k", "pebbles or comb", "--golden", only=GOLDENS).returncode == 0
    passed = run(boards, "-k", "pebbles or comb")
    assert passed.returncode == 0, passed.stdout
    for key, first in (("pebbles", "    A   B   C\n"), ("comb", "  a1  a2\n b1  b2  b3\n")):
        assert first in (boards / f"conformance_boards/golden/{key}-random.txt").read_text()
