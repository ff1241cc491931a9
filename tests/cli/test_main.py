"""Help, completion, exit codes, and every example of the help, run on a real database."""

import os
import shlex
import signal
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pbmserv import __version__
from pbmserv.cli.main import PLACES, app
from pbmserv.cli.pages.command_tree import EXAMPLE, leaves
from pbmserv.commands import COMMANDS
from pbmserv.mail.imap.account import read_account
from tests.cli.conftest import Desk, move
from tests.cli.manage.test_mails import stumble
from tests.examples import spread
from tests.tools.process import COMMAND, environment

COMMANDS_OF_CLI = list(leaves(typer.main.get_command(app), "pbmserv"))
#: Groups of commands whose examples run here. The other commands start, stop or need a server: the tests in
#: tests/whole/e2e, tests/admin and tests/web run those.
OURS = ("boards", "players", "games", "seeks", "mail", "letters", "ratings", "events", "trace", "stats", "version")


def example(command: Any) -> str:
    """The example of a command's help, on one line."""
    return " ".join((command.help or "").partition(EXAMPLE)[2].split())


def test_every_command_of_the_admin_has_an_example() -> None:
    assert [path for path, command in COMMANDS_OF_CLI if not example(command).startswith(path)] == []


@pytest.mark.parametrize("name", PLACES)
def test_the_list_of_commands_says_what_they_say_themselves(name: str) -> None:
    """`pbmserv --help` imports no command, so it has its own copy of their summaries."""
    top = typer.main.get_command(app)
    context = typer.Context(top)
    _, command, _ = top.resolve_command(context, [name])  # type: ignore[attr-defined]  # a group has it
    assert PLACES[name].summary == " ".join(command.help.partition("\n\n")[0].split())


def shelve_a_mail(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put mail 2 on the shelf."""
    with monkeypatch.context() as patch:
        patch.setitem(next(c for c in COMMANDS if c.verb == "move").__dict__, "run", stumble)
        move(desk.world, "alice", "c1-c2")


def lock_bob(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.run("players", "lock", "bob")


def save_a_record(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("board.json").write_text(desk.run("boards", "record", "101", "--with-seed").stdout)


def move_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    move(desk.world, "alice", "c1-c2")


def come_today(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Send a mail today, because `trace` looks at the last week only."""
    desk.world.now = datetime.now(UTC)
    move_once(desk, monkeypatch)


def have_older_mails(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let three mails be older than the first contact with the mailbox."""
    monkeypatch.setenv("PBMSERV_MAILBOX", url := "imaps://pbmserv@games.example@imap.example")
    monkeypatch.setenv("PBMSERV_MAILBOX_PASSWORD", "swordfish")
    desk.world.act(lambda store: store.mailboxes.put(read_account(url).name, uid=3, old=3))


def have_a_second_account(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.world.signup("robert")


def ban_mallory(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.run("players", "ban", "mallory@example.net", "--why", "insults")


#: What an example needs before it runs, besides board 101, on which alice and bob have just begun.
FIRST = {
    "mail retry": shelve_a_mail,
    "mail drop": shelve_a_mail,
    "mail take-old": have_older_mails,
    "players merge": have_a_second_account,
    "players unban": ban_mallory,
    "players unlock": lock_bob,
    "boards import": save_a_record,
    "boards show": move_once,
    "boards undo": move_once,
    "trace": come_today,
}
RUN = {
    path.removeprefix("pbmserv "): example(c) for path, c in COMMANDS_OF_CLI if path.split()[1] in OURS and example(c)
}
#: Examples with conditions on rows that nothing else has: they ask PostgreSQL, too.
ASK = ("boards list", "events list", "letters list", "mail list", "trace")


@pytest.mark.parametrize("path", RUN)
def test_every_example_does_what_it_says(desk: Desk, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    run_example(desk, monkeypatch, path)


@pytest.mark.slow
@pytest.mark.postgresql
@pytest.mark.parametrize("path", ASK)
def test_examples_that_ask_in_their_own_words(desk: Desk, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    run_example(desk, monkeypatch, path)


def run_example(desk: Desk, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    if path in FIRST:
        FIRST[path](desk, monkeypatch)
    words = shlex.split(RUN[path])
    assert " ".join(words).startswith(f"pbmserv {path}")
    events = len(desk.world.query(lambda s: s.operations.events()))
    desk.run(*words[1:])
    assert (len(desk.world.query(lambda s: s.operations.events())) > events) == ("--why" in words)
    desk.world.verify()


@pytest.mark.parametrize(("path", "command"), COMMANDS_OF_CLI, ids=[path for path, _ in COMMANDS_OF_CLI])
def test_help_fits_on_the_screen(path: str, command: Any) -> None:
    shown = CliRunner().invoke(app, [*path.split()[1:], "--help"])
    assert shown.exit_code == 0
    assert max(map(len, shown.stdout.splitlines())) <= 80


@pytest.mark.parametrize("words", [("--version",), ("version",)])
def test_the_version(words: tuple[str, ...]) -> None:
    assert CliRunner().invoke(app, list(words)).stdout.strip() == __version__


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("pbmserv bo", {"boards"}),
        ("pbmserv boards v", {"verify", "void"}),
        ("pbmserv boards list --g", {"--game"}),
        ("pbmserv boards list --game th", {"threecheck", "threekings", "threes"}),
        ("pbmserv games rules 3", {"3io"}),
    ],
)
def test_the_shell_completes(line: str, offered: set[str]) -> None:
    """Ask for completions in the way of the shell function that `pbmserv --install-completion bash` writes."""
    asked = {"_PBMSERV_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    assert set(CliRunner().invoke(app, env=asked, prog_name="pbmserv").stdout.split()) == offered


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    spread(
        [
            "settings",
            "version",
            "games list",
            "--help",
            "games list --help",
        ],
        3,
    ),
)
@pytest.mark.parametrize("unbuffered", spread(["", "1"], 2))
def test_nobody_reads_what_is_printed(tmp_path: Path, line: str, unbuffered: str) -> None:
    """As in `pbmserv boards list | head -1`."""
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [*COMMAND, *line.split()],
        stdout=theirs,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment(PYTHONUNBUFFERED=unbuffered),
        timeout=50,
        check=False,
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("line", ["settings", "version"])
def test_what_is_printed_cannot_be_written(tmp_path: Path, line: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, line], stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, env=environment(), check=False
        )
    assert (done.returncode, done.stderr) == (73, b"What is printed cannot be written: No space left on device\n")
