"""Open challenges: `seek`, `join` and `withdraw`, by mail."""

import pytest

from pbmserv.boards.ratings import rating_formula
from pbmserv.model import Rating
from pbmserv.store import Store
from tests.commands.answers import only
from tests.world import World


@pytest.fixture
def seeking(world: World) -> World:
    """Alice seeks an opponent for Tumbling Down. Bob and carol have accounts."""
    world.once(_seek)
    return world


def _seek(world: World) -> None:
    world.signup("alice", "bob", "carol")
    world.mail("alice", "tumble seek alice alice-secret -c --nagtime=3")


def test_a_seek_becomes_a_board_when_somebody_joins(seeking: World) -> None:
    first, second = seeking.mail("bob", "tumble join 1 bob bob-secret")
    assert (first.to, first.subject) == ("alice@example.org", "Tumble Board 101 alice")
    assert (second.to, second.subject) == ("bob@example.org", "Tumble Board 101 bob")
    assert first.first_line == "Your move, alice."
    assert "(-c, rated, reminder after 3 days" in first.text
    assert "There is no open seek 1." in only(seeking.mail("carol", "tumble join 1 carol carol-secret")).text


def test_the_answer_to_a_seek_says_how_it_ends(world: World) -> None:
    world.signup("alice")
    answer = only(world.mail("alice", "tumble seek alice alice-secret"))
    assert answer.subject == "Tumble seek 1"
    assert "It needs one more player" in answer.text
    assert "tumble withdraw 1 USERID PASSWORD" in answer.text


def test_list_shows_open_seeks(seeking: World) -> None:
    text = only(seeking.mail("bob", "list")).text
    assert "tumble -c: alice, 1 place left, rated" in text
    assert "tumble join 1 USERID PASSWORD" in text
    assert "Open seeks" not in only(seeking.mail("bob", "list threes")).text


def test_a_private_seek_is_not_listed_but_can_be_joined(world: World) -> None:
    world.signup("alice", "bob")
    world.mail("alice", "tumble seek alice alice-secret --private")
    assert "alice" not in only(world.mail("bob", "list")).text
    assert len(world.mail("bob", "tumble join 1 bob bob-secret")) == 2
    assert "101" not in only(world.mail("bob", "list")).text


def test_withdrawn_seeks_are_over(seeking: World) -> None:
    assert "withdrawn" in only(seeking.mail("alice", "tumble withdraw 1 alice alice-secret")).text
    assert "There is no open seek 1." in only(seeking.mail("bob", "tumble join 1 bob bob-secret")).text


def test_a_game_of_several_sizes_takes_seats(world: World) -> None:
    world.signup("alice", "bob", "carol")
    world.mail("alice", "3io seek alice alice-secret --seats=3")
    assert "It needs one more player" in only(world.mail("bob", "3io join 1 bob bob-secret")).text
    assert "You have left seek 1" in only(world.mail("bob", "3io withdraw 1 bob bob-secret")).text
    world.mail("bob", "3io join 1 bob bob-secret")
    letters = world.mail("carol", "3io join 1 carol carol-secret")
    assert {x.subject for x in letters} == {f"3io Board 101 {u}" for u in ("alice", "bob", "carol")}


def test_options_can_demand_more_seats(world: World) -> None:
    world.signup("alice")
    assert "It needs 3 more players" in only(world.mail("alice", "trippples seek alice alice-secret -d")).text
    error = only(world.mail("alice", "trippples seek alice alice-secret -d --seats=2")).text
    assert "Trippples with option -d is for 4 players" in error
    assert (
        "The options -e and -i do not go together"
        in only(world.mail("alice", "trippples seek alice alice-secret -e -i")).text
    )


def test_seats_drawn_by_lot_come_both_ways(world: World) -> None:
    world.signup("alice", "bob")
    first: set[str] = set()
    for number in range(1, 31):
        world.mail("alice", "tumble seek alice alice-secret --random")
        letters = world.mail("bob", f"tumble join {number} bob bob-secret")
        first |= {x.to for x in letters if "Your move" in x.first_line}
        if len(first) == 2:
            return
    pytest.fail(f"thirty times it was the turn of {first}")


@pytest.mark.parametrize(
    ("line", "text", "hint"),
    [
        ("tumble join 1 alice alice-secret", "You already have a place in seek 1.", "tumble withdraw 1 alice PASSWORD"),
        ("tumble join 9 bob bob-secret", "There is no open seek 9.", "send: list"),
        ("threes join 1 bob bob-secret", "Seek 1 is for Tumbling Down.", "Send: tumble join 1 bob PASSWORD"),
        ("tumble join x bob bob-secret", "'x' is not a number.", "such as 3"),
        ("tumble join 1 bob wrong-secret", "The password is not that of bob.", "Capital letters"),
        ("tumble withdraw 1 bob bob-secret", "You have no place in seek 1.", "send: list"),
        ("threes seek bob bob-secret", "Threes is for one player", "threes challenge bob"),
        ("tumble seek bob bob-secret --seats=3", "Tumbling Down has 2 seats.", "--seats=2"),
        ("tumble seek bob bob-secret --rating=high", "'--rating' needs", "--rating=1500-1900"),
        ("tumble seek bob bob-secret --rating=1900-1500", "'--rating' needs", "--rating=1500-1900"),
        ("tumble seek bob bob-secret --nagtime=soon", "'--nagtime' needs a number of days.", "--nagtime=7"),
        ("tumble limit bob bob-secret many", "The limit must be a number of boards", "tumble limit bob PASSWORD 5"),
    ],
)
def test_errors_name_the_cause_and_the_way_out(seeking: World, line: str, text: str, hint: str) -> None:
    before = seeking.dump()
    error = only(seeking.mail("bob", line))
    assert text in error.text
    assert hint in error.flat
    assert seeking.dump() == before


def test_a_rating_range_keeps_others_out(world: World) -> None:
    world.signup("alice", "bob", "carol")
    world.mail("alice", "tumble seek alice alice-secret --rating=1450-1550")
    with world.engine.begin() as connection:
        store = Store(connection)
        store.ratings.set("tumble", store.players.find("bob").id, Rating(30.0, 3.0, 12))  # type: ignore[union-attr]
    assert "for ratings 1450-1550" in only(world.mail("bob", "list")).flat
    error = only(world.mail("bob", "tumble join 1 bob bob-secret")).text
    assert f"is for ratings from 1450 to 1550; yours is {rating_formula.points(30.0)}." in error
    assert len(world.mail("carol", "tumble join 1 carol carol-secret")) == 2  # without a rating, carol counts as 1500


@pytest.mark.slow
def test_one_player_has_at_most_ten_seeks(world: World) -> None:
    world.signup("alice")
    for _ in range(10):
        world.mail("alice", "tumble seek alice alice-secret")
    error = only(world.mail("alice", "tumble seek alice alice-secret")).text
    assert "You already have 10 open seeks" in error
    assert "tumble withdraw 1 alice PASSWORD" in error
