"""The database: durability, savepoints and numbers."""

import sqlite3
from contextlib import closing
from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.db import engines, tables
from pbmserv.store import Store
from tests.world import World

pytestmark = pytest.mark.both


def count(world: World) -> int:
    """The number of players."""
    with world.engine.connect() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(tables.player)).scalar_one())


def add_together(store: Store, world: World, *userids: str) -> None:
    """Open accounts in one savepoint."""
    with store.savepoint():
        for userid in userids:
            store.players.add(userid, "-", world.now)


def test_what_a_released_savepoint_wrote_goes_with_the_outer_rollback(world: World) -> None:
    connection = world.engine.connect()
    outer = connection.begin()
    store = Store(connection)
    add_together(store, world, "alice")
    store.players.add("bob", "-", world.now)
    outer.rollback()
    connection.close()
    assert count(world) == 0


def test_a_failed_savepoint_goes_alone(world: World) -> None:
    with world.engine.begin() as connection:
        store = Store(connection)
        store.players.add("alice", "-", world.now)
        with pytest.raises(sa.exc.IntegrityError):
            add_together(store, world, "bob", "alice")
        store.players.add("carol", "-", world.now)
    assert world.query(lambda s: sorted(s.players.userids())) == ["alice", "carol"]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10000)]
)
def test_commits_are_durable_and_references_hold(world: World, pragma: str, value: object) -> None:
    engine = engines.connect(world.url)
    with engine.connect() as connection:
        assert connection.exec_driver_sql(f"PRAGMA {pragma}").scalar_one() == value
    engine.dispose()


@pytest.mark.sqlite
def test_a_writer_takes_the_lock_at_once_and_a_reader_does_not_wait(world: World) -> None:
    with world.engine.begin() as writer:
        Store(writer).players.add("alice", "-", world.now)
        with world.engine.execution_options(**engines.READ_ONLY).connect() as reader:
            assert Store(reader).players.find("alice") is None
        with (
            closing(sqlite3.connect(world.file, timeout=0)) as second,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            second.execute("BEGIN IMMEDIATE")


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("setting", "value"),
    [("synchronous_commit", "on"), ("lock_timeout", "10s"), ("idle_in_transaction_session_timeout", "1min")],
)
def test_commits_are_durable_and_nobody_waits_for_ever(world: World, setting: str, value: str) -> None:
    with world.engine.connect() as connection:
        assert connection.exec_driver_sql(f"SHOW {setting}").scalar_one() == value


def test_a_reader_sees_one_state_waits_for_nobody_and_cannot_write(world: World) -> None:
    world.board("alice", "bob")
    with world.engine.execution_options(**engines.READ_ONLY).connect() as connection:
        reader = Store(connection)
        assert reader.boards.log(101) == []
        with world.engine.begin() as writer:
            Store(writer).boards.find(101)
            assert reader.boards.find(101) is not None
        world.mail("alice", "tumble resign 101 alice alice-secret")
        assert reader.boards.log(101) == []
        with pytest.raises(sa.exc.DBAPIError) as refused:
            reader.players.add("carol", "-", world.now)
        assert engines.was_refused(refused.value)


@pytest.mark.sqlite
def test_a_connection_that_has_only_read_can_write_afterwards(world: World) -> None:
    for number in range(3):
        with world.engine.execution_options(**engines.READ_ONLY).connect() as connection:
            assert len(Store(connection).players.userids()) == number
        world.signup(f"alice{number}")
    assert count(world) == 3


def test_times_come_back_in_utc(world: World) -> None:
    world.signup("alice")
    created = world.player("alice").created
    assert (created, created.utcoffset()) == (world.now, timedelta(0))


def test_userids_are_sorted_by_their_bytes(world: World) -> None:
    world.signup("ab", "a-c", "a_a", "a0", "b")
    assert [p.userid for p in world.query(lambda s: s.players.all())] == ["a-c", "a0", "a_a", "ab", "b"]


@pytest.mark.postgresql
def test_no_language_has_a_say_in_how_they_are_sorted(world: World) -> None:
    columns = "table_name || '.' || column_name FROM information_schema.columns WHERE collation_name = 'C'"
    with world.engine.connect() as connection:
        sorted_text = connection.exec_driver_sql(f"SELECT {columns} AND table_schema = 'public'").scalars()
        assert set(sorted_text) == {"player.userid", "board.variant", "score.variant", "level.variant"}


def test_board_numbers_start_at_101_and_are_never_given_again(world: World) -> None:
    assert world.board("alice", "bob") == 101
    with world.engine.begin() as connection:
        for table in (tables.outbox, tables.seat, tables.entry, tables.board):
            connection.execute(sa.delete(table))
    assert world.board("alice", "bob") == 102


def test_parameters_are_not_shown_in_errors(world: World) -> None:
    world.signup("alice")
    with pytest.raises(sa.exc.IntegrityError) as caught, world.engine.begin() as connection:
        Store(connection).players.add("alice", "a hash that is nobody's business", world.now)
    assert "business" not in str(caught.value)


def test_after_a_commit_readers_see_another_state(world: World) -> None:
    engine = engines.connect_to_read(world.url)
    with engine.connect() as connection:
        before = Store(connection).state_seen
        connection.rollback()
        world.signup("alice")
        after = Store(connection).state_seen
        assert before != after
        assert Store(connection).state_seen == after, "it is one transaction"
    engine.dispose()
