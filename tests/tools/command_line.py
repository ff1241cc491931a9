"""Run the admin's commands on the database of a world."""

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
    """Return the output and the exit code of a command."""
    ours = {
        "PBMSERV_DATABASE_URL": world.url,
        "PBMSERV_SECRET_KEY": KEY.decode(),
        "PBMSERV_ADDRESS": ADDRESS,
        "PBMSERV_LISTEN": "smtp://127.0.0.1:0",  # no question is possible there
        "COLUMNS": "300",
        **settings,
    }
    return CliRunner().invoke(app, words, env=ours)


def told(world: World, *words: str, code: int = 0, **settings: str) -> Any:
    """Return the output with --json. The command must end with `code`."""
    done = admin(world, *words, "--json", **settings)
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


@contextmanager
def behind(world: World) -> Iterator[None]:
    """Let the database claim another schema.

    Afterwards it is set right, because PostgreSQL databases are used again.
    """
    set_version(world, "none")
    try:
        yield
    finally:
        set_version(world, migrate.newest())


def set_version(world: World, version: str) -> None:
    """Let the database claim a schema."""
    with world.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")


def files(folder: Path) -> set[str]:
    """Return the names of the files below a folder."""
    return {str(f.relative_to(folder)) for f in folder.rglob("*")}
