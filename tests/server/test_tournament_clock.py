"""Whole seasons: the clock begins and ends them, writes one letter to each player, and does nothing twice."""

from collections.abc import Callable
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
import sqlalchemy as sa

from pbmserv.admin import rulings
from pbmserv.admin.desk import Admin, Desk, act
from pbmserv.boards.absences import lost_time
from pbmserv.boards.seasons import announcing, challenging, taking_part
from pbmserv.db import tables
from pbmserv.letters.waiting.suspension import MOST_BOUNCES
from pbmserv.model import PairingRow, Phase
from pbmserv.model.operations import LAST_RUN
from pbmserv.model.passwords import LOCKED
from pbmserv.server.tournament_clock import LOOK_AGAIN, TournamentClock
from tests.boards.seasons.events import announced, entered, entrants, ladder, tournament
from tests.world import Received, World

FIVE = ("ann", "bea", "cid", "dan", "eva")


def look(world: World, days: float = 0) -> list[Received]:
    """Let days go by, let the clock look once, and return the letters."""
    world.now += timedelta(days=days)
    TournamentClock(world.engine, world.site, lambda: world.now).look()
    return world.letters()


def begun(world: World, *userids: str, form: str = "league", **changes: Any) -> list[Received]:
    """Begin the first season of tournament 1, and return the letters."""
    entered(world, announced(world, form, **changes), *userids)
    world.letters()
    return look(world, 7)


def pairings(world: World, season: int = 1) -> list[PairingRow]:
    """Return the pairings of a season."""
    return world.query(lambda s: s.tournaments.pairings(1, season))


def resign_all(world: World, *losers: str) -> None:
    """End all running boards of the tournament. On each one the player resigns whose name comes last in `losers`."""
    names = {e.player.id: e.player.userid for e in entrants(world, 1, tournament(world).season).values()}
    for p in pairings(world, tournament(world).season):
        if p.board and not p.decided and p.second:
            loser = max((names[p.first], names[p.second]), key=losers.index)
            world.mail(loser, f"tumble resign {p.board} {loser} {loser}-secret")


@pytest.mark.slow
def test_a_league_begins_with_one_letter_to_each_player(world: World) -> None:
    letters = begun(world, *FIVE)
    assert sorted(x.to for x in letters) == [f"{name}@example.org" for name in FIVE]
    assert {x.subject for x in letters} == {"Tournament 1: The cup"}
    found = tournament(world)
    assert (found.phase, found.season, found.round, found.state) == (Phase.PLAYING, 1, 1, "running")
    assert len(pairings(world)) == 10 == len({p.board for p in pairings(world)})
    assert {world.row(p.board or 0).tournament for p in pairings(world)} == {1}
    for entrant in entrants(world).values():
        assert sum(p.first == entrant.player.id for p in pairings(world)) == 2
    assert look(world, 1) == []
    world.verify()


def test_nothing_begins_before_its_time(world: World) -> None:
    entered(world, announced(world), *FIVE)
    world.letters()
    assert look(world, 6.9) == []
    assert (tournament(world).phase, pairings(world)) == (Phase.WAITING, [])


@pytest.mark.slow
def test_a_season_ends_with_places_and_the_next_one_begins_a_week_later(world: World) -> None:
    begun(world, *FIVE)
    entered(world, 1, "fay")
    eva = world.player("eva")
    world.act(lambda s: taking_part.leave(s, 1, eva, world.now))
    world.now += timedelta(days=3)
    resign_all(world, *FIVE)
    over = max(p.decided for p in pairings(world) if p.decided)
    world.letters()
    letters = look(world)
    assert {e.player.userid: e.place for e in entrants(world).values()} == dict(zip(FIVE, range(1, 6), strict=True))
    assert sorted(x.to for x in letters if x.to.split("@")[0] in FIVE) == [f"{name}@example.org" for name in FIVE]
    found = tournament(world)
    assert (found.state, found.plan.start, found.due) == ("open", over + timedelta(weeks=1), over + timedelta(weeks=1))
    assert [*entrants(world, season=2)] == ["ann", "bea", "cid", "dan", "fay"]
    assert look(world, 6.9) == []
    assert len(look(world, 0.2)) == 5
    assert (tournament(world).season, len(pairings(world, 2))) == (2, 10)
    ann = world.player("ann").id
    titles = world.query(lambda s: s.tournaments.titles_of([ann]))
    assert [(t.tournament, t.season) for t in titles] == [(1, 1)]
    world.verify()


