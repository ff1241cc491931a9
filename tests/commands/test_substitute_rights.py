"""Substitutes: nobody agrees to somebody unknown or blocked, is asked without end, or loses what he agreed to."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from pbmserv.admin import robots as admin_of_robots
from pbmserv.admin import rulings
from pbmserv.admin.audit import differences
from pbmserv.admin.desk import Admin, Desk, act
from pbmserv.admin.people import players
from pbmserv.db import migrate, tables
from pbmserv.errors import PlayerError
from tests.commands.answers import fail, only, run, status, to
from tests.commands.test_substitute import numbers, seated, three
from tests.world import Received, World


def ruled(world: World, do: Callable[[Desk], object]) -> None:
    """Let an admin do something."""
    act(world.engine, world.site, Admin("tests"), world.now, do)


def handed_over(world: World) -> list[Received]:
    """Let dave take carol's seat on board 101 of 3io; board 102 begins. Returns the letters."""
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret dave")
    run(world, "dave", "3io substitute 101 dave dave-secret accept")
    return run(world, "bob", "3io substitute 101 bob bob-secret accept")


# --- who comes, and who agrees to it ---------------------------------------------------------------------------------


def test_all_learn_who_takes_the_seat_before_they_agree(world: World) -> None:
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret")
    letters = run(world, "eve", "3io join 1 eve eve-secret")
    assert to(letters, "bob").first_line.startswith("alice asks eve to take the seat of carol on 3io board 101.")
    world.reply(to(letters, "bob"), "accept")
    assert seated(world, 102) == ["alice", "bob", "eve"]


@pytest.mark.slow
@pytest.mark.both
@pytest.mark.parametrize("line", ["3io withdraw 1 eve eve-secret", "signoff eve eve-secret"])
def test_an_agreement_to_one_newcomer_is_none_to_the_next(world: World, line: str) -> None:
    world.board("alice", "bob", "carol", "dave", game="3io")
    world.signup("eve", "frank")
    world.mail("dave", "3io resign 101 dave dave-secret")
    run(world, "alice", "3io substitute 101 alice alice-secret")
    run(world, "eve", "3io join 1 eve eve-secret")
    run(world, "bob", "3io substitute 101 bob bob-secret accept")
    run(world, "eve", line)
    letters = run(world, "frank", "3io join 1 frank frank-secret")
    asked = to(letters, "bob")
    assert asked.first_line.startswith("alice asks frank to take the seat of dave on 3io board 101.")
    run(world, "carol", "3io substitute 101 carol carol-secret accept")
    assert numbers(world) == [101]
    world.reply(asked, "accept")
    assert seated(world, 102) == ["alice", "bob", "carol", "frank"]


def test_who_is_wanted_learns_who_plays(world: World) -> None:
    three(world)
    letters = run(world, "alice", "3io substitute 101 alice alice-secret dave")
    assert "The other players: bob." in to(letters, "dave").flat


@pytest.mark.slow
@pytest.mark.parametrize(("blocker", "blocked"), [("bob", "dave"), ("dave", "bob")])
def test_nobody_sits_with_somebody_blocked(world: World, blocker: str, blocked: str) -> None:
    three(world)
    world.mail(blocker, f"set {blocker} {blocker}-secret block={blocked}")
    error = fail(world, "alice", "3io substitute 101 alice alice-secret dave")
    assert "dave cannot take this seat at the moment." in error.flat
    run(world, "alice", "3io substitute 101 alice alice-secret")
    assert "Seek 1 cannot be joined at the moment." in fail(world, "dave", "3io join 1 dave dave-secret").flat


@pytest.mark.slow
def test_those_who_stayed_can_agree_though_they_block_each_other(world: World) -> None:
    three(world)
    world.mail("alice", "set alice alice-secret block=bob")
    run(world, "alice", "3io substitute 101 alice alice-secret")
    run(world, "dave", "3io join 1 dave dave-secret")
    run(world, "bob", "3io join 1 bob bob-secret")
    assert seated(world, 102) == ["alice", "bob", "dave"]


def test_a_partner_who_plays_on_keeps_no_seat_free(world: World) -> None:
    world.board("alice", "bob", "carol", "dave", game="trippples", options="-d")
    world.signup("eve")
    world.mail("carol", "trippples resign 101 carol carol-secret")
    error = fail(world, "alice", "trippples substitute 101 alice alice-secret eve")
    assert "Nobody has left board 101" in error.flat or "plays on alone on board 101" in error.flat


@pytest.mark.slow
def test_a_robot_brings_its_limit_and_its_repetition(world: World) -> None:
    three(world)
    ruled(world, lambda desk: admin_of_robots.add(desk, "robbie", "3io", 1, 1))
    letters = run(world, "alice", "3io substitute 101 alice alice-secret robbie")
    assert "draw when a position stands 5 times" in to(letters, "bob").flat
    assert "alice asks robbie (ROBOT) to take the seat of carol" in to(letters, "bob").flat
    assert "robbie (ROBOT) takes the seat of carol" in to(letters, "alice").flat
    run(world, "bob", "3io challenge bob robbie")
    error = only(world.reply(to(letters, "bob"), "accept"))
    assert "robbie has enough boards with you: 1." in error.flat


@pytest.mark.slow
def test_an_account_that_is_locked_begins_no_board(world: World) -> None:
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret")
    run(world, "dave", "3io join 1 dave dave-secret")
    ruled(world, lambda desk: players.lock(desk, "dave"))
    error = fail(world, "bob", "3io join 1 bob bob-secret")
    assert "dave begins no more boards." in error.flat


