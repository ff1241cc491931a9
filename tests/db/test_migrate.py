"""Migrations: every step works down and up on both databases, and keeps the data that both schemas know."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from pbmserv import paths
from pbmserv.admin.audit import differences
from pbmserv.db import migrate
from pbmserv.db import tables as db
from pbmserv.model.letters import Form, NewLetter
from pbmserv.points import score_of
from tests.tools.command_line import admin
from tests.world import World

pytestmark = pytest.mark.both

#: For each table: its columns and its rows.
Data = dict[str, tuple[list[str], list[dict[str, Any]]]]


def filled(world: World) -> World:
    """Fill every table: play on a board, then add a made-up row to each table that is still empty."""
    number = world.board("alice", "bob")
    world.mail("alice", f"tumble move {number} alice alice-secret c1-c2", "well met")
    world.mail("bob", "tumble set bob bob-secret u")
    with world.engine.begin() as connection:
        for table in db.metadata.sorted_tables:
            if connection.execute(sa.select(table).limit(1)).first() is None:
                values = {c.name: made_up(connection, c, world) for c in table.c}
                connection.execute(sa.insert(table).values(values))
    return world


def made_up(connection: sa.Connection, column: sa.Column[Any], world: World) -> object:
    """A value that fits a column. For a foreign key it is an existing value of the other table."""
    for key in column.foreign_keys:
        return connection.execute(sa.select(key.column).limit(1)).scalar_one()
    if isinstance(column.type, db.Utc):
        return world.now
    if isinstance(column.type, sa.JSON):
        return {}
    return column.type.python_type()


def data(world: World) -> Data:
    """All data in the database, read from the tables that exist at the moment, as the driver gives them.

    To find out the types of all columns takes longer than the migrations.
    """
    with world.engine.connect() as connection:
        names = set(sa.inspect(connection).get_table_names()) - {"alembic_version"}
        rows = {name: connection.exec_driver_sql(f'SELECT * FROM "{name}"') for name in sorted(names)}
        return {name: (sorted(found.keys()), [plain(row) for row in found]) for name, found in rows.items()}


def plain(row: sa.Row[Any]) -> dict[str, Any]:
    """A row by the names of its columns. Numbers with decimals are as the program knows them."""
    return {k: score_of(v) if isinstance(v, Decimal) else v for k, v in row._mapping.items()}


def kept(mine: Data, other: Data) -> dict[str, list[str]]:
    """The rows of `mine`, with only the tables and columns that `other` has as well."""
    columns = {name: [c for c in mine[name][0] if c in other[name][0]] for name in mine.keys() & other.keys()}
    return {name: sorted(str([row[c] for c in known]) for row in mine[name][1]) for name, known in columns.items()}


def steps() -> Iterator[tuple[str, str]]:
    """Each revision and the one before it, newest first. The last one before is `base`: no tables."""
    folder = ScriptDirectory(str(paths.data("migrations")))
    for script in folder.walk_revisions():
        assert script.down_revision is None or isinstance(script.down_revision, str)
        yield script.revision, script.down_revision or "base"


@pytest.mark.slow
def test_each_step_keeps_what_both_its_sides_know(world: World) -> None:
    """Go down one step and up again, then down by two, and so on, until no tables are left."""
    before = data(filled(world))
    assert all(rows for _, rows in before.values())
    for revision, below in steps():
        migrate.downgrade(world.engine, below)
        after = data(world)
        assert kept(before, after) == kept(after, before)
        migrate.upgrade(world.engine, revision)
        again = data(world)
        assert kept(again, after) == kept(after, again)
        assert {name: columns for name, (columns, _) in again.items()} == {n: c for n, (c, _) in before.items()}
        before = after
    assert before == {}
    migrate.upgrade(world.engine)


@pytest.mark.slow
def test_the_whole_way_down_and_up_again(world: World) -> None:
    filled(world)
    migrate.downgrade(world.engine, "base")
    with world.engine.connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) <= {"alembic_version", "sqlite_sequence"}
    assert not migrate.is_current(world.engine)
    migrate.upgrade(world.engine)
    assert migrate.is_current(world.engine)
    filled(world)
    assert world.query(lambda s: s.board_lists.numbers()) == [101]
    assert world.query(lambda s: differences(s, 101)) == []


@pytest.mark.slow
def test_an_earlier_version_has_no_open_seek_for_a_seat(world: World) -> None:
    """It would begin it as an ordinary board."""
    world.board("alice", "bob")
    world.mail("alice", "tumble seek alice alice-secret")
    world.mail("bob", "tumble resign 101 bob bob-secret")
    world.mail("alice", "tumble substitute 101 alice alice-secret")
    migrate.downgrade(world.engine, "0009")
    migrate.upgrade(world.engine)
    assert [s.number for s in world.query(lambda s: s.challenges.open_seeks())] == [1]


def test_the_forms_of_letters_are_told_by_their_first_bytes(world: World) -> None:
    old = {
        b'{"view": [101, 1, 3], "again": 0}': "view",
        b'{"event": "turn", "data": {}}': "event",
        b'{"letter": {"text": "It is your turn."}}': "words",
        b"Message-ID: <m@x.example>\r\n\r\nHi": "message",
        b"": "message",
    }
    world.act(
        lambda s: s.letters.queue([NewLetter(None, None, "answer", "a@x", Form.WORDS, d, world.now) for d in old])
    )
    migrate.downgrade(world.engine, "0018")
    migrate.upgrade(world.engine)
    with world.engine.connect() as connection:
        found = connection.execute(sa.select(db.outbox.c.data, db.outbox.c.form))
        assert {row.data: row.form for row in found} == old


@pytest.mark.slow
@pytest.mark.parametrize(
    ("revision", "game", "after"),
    [("0026", "chess", [1, 3, 5]), ("0029", "go", [3, 4, 5]), ("0031", "go", [0, 1, 2])],
)
def test_robots_play_as_well_where_levels_have_other_numbers(
    world: World, revision: str, game: str, after: list[int]
) -> None:
    robots, earlier = [(game, 1), (game, 2), (game, 3), ("four", 3)], dict(steps())[revision]
    world.signup("one", "two", "three", "four4")
    migrate.downgrade(world.engine, earlier)
    with world.engine.begin() as connection:
        for number, (key, level) in enumerate(robots, start=1):
            values = {"player_id": number, "game": key, "level": level, "boards": 3, "paused": False}
            connection.execute(sa.insert(db.robot).values(values))

    def levels() -> list[int]:
        with world.engine.connect() as connection:
            return list(connection.scalars(sa.select(db.robot.c.level).order_by(db.robot.c.player_id)))

    migrate.upgrade(world.engine, revision)
    assert levels() == [*after, 3]
    migrate.downgrade(world.engine, earlier)
    assert levels() == [1, 2, 3, 3]
    migrate.upgrade(world.engine, "head")


def test_the_schema_is_known_without_alembic(world: World) -> None:
    """The revision that the database has, and the newest one, are the same as Alembic says."""
    with world.engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
        assert migrate.revision(connection) == current == migrate.newest()
    assert ScriptDirectory(str(paths.data("migrations"))).get_current_head() == migrate.newest()


@pytest.mark.slow
def test_the_migrations_make_the_tables_that_the_program_knows(world: World) -> None:
    with world.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "render_as_batch": True})
        assert compare_metadata(context, db.metadata) == []


def test_no_column_has_a_default_that_lets_an_older_program_write(world: World) -> None:
    """It does not know the column, and its INSERT must fail rather than store a value that means nothing."""
    with world.engine.connect() as connection:
        look = sa.inspect(connection)
        named = {
            (table, column["name"])
            for table in look.get_table_names()
            for column in look.get_columns(table)
            if column["default"] is not None
        }
    assert named == set()


@pytest.mark.slow
def test_rows_from_before_a_column_keep_its_value_without_the_default(world: World) -> None:
    """SQLite does not write a row again when a column with a default is added."""
    filled(world)
    migrate.downgrade(world.engine, "0008")
    migrate.upgrade(world.engine)
    with world.engine.connect() as connection:
        assert set(connection.execute(sa.select(db.player.c.robot)).scalars()) == {False}
        assert set(connection.execute(sa.select(db.seat.c.spent, db.seat.c.earned, db.seat.c.rest))) == {(0.0, 0, "")}
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalars().all() == ["ok"]
        with pytest.raises(sa.exc.IntegrityError):
            connection.exec_driver_sql(
                "INSERT INTO address (player_id, address, folded, created, leaving) "
                "SELECT id, 'x', 'x', created, closed IS NOT NULL FROM player"
            )


def older_process(world: World) -> Any:
    """A connection as a process of any version has one. It holds no lock of ours."""
    if world.engine.dialect.name == "sqlite":
        connection = sqlite3.connect(world.file)
        connection.execute("PRAGMA journal_mode = WAL")
        return connection
    return psycopg.connect(world.url, fallback_application_name="pbmserv")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["migrate", "serve"])
def test_nothing_is_migrated_while_a_process_has_the_database(
    world: World, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a process would go on writing by the old schema."""
    monkeypatch.setattr(migrate, "_PATIENCE", 0.1)
    migrate.downgrade(world.engine, "0012")
    world.engine.dispose()
    with closing(older_process(world)):
        done = admin(world, command)
        is_postgresql_server = command == "serve" and world.engine.dialect.name == "postgresql"
        assert done.exit_code == (78 if is_postgresql_server else 69), done.output
        assert is_postgresql_server or "another process has it open" in done.stderr
        with world.engine.connect() as connection:
            assert migrate.revision(connection) == "0012"
    world.engine.dispose()
    done = admin(world, "migrate")
    assert done.exit_code == 0, done.output
    assert migrate.is_current(world.engine)
