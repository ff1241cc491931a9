"""What a command imports. Slow imports make people wait for help and completion."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pbmserv.cli.main import PLACES
from tests.world import sqlite

#: Libraries that take long to import: for databases, letters, mails, keys, passwords, ratings and logs.
SLOW = {
    "sqlalchemy", "alembic", "psycopg", "jinja2", "aiosmtpd", "aiosmtplib", "cryptography", "passlib", "argon2",
    "openskill", "structlog", "email_validator",
}  # fmt: skip
#: Runs command lines as the entry point does. Prints the exit code of the last one and the packages then imported.
RUN = """
import json, sys
from pbmserv.cli.main import app
for words in json.loads(sys.argv[1]):
    try:
        app(words, prog_name="pbmserv")
    except SystemExit as end:
        code = int(end.code or 0)
print(json.dumps([code, sorted({name.partition(".")[0] for name in sys.modules})]), file=sys.stderr)
"""


def imported(folder: Path, *lines: Sequence[str], code: int = 0, settings: Mapping[str, str] | None = None) -> set[str]:
    """The packages that are imported after these commands, of which the last must end with this exit code."""
    run = [sys.executable, "-c", RUN, json.dumps(lines)]
    done = subprocess.run(
        run, cwd=folder, env={**os.environ, **(settings or {})}, capture_output=True, text=True, check=True
    )
    found, packages = json.loads(done.stderr.splitlines()[-1])
    assert found == code, done.stderr
    return set(packages)


def test_help_imports_no_command(tmp_path: Path) -> None:
    assert imported(tmp_path, ["--help"]) & (SLOW | {"pydantic", "asyncio"}) == set()


def test_the_help_of_a_command_imports_nothing_that_takes_long(tmp_path: Path) -> None:
    """Typer itself may import pydantic, which checks the values of parameters for it."""
    assert imported(tmp_path, *([name, "--help"] for name in PLACES)) & SLOW == set()


@pytest.mark.parametrize(
    "line", ["pbmserv ", "pbmserv boards v", "pbmserv boards list --game t", "pbmserv letters list --status q"]
)
def test_completion_imports_nothing_that_takes_long(tmp_path: Path, line: str) -> None:
    """Also true for the names of the games and for the states of letters."""
    asked = {"_PBMSERV_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    assert imported(tmp_path, [], settings=asked) & SLOW == set()


def test_send_imports_neither_databases_nor_letters(tmp_path: Path) -> None:
    """Only psycopg is imported, because it checks the database's URL in the settings."""
    settings = {"PBMSERV_LISTEN": "smtp://127.0.0.1:1", "PBMSERV_DATABASE_URL": "postgresql://user@127.0.0.1/games"}
    found = imported(tmp_path, ["send", "alice@example.org", "help"], code=69, settings=settings)
    assert found & SLOW == {"psycopg"}


def test_status_imports_no_server(tmp_path: Path) -> None:
    settings = {"PBMSERV_DATABASE_URL": sqlite(tmp_path)}
    assert imported(tmp_path, ["status"], code=1, settings=settings) & SLOW == {"sqlalchemy"}
