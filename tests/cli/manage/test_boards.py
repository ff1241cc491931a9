"""A board comes back from the file that `boards record` made of it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbmserv.cli.main import app
from tests.world import World


@pytest.fixture
def folder(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server's folder: a running board with chance, 101, and a finished one, 102."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBMSERV_DATABASE_URL", world.url)
    monkeypatch.setenv("PBMSERV_SECRET_KEY", "k" * 64)  # PostgreSQL has none of its own
    world.board("alice", "bob", game="3io")
    world.mail("alice", "3io move 101 alice alice-secret draw 1c3")
    world.board("alice", "bob")
    world.mail("bob", "tumble resign 102 bob bob-secret")
    return tmp_path


def ask(*words: str) -> Result:
    """An admin's command."""
    return CliRunner().invoke(app, list(words))


def saved(folder: Path, *words: str) -> str:
    """The file that holds what a command prints."""
    file = folder / "board.json"
    file.write_text(ask(*words).stdout)
    return str(file)


def test_a_finished_board_is_imported(world: World, folder: Path) -> None:
    done = ask("boards", "import", saved(folder, "boards", "record", "102"))
    assert (done.exit_code, done.stdout) == (0, "Tumble Board 103: alice wins (by resignation)\n")
    world.verify()


def test_a_running_board_with_chance_needs_its_seed(world: World, folder: Path) -> None:
    done = ask("boards", "import", saved(folder, "boards", "record", "101"))
    assert done.exit_code == 65
    assert "pbmserv boards record NUMBER --with-seed" in done.stderr
    done = ask("boards", "import", saved(folder, "boards", "record", "101", "--with-seed"))
    assert (done.exit_code, done.stdout) == (0, "3io Board 103: running\n")
    assert len(world.mail("bob", "3io move 103 bob bob-secret draw 1a1")) == 2


def test_what_is_no_record_is_refused(folder: Path) -> None:
    (folder / "board.json").write_text("{}")
    done = ask("boards", "import", str(folder / "board.json"))
    assert done.exit_code == 65
    assert "This is no record: format: Field required" in done.stderr


@pytest.mark.parametrize(
    ("written", "instead", "where"),
    [('"bob"', '"bob, and others of this name"', "players.1"), ("+00:00", "", "created")],
)
def test_what_no_server_wrote_is_refused(folder: Path, written: str, instead: str, where: str) -> None:
    file = Path(saved(folder, "boards", "record", "102"))
    file.write_text(file.read_text().replace(written, instead))
    done = ask("boards", "import", str(file))
    assert done.exit_code == 65
    assert f"This is no record: {where}: " in done.stderr
