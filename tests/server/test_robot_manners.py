"""What a robot says to proposals: draws, moves taken back, and the count of a game of Go. It never stands still."""

from datetime import timedelta

import pytest

from pbmserv.games.base import Outcome
from pbmserv.games.base.log import Kind
from pbmserv.robots.manners import MOST_TAKEN_BACK
from pbmserv.server.robot_player import REST
from tests.commands.test_counting_by_mail import passed
from tests.server.test_robot_player import add, role
from tests.world import World


def turn(world: World) -> None:
    """Let the robots make all the answers that wait."""
    world.now += timedelta(seconds=REST + 1)
    robots = role(world)
    while robots.play():
        world.now += timedelta(seconds=REST + 1)


def said(world: World, seat: int) -> list[tuple[Kind, str]]:
    """Return what a seat has done on board 101."""
    return [(e.kind, e.text) for e in world.query(lambda s: s.boards.entries(101)) if e.seat == seat]


def begun(world: World, game: str, options: str = "") -> None:
    world.signup("alice")
    add(world, "robert", game)
    world.mail("alice", f"{game} challenge alice robert {options}")


def alice(world: World, game: str, words: str) -> None:
    before = world.row().board.length
    world.mail("alice", f"{game} move 101 alice alice-secret {words}")
    assert world.row().board.length > before


@pytest.mark.slow
@pytest.mark.both
def test_a_draw_that_is_offered_on_the_turn_of_the_other_is_answered(world: World) -> None:
    begun(world, "chess")
    world.mail("alice", "chess propose 101 alice alice-secret")
    assert world.row().board.to_answer == {1}
    assert not role(world).play()  # it rests before
    turn(world)
    assert said(world, 1) == [(Kind.REJECT, "")]
    assert not world.row().board.offer
    assert not world.query(lambda s: s.robots.waiting(world.now.timestamp(), world.now.timestamp(), 9))


def test_a_robot_that_stands_better_moves_and_so_refuses_a_draw(world: World) -> None:
    begun(world, "chess")
    alice(world, "chess", "e4")
    world.mail("alice", "chess propose 101 alice alice-secret")
    turn(world)
    ((kind, _),) = said(world, 1)
    assert kind is Kind.MOVE


@pytest.mark.slow
@pytest.mark.parametrize(("options", "answer"), [("--unrated", Kind.ACCEPT), ("", Kind.REJECT)])
@pytest.mark.parametrize("late", [False, True])
def test_moves_are_taken_back_on_unrated_boards(world: World, options: str, answer: Kind, late: bool) -> None:
    begun(world, "chess", options)
    alice(world, "chess", "e4")
    if late:
        turn(world)
    world.mail("alice", "chess undo 101 alice alice-secret")
    turn(world)
    kinds = [kind for kind, _ in said(world, 1)]
    if answer is Kind.ACCEPT:
        assert kinds[-1] is Kind.ACCEPT
        assert world.row().board.to_move == {0}
        assert world.row().board.ply == 0
    else:
        assert Kind.ACCEPT not in kinds
        assert not world.row().board.offer
    world.verify()


@pytest.mark.slow
def test_moves_are_not_taken_back_without_end(world: World) -> None:
    begun(world, "chess", "--unrated")
    for _ in range(MOST_TAKEN_BACK + 1):
        alice(world, "chess", "e4")
        world.mail("alice", "chess undo 101 alice alice-secret")
        turn(world)
    assert [kind for kind, _ in said(world, 1)] == [Kind.ACCEPT] * MOST_TAKEN_BACK + [Kind.MOVE]


def counting(world: World, robot: str, komi: str = "-9,5") -> None:
    """A game of Go that is decided; Black has just passed. One of the players is a robot from now on."""
    passed(world, komi)
    player = world.player(robot)
    world.act(lambda s: s.robots.add(player.id, "go", 1, 3))


@pytest.mark.slow
def test_a_robot_passes_names_dead_stones_and_counts(world: World) -> None:
    counting(world, "bob")
    turn(world)
    assert [text for _, text in said(world, 1)[-4:]] == ["pass", "dead-c5", "dead-h5", "count"]
    alice(world, "go", "count")
    result = world.row().board.result
    assert result
    assert (result.reason, result.scores) == ("count", (45, 26.5))


@pytest.mark.slow
def test_a_robot_agrees_to_a_fair_count(world: World) -> None:
    counting(world, "alice")
    world.mail("bob", "go move 101 bob bob-secret pass dead-c5-h5 count")
    turn(world)
    assert said(world, 0)[-1] == (Kind.MOVE, "count")
    assert world.row().board.result


@pytest.mark.slow
def test_a_robot_names_what_was_forgotten(world: World) -> None:
    """With the white stone on c5 alive, White would win."""
    counting(world, "alice", komi="2,5")
    world.mail("bob", "go move 101 bob bob-secret pass count")
    turn(world)
    assert {text for _, text in said(world, 0)[-3:]} == {"dead-c5", "dead-h5", "count"}
    world.mail("bob", "go move 101 bob bob-secret count")
    assert world.row().board.result


@pytest.mark.slow
def test_a_robot_plays_on_after_an_unfair_count_and_comes_to_an_end(world: World) -> None:
    counting(world, "alice")
    world.mail("bob", "go move 101 bob bob-secret pass")
    for _ in range(60):
        board = world.row().board
        if board.result:
            break
        if board.to_move == {0}:
            turn(world)
        elif board.position.count:
            world.mail("bob", "go move 101 bob bob-secret dead-e5")
            world.mail("bob", "go move 101 bob bob-secret count")
        else:
            world.mail("bob", "go move 101 bob bob-secret pass")
    assert (Kind.MOVE, "resume") in said(world, 0)
    result = world.row().board.result
    assert result
    assert result.ranks == (1, 2)


@pytest.mark.slow
def test_a_robot_resigns_when_the_opponent_has_seen_that_it_is_lost(world: World) -> None:
    """Alice's stone in the middle is connected with both of her edges by two cells, so she needs one of each pair."""
    world.signup("alice")
    add(world, "robert", "hex", level=3)
    world.mail("alice", "hex challenge alice robert -size=3 -noswap --unrated")
    alice(world, "hex", "b2")
    turn(world)
    ((kind, cell),) = said(world, 1)
    assert kind is Kind.MOVE
    alice(world, "hex", {"c1": "b1", "b1": "c1", "a3": "b3", "b3": "a3"}.get(cell, "b1"))
    turn(world)
    assert said(world, 1)[1:] == [(Kind.RESIGN, "")]
    assert world.row().board.result == Outcome("resign", (1, 2))