@pytest.mark.slow
def test_groups_play_until_one_group_is_left(world: World) -> None:
    names = ("ann", "bea", "cid", "dan", "eva", "fay", "gus", "hal")
    begun(world, *names, form="groups", size=4)
    assert sorted({(p.round, p.division) for p in pairings(world)}) == [(1, 1), (1, 2)]
    resign_all(world, *names)
    letters = look(world)
    assert tournament(world).round == 2
    assert sorted(x.to for x in letters) == ["ann@example.org", "bea@example.org"]
    resign_all(world, *names)
    look(world)
    assert (tournament(world).state, entrants(world)["ann"].place, entrants(world)["bea"].place) == ("over", 1, 2)
    assert look(world, 100) == []
    world.verify()


@pytest.mark.slow
def test_swiss_rounds_are_drawn_when_the_last_one_is_over(world: World) -> None:
    names = ("ann", "bea", "cid", "dan", "eva", "fay", "gus")
    begun(world, *names, form="swiss", size=0, rounds=3)
    for round_ in (1, 2, 3):
        found = [p for p in pairings(world) if p.round == round_]
        assert (tournament(world).round, len(found), sum(p.second is None for p in found)) == (round_, 4, 1)
        resign_all(world, *names)
        assert len(look(world)) >= 6
    assert tournament(world).state == "over"
    assert entrants(world)["ann"].place == 1
    met = [frozenset((p.first, p.second)) for p in pairings(world)]
    assert len(met) == len({*met}) == 12
    world.verify()


@pytest.mark.slow
def test_a_series_begins_each_month(world: World) -> None:
    begun(world, "ann", "bea", "cid", "dan", form="groups", size=4, every="month")
    start = tournament(world).plan.start
    entered(world, 1, "ann", "bea", "cid", "eva")
    resign_all(world, "ann", "bea", "cid", "dan")
    look(world, 0.1)
    assert tournament(world).plan.start == start.replace(month=start.month + 1)
    assert [*entrants(world, season=2)] == ["ann", "bea", "cid", "eva"]
    assert len(look(world, 31)) == 4


@pytest.mark.slow
def test_a_match_of_two_teams(world: World) -> None:
    number = announced(world, "match", teams=("Reds", "Blues"), size=2)
    entered(world, number, "ann", "bea", team="Reds")
    entered(world, number, "cid", "dan", team="Blues")
    world.letters()
    look(world, 7)
    names = {e.player.id: e.player.userid for e in entrants(world).values()}
    assert {frozenset((names[p.first], names[p.second or 0])) for p in pairings(world)} == {
        frozenset(("ann", "cid")),
        frozenset(("bea", "dan")),
    }


@pytest.mark.slow
def test_letters_of_a_match_name_the_teams_and_the_score(world: World) -> None:
    """Also to whoever has no board in it, because the other team is smaller."""
    number = announced(world, "match", teams=("Reds", "Blues"), size=3)
    entered(world, number, "ann", "bea", "eva", team="Reds")
    entered(world, number, "cid", "dan", team="Blues")
    world.mail("dan", "set dan dan-secret language=de")
    letters = {x.to.partition("@")[0]: x for x in look(world, 7)}
    assert {*letters} == {"ann", "bea", "cid", "dan", "eva"}
    assert "You play for Reds against Blues." in letters["ann"].flat
    assert "Du spielst für Blues gegen Reds." in letters["dan"].flat
    without = {who for who, x in letters.items() if "You have no board in this match" in x.flat}
    assert without == {"eva"}
    first = pairings(world)[0]
    mover = next(u for u in letters if world.player(u).id == first.first)
    moved = world.mail(mover, f"tumble move {first.board} {mover} {mover}-secret c1-c2")
    assert any("Tournament 1: The cup, Reds against Blues" in x.flat for x in moved)
    resign_all(world, "ann", "bea", "eva", "cid", "dan")
    letters = {x.to.partition("@")[0]: x for x in look(world, 0.1)}
    for who in ("ann", "eva", "cid"):
        assert "Reds 2 Blues 0 Reds has won." in letters[who].flat
        assert ("That is your team. Congratulations!" in letters[who].flat) == (who != "cid")
        assert "You have won" not in letters[who].flat
    assert "Reds hat gewonnen." in letters["dan"].flat


