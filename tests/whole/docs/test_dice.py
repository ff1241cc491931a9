"""The Python of docs/dice.md runs and tells the truth."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbmserv.boards.records import record_of
from tests.tools.tree import ROOT
from tests.world import World

PAGE = ROOT / "docs" / "dice.md"
SCRIPTS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.fixture
def finished(world: World, tmp_path: Path) -> Path:
    """A folder with the record of a finished game of Triple Town."""
    number = world.board("alice", game="town")
    world.mail("alice", f"town move {number} alice alice-secret store")
    for _ in range(2):  # the seed is the board's own, so nobody knows beforehand which squares are empty
        board = world.row(number).board
        move = board.game.format(board.game.legal_moves(board.position, 0)[0])
        (letter,) = world.mail("alice", f"town move {number} alice alice-secret {move}")
        assert "Tile to play" in letter.text
    world.mail("alice", f"town resign {number} alice alice-secret")
    row, log = world.row(number), world.query(lambda s: s.boards.log(number))
    (tmp_path / "board.json").write_text(json.dumps(record_of(row, log)))
    return tmp_path


def run(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=path, capture_output=True, text=True, check=False
    )


def test_the_first_tile_follows_from_the_seed(world: World, finished: Path) -> None:
    begun = world.query(lambda s: s.boards.log(101))[0]
    done = run(SCRIPTS[0], finished)
    assert done.returncode == 0, done.stderr
    stored = json.loads((finished / "board.json").read_text())
    assert begun.entry.text == "store" == stored["log"][0]["text"]
    assert done.stdout.startswith("The first tile was ")
    tile = done.stdout.split()[-1]
    page = world.mail("alice", "town show 101#0")[0].text
    assert f"Tile to play: {tile} " in page


def test_another_seed_is_found_out(finished: Path) -> None:
    file = finished / "board.json"
    board = json.loads(file.read_text())
    file.write_text(json.dumps(board | {"seed": "0" * 32}))
    assert "not the seed that was promised" in run(SCRIPTS[0], finished).stderr


def test_the_whole_board_is_replayed(finished: Path) -> None:
    done = run(SCRIPTS[1], finished)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Plies: 3 Result: resign")


def test_the_twenty_lines_are_about_twenty() -> None:
    assert len([line for line in SCRIPTS[0].splitlines() if line.strip()]) <= 20
