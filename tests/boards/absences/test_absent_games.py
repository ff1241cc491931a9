"""Boards whose game is not installed wait."""

import json

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from pbmserv.boards.absences import absent_games
from pbmserv.db import tables
from pbmserv.games import versions
from pbmserv.model.operations import GAMES
from tests.world import World


def facts(world: World) -> dict[str, float | None]:
    """Return since when games are missing, but not those that are installed."""
    known = json.loads(world.query(lambda s: s.operations.fact(GAMES)) or "{}")
    return {name: since for name, since in known.items() if name == "chess4/2" or since is not None}


def test_a_game_waits_since_the_last_run_that_had_it(world: World) -> None:
    world.act(lambda s: s.operations.set_fact(GAMES, json.dumps({"chess4/2": None})))
    with capture_logs() as logs:
        for last, now in ((1000.0, 1060.0), (1060.0, 1120.0)):
            found = world.act(lambda s, last=last, now=now: absent_games.notice(s, last, now))  # type: ignore[misc]
            assert found == (frozenset({("chess4", 2)}), [])
            assert facts(world) == {"chess4/2": 1000.0}
    assert [(line["event"], line["game"], line["rules"]) for line in logs] == [("game is gone", "chess4", 2)]
    world.act(lambda s: absent_games.shift(s, 500.0))
    assert facts(world) == {"chess4/2": 1500.0}


def test_the_first_run_looks_for_games_that_have_boards(world: World) -> None:
    number = world.board("alice", "bob")
    with world.engine.begin() as connection:
        connection.execute(sa.update(tables.board).where(tables.board.c.number == number).values(game="chess4"))
    found = world.act(lambda s: absent_games.notice(s, 1000.0, 900.0))
    assert found.waiting == {("chess4", 1)}
    assert facts(world) == {"chess4/1": 900.0}  # no later than now


@pytest.mark.parametrize("gone", [4000.0, -60.0])
def test_a_game_that_is_back_gets_its_time_back(world: World, gone: float) -> None:
    number, now = world.board("alice", "bob"), world.now.timestamp()
    before = world.row(number).clocks[0].due or 0.0
    key = world.row(number).key
    rules = max(rules for name, rules in versions() if name == key)
    world.act(lambda s: s.operations.set_fact(GAMES, json.dumps({f"{key}/{rules}": now})))
    with capture_logs() as logs:
        assert world.act(lambda s: absent_games.notice(s, now, now + gone)) == (frozenset(), [])
    assert world.row(number).clocks[0].due == before + max(gone, 0.0)
    assert facts(world) == {}
    assert [(line["event"], line["seconds"]) for line in logs] == [("game is back", gone)]