@pytest.mark.both
def test_a_ladder_begins_and_goes_on_for_ever(world: World) -> None:
    letters = begun(world, "ann", "bea", form="ladder")
    assert sorted(x.to for x in letters) == ["ann@example.org", "bea@example.org"]
    assert ladder(world) == ["ann", "bea"]
    entered(world, 1, "cid")
    assert look(world, 30) == []
    assert (tournament(world).state, ladder(world)) == ("running", ["ann", "bea", "cid"])


def test_with_too_few_entries_it_is_called_off(world: World) -> None:
    letters = begun(world, "ann", "bea", "cid")
    assert sorted(x.to for x in letters) == ["ann@example.org", "bea@example.org", "cid@example.org"]
    assert (tournament(world).state, pairings(world)) == ("cancelled", [])
    assert look(world, 30) == []


@pytest.mark.slow
@pytest.mark.both
def test_a_series_with_too_few_entries_is_put_off(world: World) -> None:
    assert len(begun(world, "ann", "bea", "cid", every="month")) == 3
    entered(world, 1, "dan", "eva")
    world.letters()
    assert len(look(world, 31)) == 5
    assert tournament(world).state == "running"


@pytest.mark.slow
def test_a_cancelled_tournament_tells_its_players_once(world: World) -> None:
    begun(world, *FIVE)
    entered(world, 1, "fay")
    world.act(lambda s: announcing.cancel(s, 1, world.now))
    assert len(look(world)) == 6
    assert look(world, 1) == []
    world.mail("ann", f"tumble resign {pairings(world)[0].board} ann ann-secret")
    world.verify()


@pytest.mark.slow
def test_who_cannot_be_reached_takes_no_part(world: World) -> None:
    number = announced(world)
    entered(world, number, *FIVE, "fay", "gus")
    for _ in range(9):
        world.act(lambda s: s.addresses.count_bounce("fay@example.org", world.now, MOST_BOUNCES))
    gus = world.player("gus").id
    world.act(lambda s: s.players.set_password(gus, f"{LOCKED}hash"))
    look(world, 7)
    assert [*entrants(world)] == [*FIVE]


@pytest.mark.slow
@pytest.mark.both
def test_an_account_that_is_closed_before_its_boards_begin_leaves_none_undecided(world: World) -> None:
    """Its boards count for nobody, and the others play theirs."""
    begun(world, *FIVE, "fay")
    world.mail("fay", "signoff fay fay-secret")
    resign_all(world, *FIVE)
    look(world)
    assert tournament(world).state == "open"
    assert sum(p.void for p in pairings(world)) == 5
    assert [*entrants(world, season=2)] == [*FIVE]


def decline(world: World, userid: str, count: int = 1) -> list[Received]:
    """Let a player decline some of the boards that run, which are forfeits, and let the clock look."""
    mine = [p for p in pairings(world) if world.player(userid).id in (p.first, p.second) and not p.decided]
    for p in mine[:count]:
        world.mail(userid, f"tumble decline {p.board} {userid} {userid}-secret")
    world.letters()
    return look(world)


def results(world: World, userid: str) -> list[tuple[int | None, bool]]:
    """Return the half points of a player on all boards, and which of them are void."""
    mine = world.player(userid).id
    found = [p for p in pairings(world) if mine in (p.first, p.second)]
    return [(p.points if p.points is None or p.first == mine else 2 - p.points, p.void) for p in found]


@pytest.mark.slow
def test_an_account_that_is_closed_after_half_of_its_boards_loses_the_others(world: World) -> None:
    begun(world, *FIVE)
    mine = [p for p in pairings(world) if world.player("ann").id in (p.first, p.second)]
    for p in mine[:2]:
        world.mail("ann", f"tumble resign {p.board} ann ann-secret")
    first = next(p for p in mine[2:] if p.first == world.player("ann").id or p.second)
    mover = next(u for u in FIVE if world.player(u).id == first.first)
    world.mail(mover, f"tumble move {first.board} {mover} {mover}-secret c1-c2")
    world.mail("ann", "signoff ann ann-secret")
    assert results(world, "ann") == [(0, False)] * 4
    world.verify()


