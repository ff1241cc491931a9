"""Each end of a board of a tournament writes the points of its pairing, and only the last end counts."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa

from pbmserv.admin import rulings
from pbmserv.admin.desk import Admin, Desk, act
from pbmserv.admin.people import players
from pbmserv.boards.seasons import announcing, beginning
from pbmserv.db import tables
from pbmserv.model import NewPairing, PairingRow, Phase
from pbmserv.server.chores.housekeeping import Housekeeping
from pbmserv.server.clock import Clock
from pbmserv.store import Store
from tests.boards.seasons.events import begun, entrants, pairing
from tests.world import Received, World

pytestmark = pytest.mark.both


@pytest.fixture
def cup(world: World) -> World:
    """A round of three. Alice has the first seat on the boards 101, against bob, and 102, against carol."""
    begun(world, "alice", "bob", "carol", form="swiss")
    return world


def _ended(world: World, board: int = 101) -> tuple[int | None, str, bool]:
    """Return the points of the first seat, who forfeited, and whether the pairing is void. It must be decided."""
    found = pairing(world, board)
    assert found.decided == world.row(board).over
    names = {e.player.id: e.player.userid for e in entrants(world).values()}
    return found.points, names[found.forfeiter] if found.forfeiter else "", found.void


def leave(world: World, userid: str, how: str) -> list[Received]:
    """Close an account: by its player, by an admin, or because nobody has confirmed its address. Return the letters."""
    world.letters()
    if how == "signoff":
        return world.mail(userid, f"signoff {userid} {userid}-secret")
    if how == "erase":
        act(world.engine, world.site, Admin("root", "asked for"), world.now, lambda d: players.erase(d, userid))
    else:
        mine = sa.update(tables.address).where(tables.address.c.player_id == world.player(userid).id)
        with world.engine.begin() as connection:
            connection.execute(mine.values(confirmed=None, created=world.now - timedelta(days=30)))
        Housekeeping(world.engine, world.site, lambda: world.now).keep()
    return world.letters()


def _rule(world: World, do: Callable[[Desk], object]) -> PairingRow:
    act(world.engine, world.site, Admin("root", "a mistake"), world.now, do)
    return pairing(world)


def test_a_board_of_a_tournament_knows_it_and_runs_undecided(cup: World) -> None:
    assert cup.row().tournament == 1
    found = pairing(cup)
    assert (found.points, found.decided, found.void) == (None, None, False)
    cup.board("alice", "bob")
    assert cup.row(103).tournament is None


def test_a_resignation_is_a_loss_without_a_forfeit(cup: World) -> None:
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    cup.mail("carol", "tumble move 102 carol carol-secret c7-c6")
    cup.mail("carol", "tumble resign 102 carol carol-secret")
    assert (_ended(cup), _ended(cup, 102)) == ((0, "", False), (2, "", False))
    cup.verify()


def test_to_decline_is_a_forfeit(cup: World) -> None:
    cup.mail("bob", "tumble decline 101 bob bob-secret")
    cup.mail("alice", "tumble decline 102 alice alice-secret")
    assert (_ended(cup), _ended(cup, 102)) == ((2, "bob", False), (0, "alice", False))


def test_a_draw_by_agreement(cup: World) -> None:
    cup.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    cup.mail("alice", "tumble propose 101 alice alice-secret")
    cup.mail("bob", "tumble accept 101 bob bob-secret")
    assert _ended(cup) == (1, "", False)


@pytest.mark.slow
def test_who_loses_on_time_has_forfeited(cup: World) -> None:
    cup.now += timedelta(days=22)
    assert Clock(cup.engine, cup.site, lambda: cup.now, gap=cup.away).sweep().forfeits == 2
    assert (_ended(cup), _ended(cup, 102)) == ((0, "alice", False), (0, "alice", False))


def test_an_admin_declares_a_board_void_and_decides_then(cup: World) -> None:
    assert _rule(cup, lambda d: rulings.void(d, 101)).void
    assert _ended(cup) == (None, "", True)
    _rule(cup, lambda d: rulings.adjudicate(d, 101, ["bob"]))
    assert _ended(cup)[::2] == (0, False)
    _rule(cup, lambda d: rulings.adjudicate(d, 101, []))
    assert _ended(cup)[::2] == (1, False)
    cup.verify()


def test_a_board_that_goes_on_after_a_ruling_is_undecided_again(cup: World) -> None:
    cup.mail("bob", "tumble decline 101 bob bob-secret")
    again = _rule(cup, lambda d: rulings.undo(d, 101))
    assert (again.points, again.forfeiter, again.decided) == (None, None, None)
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    assert _ended(cup) == (0, "", False)
    _rule(cup, lambda d: rulings.adjudicate(d, 101, ["alice"]))
    _rule(cup, lambda d: rulings.undo(d, 101))
    assert _ended(cup)[0] == 0
    cup.verify()


def test_an_undone_ruling_brings_the_forfeit_back(cup: World) -> None:
    cup.mail("bob", "tumble decline 101 bob bob-secret")
    _rule(cup, lambda d: rulings.adjudicate(d, 101, ["bob"]))
    assert _ended(cup)[:2] == (0, "")
    _rule(cup, lambda d: rulings.undo(d, 101))
    assert _ended(cup)[:2] == (2, "bob")


def test_a_substitute_plays_on_a_board_of_no_tournament(cup: World) -> None:
    cup.signup("dave")
    cup.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    cup.mail("bob", "tumble resign 101 bob bob-secret")
    cup.mail("alice", "tumble substitute 101 alice alice-secret")
    seek = cup.query(lambda s: s.challenges.open_seeks())[0]
    cup.mail("dave", f"tumble join {seek.number} dave dave-secret")
    assert (cup.row(103).continues is not None, cup.row(103).tournament) == (True, None)
    cup.mail("alice", "tumble resign 103 alice alice-secret")
    assert _ended(cup) == (2, "", False)


def test_a_rematch_belongs_to_no_tournament(cup: World) -> None:
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    cup.mail("bob", "tumble rematch 101 bob bob-secret")
    assert (cup.row(103).rematch_of, cup.row(103).tournament) == (101, None)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["signoff", "erase", "lapse"])
@pytest.mark.parametrize("form", ["swiss", "match"])
def test_a_closed_account_loses_its_boards_where_not_all_meet_all(world: World, form: str, how: str) -> None:
    """Whoever was about to win has won, also on a board on which the leaver had not moved, and reads it."""
    begun(world, "alice", "bob", "carol", form="swiss")
    world.act(lambda s: s.tournaments.change(1, form=form))
    world.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    letters = {x.to: x.flat for x in leave(world, "alice", how)}
    assert (_ended(world), _ended(world, 102)) == ((0, "alice", False), (0, "alice", False))
    for who in ("bob", "carol"):
        text = "alice has left tournament 1 and loses this board there by forfeit: you have won it."
        assert text in letters[f"{who}@example.org"]
    world.verify()


@pytest.mark.parametrize("form", ["league", "groups"])
def test_a_closed_account_leaves_boards_for_nobody_where_all_meet_all(world: World, form: str) -> None:
    """Also the board that was over: all opponents read it."""
    begun(world, "alice", "bob", "carol", "dave", form=form)
    world.mail("bob", "tumble resign 101 bob bob-secret")
    world.mail("alice", "tumble move 102 alice alice-secret c1-c2")
    letters = {x.to: x.flat for x in leave(world, "alice", "signoff")}
    assert [_ended(world, board)[::2] for board in (102, 103)] == [(None, True)] * 2
    assert pairing(world).void
    for who in ("carol", "dave"):
        assert "boards there were over, so all of them count for nobody, this one too." in letters[f"{who}@example.org"]
    assert "so all of them count for nobody, board 101 with you too." in letters["bob@example.org"]


def test_in_a_final_of_groups_only_its_own_boards_are_looked_at(world: World) -> None:
    """Three boards of the groups are over, none of the final: that is none, and not most."""
    begun(world, "alice", "bob", "carol", "dave", form="groups")
    for loser, board in (("bob", 101), ("carol", 102), ("dave", 103)):
        world.mail(loser, f"tumble resign {board} {loser} {loser}-secret")
    ids = [world.player(u).id for u in ("alice", "bob")]

    def begin_final(store: Store) -> None:
        store.tournaments.change(1, round=2)
        store.tournaments.pair(1, 1, [NewPairing(1, 2, ids[0], ids[1]), NewPairing(1, 2, ids[1], ids[0])], world.now)
        for found in store.tournaments.to_begin(1, 1, 2):
            beginning.begin(store, announcing.demand(store, 1), found, world.now)

    world.act(begin_final)
    leave(world, "alice", "signoff")
    assert [pairing(world, board).void for board in (101, 102, 103, 104, 105)] == [False] * 3 + [True] * 2
    world.verify()


def test_the_clock_looks_soon_at_a_tournament_with_a_new_result(cup: World) -> None:
    later = cup.now + timedelta(minutes=10)
    cup.act(lambda s: s.tournaments.change(1, due=later))
    assert cup.query(lambda s: s.tournaments.due(cup.now, 9)) == []
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    assert cup.query(lambda s: s.tournaments.due(cup.now, 9)) == [1]


@pytest.mark.parametrize(
    ("phase", "season", "places"),
    [(Phase.PLAYING, 1, [None, None]), (Phase.OVER, 1, [2, 1]), (Phase.PLAYING, 2, [2, 1])],
)
def test_an_end_that_an_admin_changes_after_the_season_changes_the_places(
    world: World, phase: Phase, season: int, places: list[int | None]
) -> None:
    number = begun(world, "alice", "bob")
    world.mail("bob", "tumble resign 101 bob bob-secret")
    world.act(lambda s: s.tournaments.change(number, phase=phase, season=season))
    _rule(world, lambda d: rulings.adjudicate(d, 101, ["bob"]))
    assert [entrants(world)[userid].place for userid in ("alice", "bob")] == places


@pytest.mark.sqlite
def test_a_board_that_is_in_no_pairing_any_more_writes_nothing(cup: World) -> None:
    with cup.engine.begin() as connection:
        connection.execute(sa.delete(tables.pairing).where(tables.pairing.c.board == 101))
    before = cup.query(lambda s: s.tournaments.pairing_of(102))
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    assert cup.row().over
    assert cup.query(lambda s: s.tournaments.pairing_of(102)) == before
