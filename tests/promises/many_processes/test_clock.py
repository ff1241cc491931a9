"""Two processes that both run the clock."""

from datetime import timedelta

import pytest

from pbmserv.server.clock import Clock
from tests.promises.many_processes.at_once import at_once
from tests.world import World

pytestmark = pytest.mark.postgresql


@pytest.fixture
def clocks(world: World, other: World) -> list[Clock]:
    """Two clocks, at the time when bob is due for reminders on four boards and for a digest about them."""
    world.signup("alice", "bob")
    world.act(lambda s: s.players.set_preference(world.player("bob").id, "", "digest", "daily"))
    for n in range(4):
        world.board("alice", "bob", options="-c")
        world.mail("alice", f"tumble move {101 + n} alice alice-secret h4-g5t")
    both = [Clock(w.engine, w.site, lambda: world.now, gap=1e9) for w in (world, other)]
    both[0].sweep()
    world.now += timedelta(days=7, minutes=1)
    world.letters()
    return both


@pytest.mark.slow
@pytest.mark.parametrize("lease", [0.0, 50.0], ids=["side by side", "one at a time"])
def test_everybody_is_told_once(
    world: World, clocks: list[Clock], monkeypatch: pytest.MonkeyPatch, lease: float
) -> None:
    monkeypatch.setattr("pbmserv.server.clock.LEASE", lease)
    swept = at_once(*(clock.sweep for clock in clocks))
    assert sum(s.reminders for s in swept) == 4
    assert sum(s.digests for s in swept) == 1
    letters = world.letters()
    assert [x.to for x in letters if "Reminder: " in x.text] == ["bob@example.org"] * 4
    assert sum(x.subject == "Digest" for x in letters) == 1


@pytest.mark.slow
def test_while_one_is_at_it_the_other_stays_away_until_its_lease_ends(world: World, clocks: list[Clock]) -> None:
    now = world.now.timestamp()
    assert world.act(lambda s: s.operations.lease("sweeper", now, 50))
    assert clocks[1].sweep().reminders == 0
    world.now += timedelta(seconds=51)
    assert clocks[1].sweep().reminders == 4


def test_after_an_absence_the_clocks_are_shifted_once(world: World, other: World) -> None:
    world.board("alice", "bob")
    clocks = [Clock(w.engine, w.site, lambda: world.now) for w in (world, other)]
    clocks[0].sweep()
    before = world.row().clocks[0].since or 0.0
    world.now += timedelta(days=30)
    shifted = [s.shifted for s in at_once(*(clock.sweep for clock in clocks))]
    assert sorted(shifted) == [0.0, 30 * 86400]
    assert world.row().clocks[0].since == pytest.approx(before + 30 * 86400)
