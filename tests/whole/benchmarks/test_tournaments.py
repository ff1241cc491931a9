"""The league whose boards are measured is like one that was played."""

from collections.abc import Iterator

import pytest

from benchmarks.tournaments import League
from pbmserv.admin.audit import differences
from pbmserv.store import Store


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[League]:
    server = League(tmp_path_factory.mktemp("league") / "pbmserv.db", players=24)
    yield server
    server.engine.dispose()


@pytest.mark.slow
def test_the_end_of_a_board_writes_its_points(league: League) -> None:
    board = league.inside[0]
    league.end(board)
    league.end(league.outside[0])
    with league.engine.connect() as connection:
        store = Store(connection)
        pairing = store.tournaments.pairing_of(board)
        assert pairing is not None
        assert (pairing.points, pairing.forfeiter) == (0, None)
        assert store.tournaments.pairing_of(league.outside[0]) is None
        assert [differences(store, n) for n in (board, league.outside[0])] == [[], []]


@pytest.mark.slow
def test_the_clock_has_nothing_else_to_do(league: League) -> None:
    league.end(league.inside[1])
    league.look()
    with league.engine.connect() as connection:
        store = Store(connection)
        assert store.tournaments.to_begin(1, 1, 10) == []
        assert not any(e.out for e in store.tournaments.entrants(1, 1))
        assert connection.exec_driver_sql("SELECT count(*) FROM outbox").scalar_one() == 0
    league.table()
