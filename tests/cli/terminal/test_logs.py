"""The log has one line for each event, in the chosen format. Lines for a journal leave out what it adds itself."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.process import environment

PROGRAM = """
import logging, sys, structlog
from pbmserv.cli.terminal import logs
from pbmserv.mail.envelope import MailStatus
logs.configure(*sys.argv[1:])
log = structlog.get_logger()
log.info("mail", mail=7, status=MailStatus.DONE)
log.debug("nobody asked")
logging.getLogger("library").warning("two\\nlines of %s", "theirs")
try:
    secret = "swordfish"
    1 / 0
except ZeroDivisionError:
    log.exception("failed")
"""


def lines(folder: Path, *arguments: str, journal: bool = False) -> list[str]:
    """The lines that a program logs to a file. With `journal` the program takes that file for the journal."""
    with (folder / "log").open("w") as file:
        found = os.fstat(file.fileno())
        of = f"{found.st_dev}:{found.st_ino if journal else found.st_ino + 1}"
        command = [sys.executable, "-c", PROGRAM, *arguments]
        subprocess.run(command, env=environment(JOURNAL_STREAM=of), stderr=file, check=True)
    return (folder / "log").read_text().splitlines()


@pytest.mark.slow
def test_key_and_value(tmp_path: Path) -> None:
    mail, library, failed = lines(tmp_path)
    assert re.fullmatch(r"timestamp='20\S+Z' level='info' event='mail' mail=7 status='done'", mail)
    assert library.endswith(r"level='warning' event='two\nlines of theirs'")
    assert "ZeroDivisionError" in failed


@pytest.mark.slow
def test_json(tmp_path: Path) -> None:
    mail, library, failed = map(json.loads, lines(tmp_path, "json"))
    assert mail["timestamp"].startswith("20")
    assert (mail["level"], mail["event"], mail["mail"], mail["status"]) == ("info", "mail", 7, "done")
    assert (library["level"], library["event"]) == ("warning", "two\nlines of theirs")
    assert "ZeroDivisionError" in failed["exception"]


@pytest.mark.slow
@pytest.mark.parametrize("form", ["kv", "json"])
def test_variables_of_a_traceback_are_not_shown(tmp_path: Path, form: str) -> None:
    assert "'swordfish'" not in lines(tmp_path, form)[-1]


@pytest.mark.slow
def test_the_journal_knows_the_time_and_is_told_the_priority(tmp_path: Path) -> None:
    mail, library, failed = lines(tmp_path, "kv", "info", journal=True)
    assert mail == "<6>event='mail' mail=7 status='done'"
    assert library == r"<4>event='two\nlines of theirs'"
    assert failed.startswith("<3>event='failed'")
    priority, rest = lines(tmp_path, "json", "info", journal=True)[0].split(">")
    assert (priority, json.loads(rest)) == ("<6", {"event": "mail", "mail": 7, "status": "done"})


@pytest.mark.slow
def test_the_level(tmp_path: Path) -> None:
    assert [x for x in lines(tmp_path, "kv", "error") if "event='failed'" not in x] == []
    assert len(lines(tmp_path, "kv", "debug")) == 4