class TestForfeits:
    @pytest.mark.slow
    def test_all_forfeits_until_a_day_after_the_warning_are_one(self, world: World) -> None:
        begun(world, *FIVE)
        letters = decline(world, "ann", 2)
        assert [x.to for x in letters] == ["ann@example.org"]
        assert entrants(world)["ann"].warned == world.now
        world.now += timedelta(hours=23)
        assert decline(world, "ann") == []
        assert entrants(world)["ann"].out == ""
        assert results(world, "ann").count((0, False)) == 3

    @pytest.mark.slow
    @pytest.mark.parametrize(("days", "out"), [(0.9, ""), (1.1, "removed")])
    def test_the_day_after_a_warning_is_one_in_which_the_server_runs(self, world: World, days: float, out: str) -> None:
        begun(world, *FIVE)
        decline(world, "ann")
        for away in (3, 4):
            world.act(lambda s: s.operations.set_fact(LAST_RUN, repr(world.now.timestamp())))
            world.now += timedelta(days=away)
            world.act(lambda s: lost_time.notice(s, world.now.timestamp()))
            world.now += timedelta(days=days / 2)
        decline(world, "ann")
        assert entrants(world)["ann"].out == out

    @pytest.mark.slow
    def test_the_second_forfeit_puts_out_and_the_other_boards_are_lost(self, world: World) -> None:
        begun(world, *FIVE)
        decline(world, "ann")
        world.now += timedelta(days=2)
        letters = decline(world, "ann")
        assert entrants(world)["ann"].out == "removed"
        assert results(world, "ann") == [(0, False)] * 4
        assert sum(x.to == "ann@example.org" for x in letters) == 3  # two boards have ended, and why
        assert look(world) == []
        resign_all(world, *FIVE)
        look(world)
        assert [*entrants(world, season=2)] == ["bea", "cid", "dan", "eva"]
        world.verify()

    @pytest.mark.slow
    def test_if_most_boards_were_undecided_none_counts(self, world: World) -> None:
        begun(world, *FIVE, "fay", "gus")
        entered(world, 1, "hal")
        decline(world, "ann")
        world.now += timedelta(days=2)
        decline(world, "ann")
        assert results(world, "ann") == [(None, True)] * 6
        assert {world.row(p.board or 0).board.result is None for p in pairings(world) if p.void} == {False}
        world.verify()

    @pytest.mark.slow
    def test_on_a_ladder_a_warning_counts_for_a_year(self, world: World) -> None:
        begun(world, "ann", "bea", form="ladder")
        ann, bea = world.player("ann"), world.player("bea")

        def forfeit() -> None:
            challenger, other = (bea, ann) if ladder(world)[0] == "ann" else (ann, bea)
            row = world.act(lambda s: challenging.challenge(s, 1, challenger, other, world.now))
            world.mail("ann", f"tumble decline {row.number} ann ann-secret")
            look(world)

        forfeit()
        assert entrants(world)["ann"].warned
        world.now += timedelta(days=400)
        forfeit()
        assert (entrants(world)["ann"].warned, entrants(world)["ann"].out) == (world.now, "")
        world.now += timedelta(days=2)
        forfeit()
        assert ladder(world) == ["bea"]


class Killed(BaseException):
    """A process ends here."""


