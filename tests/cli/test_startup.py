"""What a command imports. Slow imports make people wait for help and completion."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from pbmserv.cli.main import PLACES
from tests.examples import some_of, spread
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

#: Libraries that the memory of a server should not hold for months: for commands, settings and migrations.
NOT_OF_SERVERS = {
    "typer", "rich", "pygments", "pydantic", "pydantic_core", "pydantic_settings", "dotenv", "alembic", "mako",
    "pytest", "imapclient",
}  # fmt: skip
#: Runs a command as the entry point does. Prints the packages that it has when it ends.
STAY = """
import atexit, json, sys
from pbmserv.cli.entry import run
atexit.register(lambda: print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})), file=sys.stderr))
sys.argv[0] = "pbmserv"
run()
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


@pytest.mark.slow
def test_help_imports_no_command(tmp_path: Path) -> None:
    assert imported(tmp_path, ["--help"]) & (SLOW | {"pydantic", "asyncio"}) == set()


@pytest.mark.slow
def test_the_help_of_a_command_imports_nothing_that_takes_long(tmp_path: Path) -> None:
    """Typer itself may import pydantic, which checks the values of parameters for it."""
    assert imported(tmp_path, *([name, "--help"] for name in PLACES)) & SLOW == set()


@pytest.mark.parametrize(
    "line",
    spread(["pbmserv boards list --game t", "pbmserv ", "pbmserv letters list --status q", "pbmserv boards v"], 2),
)
@pytest.mark.slow
def test_completion_imports_nothing_that_takes_long(tmp_path: Path, line: str) -> None:
    """Also true for the names of the games and for the states of letters."""
    asked = {"_PBMSERV_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    assert imported(tmp_path, [], settings=asked) & SLOW == set()


@pytest.mark.slow
def test_send_imports_neither_databases_nor_letters(tmp_path: Path) -> None:
    """Only psycopg is imported, because it checks the database's URL in the settings."""
    settings = {"PBMSERV_LISTEN": "smtp://127.0.0.1:1", "PBMSERV_DATABASE_URL": "postgresql://user@127.0.0.1/games"}
    found = imported(tmp_path, ["send", "alice@example.org", "help"], code=69, settings=settings)
    assert found & SLOW == {"psycopg"}


@pytest.mark.slow
def test_status_imports_no_server(tmp_path: Path) -> None:
    settings = {"PBMSERV_DATABASE_URL": sqlite(tmp_path)}
    assert imported(tmp_path, ["status"], code=1, settings=settings) & SLOW == {"sqlalchemy"}


def held(folder: Path, *words: str) -> set[str]:
    """The packages in a process with this command line that nobody has asked anything."""
    server = subprocess.Popen(
        [sys.executable, "-c", STAY, *words],
        cwd=folder,
        env={**os.environ, "PBMSERV_LISTEN": "smtp://127.0.0.1:0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout
    while not re.search("Ctrl-C|shows its boards", line := server.stdout.readline()):
        assert line, server.communicate()
    server.send_signal(signal.SIGTERM)
    said = server.communicate(timeout=30)[1]
    return set(json.loads(said.splitlines()[-1]))


@pytest.mark.slow
def test_what_stays_in_memory_holds_nothing_that_only_its_start_needs(tmp_path: Path) -> None:
    """Not even the first server, which migrates the database."""
    for words in (["serve"], ["web", "--listen", "127.0.0.1:0"]):
        packages = held(tmp_path, *words)
        assert "sqlalchemy" in packages
        assert packages & NOT_OF_SERVERS == set()


@pytest.mark.slow
def test_a_wrong_setting_ends_the_whole_start(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "pbmserv", "serve"]
    env = {**os.environ, "PBMSERV_ROLES": "postman"}
    done = subprocess.run(run, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (78, "")
    assert done.stderr == (
        "The settings are not right:\n"
        "PBMSERV_ROLES: unknown role postman; known are listener, sender, clock, robots, mailbox\n"
    )


@pytest.mark.slow
def test_the_help_of_serve_starts_no_server(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "pbmserv", "serve", "--help"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr, list(tmp_path.iterdir())) == (0, "", [])
    assert "--roles" in done.stdout


#: Runs `pbmserv serve`, and presses Ctrl-C when one of its two processes imports the module that is named.
INTERRUPTED = """
import os, signal, sys
from pbmserv.cli.entry import run

class Watch:
    def find_spec(self, name, path=None, target=None, wanted=sys.argv[1]):
        if name == wanted:
            os.killpg(0, signal.SIGINT)

sys.meta_path.insert(0, Watch())
sys.argv = ["pbmserv", "serve"]
run()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", spread(["pbmserv.store", "pbmserv.server.server", "pbmserv.cli.main", "pydantic"], 4)
)
def test_a_start_can_be_interrupted(tmp_path: Path, module: str) -> None:
    run = [sys.executable, "-c", INTERRUPTED, module]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False, start_new_session=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("closed", some_of([{0}, {0, 1, 2}], 2), ids=str)
def test_a_server_runs_without_standard_streams(tmp_path: Path, closed: set[int]) -> None:
    command = " ".join(f"{number}>&-" for number in sorted(closed))
    server = subprocess.Popen(
        ["sh", "-c", f"exec {sys.executable} -m pbmserv serve {command}"],
        cwd=tmp_path,
        env={**os.environ, "PBMSERV_LISTEN": f"lmtp+unix://{tmp_path}/socket"},
    )
    while not (tmp_path / "socket").exists():
        assert server.poll() is None
        time.sleep(0.05)
    server.send_signal(signal.SIGTERM)
    assert server.wait(timeout=30) == 0
