"""A robot is given what its seat may see. One that is given more plays differently; ours does not."""

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from pbmserv.games.base import View
from pbmserv.games.base.board import Board, begin, play
from pbmserv.model import BoardRow
from pbmserv.rng import Rng
from pbmserv.robots.expectimax import Thrown
from pbmserv.robots.manners import answer
from pbmserv.robots.thinking import Problem, choose
from pbmserv.server.robot_player import REST, _situation
from tests.server.test_robot_player import add, role
from tests.world import World

LUCK = "luck"
LEVEL = 5  #: the highest, which looks deep enough to profit from what it must not know


def begun(world: World, game: str, options: str = "") -> BoardRow:
    """A board of a robot that moves first, against alice."""
    world.signup("alice")
    add(world, "robert", game)
    world.mail("alice", f"{game} challenge robert alice {options} --unrated")
    return world.row()


def ours(row: BoardRow, board: Board) -> str:
    """What our robot answers on a board, with always the same luck of its own."""
    seat = min(board.to_move)
    return answer(_situation(replace(row, board=board), [], seat), LEVEL, Rng(LUCK, board.ply))


def knowing_the_fleet(board: Board) -> str:
    """What the same search plays if its guess at what is hidden is the truth."""
    truth, game = board.position, type(board.game)()
    game.determinize = lambda view, rng: truth  # type: ignore[method-assign]
    problem = Problem(game, View(0, truth), board.start.options, board.start.seats)
    return choose(problem, LEVEL, Rng(LUCK, board.ply)).text


def knowing_the_draws(board: Board) -> str:
    """What the same search plays if the seed of the board decides what it sees drawn."""
    seat, game, seed = min(board.to_move), type(board.game)(), board.start.seed
    true = board.game.apply
    game.apply = lambda position, seat, move, rng: true(position, seat, move, Rng(seed, board.ply + 1))  # type: ignore[method-assign]
    if isinstance(game, Thrown):  # it is asked for all throws, and draws none
        throws = game.throws
        game.throws = lambda position: [(1.0, Rng(seed, board.ply + 1).choice(list(throws(position)))[1])]  # type: ignore[method-assign]
    problem = Problem(game, View(seat, board.position), board.start.options, board.start.seats)
    return choose(problem, LEVEL, Rng(LUCK, board.ply)).text


def moves(board: Board) -> list[str]:
    return sorted(board.game.format(move) for move in board.game.legal_moves(board.position, min(board.to_move)))


def told_apart(board: Board) -> list[Board]:
    """Return the board with two seeds with which the cheat plays differently; nothing if it seems to have none."""
    first, *others = (seeded(board, number) for number in range(6))
    played = knowing_the_draws(first)
    return next(([first, other] for other in others if knowing_the_draws(other) != played), [])


def seeded(board: Board, number: int) -> Board:
    """The same board with another seed."""
    return replace(board, start=replace(board.start, seed=f"{number:032x}"))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options"), [("backgammon", ""), ("3io", "")])
def test_no_robot_knows_what_will_be_drawn(world: World, game: str, options: str) -> None:
    """On a board where the cheat plays differently with each seed, ours does not."""
    row = begun(world, game, options)
    start = row.board.start
    board = begin(replace(start, seed="0" * 32))
    while not (two := told_apart(board) if board.ply % 4 == 2 else []) and board.ply < 40:
        texts = moves(board)
        board = play(board, min(board.to_move), texts[board.ply % len(texts)]).board
    assert two
    assert len({ours(row, board) for board in two}) == 1


@pytest.mark.slow
def test_battleship_no_robot_knows_the_fleet(world: World) -> None:
    row = begun(world, "battleship")
    position = row.board.position
    fleets = (("a1-e1", "a2-d2", "a3-c3", "a4-c4", "a5-b5"), ("f10-j10", "g9-j9", "h8-j8", "h7-j7", "i6-j6"))
    boards = [_shooting(row.board, position, fleet) for fleet in fleets]
    assert len({ours(row, board) for board in boards}) == 1
    assert len({knowing_the_fleet(board) for board in boards}) == 2


def _shooting(board: Board, position: Any, fleet: tuple[str, ...]) -> Board:
    own = ("a1-e1", "a2-d2", "a3-c3", "a4-c4", "a5-b5")
    for text in ("random", "random"):
        board = play(board, min(board.to_move), text).board
    return replace(board, position=replace(board.position, fleets=(own, fleet), turn=0))


@pytest.mark.parametrize("game", ["3io", "battleship", "backgammon"])
def test_what_a_robot_is_given_is_what_its_seat_sees(world: World, game: str) -> None:
    """Not by what our code says, but by what is in the hands of the search while a real board is played."""
    row = begun(world, game)
    world.now += timedelta(seconds=REST + 1)
    robots = role(world)
    turn = robots._take()
    assert turn
    task = robots._look(turn)
    assert task
    assert task.situation.problem.view == row.game.view(row.board.position, turn.seat)
    assert row.board.start.seed not in re.sub(r"\s", "", repr(task) + repr(vars(task.situation)))
