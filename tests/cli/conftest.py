"""An admin at the command line of a server that is played on."""

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
        """One command; how it ended is checked. None: anyhow, but not with a bug."""
        done = CliRunner().invoke(app, list(words), input=stdin)
        assert code in (done.exit_code, None), (words, done.output, done.exception)
        assert isinstance(done.exception, SystemExit | None), (words, done.output, done.exception)
        return done

    def says(self, *words: str, code: int = 0, stdin: str = "") -> str:
        """What it prints, on one line wherever that was broken."""
        return " ".join(self.run(*words, code=code, stdin=stdin).output.split())

    def json(self, *words: str) -> Any:
        """What it prints as JSON."""
        return json.loads(self.run(*words, "--json").stdout)

    def letters(self, *words: str, stdin: str = "") -> list[Received]:
        """The letters that a command brings about."""
        self.world.letters()
        self.run(*words, stdin=stdin)
        return self.world.letters()

    def event(self) -> tuple[str, str]:
        """What the last event says: what, why."""
        row = self.world.query(lambda s: s.operations.events(limit=1))[0]
        assert row.who
        return row.what, row.why


@pytest.fixture
def desk(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Board 101: alice and bob at tumble, alice to move."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBMSERV_DATABASE_URL", world.url)
    monkeypatch.setenv("PBMSERV_SECRET_KEY", KEY.decode())
    monkeypatch.setenv("PBMSERV_ADDRESS", ADDRESS)
    world.once(_begin)
    return Desk(world)


def _begin(world: World) -> None:
    world.board("alice", "bob")
    world.letters()


def move(world: World, userid: str, *moves: str, board: int = 101) -> None:
    """A mail with moves of a tumble board."""
    world.mail(userid, f"tumble move {board} {userid} {userid}-secret {' '.join(moves)}")
