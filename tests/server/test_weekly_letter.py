"""The operator gets a letter each week, if the settings say so."""

from datetime import timedelta

import pytest

from pbmserv.model.operations import LAST_BACKUP
from pbmserv.server.clock import Clock
from tests.world import World


def weekly(world: World) -> list[str]:
    """Let the clock run, and return the letters to the operator."""
    Clock(world.engine, world.site, lambda: world.now, gap=1e9).sweep()
    return [x.flat for x in world.letters() if x.to == "you@example.net"]


@pytest.mark.both
def test_it_comes_once_a_week_with_figures_and_trouble(world: World) -> None:
    world.allow(operator="you@example.net", weekly_letter=True)
    world.board("alice", "bob")
    world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    world.letters()
    world.act(lambda s: s.operations.set_fact(LAST_BACKUP, str(world.now.timestamp() - 7200)))
    world.act(lambda s: s.addresses.count_bounce("bob@example.org", world.now, 1))
    (letter,) = weekly(world)
    for told in ("1 begun, 0 ended, 1 running", "2, 2 of them new", "with 1 moves", "2 hours old"):
        assert told in letter
    assert "Addresses that letters do not reach: 1" in letter
    assert "backup: pbmserv" not in letter
    world.now += timedelta(hours=1)
    assert weekly(world) == []
    world.now += timedelta(days=7)
    (later,) = weekly(world)
    assert "0 begun" in later
    assert "There is no fresh backup" in later


@pytest.mark.parametrize("settings", [{"operator": "you@example.net"}, {"weekly_letter": True}])
def test_without_a_wish_or_an_address_there_is_none(world: World, settings: dict[str, object]) -> None:
    world.allow(**settings)
    assert weekly(world) == []
