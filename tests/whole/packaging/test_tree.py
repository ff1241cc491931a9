"""That the parts of the tree which name each other agree."""

import re
from pathlib import Path

import pytest

from pbmserv.commands.help import TOPICS
from pbmserv.games import GAMES
from pbmserv.letters.text.templates import module_name
from tests.tools.tree import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").rglob("*.md")]


def _stems(folder: str) -> set[str]:
    return {f.name.removesuffix(".txt") for f in (ROOT / "templates" / folder).iterdir()}


def test_every_diagram_belongs_to_a_game_and_every_game_has_one() -> None:
    assert _stems("boards") == {module_name(g) for g in GAMES}


def test_every_help_page_belongs_to_a_game_or_a_topic_and_every_game_has_one() -> None:
    assert _stems("help") == set(TOPICS) | {module_name(g) for g in GAMES}


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_make_targets_that_a_page_names_exist(page: Path) -> None:
    made = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:^|`|^ +)make ([a-z][a-z-]*)", page.read_text(), re.MULTILINE))
    assert named <= made


def test_contributing_lists_the_targets_as_make_help_does() -> None:
    listed = re.findall(r"^([a-z-]+):.*## (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    lines = "".join(f"make {target:<11} {what}\n" for target, what in listed)
    assert f"```\n{lines}```\n" in (ROOT / "CONTRIBUTING.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_files_that_a_page_links_to_exist(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#([^)]*))?\)", page.read_text())
    assert [file for file, _ in links if not (page.parent / file).exists()] == []
    assert [(file, place) for file, place in links if place and place not in _headings(page.parent / file)] == []


def _headings(page: Path) -> set[str]:
    """The headings of a page, as links name them."""
    found = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", text.lower()).replace(" ", "-") for text in found}


def test_the_index_of_decisions_has_each_with_its_title() -> None:
    folder = ROOT / "docs/adr"
    pages = {f.name: f.read_text().splitlines()[0].partition(". ")[2] for f in folder.glob("0*.md")}
    assert [name for name in pages if "\n\nStatus: " not in (folder / name).read_text()] == []
    index = (folder / "README.md").read_text()
    assert dict(re.findall(r"^\| \[\d+\]\((.*)\) \| (.*) \|$", index, re.MULTILINE)) == pages
