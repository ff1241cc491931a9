"""Ladders: who can be challenged, who climbs, and that all rungs follow from the entries and the boards."""

from collections.abc import Callable
from functools import partial
from threading import Thread

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmserv.admin import rulings
from pbmserv.admin.desk import Admin, Desk, act
from pbmserv.boards.seasons import announcing, challenging, rungs, taking_part
from pbmserv.errors import PlayerError
from pbmserv.model import BoardRow
from tests.boards.seasons.events import announced, begun, entered, entrants, ladder
from tests.world import World

pytestmark = pytest.mark.both

NAMES = ("ann", "bea", "cid", "dan", "eva", "fay", "gus")


@pytest.fixture
def stairs(world: World) -> World:
    """A ladder of seven, ann at the top."""
    begun(world, *NAMES, form="ladder")
    return world


def _challenge(world: World, userid: str, opponent: str) -> BoardRow:
    player, other = world.player(userid), world.player(opponent)
    return world.act(lambda s: challenging.challenge(s, 1, player, other, world.now))


def _within_reach(world: World, userid: str) -> list[str]:
    """Return whom somebody on the ladder can challenge, the highest first."""
    tournament, mine = world.query(lambda s: s.tournaments.find(1)), entrants(world)[userid]
    assert tournament is not None
    return [e.player.userid for e in world.query(lambda s: challenging.within_reach(s, tournament, mine))]


def _win(world: World, userid: str, opponent: str) -> None:
    """Let somebody win a challenge: the opponent, who has the first seat, moves and then resigns."""
    number = _challenge(world, userid, opponent).number
    world.mail(opponent, f"tumble move {number} {opponent} {opponent}-secret c1-c2")
    world.mail(opponent, f"tumble resign {number} {opponent} {opponent}-secret")


def _rule(world: World, do: Callable[[Desk], object]) -> None:
    act(world.engine, world.site, Admin("root"), world.now, do)


def _computed(world: World) -> list[str]:
    names = {e.id: e.player.userid for e in world.query(lambda s: s.tournaments.entrants(1, 1))}
    return [names[id_] for id_ in world.query(lambda s: rungs.rungs_of_steps(s, announcing.demand(s, 1)))]


@pytest.mark.parametrize(("rung", "reach"), [(2, 3), (15, 3), (19, 3), (20, 4), (101, 20)])
def test_the_reach_is_a_fifth_of_the_rung_and_at_least_three(rung: int, reach: int) -> None:
    assert rungs.reach(rung) == reach


@given(st.integers(1, 500), st.integers(1, 500))
def test_a_winner_climbs_half_the_distance_and_nobody_falls_by_winning(winner: int, loser: int) -> None:
    after = rungs.after_win(winner, loser)
    assert after <= winner
    assert winner <= loser or (after < winner and 0 <= (winner - after) - (after - loser) <= 1)
    assert winner <= loser or rungs.after_win(winner, loser, is_short=True) == winner - 1


def test_the_winner_of_a_challenge_climbs_and_those_between_make_room(stairs: World) -> None:
    _win(stairs, "fay", "cid")
    assert ladder(stairs) == ["ann", "bea", "cid", "fay", "dan", "eva", "gus"] == _computed(stairs)
    _win(stairs, "bea", "ann")
    assert ladder(stairs)[:2] == ["bea", "ann"]


def test_a_defender_who_wins_stays_and_so_does_a_draw(stairs: World) -> None:
    first = _challenge(stairs, "fay", "cid").number
    stairs.mail("fay", f"tumble resign {first} fay fay-secret")
    assert ladder(stairs) == [*NAMES] == _computed(stairs)
    second = _challenge(stairs, "fay", "cid").number
    stairs.mail("cid", f"tumble move {second} cid cid-secret c1-c2")
    stairs.mail("cid", f"tumble propose {second} cid cid-secret")
    stairs.mail("fay", f"tumble accept {second} fay fay-secret")
    assert ladder(stairs) == [*NAMES] == _computed(stairs)


def test_a_win_by_forfeit_before_the_second_ply_lifts_one_rung(stairs: World) -> None:
    number = _challenge(stairs, "gus", "dan").number
    stairs.mail("dan", f"tumble decline {number} dan dan-secret")
    assert ladder(stairs) == ["ann", "bea", "cid", "dan", "eva", "gus", "fay"] == _computed(stairs)


def test_who_can_be_challenged_the_highest_first(stairs: World) -> None:
    assert _within_reach(stairs, "gus") == ["dan", "eva", "fay"]
    assert _within_reach(stairs, "fay") == ["cid", "dan", "eva"]
    assert _within_reach(stairs, "ann") == []
    assert [p.userid for p in _challenge(stairs, "gus", "dan").players] == ["dan", "gus"]
    assert [p.userid for p in _challenge(stairs, "fay", "dan").players] == ["dan", "fay"]
    assert _within_reach(stairs, "eva") == ["bea", "cid"], "dan has two challenges"


