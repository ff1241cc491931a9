"""Every command line on every page: those of pbmserv are run, the others use only the programs listed below.

Other tests run the lines of the README (tests/whole/e2e/test_readme.py), the examples of docs/admin.md
(tests/cli/test_main.py) and the mails of docs/playing.md (test_playing.py).
"""

import re
import shlex
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from typer.core import TyperGroup

from pbmserv.cli.main import PLACES, app
from tests.tools.process import Process
from tests.tools.tree import ROOT

GENERATED = {ROOT / "docs/admin.md", ROOT / "docs/commands.md"}
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").glob("*.md")} - GENERATED)
FENCED = re.compile(r"^```(.*)\n((?:.*\n)*?)```$", re.MULTILINE)  #: the name of a block, its lines

OURS = {"pbmserv", "pbm", ".venv/bin/pbmserv"}  # pbm is deploy/pbm
#: Programs that are not ours: the shell, Debian, systemd, PostgreSQL, Postfix and its milters, containers, Python.
OTHERS = {
    *("cat", "certbot", "chown", "echo", "editor", "install", "ln", "rm"),
    *("apt", "useradd", "python3", "pip", "/opt/pbmserv/bin/pip", "pytest", "docker", "systemctl", "pg_ctl"),
    *("make", "opendkim-genkey", "postconf", "postfix", "sendmail", "swaks"),
}
USAGE_ERROR: Any = typer.BadParameter.__base__  # the library does not export the name of this class
SERVE_FOR_EVER = ("serve", "web")
ASKS = ("setup",)
FINDS_TROUBLE = ("status", "doctor")  # they end with 1 if only a database is set up


class Line(NamedTuple):
    """A simple shell command."""

    page: str
    text: str

    @property
    def words(self) -> list[str]:
        """Return its words, without the variables that are set for it."""
        return shlex.split(self.text, comments=True)[len(self.settings) :]

    @property
    def settings(self) -> dict[str, str]:
        """Return the variables that are set for it."""
        words = shlex.split(self.text, comments=True)
        return dict(word.split("=", 1) for word in takewhile(re.compile("[A-Z_]+=").match, words))


def _blocks(page: Path, name: str) -> list[str]:
    return [text for called, text in FENCED.findall(page.read_text()) if called == name]


def _lines(page: Path) -> Iterator[Line]:
    for block in _blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            for part in re.split(r" (?:&&|\|) ", line):
                yield Line(page.relative_to(ROOT).as_posix(), part.strip())


LINES = [line for page in PAGES for line in _lines(page) if line.words]
OF_PBMSERV = [line for line in LINES if line.words[0] in OURS]
RUN = [x for x in OF_PBMSERV if x.page != "README.md" and x.words[1] not in SERVE_FOR_EVER + ASKS]


def test_every_program_is_ours_or_known() -> None:
    assert {line.words[0] for line in LINES} == OURS | OTHERS


def test_no_line_of_ours_hides_in_a_block_that_is_not_marked() -> None:
    hidden = re.compile(rf"^ *(?:\S+=\S+ )*(?:\S*/)?(?:pbmserv|pbm) (?:{'|'.join(PLACES)})\b", re.MULTILINE)
    blocks = [(page.name, block) for page in PAGES for block in _blocks(page, "")]
    assert [(page, found[0]) for page, block in blocks if (found := hidden.search(block))] == []


@pytest.mark.parametrize("line", OF_PBMSERV, ids=lambda line: f"{line.page}: {' '.join(line.words)}")
def test_the_words_are_what_the_command_takes(line: Line) -> None:
    _take(typer.main.get_command(app), line.words[1:])


def test_the_commands_that_texts_name_exist() -> None:
    command = typer.main.get_command(app)
    for page in PAGES:
        for words in re.findall(r"`(?:pbmserv|pbm) ([a-z]+(?: [^`]*)?)`", FENCED.sub("", page.read_text())):
            _resolve(command, shlex.split(words))


def _resolve(command: Any, words: list[str]) -> tuple[Any, list[str]]:
    """Return the command and its own words. Raise the library's error if there is no such command."""
    while isinstance(command, TyperGroup) and words:
        _, command, words = command.resolve_command(typer.Context(command), words)
    return command, words


def _take(command: Any, words: list[str]) -> None:
    """Parse a command line as the program does, and do nothing. Raise the library's error if it is wrong."""
    found, rest = _resolve(command, words)
    assert not isinstance(found, TyperGroup)
    found.make_context(found.name, list(rest))


def test_a_wrong_line_would_be_found() -> None:
    for line in ("boards shew 101", "boards show", "web --lisden 1"):
        with pytest.raises((AssertionError, USAGE_ERROR)):
            _take(typer.main.get_command(app), line.split())


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_they_run(tmp_path: Path) -> None:
    """They run in the order of the pages, on one database. All their paths are below the folder of the test."""
    (tmp_path / "var/backups/pbmserv").mkdir(parents=True)
    opened = "pbmserv players add alice alice@example.org --confirmed --generate"
    for line in [Line("", "pbmserv migrate"), Line("", opened), *RUN]:
        text = line.text.replace("/var/backups/", f"{tmp_path}/var/backups/").replace("/tmp/proof", f"{tmp_path}/proof")
        moved = Line(line.page, text)
        done = Process(tmp_path, **moved.settings).asked(*moved.words[1:])
        assert done.exit_code in ((0, 1) if line.words[1] in FINDS_TROUBLE else (0,)), f"{line}\n{done.output}"
