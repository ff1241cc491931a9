"""The README is right: its commands run in their order, and its letter is the one that Alice gets."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from pbmserv.cli.mailing.send import text_of
from tests.tools.mail_program import letters
from tests.tools.process import COMMAND, Process, environment
from tests.tools.tree import ROOT

pytestmark = pytest.mark.slow  # carries out the whole README

README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"^```(?:sh)?\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
LINES = [line for block in BLOCKS for line in block.splitlines() if ".venv/bin/pbmserv" in line]


@pytest.mark.timeout(180)
def test_the_commands_and_the_letter(fresh_server: Process) -> None:
    """Each command succeeds. After Bob's answer, the newest letter in Alice's mailbox is the one in the README."""
    _install(fresh_server.folder)
    seen = set()
    for line in LINES:
        done = _shell(fresh_server, line)
        assert (done.returncode, done.stderr) == (0, ""), line
        assert "error" not in done.stdout, line
        seen |= {text_of(letter) for letter in letters(fresh_server, "alice@example.org")}
    assert len(LINES) >= 8
    assert _at_any_time(BLOCKS[0]) in set(map(_at_any_time, seen))


def _at_any_time(letter: str) -> str:
    """Return a letter without the time at which the player has to have moved, and without that of its last line."""
    letter = re.sub(r"(?m)^Move by \w+, .+ UTC\.$", "Move by TIME.", letter)
    return re.sub(r"(?m)^(Board [0-9]+ after ply [0-9]+): .+ UTC$", r"\1: TIME", letter)


def _install(folder: Path) -> None:
    """Install the command at the path that the README uses."""
    command = folder / ".venv/bin/pbmserv"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    command.chmod(0o755)


def _shell(server: Process, line: str) -> "subprocess.CompletedProcess[str]":
    variables = environment(**{**server.settings, "PBMSERV_LISTEN": server.urls[0]})
    return subprocess.run(
        ["sh", "-c", line], cwd=server.folder, env=variables, capture_output=True, text=True, timeout=60, check=False
    )
