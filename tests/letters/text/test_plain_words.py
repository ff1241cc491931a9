"""The words that docs/adding-a-language.md forbids are in no letter, help page, web page or error."""

import re
from collections.abc import Iterator

import pytest

from pbmserv import paths
from tests.letters.text.sentences import sentences
from tests.tools.tree import ROOT

PAGE = (ROOT / "docs/adding-a-language.md").read_text("utf-8")
ROWS = [[cell.strip() for cell in row.strip("| \n").split("|")] for row in re.findall(r"(?m)^\|.*\|$", PAGE)[2:]]
NOT_USED = sorted({word.strip() for row in ROWS if len(row) == 4 for word in row[3].split(",")} - {""})
TEMPLATES = paths.data("templates")
_CODE = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{[^\"]*?\}\}|\{\{|\}\}|<style>.*?</style>|<[^>]*>", re.DOTALL)


def texts() -> Iterator[tuple[str, str]]:
    """Return the place of each text, and what a reader sees of it. Of the code in templates, only strings remain."""
    for folder in ("mail", "help", "spoken", "boards", "web"):
        for file in sorted((TEMPLATES / folder).iterdir()):
            if file.suffix in (".txt", ".html"):
                yield f"{folder}/{file.name}", _CODE.sub(" ", file.read_text("utf-8"))
    for where, text in sentences():
        yield str(where), text


def test_the_table_names_words() -> None:
    assert {"he", "his", "whoever", "lapsed", "nag"} <= set(NOT_USED)
    assert all(row[0] and row[1] and row[2] for row in ROWS)


@pytest.mark.slow
def test_words_that_are_not_used() -> None:
    words = "|".join(map(re.escape, NOT_USED))
    pattern = re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", re.IGNORECASE)
    assert [(where, found[0]) for where, text in texts() if (found := pattern.search(text))] == []


def test_the_pattern_finds_words_in_texts() -> None:
    found = " ".join(text for _, text in texts())
    assert all(re.search(rf"\b{word}\b", found) for word in ("they", "reminder", "expires", "spam", "decline"))