def test_one_challenge_of_ones_own_and_two_of_others_run_at_a_time(stairs: World) -> None:
    _challenge(stairs, "fay", "dan")
    with pytest.raises(PlayerError, match="Your challenge on board 101 is not over yet"):
        _challenge(stairs, "fay", "cid")
    _challenge(stairs, "gus", "dan")
    with pytest.raises(PlayerError, match="dan has 2 challenges already"):
        _challenge(stairs, "eva", "dan")
    assert _challenge(stairs, "dan", "ann").players[0].userid == "ann"  # the challenged can challenge
    stairs.mail("dan", "tumble decline 101 dan dan-secret")
    _challenge(stairs, "eva", "dan")


@pytest.mark.sqlite  # others ask PostgreSQL the same
@pytest.mark.parametrize(
    ("who", "whom", "text"),
    [
        ("gus", "cid", "cid stands too high: from rung 7 you can challenge up to 3 rungs"),
        ("cid", "dan", "dan does not stand above you on this ladder"),
        ("cid", "cid", "cid does not stand above you on this ladder"),
        ("cid", "zoe", "zoe is not on this ladder"),
        ("zoe", "cid", "You are not on this ladder"),
        ("ann", "bea", "bea does not stand above you on this ladder"),
    ],
)
def test_who_cannot_be_challenged(stairs: World, who: str, whom: str, text: str) -> None:
    stairs.signup("zoe")
    with pytest.raises(PlayerError, match=text):
        _challenge(stairs, who, whom)
    assert stairs.query(lambda s: s.tournaments.pairings(1, 1)) == []


def test_a_ladder_that_has_not_begun_has_no_challenges(world: World) -> None:
    entered(world, announced(world, "ladder"), "ann", "bea")
    with pytest.raises(PlayerError, match="Tournament 1 has not begun yet"):
        _challenge(world, "bea", "ann")


def test_who_enters_stands_below_and_who_leaves_makes_no_gap(stairs: World) -> None:
    entered(stairs, 1, "zoe")
    assert ladder(stairs) == [*NAMES, "zoe"]
    number = _challenge(stairs, "eva", "cid").number
    stairs.act(partial(taking_part.leave, number=1, player=stairs.player("cid"), now=stairs.now))
    assert ladder(stairs) == ["ann", "bea", "dan", "eva", "fay", "gus", "zoe"]
    stairs.mail("cid", f"tumble decline {number} cid cid-secret")
    assert ladder(stairs) == ["ann", "bea", "dan", "eva", "fay", "gus", "zoe"] == _computed(stairs)
    entered(stairs, 1, "cid")
    assert ladder(stairs)[-1] == "cid"
    assert _computed(stairs) == ladder(stairs)
    assert len([e for e in stairs.query(lambda s: s.tournaments.entrants(1, 1)) if e.player.userid == "cid"]) == 2


def test_a_closed_account_leaves_the_ladder(stairs: World) -> None:
    _challenge(stairs, "eva", "cid")
    letters = stairs.mail("cid", "signoff cid cid-secret")
    told = "cid has left tournament 1 and loses this board there by forfeit: you have won it."
    assert [told in x.flat for x in letters if x.to == "eva@example.org"] == [True]
    assert ladder(stairs) == ["ann", "bea", "eva", "dan", "fay", "gus"] == _computed(stairs)
    assert entrants(stairs)["cid"].out == "closed"


def test_boards_that_end_at_the_same_time_move_the_rungs_one_after_the_other(stairs: World) -> None:
    boards = {
        who: _challenge(stairs, who, whom).number for who, whom in (("gus", "dan"), ("fay", "cid"), ("eva", "bea"))
    }
    worlds = [stairs.again() for _ in boards]

    def resign(world: World, number: int, loser: str) -> None:
        world.mail(loser, f"tumble resign {number} {loser} {loser}-secret")

    ends = zip(worlds, boards.values(), ("dan", "cid", "bea"), strict=True)
    threads = [Thread(target=resign, args=end) for end in ends]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ladder(stairs) == _computed(stairs) != [*NAMES]
    assert sorted(p.step or 0 for p in stairs.query(lambda s: s.tournaments.pairings(1, 1))) == [11, 12, 13]


@pytest.mark.slow
def test_a_ruling_makes_all_rungs_again(stairs: World) -> None:
    _win(stairs, "fay", "cid")  # board 101
    _win(stairs, "eva", "fay")
    _win(stairs, "bea", "ann")
    _rule(stairs, lambda d: rulings.adjudicate(d, 101, ["cid"]))
    assert ladder(stairs) == ["bea", "ann", "cid", "dan", "eva", "fay", "gus"] == _computed(stairs)
    _rule(stairs, lambda d: rulings.undo(d, 101))  # the resignation counts again
    assert ladder(stairs) == _computed(stairs)
    _rule(stairs, lambda d: rulings.undo(d, 101, 0))  # and is taken back
    assert stairs.row(101).over is None
    assert ladder(stairs) == ["bea", "ann", "cid", "dan", "eva", "fay", "gus"] == _computed(stairs)
    stairs.mail("cid", "tumble resign 101 cid cid-secret")
    assert ladder(stairs) == _computed(stairs) == ["bea", "ann", "cid", "fay", "dan", "eva", "gus"]
