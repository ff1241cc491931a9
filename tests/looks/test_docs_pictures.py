"""The pictures in the documentation are small, and each is shown."""

import re
from pathlib import Path

import pytest

from tests.looks.docs_pictures import FOLDER, MOST_PICTURE_BYTES, PHONE
from tests.looks.measure import Eye
from tests.tools.tree import ROOT


def test_pictures_are_small() -> None:
    assert [file.name for file in FOLDER.iterdir() if file.stat().st_size > MOST_PICTURE_BYTES] == []


def test_every_picture_is_shown_with_words_for_those_who_do_not_see_it() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {place: words for page in pages for words, place in re.findall(r"!\[(.*?)\]\((.*?)\)", page.read_text())}
    assert {place.rpartition("/")[2] for place in shown} == {file.name for file in FOLDER.iterdir()}
    assert min(map(len, shown.values())) > 20


@pytest.mark.slow
def test_a_browser_makes_them(eye: Eye, tmp_path: Path) -> None:
    page = tmp_path / "page.png"
    eye.take_window("<!DOCTYPE html><p>A page</p>", *PHONE, page)
    assert page.read_bytes().startswith(b"\x89PNG")
