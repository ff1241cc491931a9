"""The wheel in an empty virtual environment, used from a folder outside of the source tree."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pbmserv.games import GAMES
from tests.whole.packaging.conftest import installed
from tests.whole.packaging.installed_server import ask, demonstration, serving, text, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

ALICE, BOB = "alice@example.org", "bob@example.org"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def bin_(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of a virtual environment that has only the wheel and its dependencies."""
    return installed(tmp_path_factory.mktemp("installed") / "venv", str(wheel))


@pytest.fixture
def site(tmp_path: Path) -> dict[str, str]:
    """The environment of a demonstration site in tmp_path."""
    return demonstration(tmp_path)


@pytest.fixture
def run(bin_: Path, site: dict[str, str], tmp_path: Path) -> Run:
    """A function that runs one installed program in tmp_path to its end."""

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


def test_the_version_is_that_of_the_build(run: Run, wheel: Path) -> None:
    assert run("pbmserv", "version").stdout.strip() == wheel.name.split("-")[1]


def test_templates_are_found_in_the_package(run: Run) -> None:
    code = (
        "from pbmserv import games, paths\n"
        "from pbmserv.games.base.board import Start, begin\n"
        "from pbmserv.letters.text.templates import Renderer\n"
        "print(paths.data('templates'))\n"
        "for game in games.GAMES:\n"
        "    new = begin(Start(game, {}, game.info.seats[0], 'seed'))\n"
        "    assert Renderer().diagram(game, game.view(new.position, 0)), game.info.key\n"
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


@pytest.fixture(scope="module")
def migrated(bin_: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database that the installed program has made."""
    folder = tmp_path_factory.mktemp("migrated")
    subprocess.run([bin_ / "pbmserv", "migrate"], cwd=folder, env=demonstration(folder), check=True, timeout=30)
    return folder / "pbmserv.db"


@pytest.mark.parametrize(
    ("extra", "words", "settings"),
    [
        ("web", ("web",), {}),
        ("postgresql", ("migrate",), {"PBMSERV_DATABASE_URL": "postgresql://nobody@127.0.0.1/none"}),
        ("metrics", ("serve",), {"PBMSERV_METRICS": "127.0.0.1:1"}),
        ("swiss", ("tournaments", "new", "hex", "--form", "swiss", "--start", "2050-01-31"), {}),
        ("oauth", ("serve",), {"PBMSERV_OAUTH_CLIENT": "x", "PBMSERV_MAILBOX": "imaps://club@imap.gmail.com"}),
    ],
)
def test_what_needs_an_extra_names_it(
    run: Run, migrated: Path, extra: str, words: tuple[str, ...], settings: dict[str, str]
) -> None:
    done = run("pbmserv", *words, **{"PBMSERV_DATABASE_URL": f"sqlite:///{migrated}"} | settings)
    assert done.returncode in (65, 69, 78), done.stderr
    assert f"pbmserv[{extra}]" in done.stderr
    assert "Traceback" not in done.stderr


def test_wrong_settings_are_named(run: Run) -> None:
    done = run("pbmserv", "serve", PBMSERV_ROLES="postman")
    assert done.returncode == 78
    assert "PBMSERV_ROLES" in done.stderr


def test_two_players_meet_over_smtp(bin_: Path, run: Run, site: dict[str, str], tmp_path: Path) -> None:
    letters = tmp_path / "letters"
    with serving(bin_, site, tmp_path) as (server, port):
        assert ask(port, letters, ALICE, "signup alice secret1").startswith("Welcome, alice.")
        assert ask(port, letters, BOB, "signup bob secret2").startswith("Welcome, bob.")
        assert "Your move" in ask(port, letters, ALICE, "tumble challenge alice bob -c")
        moved = ask(port, letters, ALICE, "tumble move 101 alice secret1 h4-g5t")
        assert moved.startswith("It is bob's turn, alice.")
        told = wait_for(letters, lambda x: x["To"] == BOB and text(x).startswith("Your move, bob."))
        assert told["Subject"] == "Tumble Board 101 bob"
        check = run("pbmserv", "health", PBMSERV_LISTEN=f"smtp://127.0.0.1:{port}")
        assert check.returncode == 0, check.stdout
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=40) == 0
    assert "secret" not in (tmp_path / "log").read_text()
    verified = run("pbmserv", "boards", "verify")
    assert verified.returncode == 0
    assert verified.stdout.startswith("1 boards replayed, 0 differences\n")


def test_help_of_every_game_comes_by_mail(bin_: Path, site: dict[str, str], tmp_path: Path) -> None:
    with serving(bin_, site, tmp_path) as (_, port):
        ask(port, tmp_path / "letters", ALICE, "signup alice secret1")
        for game in GAMES:
            answer = ask(port, tmp_path / "letters", ALICE, f"{game.info.key} help")
            assert game.info.name.casefold() in answer.casefold()
