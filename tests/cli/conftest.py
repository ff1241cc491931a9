"""An admin at the command line of a server on which players have boards."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from pbmserv.cli.main import app
from tests.world import ADDRESS, KEY, Received, World


class Desk:
    """Runs `pbmserv` commands on the database of a world."""

    def __init__(self, world: World) -> None:
        self.world = world

    def run(self, *words: str, code: int | None = 0, stdin: str = "") -> Result:
        """Run one command and check its exit code. With `code=None` any exit code is right, but no exception."""
        done = CliRunner().invoke(app, list(words), input=stdin)
        assert code in (done.exit_code, None), (words, done.output, done.exception)
        assert isinstance(done.exception, SystemExit | None), (words, done.output, done.exception)
        return done

    def says(self, *words: str, code: int = 0, stdin: str = "") -> str:
        """What the command prints, as one line with single spaces."""
        return " ".join(self.run(*words, code=code, stdin=stdin).output.split())

    def json(self, *words: str) -> Any:
        """What the command prints with `--json`, parsed."""
        return json.loads(self.run(*words, "--json").stdout)

    def letters(self, *words: str, stdin: str = "") -> list[Received]:
        """The letters that a command causes."""
        self.world.letters()
        self.run(*words, stdin=stdin)
        return self.world.letters()

    def event(self) -> tuple[str, str]:
        """The last event: what was done, and why."""
        row = self.world.query(lambda s: s.operations.events(limit=1))[0]
        assert row.who
        return row.what, row.why


@pytest.fixture
def desk(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Board 101: alice and bob play tumble, alice is to move."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBMSERV_DATABASE_URL", world.url)
    monkeypatch.setenv("PBMSERV_SECRET_KEY", KEY.decode())
    monkeypatch.setenv("PBMSERV_ADDRESS", ADDRESS)
    monkeypatch.setenv("PBMSERV_LISTEN", "smtp://127.0.0.1:0")
    world.once(_begin)
    return Desk(world)


def _begin(world: World) -> None:
    world.board("alice", "bob")
    world.letters()


def move(world: World, userid: str, *moves: str, board: int = 101) -> None:
    """Send a mail with moves for a tumble board."""
    world.mail(userid, f"tumble move {board} {userid} {userid}-secret {' '.join(moves)}")
