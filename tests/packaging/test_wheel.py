"""The wheel in an empty virtual environment, used from a folder that has nothing of the tree."""

import re
import signal
import smtplib
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.utils import make_msgid
from pathlib import Path

import pytest

from pbmserv import __version__
from pbmserv.games import GAMES
from tests.packaging.conftest import ROOT, installed

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ALICE, BOB, SERVER = "alice@example.org", "bob@example.org", "pbmserv@localhost"
ANSWER_SECONDS = 20

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def bin_(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a virtual environment with the wheel and what it asks for, nothing else."""
    return installed(tmp_path_factory.mktemp("installed") / "venv", str(wheel))


@pytest.fixture
def site(tmp_path: Path) -> dict[str, str]:
    """The environment of a demonstration site that lives in tmp_path, and no word of the surrounding one."""
    return {
        "HOME": str(tmp_path),
        "PBMSERV_DATABASE_URL": f"sqlite:///{tmp_path}/pbmserv.db",
        "PBMSERV_LISTEN": "smtp://127.0.0.1:0",
        "PBMSERV_RELAY": f"maildir:{tmp_path}/letters",
        "PBMSERV_TRUST_FROM": "1",
        "PBMSERV_CONFIRM_ADDRESSES": "0",
    }


@pytest.fixture
def run(bin_: Path, site: dict[str, str], tmp_path: Path) -> Run:
    """Runs one installed program in tmp_path, to its end."""

    def program(name: str, *words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [bin_ / name, *words],
            cwd=tmp_path,
            env=site | more,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    return program


def test_the_version_is_that_of_the_tree(run: Run) -> None:
    assert run("pbmserv", "version").stdout.strip() == __version__


def test_templates_are_found_in_the_package(run: Run) -> None:
    code = (
        "from pbmserv import board, games, paths, render\n"
        "print(paths.data('templates'))\n"
        "for game in games.GAMES:\n"
        "    new = board.begin(board.Start(game, {}, game.info.seats[0], 'seed'))\n"
        "    assert render.Renderer().diagram(game, game.view(new.position, 0)), game.info.key\n"
    )
    done = run("python", "-c", code)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).parts[-4:] == ("site-packages", "pbmserv", "_data", "templates")


def test_a_database_is_made_and_read_without_a_server(run: Run, tmp_path: Path) -> None:
    early = run("pbmserv", "boards", "list")
    assert early.returncode == 66
    assert "Start the server first" in early.stderr
    assert run("pbmserv", "migrate").returncode == 0
    assert (tmp_path / "pbmserv.db").exists()
    listed = run("pbmserv", "boards", "list", "--json")
    assert (listed.returncode, listed.stdout.strip()) == (0, "[]")


@pytest.mark.parametrize(
    ("extra", "words", "settings"),
    [
        ("web", ("web",), {}),
        ("postgresql", ("migrate",), {"PBMSERV_DATABASE_URL": "postgresql://nobody@127.0.0.1/none"}),
        ("metrics", ("serve",), {"PBMSERV_METRICS": "127.0.0.1:1"}),
    ],
)
def test_what_needs_an_extra_names_it(run: Run, extra: str, words: tuple[str, ...], settings: dict[str, str]) -> None:
    done = run("pbmserv", *words, **settings)
    assert done.returncode in (69, 78), done.stderr
    assert f"pbmserv[{extra}]" in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_settings_are_named(run: Run) -> None:
    done = run("pbmserv", "serve", PBMSERV_ROLES="postman")
    assert done.returncode == 78
    assert "PBMSERV_ROLES" in done.stderr


def test_two_players_meet_over_smtp(bin_: Path, run: Run, site: dict[str, str], tmp_path: Path) -> None:
    letters = tmp_path / "letters"
    with _serving(bin_, site, tmp_path) as (server, port):
        assert _ask(port, letters, ALICE, "signup alice secret1").startswith("Welcome, alice.")
        assert _ask(port, letters, BOB, "signup bob secret2").startswith("Welcome, bob.")
        assert "ply 1" in _ask(port, letters, ALICE, "tumble challenge alice bob -c")
        moved = _ask(port, letters, ALICE, "tumble move 101 alice secret1 h4-g5t")
        assert moved.startswith("It is bob's turn, alice: ply 2.")
        told = _wait_for(letters, lambda x: x["To"] == BOB and _text(x).startswith("It is your turn, bob: ply 2."))
        assert told["Subject"] == "Tumble Board 101 bob"
        check = run("python", str(ROOT / "deploy/healthcheck.py"), PBMSERV_LISTEN=f"smtp://127.0.0.1:{port}")
        assert check.returncode == 0, check.stderr
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=40) == 0
    assert "secret" not in (tmp_path / "log").read_text()
    verified = run("pbmserv", "boards", "verify")
    assert verified.returncode == 0
    assert verified.stdout.startswith("1 boards replayed, 0 differences\n")


def test_help_of_every_game_comes_by_mail(bin_: Path, site: dict[str, str], tmp_path: Path) -> None:
    with _serving(bin_, site, tmp_path) as (_, port):
        _ask(port, tmp_path / "letters", ALICE, "signup alice secret1")
        for game in GAMES:
            answer = _ask(port, tmp_path / "letters", ALICE, f"{game.info.key} help")
            assert game.info.name.casefold() in answer.casefold()


@contextmanager
def _serving(bin_: Path, site: dict[str, str], folder: Path) -> Iterator[tuple["subprocess.Popen[str]", int]]:
    """A server process and its port; what it logs goes to the file `log`."""
    with (folder / "log").open("w") as log:
        command = [str(bin_ / "pbmserv"), "serve"]
        server = subprocess.Popen(command, cwd=folder, env=site, stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            assert server.stdout
            first = server.stdout.readline()
            found = re.match(r"pbmserv listens on smtp://127\.0\.0\.1:(\d+) for pbmserv@localhost$", first)
            assert found, first + (folder / "log").read_text()
            yield server, int(found[1])
        finally:
            server.kill()
            server.communicate()


def _ask(port: int, letters: Path, sender: str, subject: str) -> str:
    """Send a command and wait for the text of the letter that answers it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"], mail["Message-ID"] = sender, SERVER, subject, make_msgid(domain="x.test")
    with smtplib.SMTP("127.0.0.1", port, timeout=30) as smtp:
        smtp.send_message(mail)
    return _text(_wait_for(letters, lambda x: x["In-Reply-To"] == mail["Message-ID"] and x["To"] == sender))


def _wait_for(letters: Path, is_it: Callable[[Message], bool]) -> Message:
    """The first letter, to whomever, that is it."""
    deadline = time.monotonic() + ANSWER_SECONDS
    while time.monotonic() < deadline:
        for file in letters.glob("*/new/*"):  # not by `mailbox`, which fails on a Maildir that is just being made
            letter = message_from_bytes(file.read_bytes())
            if is_it(letter):
                return letter
        time.sleep(0.05)
    raise AssertionError("the letter did not come")


def _text(letter: Message) -> str:
    (plain,) = [part for part in letter.walk() if part.get_content_type() == "text/plain"]
    content = plain.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode()
