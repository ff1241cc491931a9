"""docs/architecture.md shows the house as it is built: its files, its tests and its floors."""

import re
import tomllib

from tests.tools.tree import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text()


def _floors() -> dict[str, int]:
    """The floor of each wing by the import contract, from the top."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(c for c in contracts if c["type"] == "layers")["layers"]
    return {module: floor for floor, layer in enumerate(layers) for module in layer.split(" | ")}


def test_the_files_that_it_names_exist() -> None:
    named = set(re.findall(r"`((?:pbmserv|tests)/[\w./]+)`", PAGE))
    assert len(named) > 20
    assert {name for name in named if not (ROOT / name).exists()} == set()


def test_its_floors_are_those_of_the_contract() -> None:
    table = PAGE.partition("| floor | wings | what is there |")[2].partition("\n\n")[0]
    rows = [re.findall(r"`(\w+)`", line.split("|")[2]) for line in table.splitlines()[2:]]
    assert {wing: floor for floor, row in enumerate(rows) for wing in row} == _floors()


def test_every_wing_of_its_picture_exists() -> None:
    picture = PAGE.partition("```mermaid")[2].partition("```")[0]
    labels = re.findall(r'\w\["([a-z, ]+)<br>', picture) + re.findall(r'\w\["([a-z, ]+)"\]', picture)
    named = {name for label in labels for name in label.split(", ")} - {"pbmserv web"}  # a process
    assert {"inbox", "commands", "games", "store", "letters"} <= named
    assert named <= _floors().keys()
