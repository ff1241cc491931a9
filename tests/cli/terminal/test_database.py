"""One sentence says what is wrong with the settings or the database, before a command does anything."""

from pathlib import Path

import pytest

from pbmserv.db import migrate
from tests.cli.conftest import Desk

CONFIG, NO_INPUT = 78, 66
ADD = ("players", "add", "carol", "carol@example.org", "--generate")


@pytest.mark.parametrize("words", [("players", "list"), ADD, ("mail", "retry", "1"), ("boards", "verify"), ("status",)])
def test_where_there_is_no_database_nothing_is_made(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PBMSERV_DATABASE_URL", f"sqlite:///{tmp_path}/var/none.db")
    assert "Start the server first: pbmserv serve" in desk.says(*words, code=NO_INPUT)
    assert not (tmp_path / "var").exists()


@pytest.mark.both
@pytest.mark.parametrize("words", [("players", "list"), ADD, ("boards", "verify"), ("trace", "--mail", "1")])
def test_a_database_with_another_schema_is_left_alone(desk: Desk, words: tuple[str, ...]) -> None:
    set_schema(desk, "9999")
    try:
        assert "Run: pbmserv migrate" in desk.says(*words, code=CONFIG)
        assert "A newer version of pbmserv wrote the database" in desk.says("migrate", code=CONFIG)
    finally:
        set_schema(desk, migrate.newest() or "")


@pytest.mark.both
@pytest.mark.slow
def test_a_database_without_tables(desk: Desk) -> None:
    migrate.downgrade(desk.world.engine, "base")
    try:
        assert "Run: pbmserv migrate" in desk.says("boards", "list", code=CONFIG)
    finally:
        desk.world.engine.dispose()
        desk.run("migrate")


@pytest.mark.parametrize("content", [b'secret_key = "swordfish', b"\xff"])
def test_a_file_of_settings_that_cannot_be_read(desk: Desk, content: bytes) -> None:
    Path("pbmserv.toml").write_bytes(content)
    said = desk.says("players", "list", code=CONFIG)
    assert "pbmserv.toml cannot be read: " in said
    assert "swordfish" not in said


@pytest.mark.parametrize("words", [("games", "rules", "tumble"), ("boards", "show", "101"), ADD])
def test_a_language_that_cannot_be_read(desk: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    Path("own/xx").mkdir(parents=True)
    Path("own/xx/messages.toml").write_text("no table")
    monkeypatch.setenv("PBMSERV_TEMPLATES", "own")
    assert "messages.toml" in desk.says(*words, code=CONFIG)


def set_schema(desk: Desk, version: str) -> None:
    """Write this schema version into the database, without a migration."""
    with desk.world.engine.begin() as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{version}'")
