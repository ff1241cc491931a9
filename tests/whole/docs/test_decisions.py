"""The pages of docs/adr and their index."""

import re

import pytest

from tests.tools.tree import ROOT

FOLDER = ROOT / "docs/adr"
PAGES = {int(page.name[:4]): page for page in FOLDER.glob("0*.md")}
INDEX = (FOLDER / "README.md").read_text()


def test_the_index_has_each_decision_once_with_its_title_in_a_group() -> None:
    titles = {number: page.read_text().splitlines()[0].partition(". ")[2] for number, page in PAGES.items()}
    groups = INDEX.split("\n## ")[1:]
    rows = [row for group in groups for row in re.findall(r"^\| \[0*(\d+)\]\(.*?\) \| (.*?) \|", group, re.MULTILINE)]
    assert sorted((int(number), title) for number, title in rows) == sorted(titles.items())
    assert len(groups) > 5


def test_the_index_says_which_later_decisions_change_one() -> None:
    """The status of either page can say it."""
    pairs = {(min(a, b), max(a, b)) for a in PAGES for b in _numbers(_status(a))}
    rows = re.findall(r"^\| \[0*(\d+)\]\(.*?\) \| .*? \| (.*)\|$", INDEX, re.MULTILINE)
    assert {(int(number), later) for number, since in rows for later in _numbers(since)} == pairs
    replaced = {
        min(a, b) for a, b in pairs if re.search(rf"supersede[ds][^,;[]*\[({a}|{b})\]", _status(a) + _status(b))
    }
    assert {int(number) for number, since in rows if "superseded" in since} == replaced


@pytest.mark.slow
def test_something_refers_to_each_decision() -> None:
    """Code, a page of the documentation or another decision; the index and the changelog are lists of all."""
    code = [p for folder in ("pbmserv", "tests") for p in (ROOT / folder).rglob("*.py")]
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "pyproject.toml", *(ROOT / "docs").rglob("*.md")]
    named = set[int]()
    for file in (*code, *pages):
        if file != FOLDER / "README.md":
            own = int(file.name[:4]) if file.parent == FOLDER else 0
            found = re.findall(r"\bADRs? (\d+)|adr/0*(\d+)|\]\(0*(\d+)-", file.read_text())
            named |= {int("".join(groups)) for groups in found} - {own}
    assert PAGES.keys() - named == set()


def _status(number: int) -> str:
    status = re.search(r"^Status: (.*?)\n\n", PAGES[number].read_text(), re.MULTILINE | re.DOTALL)
    assert status, f"decision {number} has no status"
    return status[1]


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\[(\d+)\]\(", text)]
