"""A monthly league: one line announces it, twelve enter by mail, and the next letter to the organiser says who won.

Everything in between is done by the clock and the players. Here the clock runs every six hours.
"""

from datetime import UTC, datetime, timedelta

import pytest

from pbmserv.model import Phase, TournamentRow
from pbmserv.server.clock import Clock
from tests.boards.seasons.events import entrants, tournament
from tests.world import Received, World

PLAYERS = [f"player{n:02}" for n in range(1, 13)]
LINE = "hex tournament alice alice-secret new --form=league --size=6 --start=2026-03-10 --every=month --name=Hex_League"


class Months:
    """Lets time go by while the clock runs."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.letters = list[Received]()

    def until(self, phase: Phase, season: int) -> TournamentRow:
        """Let time go by until the tournament has come so far."""
        for _ in range(4 * 60):
            self.world.now += timedelta(hours=6)
            Clock(self.world.engine, self.world.site, lambda: self.world.now, gap=float("inf")).sweep()
            self.letters += self.world.letters()
            found = tournament(self.world)
            if (found.phase, found.season) == (phase, season):
                return found
        raise AssertionError("it did not come so far in two months")

    def play_all(self, season: int) -> None:
        """End all boards of a season: on each of them the player resigns whose name comes later."""
        names = {e.player.id: e.player.userid for e in entrants(self.world, 1, season).values()}
        for p in self.world.query(lambda s: s.tournaments.pairings(1, season)):
            loser = max(names[p.first], names[p.second or 0])
            self.letters += self.world.mail(loser, f"hex resign {p.board} {loser} {loser}-secret")

    def to(self, userid: str) -> list[Received]:
        """Return the letters about the tournament to a player."""
        return [x for x in self.letters if x.to == f"{userid}@example.org" and x.subject == "Tournament 1: Hex League"]


@pytest.mark.slow
def test_the_organiser_announces_it_and_reads_who_won(world: World) -> None:
    world.signup("alice", *PLAYERS)
    organiser = world.player("alice").id
    world.act(lambda s: s.players.set_preference(organiser, "", "organiser", "yes"))
    assert "Tournament 1" in world.mail("alice", LINE)[-1].subject
    for userid in PLAYERS:
        assert f"{userid}, you take part" in world.mail(userid, f"tournament join 1 {userid} {userid}-secret")[0].flat
    months = Months(world)
    months.until(Phase.PLAYING, 1)
    assert len(world.query(lambda s: s.board_lists.numbers())) == 2 * 15  # two divisions of six
    assert {len(months.to(userid)) for userid in PLAYERS} == {1}
    assert months.to("alice") == []
    months.play_all(1)
    after = months.until(Phase.WAITING, 1)
    assert after.plan.start == datetime(2026, 4, 10, tzinfo=UTC)
    assert {len(months.to(userid)) for userid in PLAYERS} == {2}
    (won,) = months.to("alice")
    assert "player01" in won.flat
    months.until(Phase.PLAYING, 2)
    assert {len(months.to(userid)) for userid in PLAYERS} == {3}
    first = {e.player.userid for e in entrants(world, 1, 2).values() if e.division == 1}
    assert len(first) == 6
    months.play_all(2)
    months.until(Phase.WAITING, 2)
    assert len(months.to("alice")) == 2
    world.verify()
