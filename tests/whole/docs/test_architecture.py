"""docs/architecture.md describes the program as it is: its files, its tests and its layers."""

import re
import tomllib
from pathlib import Path

from pbmserv.cli.pages.docs import DRAWN, tables_markdown
from pbmserv.games.base.log import Kind
from tests.tools.tree import ROOT

PACKAGE = ROOT / "pbmserv"
PAGE = (ROOT / "docs/architecture.md").read_text()


def _layers() -> dict[str, int]:
    """Return the number of each package's layer in the import contract, counted from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(c for c in contracts if c["type"] == "layers")["layers"]
    return {module: number for number, layer in enumerate(layers) for module in layer.split(" | ")}


def test_the_files_that_it_names_exist() -> None:
    named = set(re.findall(r"`((?:pbmserv|tests)/[\w./]+)`", PAGE))
    assert len(named) > 20
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_its_layers_are_those_of_the_contract() -> None:
    table = PAGE.partition("| layer | packages | what is there |")[2].partition("\n\n")[0]
    rows = [re.findall(r"`(\w+)`", line.split("|")[2]) for line in table.splitlines()[2:]]
    assert {package: number for number, row in enumerate(rows) for package in row} == _layers()


def test_every_package_of_its_picture_exists() -> None:
    picture = PAGE.partition("```mermaid")[2].partition("```")[0]
    labels = re.findall(r'\w\["([a-z, ]+)<br>', picture) + re.findall(r'\w\["([a-z, ]+)"\]', picture)
    named = {name for label in labels for name in label.split(", ")} - {"pbmserv web"}  # a process
    assert {"inbox", "commands", "games", "store", "letters"} <= named
    assert named <= _layers().keys()


def test_the_diagram_of_the_tables_is_current() -> None:
    assert tables_markdown().join(DRAWN) in PAGE, "run: make docs"


def test_the_states_of_a_board_name_each_kind_of_entry() -> None:
    section = PAGE.partition("## The states of a board")[2].partition("\n## ")[0]
    assert {kind for kind in Kind if not re.search(rf"\b{kind}\b", section)} == set()


def test_a_wing_has_few_rooms() -> None:
    """Games and commands are lists: one file for each game, and for each group of commands."""
    folders = [folder for folder in PACKAGE.rglob("*") if any(folder.glob("*.py"))]
    wings = [folder for folder in folders if folder.relative_to(PACKAGE).parts[0] not in ("games", "commands")]
    assert {str(wing): rooms for wing in wings if (rooms := _rooms(wing)) > 12} == {}
    assert len(list(PACKAGE.glob("*.py"))) <= 8


def _rooms(folder: Path) -> int:
    """Return how many files of Python and folders with some are in a folder."""
    files = [file for file in folder.glob("*.py") if file.name != "__init__.py"]
    return len(files) + sum(any(inner.glob("*.py")) for inner in folder.iterdir() if inner.is_dir())
