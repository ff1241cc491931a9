"""docs/admin.md is what `pbmserv docs` writes."""

import typer

from pbmserv.cli.docs import admin_markdown, leaves
from pbmserv.cli.main import PLACES, app
from tests.tools.tree import ROOT

COMMANDS_OF_CLI = list(leaves(typer.main.get_command(app), "pbmserv"))


def test_the_page_is_current() -> None:
    assert (ROOT / "docs/admin.md").read_text() == admin_markdown(app), "run: make docs"


def test_the_page_has_every_command() -> None:
    page = (ROOT / "docs/admin.md").read_text()
    assert page.count("\n## pbmserv ") == len(COMMANDS_OF_CLI)
    assert {path.split()[1] for path, _ in COMMANDS_OF_CLI} == PLACES.keys() - {"docs"}
