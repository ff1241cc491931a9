"""docs/admin.md is what `pbmserv docs` writes."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import typer

from pbmserv.cli.main import PLACES, app
from pbmserv.cli.pages.command_tree import leaves
from pbmserv.cli.pages.docs import LISTED, admin_markdown, docs, games_markdown
from pbmserv.cli.pages.man import man_pages
from pbmserv.games import listed
from tests.tools.tree import ROOT

COMMANDS_OF_CLI = list(leaves(typer.main.get_command(app), "pbmserv"))


def test_the_page_is_current() -> None:
    assert (ROOT / "docs/admin.md").read_text() == admin_markdown(app), "run: make docs"


def test_the_pages_for_man_are_current_and_have_every_command() -> None:
    pages = man_pages(app)
    assert {f.stem: f.read_text() for f in (ROOT / "docs/man").iterdir()} == pages, "run: make docs"
    whole = "".join(pages.values()).replace("\\-", "-")
    assert [path for path, _ in COMMANDS_OF_CLI if f"\n.SS {path}" not in whole] == []


@pytest.mark.skipif(not shutil.which("groff"), reason="needs groff")
def test_groff_finds_nothing_wrong_with_the_pages() -> None:
    files = sorted((ROOT / "docs/man").iterdir())
    done = subprocess.run(["groff", "-man", "-ww", "-z", "-Kutf8", *files], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_the_list_of_games_in_readme_is_current() -> None:
    readme = (ROOT / "README.md").read_text()
    assert games_markdown().join(LISTED) in readme, "run: make docs"
    assert re.findall(r"^- .* \(`(\w+)`\): ", readme, re.MULTILINE) == [g.info.key for g in listed()]


def test_the_page_has_every_command() -> None:
    page = (ROOT / "docs/admin.md").read_text()
    assert page.count("\n## pbmserv ") == len(COMMANDS_OF_CLI)
    assert {path.split()[1] for path, _ in COMMANDS_OF_CLI} == PLACES.keys() - {"docs"}


def test_readme_gets_the_list_between_its_marks(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    readme = tmp_path / "README.md"
    readme.write_text("before\n" + "old list".join(LISTED) + "after\n")
    docs(tmp_path / "docs")
    assert readme.read_text() == f"before\n{games_markdown().join(LISTED)}after\n"


@pytest.mark.parametrize("text", ["nothing", LISTED[0], LISTED[1], LISTED[1] + LISTED[0]])
def test_readme_loses_nothing_if_a_mark_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "docs").mkdir()
    readme = tmp_path / "README.md"
    readme.write_text(f"before {text} after")
    with pytest.raises(typer.Exit):
        docs(tmp_path / "docs")
    assert readme.read_text() == f"before {text} after"
    assert "was not written" in capsys.readouterr().err
