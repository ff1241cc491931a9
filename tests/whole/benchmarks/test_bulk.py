"""Databases that are filled in bulk are like those that were played."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from benchmarks.bulk import LETTERS_DAYS, Size
from benchmarks.growth import Filled
from pbmserv.admin.audit import differences
from pbmserv.store import Store

SIZE = Size(boards=60, players=7, entries=9)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    server = Filled(tmp_path_factory.mktemp("bulk") / "pbmserv.db", SIZE)
    yield server
    server.engine.dispose()


@pytest.mark.slow
def test_every_board_verifies(filled: Filled) -> None:
    with filled.engine.connect() as connection:
        store = Store(connection)
        assert [differences(store, n) for n in store.board_lists.numbers()] == [[]] * SIZE.boards


@pytest.mark.slow
def test_rows_refer_to_each_other_and_indexes_are_whole(filled: Filled) -> None:
    with filled.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
        assert connection.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"


@pytest.mark.slow
def test_each_entry_has_its_mail_and_each_late_move_its_letters(filled: Filled) -> None:
    with filled.engine.connect() as connection:
        ask = connection.exec_driver_sql
        assert ask("SELECT count(DISTINCT mail_id) FROM entry").scalar_one() == SIZE.boards * SIZE.entries
        assert ask("SELECT count(*) FROM seat WHERE to_move").scalar_one() == SIZE.boards // 20
        since = f"datetime('now', '-{LETTERS_DAYS} days', '-1 hour')"
        late = ask(f"SELECT count(*) FROM entry WHERE at >= {since}").scalar_one()
        assert ask("SELECT count(*) FROM outbox").scalar_one() == 2 * late > 0


def test_the_server_takes_the_moves_and_commands_that_are_measured(filled: Filled) -> None:
    filled.move()
    filled.say("tumble show {player} next")()
    with filled.engine.connect() as connection:
        newest = "SELECT status, problem FROM mail ORDER BY id DESC LIMIT 2"
        assert connection.exec_driver_sql(newest).all() == [("done", ""), ("done", "")]


def test_nothing_is_due_for_as_long_as_the_clock_is_measured(filled: Filled) -> None:
    with filled.engine.connect() as connection:
        assert Store(connection).board_lists.due_seats(datetime.now(UTC).timestamp() + 6 * 86400, 10) == []
