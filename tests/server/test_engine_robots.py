"""Robots whose moves an engine of others chooses: whole boards by mail, and what a broken engine does to nobody."""

import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from pbmserv.games.base.rules import moves_of
from pbmserv.robots.engines import EngineFault, Engines, EngineSettings
from pbmserv.robots.engines.process import program
from pbmserv.server.chores import weekly_letter
from pbmserv.server.robot_player import REST, Robots
from pbmserv.server.server import Gauges
from tests.robots import engine_programs
from tests.server.test_robot_player import role
from tests.world import World

ALICE = 0  #: her seat: she is named first
PROGRAMS = Path(engine_programs.__file__)


@pytest.fixture
def pools() -> Iterator[list[Engines]]:
    """Engines that end with the test."""
    made = list[Engines]()
    yield made
    for engines in made:
        engines.close()


def begun(world: World, game: str, engine: EngineSettings, pools: list[Engines]) -> Robots:
    """A server where alice has challenged the robot of an engine, and the process that plays for robots."""
    world.signup("alice")
    world.act(lambda s: s.robots.add(s.players.add("stocky", "", world.now).id, game, 1, 3, "other", None, None))
    pools.append(Engines({"other": engine}))
    return Robots(world.engine, world.site, world.pipeline, lambda: world.now, engines=pools[-1])


def alice_moves(world: World, text: str) -> None:
    row = world.row()
    world.mail("alice", f"{row.board.game.info.key} move 101 alice alice-secret {text}")


def answered(world: World, robots: Robots) -> None:
    world.now += timedelta(seconds=REST + 1)
    assert robots.play()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "engine"),
    [
        ("chess", EngineSettings("stockfish", "uci", 30, nodes=500)),
        ("go", EngineSettings("gnugo --mode gtp --chinese-rules --level 1", "gtp", 30)),
    ],
)
def test_a_board_is_played_by_mail_to_its_end(
    world: World, pools: list[Engines], game: str, engine: EngineSettings
) -> None:
    """In chess alice plays the first move that there is, in Go she passes until the count."""
    try:
        program(engine)
    except EngineFault as missing:
        pytest.skip(str(missing))
    robots = begun(world, game, engine, pools)
    world.mail("alice", f"{game} challenge alice stocky{' -size=9' if game == 'go' else ''}")
    while (row := world.row()).board.result is None:
        board = row.board
        if board.to_move == {ALICE}:
            texts = [board.game.format(move) for move in moves_of(board.game, board.position, ALICE)]
            alice_moves(world, next(text for text in ("count", "pass", texts[0]) if text in texts))
        else:
            answered(world, robots)
    assert row.board.result.winners == (1 - ALICE,)
    assert pools[-1].news() == {}
    assert world.query(lambda s: s.operations.engines())["other"].faults == 0
    world.verify()


@pytest.mark.slow
@pytest.mark.both
def test_our_own_search_moves_for_a_broken_engine_and_the_operator_is_told(
    world: World, pools: list[Engines], tmp_path: Path
) -> None:
    engine = EngineSettings(f"{sys.executable} {PROGRAMS} dying {tmp_path}/pids", "uci", 30)
    robots = begun(world, "chess", engine, pools)
    world.mail("alice", "chess challenge alice stocky --unrated")
    alice_moves(world, "e2e4")
    world.now += timedelta(seconds=REST + 1)
    assert not role(world).play()  # a process without engines leaves it alone
    assert robots.play()
    assert world.row().board.ply == 2
    (health,) = world.query(lambda s: s.operations.engines()).values()
    assert "it has ended with code 3" in health.trouble
    assert health.faults == 1
    assert Gauges(world.engine, dict)()["engines_down"] == 1
    with world.engine.connect() as connection:
        assert weekly_letter.figures(connection, world.now)["engines"] == ["other"]
    alice_moves(world, "d2d4")
    answered(world, robots)
    assert world.row().board.ply == 4
    world.act(lambda s: s.operations.note_engines({"other": ""}, {"other"}, world.now.timestamp()))
    assert Gauges(world.engine, dict)()["engines_down"] == 0
    with world.engine.connect() as connection:
        assert weekly_letter.figures(connection, world.now)["engines"] == ["other"]
        assert weekly_letter.figures(connection, world.now + timedelta(days=8))["engines"] == []
    world.act(lambda s: s.operations.note_engines({}, (), world.now.timestamp()))
    assert world.query(lambda s: s.operations.engines()) == {}
