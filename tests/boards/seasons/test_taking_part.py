"""Who can enter a tournament, when, and what it means to leave."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from pbmserv import games
from pbmserv.boards.seasons import announcing, taking_part
from pbmserv.boards.seasons.taking_part import Leaving
from pbmserv.errors import PlayerError
from pbmserv.model import Out, Phase, Settings, TournamentPlan
from pbmserv.store import Store
from tests.boards.seasons.events import announced, begun, entered, entrants, tournament
from tests.world import World


def _leave(world: World, number: int, userid: str) -> Leaving:
    player = world.player(userid)
    return world.act(partial(taking_part.leave, number=number, player=player, now=world.now))


def _change(world: World, number: int, **values: object) -> None:
    world.act(lambda s: s.tournaments.change(number, **values))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"start": timedelta(0)}, "The start of a tournament must be in the future."),
        ({"name": ""}, "The name of a tournament has at most 60 characters, on one line."),
        ({"name": "two\nlines"}, "The name of a tournament has at most 60 characters, on one line."),
        ({"every": "day"}, "'--every' needs a time."),
        ({"settings": Settings(private=True)}, "Everybody can see the boards of a tournament."),
        ({"settings": Settings(forfeit=None)}, "The boards of a tournament need a time limit"),
    ],
)
def test_what_cannot_be_announced(world: World, changes: dict[str, Any], text: str) -> None:
    if "start" in changes:
        changes = {"start": world.now}
    with pytest.raises(PlayerError, match=text):
        announced(world, **changes)
    assert world.query(lambda s: s.tournaments.all()) == []


def test_a_tournament_is_for_games_of_two(world: World) -> None:
    plan = TournamentPlan("threes", "The cup", "league", {}, Settings(), world.now + timedelta(days=1), 9)
    with pytest.raises(PlayerError, match="Threes is for 1 player, not for 2"):
        world.act(lambda s: announcing.create(s, games.find("threes"), plan, None, world.now))


@pytest.mark.both
def test_a_tournament_is_stored_as_it_was_announced(world: World) -> None:
    number = announced(world, "match", teams=("Reds", "Blues"), every="month", settings=Settings(bank=10.0))
    found = tournament(world, number)
    assert (found.plan.teams, found.plan.every, found.plan.settings) == (
        ("Reds", "Blues"),
        "month",
        Settings(bank=10.0),
    )
    assert (found.state, found.season, found.due) == ("open", 0, found.plan.start)
    assert world.query(lambda s: s.tournaments.all("tumble", (Phase.WAITING,))) == [found]
    assert world.query(lambda s: s.tournaments.all("chess")) == []
    assert games.find("tumble").info.key == found.plan.game


def test_who_enters_is_there_once_in_the_order_of_the_entries(world: World) -> None:
    number = announced(world)
    entered(world, number, "bob", "alice")
    assert [*entrants(world)] == ["bob", "alice"]
    with pytest.raises(PlayerError, match="You take part in tournament 1 already"):
        entered(world, number, "bob")
    assert len(entrants(world)) == 2


@pytest.mark.both
def test_entries_are_closed_and_opened(world: World) -> None:
    number = announced(world)
    world.act(partial(announcing.close_entries, number=number))
    assert tournament(world).state == "closed"
    with pytest.raises(PlayerError, match="takes no entries"):
        entered(world, number, "alice")
    with pytest.raises(PlayerError, match="takes no entries"):
        world.act(partial(announcing.close_entries, number=number))
    world.act(partial(announcing.open_entries, number=number))
    entered(world, number, "alice")
    with pytest.raises(PlayerError, match="can enter tournament 1 already"):
        world.act(partial(announcing.open_entries, number=number))


@pytest.mark.both
def test_nobody_enters_what_is_over_or_not_there(world: World) -> None:
    number = announced(world)
    world.act(partial(announcing.cancel, number=number, now=world.now))
    assert tournament(world).state == "cancelled"
    with pytest.raises(PlayerError, match="Tournament 1 was cancelled"):
        entered(world, number, "alice")
    _change(world, number, phase=Phase.OVER)
    with pytest.raises(PlayerError, match="Tournament 1 is over"):
        entered(world, number, "alice")
    with pytest.raises(PlayerError, match="There is no tournament 7"):
        entered(world, 7, "alice")
    with pytest.raises(PlayerError, match="Tournament 1 is over"):
        world.act(partial(announcing.cancel, number=number, now=world.now))


def test_robots_take_part_where_the_organiser_wants_them(world: World) -> None:
    world.signup("crawler")
    robot = world.player("crawler")
    world.act(lambda s: s.robots.declare(robot.id, is_robot=True))
    without, with_ = announced(world), announced(world, robots=True)
    with pytest.raises(PlayerError, match="No robots take part in tournament 1"):
        entered(world, without, "crawler")
    entered(world, with_, "crawler")
    assert [*entrants(world, with_)] == ["crawler"]


def test_a_team_has_as_many_players_as_boards(world: World) -> None:
    number = announced(world, "match", teams=("Reds", "Blues"), size=1)
    entered(world, number, "alice", team="reds")
    assert entrants(world)["alice"].team == "Reds"
    with pytest.raises(PlayerError, match="The team Reds has its 1 players"):
        entered(world, number, "bob", team="REDS")
    with pytest.raises(PlayerError, match="is a match of two teams: Reds and Blues"):
        entered(world, number, "carol", team="greens")
    with pytest.raises(PlayerError, match="Tournament 2 has no teams"):
        entered(world, announced(world), "dave", team="reds")


@pytest.mark.both
def test_before_the_season_an_entry_is_withdrawn(world: World) -> None:
    number = announced(world)
    entered(world, number, "alice", "bob")
    assert _leave(world, number, "alice") is Leaving.WITHDRAWN
    assert [*entrants(world)] == ["bob"]
    with pytest.raises(PlayerError, match="You do not take part in tournament 1"):
        _leave(world, number, "alice")


@pytest.mark.both
def test_who_leaves_a_league_plays_this_season_to_its_end(world: World) -> None:
    number = begun(world, "alice", "bob")
    assert _leave(world, number, "bob") is Leaving.AFTERWARDS
    assert (entrants(world)["bob"].renews, entrants(world)["bob"].out) == (False, "")
    assert world.row().over is None
    with pytest.raises(PlayerError, match="You do not take part"):
        _leave(world, number, "bob")
    entered(world, number, "bob")  # and comes back
    assert entrants(world)["bob"].renews


def test_a_running_league_takes_entries_for_the_next_season(world: World) -> None:
    number = begun(world, "alice", "bob")
    entered(world, number, "carol")
    assert [*entrants(world, season=2)] == ["carol"]
    assert _leave(world, number, "carol") is Leaving.WITHDRAWN


def test_nobody_enters_a_group_that_plays(world: World) -> None:
    number = begun(world, "alice", "bob", form="groups")
    with pytest.raises(PlayerError, match="Tournament 1 has begun already"):
        entered(world, number, "carol")


def test_who_leaves_another_form_gets_no_more_boards_there(world: World) -> None:
    number = begun(world, "alice", "bob", form="swiss")
    assert _leave(world, number, "bob") is Leaving.OUT
    found = entrants(world)["bob"]
    assert (found.out, world.row().over) == (Out.LEFT, None)


def test_a_closed_account_leaves_all_tournaments(world: World) -> None:
    running, coming = begun(world, "alice", "bob"), announced(world)
    entered(world, coming, "bob")
    world.mail("bob", "signoff bob bob-secret")
    assert entrants(world, running)["bob"].out == Out.CLOSED
    assert entrants(world, coming) == {}
    assert world.query(lambda s: s.tournaments.entries_of(world.player("alice").id))[0].tournament == running


def test_an_account_with_entries_is_not_deleted(strict_world: World) -> None:
    """Others would get its userid, and its place in the tables."""
    strict_world.signup("alice")
    number = announced(strict_world)
    player = strict_world.player("alice")

    def leave(store: Store) -> None:
        taking_part.join(store, number, player, strict_world.now)
        store.players.erase(player.id, strict_world.now)
        store.players.delete_unused(player.id)

    strict_world.act(leave)
    assert strict_world.query(lambda s: s.players.by_id(player.id)) is not None
