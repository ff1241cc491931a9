"""`status`, `doctor`, metrics and `robots add` tell of robots that do not answer."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from pbmserv.cli.status import ROBOT_WAITS
from pbmserv.cli.terminal.launch import Launch
from pbmserv.cli.terminal.running import settings_of
from pbmserv.config import Config
from pbmserv.model.operations import LAST_RUN
from pbmserv.server.robot_player import Pace
from pbmserv.server.server import Gauges
from tests.server.test_robot_player import add
from tests.tools.command_line import admin, told
from tests.world import World


def late(world: World, seconds: float) -> None:
    """A server whose robot has been to move for so long."""
    world.now = datetime.now(UTC) - timedelta(seconds=seconds)
    world.signup("alice")
    add(world, "robert", "four")
    world.mail("alice", "four challenge robert alice")
    now = repr(datetime.now(UTC).timestamp())
    world.act(lambda store: store.operations.set_fact(LAST_RUN, now))


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "is_late"), [(ROBOT_WAITS + 60, True), (20, False)])
def test_a_robot_that_does_not_answer(world: World, seconds: float, is_late: bool) -> None:
    late(world, seconds)
    found = told(world, "status", code=int(is_late))
    assert abs(found["robots"]["oldest_seconds"] - seconds) < 60
    assert ["A robot has not moved for" in line for line in found["warnings"]] == [True] * is_late
    gauges = Gauges(world.engine, dict)()
    assert abs(gauges["robots_oldest_seconds"] - seconds) < 60
    (said,) = _checked(world)
    assert said["status"] == ("warning" if is_late else "ok")


@pytest.mark.slow
def test_no_robot_waits(world: World) -> None:
    assert _checked(world) == []
    assert Gauges(world.engine, dict)()["robots_oldest_seconds"] == 0
    add(world, "robert", "four")
    (said,) = _checked(world)
    assert said["said"] == "there are 1, and none is late"


def test_robots_are_turned_off(world: World) -> None:
    done = admin(world, "robots", "add", "robert", "--game", "four", PBMSERV_ROBOTS="0")
    assert "PBMSERV_ROBOTS=0: robots do not move." in done.stdout
    assert "PBMSERV_ROBOTS" not in admin(world, "robots", "add", "rita", "--game", "four").stdout
    (said,) = _checked(world, PBMSERV_ROBOTS="0")
    assert said["status"] == "warning"
    settings = settings_of(Launch.of(Config(database_url=world.url, secret_key="k" * 32, robots=0, senders=1), b"key"))
    assert [plan.role for plan in settings.children] == ["sender"]
    with pytest.raises(ValidationError, match="turns robots off"):
        Config(roles="robots", robots=0)


def test_as_many_workers_as_set() -> None:
    for roles, children in (("listener,robots", 3), ("robots", 2)):
        settings = settings_of(Launch.of(Config(roles=roles, robots=3, robot_rest=1, robot_lease=9), b"key"))
        (plan,) = settings.children
        assert len(plan.shares) == children
        assert settings_of(Launch.load(plan.settings)).pace == settings.pace == Pace(1, 9)


def test_engines_reach_the_process_that_plays_and_have_less_time_than_a_turn() -> None:
    engines = {"stockfish": {"command": "stockfish", "protocol": "uci", "setup": ["setoption name Hash value 1"]}}
    settings = settings_of(Launch.of(Config(robots=1, engines=engines), b"key"))
    (plan,) = (plan for plan in settings.children if plan.role == "robot")
    assert settings_of(Launch.load(plan.settings)).engines == settings.engines
    assert settings.engines["stockfish"].setup == ("setoption name Hash value 1",)
    for wrong, why in (
        ({"seconds": 3}, "at most 2, a quarter"),
        ({"time": 3}, "time"),
        ({"protocol": "xboard"}, "uci"),
    ):
        with pytest.raises(ValidationError, match=why):
            Config(robot_lease=8, engines={"stockfish": {"command": "stockfish", "protocol": "uci", **wrong}})


def _checked(world: World, **settings: str) -> list[dict[str, str]]:
    done = admin(world, "doctor", "--json", **settings)
    assert done.exit_code in (0, 1)
    return [found for found in json.loads(done.stdout)["checks"] if found["check"] == "robots"]