def test_all_read_about_days_off_and_vacation_before_they_agree(world: World) -> None:
    three(world)
    world.mail("carol", "set carol carol-secret weekends=wed")
    world.mail("dave", "set dave dave-secret weekends=off vacation=auto")
    world.mail("bob", "set bob bob-secret weekends=fri")
    letters = run(world, "alice", "3io substitute 101 alice alice-secret dave")
    for reader in ("bob", "dave"):
        told = (
            "no time runs for bob on Friday, no time runs for dave on Saturday and Sunday, automatic vacation for dave)"
        )
        assert told in to(letters, reader).flat
        assert "Wednesday" not in to(letters, reader).text


# --- how it is asked -------------------------------------------------------------------------------------------------


def test_an_answer_to_an_old_proposal_is_none_to_a_request(world: World) -> None:
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret dave")
    for word in ("accept", "reject"):
        error = fail(world, "bob", f"3io {word} 101 bob bob-secret")
        assert "There is no open proposal on board 101, but a request for a substitute." in error.flat
        assert f"3io substitute 101 bob PASSWORD {word}" in error.flat


def test_the_same_is_asked_once(world: World) -> None:
    """Else somebody could get a letter for each request that is withdrawn."""
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret dave")
    run(world, "alice", "3io withdraw 1 alice alice-secret")
    error = fail(world, "alice", "3io substitute 101 alice alice-secret dave")
    assert "That was asked on board 101 already, and not all agreed." in error.flat
    run(world, "alice", "3io substitute 101 alice alice-secret eve")


def test_a_seek_for_a_seat_lists_one_place_until_it_is_taken(world: World) -> None:
    three(world)
    run(world, "alice", "3io substitute 101 alice alice-secret")
    assert "for the seat of carol on board 101, 1 place left" in only(world.mail("eve", "list")).flat


def test_the_letter_says_that_a_running_board_runs_on(world: World) -> None:
    three(world)
    letters = run(world, "alice", "3io substitute 101 alice alice-secret dave")
    assert "a new board goes on from where this one stands then, with fresh time" in to(letters, "bob").flat


# --- the two boards --------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_old_board_is_told_as_a_draw(world: World) -> None:
    handed_over(world)
    told = "a draw of alice and bob (a substitute came, and another board goes on from here)"
    assert told in only(world.mail("eve", "3io show 101")).flat


@pytest.mark.slow
def test_the_new_board_cannot_be_declined(world: World) -> None:
    letters = handed_over(world)
    assert not any("decline" in x.text for x in letters)
    error = fail(world, "dave", "3io decline 102 dave dave-secret")
    assert "Everybody has agreed to board 102, so it cannot be declined." in error.flat


@pytest.mark.slow
def test_a_rematch_begins_from_the_start(world: World) -> None:
    handed_over(world)
    for userid in ("bob", "alice"):
        world.mail(userid, f"3io resign 102 {userid} {userid}-secret")
    run(world, "alice", "3io rematch 102 alice alice-secret")
    new = world.row(103)
    assert new.board.start.origin is None
    assert new.board.ply == 0


@pytest.mark.slow
@pytest.mark.both
def test_a_new_userid_is_told_instead_of_the_old_one(world: World) -> None:
    handed_over(world)
    ruled(world, lambda desk: players.rename(desk, "carol", "caroline"))
    left = world.row(102).continues
    assert left is not None
    assert left.userid == "caroline"


def test_an_admin_does_not_revive_a_board_beside_the_one_that_goes_on(world: World) -> None:
    handed_over(world)
    with pytest.raises(PlayerError, match="Board 101 goes on as board 102 with a substitute"):
        ruled(world, lambda desk: rulings.undo(desk, 101))


@pytest.mark.slow
def test_a_request_is_over_if_an_admin_gives_the_seat_back(world: World) -> None:
    world.board("alice", "bob")
    world.signup("carol")
    world.mail("alice", "tumble move 101 alice alice-secret a1-a2")
    world.mail("bob", "tumble resign 101 bob bob-secret")
    run(world, "alice", "tumble substitute 101 alice alice-secret")
    ruled(world, lambda desk: rulings.undo(desk, 101))
    world.mail("alice", "tumble resign 101 alice alice-secret")
    assert "There is no open seek 1." in fail(world, "carol", "tumble join 1 carol carol-secret").flat
    run(world, "bob", "tumble substitute 101 bob bob-secret")
    run(world, "carol", "tumble join 2 carol carol-secret")
    assert seated(world, 102) == ["carol", "bob"]
    world.verify()


@pytest.mark.slow
@pytest.mark.parametrize("voided", [False, True])
def test_an_earlier_version_reads_a_board_that_ended_because_a_substitute_came(world: World, voided: bool) -> None:
    handed_over(world)
    if voided:
        ruled(world, lambda desk: rulings.void(desk, 101))
    before = world.row().board.result
    migrate.downgrade(world.engine, "0010")
    with world.engine.connect() as connection:
        kinds = set(connection.scalars(sa.select(tables.entry.c.kind)))
    migrate.upgrade(world.engine)
    assert "substitute" not in kinds
    after = world.row().board.result
    assert before is not None
    assert after is not None
    assert after.ranks == before.ranks
    assert after.reason == ("voided" if voided else "adjudicated")
    assert world.query(lambda s: differences(s, 101)) == []
    assert numbers(world) == [101, 102]
    assert status(world) == "done"