def run_until_killed(world: World, commits: int) -> bool:
    """Let the clock look in a process that ends before its n-th commit. Returns whether it ended there."""
    other = world.again()
    count = 0

    def refuse(_: object) -> None:
        nonlocal count
        count += 1
        if count == commits:
            raise Killed

    sa.event.listen(other.engine, "commit", refuse)
    try:
        TournamentClock(other.engine, other.site, lambda: world.now).look()
    except Killed:
        return True
    finally:
        sa.event.remove(other.engine, "commit", refuse)
        other.engine.dispose()
    return False


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize("form", ["league", "groups"])
def test_a_process_that_is_killed_at_each_commit_begins_nothing_twice(world: World, form: str) -> None:
    entered(world, announced(world, form, size=5), *FIVE)
    world.letters()
    world.now += timedelta(days=7)
    killed = 0
    while run_until_killed(world, 2 + killed % 3):  # now one step further, now two or three
        killed += 1
    assert killed > 2
    assert len(pairings(world)) == 10 == len({p.board for p in pairings(world)})
    assert len(world.query(lambda s: s.board_lists.numbers())) == 10
    assert sorted(x.to for x in world.letters()) == [f"{name}@example.org" for name in FIVE]
    resign_all(world, *FIVE)
    world.letters()
    while run_until_killed(world, 2 + killed % 3):
        killed += 1
    assert [e.place for e in entrants(world).values()] == [1, 2, 3, 4, 5]
    assert sorted(x.to for x in world.letters()) == [f"{name}@example.org" for name in FIVE]
    assert len(entrants(world, season=2)) == (5 if form == "league" else 0)
    world.verify()


@pytest.mark.slow
def test_a_time_that_a_wrong_clock_wrote_stops_no_tournament(world: World) -> None:
    begun(world, *FIVE)
    wrong = world.now + timedelta(days=365)
    world.act(lambda s: s.tournaments.change(1, due=wrong))
    look(world)
    assert tournament(world).due == world.now + LOOK_AGAIN


@pytest.mark.slow
@pytest.mark.both
def test_two_clocks_at_once_begin_nothing_twice(world: World) -> None:
    entered(world, announced(world), *FIVE)
    world.letters()
    world.now += timedelta(days=7)

    def together() -> None:
        clocks = [TournamentClock(w.engine, w.site, lambda: world.now) for w in (world.again(), world.again())]
        threads = [Thread(target=clock.look) for clock in clocks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        look(world)

    together()
    assert len(pairings(world)) == 10 == len(world.query(lambda s: s.board_lists.numbers()))
    with world.engine.connect() as connection:
        count = sa.select(sa.func.count()).where(tables.outbox.c.kind == "tournament_start")
        assert connection.scalar(count) == 5
    decline(world, "ann")
    world.now += timedelta(days=2)
    mine = next(p for p in pairings(world) if world.player("ann").id in (p.first, p.second) and not p.decided)
    world.mail("ann", f"tumble decline {mine.board} ann ann-secret")
    together()
    assert results(world, "ann") == [(0, False)] * 4
    with world.engine.connect() as connection:
        count = sa.select(sa.func.count()).where(tables.outbox.c.kind == "tournament_removed")
        assert connection.scalar(count) == 1
    world.verify()


def _rule(world: World, do: Callable[[Desk], object]) -> None:
    act(world.engine, world.site, Admin("root"), world.now, do)


@pytest.mark.slow
def test_a_ruling_after_the_end_of_a_season_makes_its_places_again(world: World) -> None:
    begun(world, *FIVE)
    resign_all(world, *FIVE)
    look(world)
    board = next(
        p.board for p in pairings(world) if {p.first, p.second} == {world.player("ann").id, world.player("bea").id}
    )
    _rule(world, lambda d: rulings.adjudicate(d, board or 0, ["bea"]))
    assert (entrants(world)["ann"].place, entrants(world)["bea"].place) == (2, 1)
    world.letters()
    assert look(world) == []
    assert tournament(world).due == tournament(world).plan.start
    world.verify()


@pytest.mark.slow
@pytest.mark.both
def test_a_board_that_goes_on_holds_up_the_next_round(world: World) -> None:
    names = ("ann", "bea", "cid", "dan", "eva", "fay", "gus", "hal")
    begun(world, *names, form="groups", size=4)
    resign_all(world, *names)
    world.act(lambda s: s.tournaments.change(1, phase=Phase.DRAWING, round=2))  # as if the clock was about to draw it
    board = pairings(world)[0].board or 0
    _rule(world, lambda d: rulings.undo(d, board))
    look(world)
    assert (tournament(world).phase, tournament(world).round, len(pairings(world))) == (Phase.PLAYING, 1, 12)
    resign_all(world, *names)
    look(world)
    assert (tournament(world).round, len(pairings(world))) == (2, 14)
    world.verify()
