"""Each end of a board of a tournament writes the points of its pairing, and only the last end counts."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from pbmserv.admin import rulings
from pbmserv.admin.desk import Admin, Desk, act
from pbmserv.server.clock import Clock
from pbmserv.store import PairingRow
from tests.boards.seasons.events import begun, entrants, pairing
from tests.world import World

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


def test_the_boards_of_a_closed_account_count_for_nobody_if_most_were_undecided(cup: World) -> None:
    cup.mail("alice", "tumble move 101 alice alice-secret c1-c2")
    cup.mail("alice", "signoff alice alice-secret")
    assert (_ended(cup), _ended(cup, 102)) == ((None, "", True), (None, "", True))


def test_the_clock_looks_soon_at_a_tournament_with_a_new_result(cup: World) -> None:
    later = cup.now + timedelta(minutes=10)
    cup.act(lambda s: s.tournaments.change(1, due=later))
    assert cup.query(lambda s: s.tournaments.due(cup.now, 9)) == []
    cup.mail("alice", "tumble resign 101 alice alice-secret")
    assert cup.query(lambda s: s.tournaments.due(cup.now, 9)) == [1]
