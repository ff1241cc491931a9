"""What positions are worth, counted square by square and line by line."""

from collections.abc import Callable
from math import tanh
from typing import Any

import pytest

from pbmserv.games import find
from pbmserv.games.base import AnyGame, Seat
from pbmserv.games.base.grid import Grid
from pbmserv.rng import NoChance, Rng


def positions(game: AnyGame, luck: str) -> list[Any]:
    """The positions of a random game."""
    rng, found = Rng(luck, 0), list[Any]([game.setup(game.usual_options({}), 2, NoChance())])
    while not game.outcome(found[-1]) and len(found) < 80:
        (seat,) = game.to_move(found[-1])
        move = rng.choice(game.legal_moves(found[-1], seat))
        found.append(game.apply(found[-1], seat, move, NoChance()).position)
    return [position for position in found if not game.outcome(position)]


def gomoku(squares: str, turn: Seat) -> float:
    """What a board is worth to Black."""
    grid, value = Grid(15, 15), 0.0
    lines = [(s, *grid.ray(s, direction)[:4]) for s in range(grid.size) for direction in range(4)]
    for line in (line for line in lines if len(line) == 5):
        men = [squares[s] for s in line]
        black, white = men.count("X"), men.count("O")
        rows = (0, 1, 6, 30, 200, 0)
        if not white:
            value += rows[black] * (1.5 if turn == 0 else 1)
        elif not black:
            value -= rows[white] * (1.5 if turn == 1 else 1)
    return tanh(value / 400)


def othello(squares: str) -> float:
    """What a board is worth to Black."""
    game, value = find("othello"), 0
    corner = (100, -20, 10, 5), (-20, -40, -2, -2), (10, -2, -1, -1), (5, -2, -1, -1)
    for square, man in enumerate(squares):
        row, column = (min(n, 7 - n) for n in divmod(square, 8))
        value += corner[row][column] * ((man == "B") - (man == "W"))
    position = game.setup({}, 2, NoChance())
    moves = [len(game.legal_moves(type(position)(squares, turn), turn)) for turn in (0, 1)]
    return tanh((value + 8 * (moves[0] - moves[1])) / 200)


@pytest.mark.slow
@pytest.mark.parametrize("luck", ["one", "two", "three"])
def test_counted_one_by_one(luck: str) -> None:
    game = find("gomoku")
    for position in positions(game, luck):
        assert game.evaluate(position, 0) == pytest.approx(gomoku(position.points, position.turn))
    game = find("othello")
    for position in positions(game, luck):
        assert game.evaluate(position, 0) == pytest.approx(othello(position.squares))


#: How much is on a board that the opponent of a seat can lose.
TO_LOSE: dict[str, Callable[[Any, Seat], int]] = {
    "draughts": lambda position, seat: position.board.lower().count("wb"[seat]),
    "oware": lambda position, seat: -position.stores[seat],
}


@pytest.mark.parametrize("key", TO_LOSE)
def test_loud_moves_are_those_that_take_something(key: str) -> None:
    game, count = find(key), 0
    for position in positions(game, "loud"):
        seat, before = position.turn, TO_LOSE[key](position, position.turn)
        for move in game.legal_moves(position, seat):
            then = game.apply(position, seat, move, NoChance()).position
            if key == "oware" and game.outcome(then):
                continue  # what is left is shared out
            takes = TO_LOSE[key](then, seat) < before
            assert (move in game.loud(position, seat)) == takes
            count += takes
    assert count
