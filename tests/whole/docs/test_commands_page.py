"""docs/commands.md is made from the command table, and is up to date."""

from pbmserv.commands import COMMANDS, command_language
from pbmserv.commands.help import markdown
from pbmserv.games import names
from pbmserv.inbox.lines.parse import Parser
from tests.tools.tree import ROOT

PAGE = ROOT / "docs" / "commands.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text() == markdown(COMMANDS), "run: make docs"


def test_every_row_of_the_table_is_on_the_page() -> None:
    assert PAGE.read_text().count("\n| `") == len(COMMANDS)


def test_the_examples_of_the_page_parse() -> None:
    parser = Parser(command_language(), names())
    for line in PAGE.read_text().splitlines():
        if line.startswith("| `"):
            parser.call(line.split("`")[-2])
