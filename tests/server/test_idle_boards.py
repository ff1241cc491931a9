"""When the time of all who still play runs out at once, nobody wins by having done as little as the others."""

from datetime import timedelta

import pytest

from pbmserv.admin import rulings
from pbmserv.admin.desk import Admin, act
from pbmserv.model import Phase, Settings
from pbmserv.server.clock import Clock, Swept
from tests.boards.seasons.events import announced, entered, entrants, tournament
from tests.world import Received, World

TIMES = "--forfeittime=2 --nagtime=none"


class Days:
    """A server whose clock runs twice a day, which is no absence."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.clock = Clock(world.engine, world.site, lambda: world.now, gap=13 * 3600)
        self.clock.sweep()

    def go_by(self, days: float) -> list[Received]:
        """Let so many days go by, and return their letters."""
        end = self.world.now + timedelta(days=days)
        while self.world.now < end:
            self.world.now = min(end, self.world.now + timedelta(hours=12))
            self.clock.sweep()
        return self.world.letters()

    def away(self, days: float) -> Swept:
        """Let the server be away so long, and run the clock once."""
        self.world.now += timedelta(days=days)
        return self.clock.sweep()


@pytest.fixture
def days(world: World) -> Days:
    return Days(world)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "game", "options"),
    [
        ("alice bob", "battleship", ""),
        ("alice bob", "backgammon", "--dice=shared"),
        ("alice bob carol", "3io", "--dice=shared"),
        ("alice bob carol dave", "3io", "--dice=shared"),
    ],
)
def test_nobody_wins_if_nobody_has_done_anything(
    world: World, days: Days, players: str, game: str, options: str
) -> None:
    number = world.board(*players.split(), game=game, options=f"{options} {TIMES}")
    days.go_by(1)
    days.away(30)
    letters = days.go_by(1.5)
    row = world.row(number)
    assert row.board.result is not None
    assert (row.board.result.reason, row.board.result.winners, row.board.out) == ("idle", (), ())
    said = f"Board {number} is over: no result (because the time of all who had to move ran out)."
    assert {x.to.partition("@")[0] for x in letters if said in x.flat} == set(players.split())
    for who in players.split():
        player = world.player(who)
        assert world.query(lambda s, p=player: s.ratings.find(game, p.id)) is None  # type: ignore[misc]
    assert "rematch" not in letters[0].text
    world.verify()


@pytest.mark.slow
def test_who_has_done_something_wins_whatever_the_others_did_not(world: World, days: Days) -> None:
    number = world.board("alice", "bob", "carol", game="3io", options=f"--dice=shared {TIMES}")
    world.mail("carol", f"3io move {number} carol carol-secret go")
    days.go_by(2.5)
    result = world.row(number).board.result
    assert result is not None
    assert (result.reason, result.winners) == ("forfeit", (2,))


@pytest.mark.slow
@pytest.mark.parametrize("names", ["alice bob carol dave", "dave carol bob alice"])
def test_who_drops_out_in_one_run_shares_the_place(world: World, days: Days, names: str) -> None:
    """Wherever they sit: neither may gain or lose by the order of the seats."""
    number = world.board(*names.split(), game="3io", options=f"--dice=shared {TIMES}")
    for who in ("carol", "dave"):
        world.mail(who, f"3io move {number} {who} {who}-secret go")
    days.go_by(1)
    before = days.go_by(1.5)
    row = world.row(number)
    seats = {p.userid: seat for seat, p in enumerate(row.players)}
    assert set(row.board.out) == {seats["alice"], seats["bob"]}
    for who in names.split():
        (letter,) = (x for x in before if x.to.startswith(who))
        told = {other for other in ("alice", "bob") if f"{other} has run out of time." in letter.flat}
        assert told >= ({who} if who in ("alice", "bob") else {"alice", "bob"})
    world.mail("carol", f"3io resign {number} carol carol-secret")
    row = world.row(number)
    assert row.board.result is not None
    ranks = {who: row.board.result.ranks[seat] for who, seat in seats.items()}
    assert ranks == {"dave": 1, "carol": 2, "alice": 3, "bob": 3}
    world.verify()
    world.mail("carol", f"3io record {number}")


@pytest.mark.slow
@pytest.mark.parametrize("auto", [("alice",), ("bob",), ("alice", "bob")])
@pytest.mark.parametrize("left", [1, 0])
def test_who_takes_a_day_of_vacation_has_not_lost_the_time(
    world: World, days: Days, auto: tuple[str, ...], left: int
) -> None:
    """And whoever would have done it, but has no days left, gains no more than the other."""
    number = world.board("alice", "bob", game="battleship", options=TIMES)
    for who in auto:
        world.mail(who, f"set {who} {who}-secret vacation=auto")
    world.allow(vacation_days=float(left))
    days.clock = Clock(world.engine, world.site, lambda: world.now, gap=13 * 3600)
    days.go_by(2.5)
    result = world.row(number).board.result
    if left and len(auto) == 2:
        assert result is None
        days.go_by(3)
        result = world.row(number).board.result
    assert result is not None
    if left and len(auto) == 1:
        assert [("alice", "bob")[seat] for seat in result.winners] == [*auto]
    else:
        assert (result.reason, result.winners) == ("idle", ())


@pytest.mark.slow
def test_an_admin_can_still_decide_it(world: World, days: Days) -> None:
    number = world.board("alice", "bob", game="battleship", options=TIMES)
    days.go_by(2.5)
    act(
        world.engine,
        world.site,
        Admin("root", "we were away"),
        world.now,
        lambda d: rulings.adjudicate(d, 101, ["bob"]),
    )
    result = world.row(number).board.result
    assert result is not None
    assert (result.reason, result.winners) == ("adjudicated", (1,))
    world.verify()


@pytest.mark.slow
def test_a_swiss_tournament_in_which_nobody_sends_a_mail_has_no_winner(world: World, days: Days) -> None:
    """All forfeit, are warned, and are put out. Nobody has a point, also not with a bye, and nobody has won."""
    settings = Settings(forfeit=2, nag=None)
    names = ("ann", "bea", "cid", "dan", "eva")
    entered(world, announced(world, "swiss", game="battleship", settings=settings, rounds=3, size=0), *names)
    letters = days.go_by(20)
    found = world.query(lambda s: s.tournaments.pairings(1, 1))
    assert {(p.points, p.void, p.forfeiter is None) for p in found if p.second} == {(None, True, False)}
    assert tournament(world).phase is Phase.OVER
    assert {e.place for e in entrants(world).values()} == {5}
    assert sum(bool(e.warned) for e in entrants(world).values()) >= 4
    assert {e.out for e in entrants(world).values()} <= {"removed", ""}
    assert not any("You have won" in x.text for x in letters)
    assert not world.query(lambda s: s.tournaments.winners(1, 1))
    shown = world.mail("ann", "tournament show 1")[0].text
    assert shown.partition("ann")[2].split()[0] == "0"
    assert "x" not in shown.partition("ann")[2].partition("\n")[0]
    world.verify()


@pytest.mark.slow
def test_an_idle_board_is_lost_for_both_in_the_table(world: World, days: Days) -> None:
    entered(world, announced(world, "groups", game="battleship", settings=Settings(forfeit=2, nag=None), size=4), "ann")
    entered(world, 1, "bea", "cid", "dan")
    days.go_by(7.5)
    for p in world.query(lambda s: s.tournaments.pairings(1, 1)):
        both = world.query(lambda s, p=p: s.players.by_ids([p.first, p.second or 0]))  # type: ignore[misc]
        if {x.userid for x in both} != {"ann", "bea"}:
            loser = max(x.userid for x in both)
            world.mail(loser, f"battleship resign {p.board} {loser} {loser}-secret")
    days.go_by(3)
    entry = entrants(world)
    assert (entry["ann"].place, entry["bea"].place) == (1, 2)
    assert entry["ann"].warned
    assert entry["bea"].warned
    assert not entry["cid"].warned
    world.verify()


@pytest.mark.slow
def test_the_reminder_of_a_solitaire_does_not_say_that_it_is_lost(world: World, days: Days) -> None:
    """The board ends, and the score that it has counts."""
    world.board("alice", game="threes", options="--forfeittime=3 --nagtime=1")
    (letter,) = days.go_by(1.5)
    assert "If you do not move within 2 days, the board ends." in letter.flat
