"""A league in which nobody writes a password: players answer letters, one of them never moves.

An admin announces it with one command. All who enter, move and leave do so with the first line of an answer.
"""

from datetime import timedelta

import pytest

from pbmserv.admin import organisers
from pbmserv.admin.desk import Admin, act
from pbmserv.model import Phase
from pbmserv.server.clock import Clock
from tests.boards.seasons.events import entrants, tournament
from tests.promises.test_league_of_a_month import Months
from tests.world import Received, World

PLAYERS = ("ann", "ben", "cat", "dan", "eve")
SLEEPER = "eve"
OPTIONS = ("--form=league", "--start=2026-03-10", "--every=month", "--name=Hex_League", "--forfeittime=3", "-size=9")


@pytest.mark.slow
def test_an_admin_announces_it_and_reads_who_won(world: World) -> None:
    world.allow(operator="operator@games.example")
    world.signup(*PLAYERS)
    for userid in PLAYERS:
        world.mail(userid, f"set {userid} {userid}-secret broadcasts=on own=off")
    act(world.engine, world.site, Admin("op"), world.now, lambda desk: organisers.new(desk, "hex", OPTIONS))
    for letter in world.letters():
        assert "you take part in tournament 1" in world.reply(letter, "join")[0].flat
    months = Months(world)
    months.until(Phase.PLAYING, 1)
    Clock(world.engine, world.site, lambda: world.now, gap=float("inf")).sweep()
    starts = {x.to.partition("@")[0]: x for x in (*months.letters, *world.letters())}
    assert set(starts) == set(PLAYERS)
    for userid, letter in starts.items():
        if userid != SLEEPER:
            world.reply(letter, _lines(letter))
    names = {e.player.id: e.player.userid for e in entrants(world).values()}
    for p in world.query(lambda s: s.tournaments.pairings(1, 1)):
        if SLEEPER not in (names[p.first], names[p.second or 0]):
            assert world.row(p.board or 0).board.ply == 1  # moved by an answer to the letter about all boards
            loser = max(names[p.first], names[p.second or 0])
            world.mail(loser, f"hex resign {p.board} {loser} {loser}-secret")
    world.now += timedelta(hours=1)
    world.letters()
    months.letters.clear()
    months.until(Phase.WAITING, 1)
    places = {e.player.userid: e.place for e in entrants(world).values()}
    assert places == {"ann": 1, "ben": 2, "cat": 3, "dan": 4, SLEEPER: 5}
    warnings = [x for x in months.letters if "This is a warning" in x.text]
    assert [x.to for x in warnings] == [f"{SLEEPER}@example.org"]
    (won,) = [x for x in months.letters if x.to == "operator@games.example"]
    assert won.first_line == "Season 1 of Hex League is over. ann has won."
    mine = months.to(SLEEPER)[-1]
    assert "You finished in place 5 in division 1." in mine.flat
    assert "You have left tournament 1." in world.reply(mine, "leave")[0].text
    assert tournament(world).season == 1
    assert world.query(lambda s: s.tournaments.count_entrants(1, 2)) == len(PLAYERS) - 1
    world.verify()


def _lines(letter: Received) -> str:
    """Return the lines with moves that a letter gives as examples."""
    found = letter.text.split("for example:\n", 1)
    return found[1].split("\n\n", 1)[0] if len(found) > 1 else "show"
