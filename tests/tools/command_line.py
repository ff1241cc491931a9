"""The admin's commands on the database of a world."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from pbmserv.cli.main import app
from pbmserv.db import migrate
from tests.world import ADDRESS, KEY, World


def admin(world: World, *words: str, **settings: str) -> Result:
    """What a command says and how it ends."""
    ours = {
        "PBMSERV_DATABASE_URL": world.url,
        "PBMSERV_SECRET_KEY": KEY.decode(),
        "PBMSERV_ADDRESS": ADDRESS,
        "COLUMNS": "300",
        **settings,
    }
    return CliRunner().invoke(app, words, env=ours)


def told(world: World, *words: str, code: int = 0, **settings: str) -> Any:
    """What it says with --json; it must end with `code`."""
    done = admin(world, *words, "--json", **settings)
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


@contextmanager
def behind(world: World) -> Iterator[None]:
    """The database says that it has another schema; afterwards it tells the truth, for PostgreSQL's are used again."""
    _say_version(world, "none")
    try:
        yield
    finally:
        _say_version(world, migrate.newest())


def _say_version(world: World, version: str | None) -> None:
    with world.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")


def files(folder: Path) -> set[str]:
    """The names below a folder."""
    return {str(f.relative_to(folder)) for f in folder.rglob("*")}
