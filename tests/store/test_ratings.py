"""Rating lists and high scores: after every change, the places are the same as those found by counting all players."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmserv.boards import entries
from pbmserv.db import migrate
from pbmserv.db import tables as db
from pbmserv.games.base import board as play
from pbmserv.model import Rating, RatingLine
from pbmserv.store import Store
from pbmserv.store.ratings import score_level
from tests.examples import examples
from tests.web.filled import begin, play_on
from tests.world import World

pytestmark = pytest.mark.both

#: There are few values, so that many players are equal and many share a level.
points = st.one_of(st.sampled_from([25.0, 25.001, 25.002, 20.0, -3.0]), st.floats(-10, 60))
scores = st.one_of(st.integers(-300, 300), st.integers(-(10**12), 10**12), st.integers(-90, 90).map(lambda n: n / 10))


def by_counting(players: Sequence[tuple[int, float]]) -> list[tuple[int, int]]:
    """Return place and player, found by simple counting."""
    best_first = sorted(((value, id_) for id_, value in players), reverse=True)
    return [(1 + sum(v > value for v, _ in best_first), id_) for value, id_ in best_first]


def listed(standings: Sequence[RatingLine]) -> list[tuple[int, int]]:
    return [(s.place, int(s.userid[1:])) for s in standings]


@contextmanager
def thrown_away(world: World) -> Iterator[Store]:
    """A transaction with the twelve accounts p1 … p12. It is rolled back at the end."""
    with world.engine.connect() as connection:
        store = Store(connection)
        for n in range(1, 13):
            values = {"id": n, "userid": f"p{n}", "created": world.now}
            connection.execute(sa.insert(db.player).values(values))
        yield store
        connection.rollback()


@settings(examples(10, 20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.integers(1, 12), points), max_size=40), st.integers(0, 12), st.integers(1, 5))
@pytest.mark.slow
def test_places_are_those_of_counting(world: World, changes: list[tuple[int, float]], first: int, reach: int) -> None:
    with thrown_away(world) as store:
        for id_, mu in changes:
            store.ratings.set("tumble", id_, Rating(mu, 2.0), store.ratings.find("tumble", id_))
        expected = by_counting(list(dict(changes).items()))
        assert store.ratings.count("tumble") == len(expected)
        assert listed(store.ratings.standings("tumble", 0, 50)) == expected
        assert listed(store.ratings.standings("tumble", first, 3)) == expected[first : first + 3]
        for n, (_, id_) in enumerate(expected):
            near = expected[max(n - reach, 0) : n + reach + 1]
            assert listed(store.ratings.standings_near("tumble", id_, reach)) == near
        assert store.ratings.standings_near("tumble", 99, reach) == []
        assert store.audit.levels_of_all() == store.audit.levels_in_lists()
        assert store.audit.wrong_levels() == []
        store.ratings.count_levels()
        assert store.audit.levels_of_all() == store.audit.levels_in_lists()


@given(scores, scores)
def test_a_higher_score_is_at_no_lower_level(one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert score_level(low) <= score_level(high)
    assert score_level(low) <= low


def test_levels_stay_few() -> None:
    assert len({score_level(n) for n in range(100_000)}) < 1000


def filled(world: World) -> World:
    """A store with a rating and with high scores of two players, one of whom has two boards."""
    world.signup("alice", "bob")
    for userid, plies in (("alice", 2000), ("bob", 2000), ("alice", 5)):
        number = begin(world, userid, game="threes")
        play_on(world, number, plies)
        if world.row(number).board.result is None:
            world.mail(userid, f"threes resign {number} {userid} {userid}-secret")
    number = world.board("alice", "bob")
    world.mail("alice", f"tumble move {number} alice alice-secret b3-c3")
    world.mail("bob", f"tumble move {number} bob bob-secret g6-f6")
    world.play(number)
    world.mail("bob", f"tumble resign {number} bob bob-secret")
    return world


@pytest.mark.slow
def test_high_scores_are_those_of_the_boards(world: World) -> None:
    filled(world)
    lines = world.query(lambda s: s.ratings.scores("threes", "", 10))
    ended = [world.row(n) for n in (101, 102, 103)]
    got: dict[str, list[float]] = {"alice": [], "bob": []}
    for row in ended:
        assert row.board.result
        got[row.players[0].userid].append(row.board.result.scores[0])
    assert [(x.userid, x.best, x.average, x.boards) for x in lines] == sorted(
        ((u, max(g), sum(g) / len(g), len(g)) for u, g in got.items()), key=lambda x: -x[1]
    )
    assert world.query(lambda s: s.ratings.variants("threes")) == {"": 2}
    world.verify()


def strike_out(world: World, number: int) -> None:
    row = world.row(number)
    world.act(lambda s: entries.write(s, row, play.void(row.board), None, world.now))


@pytest.mark.slow
def test_a_ruling_changes_the_high_scores(world: World) -> None:
    filled(world)
    for number, left in ((101, 2), (103, 1), (102, 0)):
        strike_out(world, number)
        assert len(world.query(lambda s: s.ratings.scores("threes", "", 10))) == left
        world.verify()


@pytest.mark.slow
def test_a_migration_makes_what_the_server_would_have(world: World) -> None:
    filled(world)
    tables = (db.rating, db.score, db.level)

    def rows() -> list[list[str]]:
        with world.engine.connect() as connection:
            return [sorted(map(str, connection.execute(sa.select(t).where(*live(t))))) for t in tables]

    def live(table: sa.Table) -> list[sa.ColumnElement[bool]]:
        return [table.c.players > 0] if table is db.level else []

    before = rows()
    assert all(before)
    migrate.downgrade(world.engine, "0002")
    migrate.upgrade(world.engine)
    assert rows() == before
    world.verify()
